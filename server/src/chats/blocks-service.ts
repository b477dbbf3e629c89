/**
 * Blocking someone and lifting it: no messages, invitations or requests between the two meanwhile. They are not told,
 * and who is blocked is told to the blocker alone.
 */
import { ownStream, type Payload, type Uid, type UserCard } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { isKnown, peopleOf, personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { blockedBy, setBlock } from './blocks-store.ts';

export interface BlocksDeps {
  record: StreamRecord;
  /** Who may see this person's presence; a block takes chat partners out of it, in both directions. */
  watchersOf: (db: Kysely<Schema>, uid: Uid) => Promise<Uid[]>;
}

export function blocksService({ record, watchersOf }: BlocksDeps) {
  async function block(
    caller: Caller,
    { uid, isBlocked }: Payload<'chats/block'>,
  ): Promise<Outcome<Record<string, never>>> {
    if (uid === caller.uid) return refuse('input/invalid');
    if (uid === null || !(await isKnown(record.db, uid))) return refuse('access/not-found');
    const both = [caller.uid, uid].sort() as [Uid, Uid];
    return await record.write(
      both.map((each) => ownStream(each)),
      async (writing) => {
        const saw = await watches(writing, both);
        if (await setBlock(writing.db, caller.uid, uid, isBlocked, writing.nowMs)) {
          await writing.append(ownStream(caller.uid), { type: 'chats/blocked', uid, isBlocked });
          await tellPresence(writing, both, saw, await watches(writing, both));
        }
        return accept({});
      },
    );
  }

  /** Whether the first of two sees the second, and the other way round. */
  async function watches({ db }: Writing, [one, two]: readonly [Uid, Uid]): Promise<[boolean, boolean]> {
    return [(await watchersOf(db, two)).includes(one), (await watchersOf(db, one)).includes(two)];
  }

  /** Whoever loses sight of the other sees them go, as if they had left; whoever regains it sees that they are here. */
  async function tellPresence(
    writing: Writing,
    both: readonly [Uid, Uid],
    saw: readonly [boolean, boolean],
    sees: readonly [boolean, boolean],
  ): Promise<void> {
    for (const [index, watcher] of both.entries()) {
      const presence = (await personOf(writing.db, both[1 - index] ?? watcher))?.presence;
      if (saw[index] === sees[index] || presence?.state !== 'online') continue;
      const seen = sees[index] ? presence : { ...presence, state: 'offline' as const, last_changed: writing.nowMs };
      await writing.append(ownStream(watcher), { type: 'presence/changed', presence: seen });
    }
  }

  async function blocked(caller: Caller): Promise<Outcome<{ people: UserCard[] }>> {
    const uids = await blockedBy(record.db, caller.uid);
    const known = await peopleOf(record.db, uids);
    return accept({ people: uids.map((uid) => ({ uid, name: known.get(uid)?.name ?? '' })) });
  }

  return { block, blocked };
}
export type BlocksService = ReturnType<typeof blocksService>;
