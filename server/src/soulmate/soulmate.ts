/**
 * Soulmates: asking, taking a request back, accepting, declining, parting. Every write of a link holds the streams of
 * both people, so that competing accepts and partings happen one after the other. A link is the `soulmate` column of
 * both, always changed together.
 */
import { decideToAccept, refusalToAsk } from '@tunemate/domain';
import { type Payload, type Result, type SoulmateCard, type Uid, userStream } from '@tunemate/protocol';
import type { Handlers, Pair } from '../access/subjects.ts';
import { findNotification, findNotificationFrom } from '../notifications/notifications-store.ts';
import {
  appendSentRequests,
  deliver,
  streamsOfDelivery,
  streamsOfNotice,
  withdraw,
} from '../notifications/notifications.ts';
import { dropMusicWithoutTie } from '../tunemates/music-pairs.ts';
import { isBlockedBetween } from '../people/blocks.ts';
import { mayReach, type ReachDeps } from '../people/reach.ts';
import { isAcquainted, soulmateOf, soulmateSideOf } from '../people/ties.ts';
import { tunematesOf } from '../tunemates/tunemates.ts';
import type { Caller } from '../access/caller.ts';
import { keepAnswer, once } from '../storage/idempotency.ts';
import { peopleOf, personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { accept, Failure, type Ids, type Log, type Nothing, type Notify, refuse } from '../system/ports.ts';

const acceptName = 'soulmate/accept';

interface SoulmateDeps extends ReachDeps {
  record: StreamRecord;
  /** Who sees what these people hear has changed: each page that sees it gets it anew. Called after the commit. */
  heardChanged: (uids: readonly Uid[]) => void;
  ids: Ids;
  log: Log;
  notify: Notify;
}

export function soulmateService(deps: SoulmateDeps) {
  const { record } = deps;

  async function ask({ caller, other, write }: Pair, { clientId }: Payload<'soulmate/ask'>): Promise<Result<Nothing>> {
    // What takes it back is a second packet.
    const reaches = await mayReach(deps, caller.uid, other, 2);
    if (!reaches.ok) return reaches;
    const streams = (db: Db) => streamsOfDelivery(db, other);
    return await write(streams, (writing) =>
      once(writing, caller.uid, clientId, ['soulmate/ask', other], () => askInside(deps, writing, caller.uid, other)),
    );
  }

  async function acceptRequest(
    caller: Caller,
    { id }: Payload<'soulmate/accept'>,
  ): Promise<Result<{ soulmate: SoulmateCard }>> {
    const me = caller.uid;
    return await record.write(streamsOfNotice(me, id), async (writing) => {
      // A second accept gets the answer of the first: the notification it names has been removed by then.
      const accepted = await once(writing, me, id, acceptName, () => acceptInside(deps, writing, me, id));
      if (!accepted.ok) return accepted;
      const soulmate = await soulmateCardOf(writing.db, me);
      return soulmate?.uid === accepted.value.sender ? accept({ soulmate }) : refuse('access/not-found');
    });
  }

  async function decline(caller: Caller, { id }: Payload<'soulmate/decline'>): Promise<Result<Nothing>> {
    return await record.write(streamsOfNotice(caller.uid, id), async (writing) => {
      const notice = await findNotification(writing.db, caller.uid, id);
      if (notice?.type !== 'soulmate') return refuse('access/not-found');
      await withdraw(writing, caller.uid, id);
      await appendSentRequests(writing, notice.senderUid);
      return accept({});
    });
  }

  /** Ends the link with the soulmate at the time of the request, not with a later one. */
  async function part(caller: Caller): Promise<Result<Nothing>> {
    const soulmate = await soulmateOf(record.db, caller.uid);
    if (soulmate === null) return accept({});
    await record.write([userStream(caller.uid), userStream(soulmate)], async (writing) => {
      await unlinkSoulmates(writing, caller.uid, soulmate);
      // What the soulmate was shown they may still see as a tunemate.
      writing.afterCommit(() => deps.heardChanged([caller.uid, soulmate]));
    });
    return accept({});
  }

  return {
    handlers: {
      'soulmate/ask': ask,
      'soulmate/accept': acceptRequest,
      'soulmate/decline': decline,
      'soulmate/takeBack': takeBack,
      'soulmate/taken': async ({ uid }) => {
        const mates = await tunematesOf(record.db, uid);
        const uids = mates.map((mate) => mate.uid);
        return accept({ uids: await takenAmong(record.db, uids) });
      },
      'soulmate/part': part,
    } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: async (uid: Uid) =>
        await record.write(
          async (db) => [uid, await leftBy(db, uid)].flatMap((each) => (each === null ? [] : [userStream(each)])),
          async (writing) => {
            const left = await leftBy(writing.db, uid);
            if (left !== null) await unlinkSoulmates(writing, left, uid);
          },
        ),
      exports: {
        soulmate: async (uid: Uid) => {
          const card = await soulmateCardOf(record.db, uid);
          return card && { uid: card.uid, name: card.name };
        },
      },
    },
  };
}

async function acceptInside(
  { log, heardChanged }: SoulmateDeps,
  writing: Writing,
  uid: Uid,
  id: string,
): Promise<Result<{ sender: Uid }>> {
  const { db } = writing;
  const notice = await findNotification(db, uid, id);
  const me = await soulmateSideOf(db, uid);
  if (!me || notice?.type !== 'soulmate') return refuse('access/not-found');
  const sender = notice.senderUid;
  const isBlocked = await isBlockedBetween(db, uid, sender);
  const decision = decideToAccept(me, await soulmateSideOf(db, sender), isBlocked);
  await withdraw(writing, uid, id);
  await appendSentRequests(writing, sender);
  if (decision.type === 'refuse') return refuse(decision.code);
  if (decision.type === 'bond') {
    await linkSoulmates(writing, uid, sender);
    await consumeCrossingRequest(writing, uid, sender);
    writing.afterCommit(() => heardChanged([uid, sender]));
    log.info({ a: uid, b: sender }, 'soulmate.linked');
  }
  return accept({ sender });
}

async function takeBack({ caller, other, write }: Pair): Promise<Result<Nothing>> {
  return await write([], async (writing) => {
    const notice = await findNotificationFrom(writing.db, other, caller.uid, 'soulmate');
    if (notice) await withdraw(writing, other, notice.id);
    // Sent all the same: the page that withdraws a request that is gone still shows it.
    await appendSentRequests(writing, caller.uid);
    return accept({});
  });
}

async function askInside(deps: SoulmateDeps, writing: Writing, uid: Uid, asked: Uid): Promise<Result<Nothing>> {
  const { db } = writing;
  const me = await soulmateSideOf(db, uid);
  const person = await personOf(db, uid);
  if (!me || !person) return refuse('auth/required');
  const code = refusalToAsk({
    me,
    other: await soulmateSideOf(db, asked),
    isAcquainted: await isAcquainted(db, uid, asked),
    isBlocked: await isBlockedBetween(db, uid, asked),
  });
  if (code) return refuse(code);
  await deliver(writing, deps, asked, {
    type: 'soulmate',
    senderName: person.name,
    senderUid: uid,
    room: null,
  });
  await appendSentRequests(writing, uid);
  return accept({});
}

/** Both had asked each other: the link answers the other request too, and accepting that one gets the same answer. */
async function consumeCrossingRequest(writing: Writing, uid: Uid, sender: Uid): Promise<void> {
  const crossing = await findNotificationFrom(writing.db, sender, uid, 'soulmate');
  if (!crossing) return;
  await withdraw(writing, sender, crossing.id);
  await appendSentRequests(writing, uid);
  await keepAnswer(writing, sender, crossing.id, acceptName, { sender: uid });
}

/** Makes two people each other's soulmates. Throws, and so rolls the write back, if one of them has a soulmate. */
async function linkSoulmates(writing: Writing, a: Uid, b: Uid): Promise<void> {
  if (!(await setSoulmate(writing.db, a, b))) throw new Failure('soulmate/taken', 'soulmate.lost-race');
  await tellBoth(writing, a, b);
}

/** Ends the link of two people if they are each other's soulmates. */
export async function unlinkSoulmates(writing: Writing, a: Uid, b: Uid): Promise<void> {
  if ((await soulmateOf(writing.db, a)) !== b) return;
  await clearSoulmate(writing.db, a, b);
  await dropMusicWithoutTie(writing.db, a, b);
  for (const uid of [a, b].sort()) {
    await writing.append(userStream(uid), { type: 'soulmate/changed', soulmate: null });
  }
}

async function tellBoth(writing: Writing, a: Uid, b: Uid): Promise<void> {
  const people = await peopleOf(writing.db, [a, b]);
  for (const [uid, other] of bothWays(a, b)) {
    await writing.append(userStream(uid), { type: 'soulmate/changed', soulmate: people.get(other) ?? null });
  }
}

/** The soulmate as the home screen shows them. */
export async function soulmateCardOf(db: Db, uid: Uid): Promise<SoulmateCard | null> {
  const soulmate = await soulmateOf(db, uid);
  return soulmate === null ? null : ((await peopleOf(db, [soulmate])).get(soulmate) ?? null);
}

/** The person whose soulmate this one is, read from the other side: also for a deleted account. */
export async function leftBy(db: Db, uid: Uid): Promise<Uid | null> {
  const row = await db.selectFrom('users').select('uid').where('soulmate', '=', uid).executeTakeFirst();
  return row ? (row.uid as Uid) : null;
}

/** Those of these people who have a soulmate. */
async function takenAmong(db: Db, uids: readonly Uid[]): Promise<Uid[]> {
  if (uids.length === 0) return [];
  const all = db
    .selectFrom('users')
    .select('uid')
    .where('uid', 'in', [...uids]);
  return (await all.where('soulmate', 'is not', null).execute()).map((row) => row.uid as Uid);
}

/** Each of the two with the other, always in the same order, so that two writes of one pair can't deadlock. */
function bothWays(a: Uid, b: Uid): (readonly [Uid, Uid])[] {
  const [first, second] = a < b ? [a, b] : [b, a];
  return [
    [first, second],
    [second, first],
  ];
}

/** Compare and set: true when neither had a soulmate and they are now each other's. On false, roll back. */
async function setSoulmate(db: Db, a: Uid, b: Uid): Promise<boolean> {
  let changed = 0n;
  for (const [uid, soulmate] of bothWays(a, b)) {
    const result = await db
      .updateTable('users')
      .set({ soulmate })
      .where('uid', '=', uid)
      .where('soulmate', 'is', null)
      .where('deleted_at_ms', 'is', null)
      .executeTakeFirst();
    changed += result.numUpdatedRows;
  }
  return changed === 2n;
}

/** Clears both columns if the two are each other's. */
async function clearSoulmate(db: Db, a: Uid, b: Uid): Promise<void> {
  for (const [uid, soulmate] of bothWays(a, b)) {
    await db
      .updateTable('users')
      .set({ soulmate: null })
      .where('uid', '=', uid)
      .where('soulmate', '=', soulmate)
      .execute();
  }
}
