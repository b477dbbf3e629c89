/**
 * Reads and writes soulmate links: the `soulmate` column of both people, always together. The caller's write holds both
 * streams; the conditions in the statements hold even if it did not.
 */
import type { SoulmateSide } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

type Db = Kysely<Schema>;

/** The person whose soulmate this one is, read from the other side: also for a deleted account. */
export async function leftBy(db: Db, uid: Uid): Promise<Uid | null> {
  const row = await db.selectFrom('users').select('uid').where('soulmate', '=', uid).executeTakeFirst();
  return row ? (row.uid as Uid) : null;
}

/** One person and their soulmate; null for a deleted or unverified account. */
export async function soulmateSideOf(db: Db, uid: Uid): Promise<SoulmateSide | null> {
  const row = await db
    .selectFrom('users')
    .select('soulmate')
    .where('uid', '=', uid)
    .where('deleted_at_ms', 'is', null)
    .where('email_verified', '=', 1)
    .executeTakeFirst();
  return row ? { uid, soulmate: row.soulmate as Uid | null } : null;
}

/** The uid of this person's soulmate. */
export async function soulmateOf(db: Db, uid: Uid): Promise<Uid | null> {
  return (await soulmateSideOf(db, uid))?.soulmate ?? null;
}

/** Those of these people who have a soulmate. */
export async function takenAmong(db: Db, uids: readonly Uid[]): Promise<Uid[]> {
  if (uids.length === 0) return [];
  const all = db
    .selectFrom('users')
    .select('uid')
    .where('uid', 'in', [...uids]);
  return (await all.where('soulmate', 'is not', null).execute()).map((row) => row.uid as Uid);
}

/** Each of the two with the other, always in the same order, so that two writes of one pair can't deadlock. */
export function bothWays(a: Uid, b: Uid): (readonly [Uid, Uid])[] {
  const [first, second] = a < b ? [a, b] : [b, a];
  return [
    [first, second],
    [second, first],
  ];
}

/** Compare and set: true when neither had a soulmate and they are now each other's. On false, roll back. */
export async function setSoulmate(db: Db, a: Uid, b: Uid): Promise<boolean> {
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
export async function clearSoulmate(db: Db, a: Uid, b: Uid): Promise<void> {
  for (const [uid, soulmate] of bothWays(a, b)) {
    await db
      .updateTable('users')
      .set({ soulmate: null })
      .where('uid', '=', uid)
      .where('soulmate', '=', soulmate)
      .execute();
  }
}
