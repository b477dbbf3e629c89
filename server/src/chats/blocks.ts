/**
 * Blocking a user and lifting the block. A block ends the links between the two for good; while it lasts there are no
 * messages, invitations, requests or presence between them, and no membership in the blocker's rooms. Only the blocker
 * can see which of the two blocked the other.
 */
import { userStream, type Payload, type StreamId, type Uid, type UserCard, type Result } from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import type { Handlers, Pair } from '../access/subjects.ts';
import { withdrawBetween } from '../notifications/notifications.ts';
import { mayReach } from '../people/reach.ts';
import { haveTie, isWatching } from '../people/ties.ts';
import { unlinkSoulmates } from '../soulmate/soulmate.ts';
import { disconnect } from '../tunemates/tunemates.ts';
import { accept, type Nothing, refuse, type Refused } from '../system/ports.ts';
import type { Caller } from '../access/caller.ts';
import { peopleOf, personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import {
  addBlock,
  allBlockedBy,
  blockedBy,
  countBlockedBy,
  forgetBlocksOf,
  isBlockedBetween,
  liftBlock,
} from '../people/blocks.ts';

/** Far more than needed; one answer has the whole list. */
const mostBlocked = 1000;

interface BlocksDeps {
  record: StreamRecord;
  /** Removes the blocked user from the blocker's rooms, within a write that holds these streams. */
  dismissal: {
    streams: (db: Db, host: Uid, guest: Uid) => Promise<readonly StreamId[]>;
    apply: (writing: Writing, host: Uid, guest: Uid) => Promise<void>;
  };
  limits: Pick<Limits, 'take'>;
}

/** Which user sees the presence of which. */
interface Sight {
  watcher: Uid;
  seen: Uid;
}

export function blocksService({ record, dismissal, limits }: BlocksDeps) {
  async function block(
    { caller, other: uid, write }: Pair,
    { isBlocked }: Payload<'chats/block'>,
  ): Promise<Result<Nothing>> {
    if (uid === caller.uid) return refuse('input/invalid');
    if (!isBlocked) {
      // Blocking is never refused for them: back and forth takes both.
      const may = await limits.take('unblock', `${caller.uid}>${uid}`);
      if (!may.ok) return may;
      // The other is told of it, and of the next block.
      const reaches = await mayReach({ record, limits }, caller.uid, uid, 2);
      if (!reaches.ok) return reaches;
    }
    const sights: Sight[] = [
      { watcher: caller.uid, seen: uid },
      { watcher: uid, seen: caller.uid },
    ];
    const rooms = isBlocked ? (db: Db) => dismissal.streams(db, caller.uid, uid) : [];
    return await write(rooms, async (writing) => {
      const refused = isBlocked ? await refusalToBlock(writing.db, caller.uid) : null;
      if (refused) return refused;
      const before = await openOf(writing.db, sights);
      const wasApart = await isBlockedBetween(writing.db, caller.uid, uid);
      const changed = await setBlock(writing, caller.uid, uid, isBlocked);
      if (!changed) return accept({});
      await writing.append(userStream(caller.uid), { type: 'chats/blocked', uid, isBlocked });
      // Nothing changes for the two while the other's block remains.
      if (wasApart !== (await isBlockedBetween(writing.db, caller.uid, uid))) {
        // A stranger receives nothing: whether a first message is taken, its answer says.
        await appendClosed(
          writing,
          sights.filter(({ watcher }) => changed.isKnown || watcher === caller.uid),
          isBlocked,
        );
      }
      const after = await openOf(writing.db, sights);
      for (const sight of sights) {
        const isOpen = after.has(sight);
        if (before.has(sight) !== isOpen) await appendPresence(writing, sight, isOpen);
      }
      if (isBlocked) {
        await endTies(writing, caller.uid, uid);
        await dismissal.apply(writing, caller.uid, uid);
      }
      return accept({});
    });
  }

  /** The directions in which one may see the other's presence. */
  async function openOf(db: Db, sights: readonly Sight[]): Promise<Set<Sight>> {
    const open = new Set<Sight>();
    for (const sight of sights) if (await isWatching(db, sight.watcher, sight.seen)) open.add(sight);
    return open;
  }

  /** A block shows each of the two as offline to the other; lifting it shows their presence again. */
  async function appendPresence(writing: Writing, { watcher, seen }: Sight, isOpen: boolean): Promise<void> {
    const now = (await personOf(writing.db, seen))?.presence;
    if (now?.state !== 'online') return;
    const presence = isOpen ? now : { ...now, state: 'offline' as const, last_changed: writing.nowMs };
    await writing.append(userStream(watcher), { type: 'presence/changed', presence });
  }

  async function blocked(caller: Caller): Promise<Result<{ people: UserCard[] }>> {
    const uids = await blockedBy(record.db, caller.uid);
    const known = await peopleOf(record.db, uids);
    return accept({ people: uids.map((uid) => ({ uid, name: known.get(uid)?.name ?? '' })) });
  }

  return {
    handlers: { 'chats/block': block, 'chats/blocked': blocked } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: async (uid: Uid) => await record.write([userStream(uid)], ({ db }) => forgetBlocksOf(db, uid)),
      exports: { blocked: (uid: Uid) => allBlockedBy(record.db, uid) },
    },
  };
}

async function appendClosed(writing: Writing, sights: readonly Sight[], isClosed: boolean): Promise<void> {
  for (const { watcher, seen } of sights) {
    await writing.append(userStream(watcher), { type: 'chats/closed', uid: seen, isClosed });
  }
}

async function refusalToBlock(db: Db, by: Uid): Promise<Refused | null> {
  // Deleted from another tab while this write waited.
  if (!(await personOf(db, by))) return refuse('auth/required');
  return (await countBlockedBy(db, by)) >= mostBlocked ? refuse('limit/too-many') : null;
}

/** Null when nothing changed; otherwise whether the other person knows of it: they have a tie, or know of the block. */
async function setBlock(
  { db, nowMs }: Writing,
  by: Uid,
  whom: Uid,
  isBlocked: boolean,
): Promise<{ isKnown: boolean } | null> {
  const hasTie = await haveTie(db, by, whom);
  if (isBlocked) return (await addBlock(db, by, whom, hasTie, nowMs)) ? { isKnown: hasTie } : null;
  const lifted = await liftBlock(db, by, whom);
  return lifted && { isKnown: hasTie || lifted.isKnown };
}

async function endTies(writing: Writing, one: Uid, other: Uid): Promise<void> {
  await unlinkSoulmates(writing, one, other);
  await disconnect(writing, one, other);
  await withdrawBetween(writing, one, other);
}
