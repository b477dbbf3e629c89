/**
 * Resolves the people and conversations that requests name. A conversation of others gets the same answer as one that
 * does not exist.
 */
import { readPairId } from '@tunemate/domain';
import { userStream, type Uid } from '@tunemate/protocol';
import type { Subjects } from '../realtime/requests.ts';
import type { Pair } from '../access/subjects.ts';
import { accept, refuse } from '../system/ports.ts';
import type { Caller } from '../access/caller.ts';
import { isKnown } from '../storage/people.ts';
import { type StreamRecord, together } from '../storage/record.ts';
import { sideOf } from './conversations-store.ts';

export function pairResolver(record: StreamRecord): Pick<Subjects, 'person' | 'chat'> {
  const pairOf = (caller: Caller, other: Uid): Pair => {
    const both = [userStream(caller.uid), userStream(other)];
    return { caller, other, write: (others, work) => record.write(together(both, others), work) };
  };
  return {
    person: async (caller, uid) =>
      uid !== null && (await isKnown(record.db, uid)) ? accept(pairOf(caller, uid)) : refuse('access/not-found'),
    chat: async (caller, named) => {
      const pair = readPairId(named, caller.uid);
      const side = pair && (await sideOf(record.db, caller.uid, pair.pairId));
      return pair && side ? accept({ ...pairOf(caller, pair.other), side }) : refuse('access/not-found');
    },
  };
}
