/**
 * Reads and writes blocks (CHAT-4). The blocker's write holds the blocker's stream, and so does every write that
 * depends on the block.
 */
import type { PresenceRecord, Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { builtForEach, countOf, isThere, padded } from '../storage/queries.ts';
import { inPages, pageSize } from '../storage/pages.ts';
import type { Db } from '../storage/schema.ts';

/** True when `by` has blocked `whom`. */
export const isBlocked = (db: Db, by: Uid, whom: Uid): Promise<boolean> =>
  isThere(db.selectFrom('blocks').select('uid').where('uid', '=', by).where('blocked', '=', whom));

/** Those of `others` whom `by` has blocked. */
export async function blockedAmong(db: Db, by: Uid, others: readonly Uid[]): Promise<ReadonlySet<Uid>> {
  if (others.length === 0) return new Set();
  const rows = await db
    .selectFrom('blocks')
    .select('blocked')
    .where('uid', '=', by)
    .where('blocked', 'in', padded(others))
    .execute();
  return new Set(rows.map((row) => row.blocked as Uid));
}

/** True when either has blocked the other. */
export async function isBlockedBetween(db: Db, a: Uid, b: Uid): Promise<boolean> {
  const blocks = db
    .selectFrom('blocks')
    .select('uid')
    .where((either) =>
      either.or([either('uid', '=', a).and('blocked', '=', b), either('uid', '=', b).and('blocked', '=', a)]),
    );
  return await isThere(blocks.limit(1));
}

/** How many of the two have blocked the other, as a column of another query. */
export const blocksBetween = (a: Uid, b: Uid) =>
  sql<number>`(select count(*) from blocks where (uid = ${a} and blocked = ${b}) or (uid = ${b} and blocked = ${a}))`;

type PartedSince = ReadonlyMap<Uid, ReadonlyMap<Uid, number>>;
const nobody: ReadonlyMap<Uid, number> = new Map();

/** The time of each block between these people and others, in either direction. */
export async function partedSince(db: Db, uids: readonly Uid[]): Promise<PartedSince> {
  const parted = new Map<Uid, Map<Uid, number>>();
  for (const row of await blocksOf(db, uids)) {
    const [uid, other] = [row.uid as Uid, row.other as Uid];
    const since = parted.get(uid) ?? new Map<Uid, number>();
    parted.set(uid, since.set(other, Math.min(since.get(other) ?? row.at_ms, row.at_ms)));
  }
  return parted;
}

/** Made by these people, and of them. */
const blocksOf = builtForEach((db, uids: readonly Uid[]) =>
  db
    .selectFrom('blocks')
    .select(['uid', 'blocked as other', 'at_ms'])
    .where('uid', 'in', uids)
    .unionAll(db.selectFrom('blocks').select(['blocked as uid', 'uid as other', 'at_ms']).where('blocked', 'in', uids)),
);

/** Those of `others` who neither blocked this person nor are blocked by them. */
export async function withoutBlocks(db: Db, uid: Uid, others: readonly Uid[]): Promise<Uid[]> {
  if (others.length === 0) return [];
  // Blocks are few; `others` may be more than one statement takes.
  const parted = (await partedSince(db, [uid])).get(uid) ?? nobody;
  return others.filter((other) => !parted.has(other));
}

/** A person as another may see them: with a block between them they are offline, at the latest since the block. */
export function withoutPresenceOverBlock<Seen extends { uid: Uid; presence: PresenceRecord }>(
  parted: PartedSince,
  by: Uid,
  person: Seen,
): Seen {
  const sinceMs = parted.get(by)?.get(person.uid);
  if (sinceMs === undefined) return person;
  const last_changed = Math.min(person.presence.last_changed, sinceMs);
  return { ...person, presence: { ...person.presence, state: 'offline', last_changed } };
}

/** False when there was one already. */
export async function addBlock(db: Db, by: Uid, whom: Uid, isKnown: boolean, nowMs: number): Promise<boolean> {
  const set = await db
    .insertInto('blocks')
    .values({ uid: by, blocked: whom, at_ms: nowMs, is_known: Number(isKnown) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return set.numInsertedOrUpdatedRows === 1n;
}

/** Null when there was none. */
export async function liftBlock(db: Db, by: Uid, whom: Uid): Promise<{ isKnown: boolean } | null> {
  const lifted = await db
    .deleteFrom('blocks')
    .where('uid', '=', by)
    .where('blocked', '=', whom)
    .returning('is_known')
    .executeTakeFirst();
  return lifted ? { isKnown: lifted.is_known === 1 } : null;
}

/** Whom this person has blocked. */
export async function blockedBy(db: Db, uid: Uid): Promise<Uid[]> {
  const rows = await db.selectFrom('blocks').select('blocked').where('uid', '=', uid).orderBy('at_ms').execute();
  return rows.map((row) => row.blocked as Uid);
}

export const countBlockedBy = (db: Db, uid: Uid): Promise<number> =>
  countOf(db.selectFrom('blocks').where('uid', '=', uid));

/** As `blockedBy`, all of them, a page at a time. */
export async function* allBlockedBy(db: Db, uid: Uid): AsyncGenerator<string> {
  const rows = inPages<{ blocked: string }>((last) =>
    db
      .selectFrom('blocks')
      .select('blocked')
      .where('uid', '=', uid)
      .where('blocked', '>', last?.blocked ?? '')
      .orderBy('blocked')
      .limit(pageSize)
      .execute(),
  );
  for await (const { blocked } of rows) yield blocked;
}

/** The account ends: blocks it set go with it. */
export async function forgetBlocksOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('blocks').where('uid', '=', uid).execute();
}
