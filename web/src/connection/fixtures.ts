/** Values of the protocol for tests, checked by its schemas. */
import { ownSnapshot, streamId, tabId, uid, type Entries, type OwnSnapshot, type Uid } from '@tunemate/protocol';

/** A uid made of one letter or digit. */
export const uidOf = (letter: string): Uid => uid.parse(letter.repeat(22));

export const aTabId = tabId.parse('0d5e2f5e-0f0c-4b61-9d0d-3f0a4f6f3a11');

const aUser = {
  uid: uidOf('M'),
  name: 'Mara Lindqvist',
  email: 'mara@example.test',
  emailVerified: true,
  online: true,
  createdAt: 1,
  soulmate: null,
  tunemates: [],
  audioConnections: [],
  readReceipts: true,
};

/** Mara's snapshot with nothing in it but what the test names. */
export function aSnapshot(over: Partial<OwnSnapshot> = {}): OwnSnapshot {
  return ownSnapshot.parse({
    seq: 0,
    user: aUser,
    soulmate: null,
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
