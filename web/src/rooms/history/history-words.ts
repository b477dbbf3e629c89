/** Texts of what rooms have played. */
import { t } from '../../language/t.ts';
import type { Now } from '../../store/use-now.ts';
import { clockTime } from '../../words/dates.ts';

export const historyWords = {
  title: t`What we played`,
  /** Not 'Add all', which results of a search have beside it. */
  addAll: t`Queue all again`,
  addAgain: (title: string) => t`Queue ${title} again`,
  proposeAgain: (title: string) => t`Propose ${title} again`,
  forget: t`Delete`,
  forgetQuestion: (room: string) => t`Delete what ${room} played?`,
} as const;

export const beforeWords = {
  title: t`Before`,
  openAgain: t`Open again`,
  openAgainOf: (room: string) => `${t`Open again`}: ${room}`,
  printOf: (room: string) => t`The print of ${room}`,
  invited: (people: number) => (people === 1 ? t`1 person invited` : t`${people} people invited`),
  kinds: { video: t`Video`, audio: t`Audio` },
  left: (tracks: number) => (tracks === 1 ? t`1 track left` : t`${tracks} tracks left`),
} as const;

export function sinceWhen(tracks: number, fromMs: number, nowMs: Now): string {
  const time = clockTime(fromMs, nowMs);
  return tracks === 1 ? t`1 track since ${time}` : t`${tracks} tracks since ${time}`;
}
