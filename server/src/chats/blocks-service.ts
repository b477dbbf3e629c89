/**
 * Blocking someone and lifting it: no messages, invitations or requests between the two meanwhile. They are not told,
 * and who is blocked is told to the blocker alone.
 */
import { ownStream, type Payload, type UserCard } from '@tunemate/protocol';
import { accept, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { isKnown, peopleOf } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import { blockedBy, setBlock } from './blocks-store.ts';

export interface BlocksDeps {
  record: StreamRecord;
}

export function blocksService({ record }: BlocksDeps) {
  async function block(
    caller: Caller,
    { uid, isBlocked }: Payload<'chats/block'>,
  ): Promise<Outcome<Record<string, never>>> {
    if (uid === caller.uid) return refuse('input/invalid');
    if (uid === null || !(await isKnown(record.db, uid))) return refuse('access/not-found');
    return await record.write([ownStream(caller.uid)], async (writing) => {
      if (await setBlock(writing.db, caller.uid, uid, isBlocked, writing.nowMs)) {
        await writing.append(ownStream(caller.uid), { type: 'chats/blocked', uid, isBlocked });
      }
      return accept({});
    });
  }

  async function blocked(caller: Caller): Promise<Outcome<{ people: UserCard[] }>> {
    const uids = await blockedBy(record.db, caller.uid);
    const known = await peopleOf(record.db, uids);
    return accept({ people: uids.map((uid) => ({ uid, name: known.get(uid)?.name ?? '' })) });
  }

  return { block, blocked };
}
export type BlocksService = ReturnType<typeof blocksService>;
