/** Texts of the home screen, the sidebar and the placeholders. */
import { t } from '../language/t.ts';

export const homeWords = {
  title: t`Home`,
  menu: t`Menu`,
  what: t`Films and music with friends, wherever they are: everybody hears the same second, and you chat beside it.`,
  signUp: t`Sign Up`,
  logIn: t`Log In`,
  logout: t`Logout`,
  unsent: (count: number) => ({
    question: t`Log out without sending?`,
    consequence:
      count === 1
        ? t`1 message was not sent. Logging out deletes it.`
        : t`${String(count)} messages were not sent. Logging out deletes them.`,
  }),
  logoutFailed: t`You are still logged in`,
  ourMusic: t`Our music`,
  joinSoulmateRoom: t`Join Soulmate Room`,
  joinVideo: t`Join Tunemate Video Room`,
  joinAudio: t`Join Tunemate Audio Room`,
  createVideo: t`Create Video Room`,
  createAudio: t`Create Audio Room`,
  videoRooms: t`Video rooms`,
  audioRooms: t`Audio rooms`,
  chatbot: t`Chatbot`,
  chatbotSoon: t`Chatbot coming soon...`,
} as const;
