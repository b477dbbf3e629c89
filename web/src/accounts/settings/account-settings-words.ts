/** Texts of the account screen. */
import type { Refusal } from '@tunemate/protocol';
import { type Instead, tryAgainIn } from '../../words/errors.ts';
import { t } from '../../language/t.ts';

export const accountSettingsWords = {
  title: t`Account`,
  parts: {
    profile: t`Profile`,
    signIn: t`Sign-in`,
    privacy: t`Privacy`,
    look: t`Look and language`,
    notifications: t`Notifications`,
    data: t`Data`,
  },
  looks: { system: t`As on this device`, dark: t`Dark`, light: t`Light` },
  keysTitle: t`Keyboard`,
  letterKeys: t`Letters and digits work as keys in rooms`,
  letterKeysDetail: t`On this device. Space and arrows always do.`,
  receiptsHint: t`Others see when you have read their messages. Off: you don't see theirs either.`,
  linksHint: t`Title and first words of the page behind a link. The server reads it, not your device.`,
  historyHint: t`What your rooms play while you are there, on your home for 90 days after you left.`,
  pushHint: t`A message, an invitation, a soulmate request or somebody at your door: who it is from, never what it says.`,
  pushDeniedHint: t`Allow notifications for this address in its settings, then switch this on again.`,
  sessionsTitle: t`Where you are signed in`,
  lastSeen: (when: string) => t`Last seen ${when}`,
  everywhere: t`Sign Out Everywhere`,
  blockedTitle: t`Blocked people`,
  blockedHint: t`They cannot write to you or invite you, and their requests do not reach you. They are not notified.`,
  exportFile: 'tunemate-data.json',
  deleteHint: t`Your rooms end, and you leave everyone’s tunemates. People you wrote with keep the chat, with ‘Deleted user’.`,
  password: t`Password`,
} as const;

/** On this screen wrong credentials always mean the password that was typed. */
export const accountSettingsInstead: Instead = {
  'auth/invalid-credentials': t`This is not your current password.`,
  'access/not-found': t`That was over already.`,
};

/** The server allows a few exports per hour, one at a time. */
export function exportInstead({ retryAfterMs }: Refusal): Instead {
  if (retryAfterMs === undefined) return {};
  return { 'limit/too-many': t`You exported your data a moment ago. ${tryAgainIn(retryAfterMs)}` };
}
