/** Values of the protocol for tests, checked by its schemas. */
import {
  userSnapshot,
  streamId,
  tabId,
  uid,
  type Entries,
  type UserSnapshot,
  type Uid,
  type UserDocument,
  type ClientId,
} from '@tunemate/protocol';
import { createFakeClock } from './fake-clock.ts';

/** A uid from anything short: letters and digits stay, the rest is filled up. */
export const uidOf = (short: string): Uid =>
  uid.parse(
    short
      .replaceAll(/[^0-9A-Za-z]/g, '')
      .slice(0, 22)
      .padEnd(22, 'x'),
  );

export const maraUid = uidOf('M');

export const aTabId = tabId.parse('0d5e2f5e-0f0c-4b61-9d0d-3f0a4f6f3a11');

/** The current user. */
export const mara: UserDocument = {
  uid: maraUid,
  name: 'Mara Lindqvist',
  email: 'mara@example.test',
  emailVerified: true,
  online: true,
  createdAt: 1,
  soulmate: null,
  tunemates: [],
  audioConnections: [],
  readReceipts: true,
  linkPreviews: true,
};

/** Mara's snapshot with nothing in it but what the test names. */
export function aSnapshot(over: Partial<UserSnapshot> = {}): UserSnapshot {
  return userSnapshot.parse({
    seq: 0,
    user: mara,
    soulmate: null,
    asked: [],
    tunemates: [],
    notifications: [],
    unreadChats: 0,
    serverNowMs: 1,
    ...over,
  });
}

/** A batch of someone's own stream, or of a room's. */
export function batchOf(stream: string, from: number, changes: Entries['changes']): Entries {
  return { stream: streamId.parse(stream), from, changes };
}

/** The client id of one number. */
export function clientId(number: number): ClientId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as ClientId;
}

/** Client ids 1, 2, 3 … */
export function countingClientIds(after = 0): () => ClientId {
  let count = after;
  return () => {
    count += 1;
    return clientId(count);
  };
}

/** A timer whose time begins at 0 and passes only by `pass`. */
export function manualTimer() {
  const clock = createFakeClock(0);
  return { schedule: clock.schedule, pass: clock.advance, nowMs: clock.now };
}
