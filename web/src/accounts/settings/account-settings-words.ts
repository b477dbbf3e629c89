/** Texts of the account screen. */
import type { Refusal } from '@tunemate/protocol';
import { type Instead, tryAgainIn } from '../../words/errors.ts';
import { t } from '../../language/t.ts';

export const accountSettingsWords = {
  title: t`Account`,
  saved: t`Saved`,
  nameTitle: t`Your name`,
  parts: {
    profile: t`Profile`,
    signIn: t`Sign-in`,
    privacy: t`Privacy`,
    look: t`Look and language`,
    notifications: t`Notifications`,
    data: t`Data`,
  },
  name: t`Name`,
  saveName: t`Save Name`,
  passwordTitle: t`Password`,
  currentPassword: t`Current password`,
  newPassword: t`New password`,
  savePassword: t`Change Password`,
  passwordSaved: t`Password changed. Your other devices are signed out.`,
  lookTitle: t`Theme`,
  looks: { system: t`As on this device`, dark: t`Dark`, light: t`Light` },
  keysTitle: t`Keyboard`,
  letterKeys: t`Letters and digits work as keys in rooms`,
  letterKeysDetail: t`On this device. Space and arrows always do.`,
  privacyTitle: t`Read receipts`,
  receipts: t`Show when I have read messages`,
  receiptsHint: t`Others see when you have read their messages. Off: you don't see theirs either.`,
  linksTitle: t`Links in messages`,
  links: t`Show previews of links`,
  linksHint: t`Title and first words of the page behind a link. The server reads it, not your device.`,
  historyTitle: t`What we played`,
  history: t`Keep what we played`,
  historyHint: t`What your rooms play while you are there, on your home for 90 days after you left.`,
  historyQuestion: t`Stop keeping what you played?`,
  historyConsequence: t`What was kept is deleted. Others keep theirs.`,
  historyAction: t`Stop and delete`,
  pushTitle: t`Notifications on this device`,
  push: t`Tell me while Tunemate is closed`,
  pushHint: t`A message, an invitation, a soulmate request or somebody at your door: who it is from, never what it says.`,
  pushDenied: t`This browser does not allow news from here.`,
  pushDeniedHint: t`Allow notifications for this address in its settings, then switch this on again.`,
  sessionsTitle: t`Where you are signed in`,
  thisDevice: t`This device`,
  lastSeen: (when: string) => t`Last seen ${when}`,
  end: t`End`,
  endSession: (device: string) => t`End ${device}`,
  sessionsUnreadable: t`Your devices could not be listed.`,
  tryAgain: t`Try Again`,
  everywhere: t`Sign Out Everywhere`,
  everywhereQuestion: t`Sign out everywhere?`,
  everywhereConsequence: t`Every device has to sign in again, this one too.`,
  blockedTitle: t`Blocked people`,
  blockedHint: t`They cannot write to you or invite you, and their requests do not reach you. They are not notified.`,
  showBlocked: t`Show Blocked People`,
  nobodyBlocked: t`You have blocked nobody.`,
  unblock: t`Unblock`,
  unblockPerson: (name: string) => t`Unblock ${name}`,
  someone: t`Deleted user`,
  dataTitle: t`Your data`,
  dataHint: t`Everything Tunemate keeps about you, as one JSON file.`,
  export: t`Export My Data`,
  exportFile: 'tunemate-data.json',
  deleteTitle: t`Delete account`,
  deleteHint: t`Your rooms end, and you leave everyone’s tunemates. People you wrote with keep the chat, with ‘Deleted user’.`,
  password: t`Password`,
  delete: t`Delete Account`,
  deleteQuestion: t`Delete your account?`,
  deleteConsequence: t`This cannot be undone.`,
  deleteAction: t`Delete`,
  failed: t`That did not work`,
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
