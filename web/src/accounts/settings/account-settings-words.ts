/** Texts of the account screen. */
import type { Refusal } from '@tunemate/protocol';
import { type Instead, tryAgainIn } from '../../words/errors.ts';

export const accountSettingsWords = {
  title: 'Account',
  saved: 'Saved',
  nameTitle: 'Your name',
  name: 'Name',
  saveName: 'Save Name',
  passwordTitle: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  savePassword: 'Change Password',
  passwordSaved: 'Password changed. Your other devices are signed out.',
  privacyTitle: 'Read receipts',
  receipts: 'Show when I have read messages',
  receiptsHint: "Others see when you have read their messages. Off: you don't see theirs either.",
  pushTitle: 'News on this device',
  push: 'Tell me while Tunemate is closed',
  pushHint:
    'A message, an invitation, a soulmate request or somebody at your door: who it is from, never what it says.',
  pushDenied: 'This browser does not allow news from here.',
  pushDeniedHint: 'Allow notifications for this address in its settings, then switch this on again.',
  sessionsTitle: 'Where you are signed in',
  thisDevice: 'This device',
  lastSeen: (when: string) => `Last seen ${when}`,
  end: 'End',
  endSession: (device: string) => `End ${device}`,
  sessionsUnreadable: 'Your devices could not be listed.',
  tryAgain: 'Try Again',
  everywhere: 'Sign Out Everywhere',
  everywhereQuestion: 'Sign out everywhere?',
  everywhereConsequence: 'Every device has to sign in again, this one too.',
  blockedTitle: 'Blocked people',
  blockedHint: 'They cannot write to you or invite you, and their requests do not reach you. They are not told.',
  showBlocked: 'Show Blocked People',
  nobodyBlocked: 'You have blocked nobody.',
  unblock: 'Unblock',
  unblockPerson: (name: string) => `Unblock ${name}`,
  someone: 'Deleted user',
  dataTitle: 'Your data',
  dataHint: 'Everything Tunemate keeps about you, as one JSON file.',
  export: 'Export My Data',
  exportFile: 'tunemate-data.json',
  deleteTitle: 'Delete account',
  deleteHint:
    'Your rooms end, and you leave everyone’s tunemates. People you wrote with keep the chat, with ‘Deleted user’.',
  password: 'Password',
  delete: 'Delete Account',
  deleteQuestion: 'Delete your account?',
  deleteConsequence: 'This cannot be undone.',
  deleteAction: 'Delete',
  failed: 'That did not work',
} as const;

/** On this screen wrong credentials always mean the password that was typed. */
export const accountSettingsInstead: Instead = {
  'auth/invalid-credentials': 'This is not your current password.',
  'access/not-found': 'That was over already.',
};

/** The server allows a few exports per hour, one at a time. */
export function exportInstead({ retryAfterMs }: Refusal): Instead {
  if (retryAfterMs === undefined) return {};
  return { 'limit/too-many': `You exported your data a moment ago. ${tryAgainIn(retryAfterMs)}` };
}
