/** Which refusals of a room's requests mean that its member has gone already, and which say nothing about the room. */
import type { ErrorCode } from '@tunemate/protocol';

/** Refusals which mean that the user has left already. */
export const alreadyGone: readonly ErrorCode[] = ['room/ended', 'room/not-found', 'room/not-member', 'room/removed'];

/** Temporary refusals: another host meanwhile, a busy server, or a refused session, which the session model handles. */
export const ephemeral: readonly ErrorCode[] = [
  'room/host-changed',
  'limit/too-many',
  'server/busy',
  'server/unavailable',
  'server/storage-full',
  'auth/required',
  'auth/email-unverified',
  'client/outdated',
];
