/**
 * Reads and writes saved queues and with whom they are shared. Every function takes the database or transaction to use.
 */
import { limits, type NamedTrack, type RoomKind, type SavedQueue, type Uid } from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { countOf, isThere, lookedUp } from '../../storage/queries.ts';
import { inPages, pageSize } from '../../storage/pages.ts';
import { peopleOf } from '../../storage/people.ts';
import type { Db } from '../../storage/schema.ts';
import { storedTracks } from '../../storage/stored-track.ts';

/** A `share` counts between two who have been tunemates since it was made, and between whom is no block. */
const shareCounts = sql<boolean>`(${sql.join(
  (['tunemates', 'audio_connections'] as const).map((list) =>
    lookedUp(sql`select 1 from ${sql.table(list)} as mate
      where mate.uid = saved_queues.uid and mate.mate = share.uid and mate.added_at_ms <= share.at_ms`),
  ),
  sql` or `,
)})
  and not exists (
    select 1 from blocks
    where (blocks.uid = saved_queues.uid and blocked = share.uid) or (blocks.uid = share.uid and blocked = saved_queues.uid)
  )`;

const isShared = (reader: Uid): RawBuilder<boolean> =>
  lookedUp(
    sql`select 1 from queue_shares as share
    where share.queue_id = saved_queues.queue_id and share.uid = ${reader} and ${shareCounts}`,
  );

const listed = [
  'saved_queues.queue_id',
  'saved_queues.uid',
  'kind',
  'name',
  'track_count',
  'saved_queues.at_ms',
] as const;

export async function queuesFor(db: Db, uid: Uid): Promise<SavedQueue[]> {
  const own = await db
    .selectFrom('saved_queues')
    .select(listed)
    .where('uid', '=', uid)
    .orderBy('at_ms', 'desc')
    .orderBy('queue_id')
    .execute();
  const shared = await db
    .selectFrom('queue_shares as share')
    .innerJoin('saved_queues', 'saved_queues.queue_id', 'share.queue_id')
    .select(listed)
    .select('share.at_ms as shared_at_ms')
    .where('share.uid', '=', uid)
    .where(shareCounts)
    // The latest of each person before the second of any other: one who shares many hides nothing of others.
    .orderBy(sql`row_number() over (partition by saved_queues.uid order by share.at_ms desc, share.queue_id)`)
    .orderBy('share.at_ms', 'desc')
    .orderBy('share.queue_id')
    .limit(limits.sharedQueues)
    .execute();
  const shares = own.length === 0 ? [] : await sharesOf(db, uid);
  const uids = [...shares.map((share) => share.uid as Uid), ...shared.map((queue) => queue.uid as Uid)];
  const people = await peopleOf(db, [...new Set(uids)]);
  const cardOf = (of: string) => {
    const person = people.get(of as Uid);
    return person === undefined ? [] : [{ uid: person.uid, name: person.name }];
  };
  const latestFirst = shared.toSorted((a, b) => b.shared_at_ms - a.shared_at_ms || (a.queue_id < b.queue_id ? -1 : 1));
  return [...own, ...latestFirst].map(
    ({ queue_id: queueId, uid: owner, kind, name, track_count: tracks, at_ms: savedAt }) => ({
      ...{ queueId, kind, name, tracks, savedAt },
      owner: owner === uid ? null : (cardOf(owner)[0] ?? null),
      sharedWith: shares.filter(({ queue_id: id }) => id === queueId).flatMap((share) => cardOf(share.uid)),
    }),
  );
}

/** With whom this person's own are shared. */
async function sharesOf(db: Db, owner: Uid) {
  return await db
    .selectFrom('saved_queues')
    .innerJoin('queue_shares as share', 'share.queue_id', 'saved_queues.queue_id')
    .select(['share.queue_id', 'share.uid'])
    .where('saved_queues.uid', '=', owner)
    .where(shareCounts)
    .orderBy('share.at_ms')
    .execute();
}

/** A queue that this person owns or may read; null of any other. */
export async function queueFor(
  db: Db,
  uid: Uid,
  queueId: string,
): Promise<{ name: string; tracks: NamedTrack[] } | null> {
  const row = await db
    .selectFrom('saved_queues')
    .select(['name', 'tracks'])
    .where('queue_id', '=', queueId)
    .where(({ or, eb }) => or([eb('uid', '=', uid), isShared(uid)]))
    .executeTakeFirst();
  return row ? { name: row.name, tracks: storedTracks.parse(JSON.parse(row.tracks)) } : null;
}

export const countQueuesOf = (db: Db, uid: Uid): Promise<number> =>
  countOf(db.selectFrom('saved_queues').where('uid', '=', uid));

export interface NewQueue {
  queueId: string;
  uid: Uid;
  kind: RoomKind;
  name: string;
  tracks: readonly NamedTrack[];
  nowMs: number;
}

export async function insertQueue(db: Db, { queueId, uid, kind, name, tracks, nowMs }: NewQueue): Promise<void> {
  const stored = tracks.map(({ videoId, title, durationSeconds, startSeconds }) => ({
    ...{ videoId, title, durationSeconds, startSeconds },
  }));
  await db
    .insertInto('saved_queues')
    .values({
      ...{ queue_id: queueId, uid, kind, name, at_ms: nowMs },
      tracks: JSON.stringify(stored),
      track_count: tracks.length,
    })
    .execute();
}

/** False of a queue that is not this person's own. */
export async function renameQueue(db: Db, uid: Uid, queueId: string, name: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('saved_queues')
    .set({ name })
    .where('queue_id', '=', queueId)
    .where('uid', '=', uid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Of another person's queue this person's right to read it is deleted. */
export async function deleteQueue(db: Db, uid: Uid, queueId: string): Promise<void> {
  const gone = await db
    .deleteFrom('saved_queues')
    .where('queue_id', '=', queueId)
    .where('uid', '=', uid)
    .executeTakeFirst();
  const shares = db.deleteFrom('queue_shares').where('queue_id', '=', queueId);
  await (gone.numDeletedRows > 0n ? shares : shares.where('uid', '=', uid)).execute();
}

export const isOwnQueue = (db: Db, uid: Uid, queueId: string): Promise<boolean> =>
  isThere(db.selectFrom('saved_queues').select('uid').where('queue_id', '=', queueId).where('uid', '=', uid));

/** Whether this tunemate may read it already. */
export const mayRead = (db: Db, queueId: string, uid: Uid): Promise<boolean> =>
  isThere(db.selectFrom('saved_queues').select('queue_id').where('queue_id', '=', queueId).where(isShared(uid)));

/** How many people may read it beside its owner. */
export async function countReadersOf(db: Db, queueId: string): Promise<number> {
  const { count } = await db
    .selectFrom('saved_queues')
    .innerJoin('queue_shares as share', 'share.queue_id', 'saved_queues.queue_id')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('saved_queues.queue_id', '=', queueId)
    .where(shareCounts)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Shared again counts from now. */
export async function saveShare(db: Db, queueId: string, uid: Uid, nowMs: number): Promise<void> {
  await db
    .insertInto('queue_shares')
    .values({ queue_id: queueId, uid, at_ms: nowMs })
    .onConflict((conflict) => conflict.columns(['queue_id', 'uid']).doUpdateSet({ at_ms: nowMs }))
    .execute();
}

export async function deleteShare(db: Db, queueId: string, uid: Uid): Promise<void> {
  await db.deleteFrom('queue_shares').where('queue_id', '=', queueId).where('uid', '=', uid).execute();
}

/** For a deleted account: its queues, and its right to read those of others. */
export async function deleteQueuesOf(db: Db, uid: Uid): Promise<void> {
  await db
    .deleteFrom('queue_shares')
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('uid', '=', uid),
        eb('queue_id', 'in', selectFrom('saved_queues').select('queue_id').where('saved_queues.uid', '=', uid)),
      ]),
    )
    .execute();
  await db.deleteFrom('saved_queues').where('uid', '=', uid).execute();
}

export async function* exportedQueues(db: Db, uid: Uid): AsyncGenerator<object> {
  const rows = inPages<{ queue_id: string; kind: RoomKind; name: string; tracks: string; at_ms: number }>((last) =>
    db
      .selectFrom('saved_queues')
      .select(['queue_id', 'kind', 'name', 'tracks', 'at_ms'])
      .where('uid', '=', uid)
      .where('queue_id', '>', last?.queue_id ?? '')
      .orderBy('queue_id')
      .limit(pageSize)
      .execute(),
  );
  for await (const { queue_id: queueId, kind, name, tracks, at_ms: savedAt } of rows) {
    const readers = db.selectFrom('queue_shares').select('uid').where('queue_id', '=', queueId).orderBy('at_ms');
    const sharedWith = (await readers.execute()).map((share) => share.uid);
    yield { kind, name, savedAt, tracks: JSON.parse(tracks) as unknown, sharedWith };
  }
}

/** For the export: the queues of others that this person may read. */
export async function exportedShares(db: Db, uid: Uid): Promise<object[]> {
  const rows = await db
    .selectFrom('queue_shares as share')
    .innerJoin('saved_queues', 'saved_queues.queue_id', 'share.queue_id')
    .select(['saved_queues.uid as by', 'name', 'share.at_ms as sharedAt'])
    .where('share.uid', '=', uid)
    .where(shareCounts)
    .orderBy('share.at_ms')
    .execute();
  return rows;
}
