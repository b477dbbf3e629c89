/** Texts of the home screen, the sidebar and the placeholders. */
import { locale, t } from '../language/t.ts';

export const homeWords = {
  title: t`Home`,
  /** Heads the page of a new user, at whatever hour. */
  first: t`Your first evening`,
  menu: t`Menu`,
  what: t`Films and music with friends, wherever they are: everybody hears the same second, and you chat beside it.`,
  logout: t`Logout`,
  unsent: (count: number) => ({
    question: t`Log out without sending?`,
    consequence:
      count === 1
        ? t`1 message was not sent. Logging out deletes it.`
        : t`${String(count)} messages were not sent. Logging out deletes them.`,
  }),
  createVideo: t`Create Video Room`,
  createAudio: t`Create Audio Room`,
  chatbotSoon: t`Chatbot coming soon...`,
} as const;

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long' });
const nightEndsAt = 5;

/** 'Saturday evening', by the clock of this device; the small hours belong to the day before. */
export function dayWords(now: Date): string {
  const hour = now.getHours();
  const day = new Date(now);
  if (hour < nightEndsAt) day.setDate(day.getDate() - 1);
  const name = weekday.format(day);
  const words =
    hour < nightEndsAt
      ? t`${name} night`
      : hour < 12
        ? t`${name} morning`
        : hour < 17
          ? t`${name} afternoon`
          : t`${name} evening`;
  // Some languages write the day with a small letter.
  return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);
}
