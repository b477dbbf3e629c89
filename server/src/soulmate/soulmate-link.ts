/**
 * Making and ending a soulmate link inside a write that holds the streams of both; both are notified in the same
 * transaction.
 */
import { userStream, type SoulmateCard, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { Failure } from '../system/ports.ts';
import { peopleOf } from '../storage/people.ts';
import type { Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { bothWays, clearSoulmate, leftBy, setSoulmate, soulmateOf } from './soulmate-store.ts';

/** Makes two people each other's soulmates. Throws, and so rolls the write back, if one of them has a soulmate. */
export async function linkSoulmates(writing: Writing, a: Uid, b: Uid): Promise<void> {
  if (!(await setSoulmate(writing.db, a, b))) throw new Failure('soulmate/taken', 'soulmate.lost-race');
  await tellBoth(writing, a, b);
}

/** Ends the link of two people if they are each other's soulmates. */
export async function part(writing: Writing, a: Uid, b: Uid): Promise<void> {
  if ((await soulmateOf(writing.db, a)) !== b) return;
  await clearSoulmate(writing.db, a, b);
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
export async function soulmateCardOf(db: Kysely<Schema>, uid: Uid): Promise<SoulmateCard | null> {
  const soulmate = await soulmateOf(db, uid);
  return soulmate === null ? null : ((await peopleOf(db, [soulmate])).get(soulmate) ?? null);
}

/** For a deleted account: ends its link. */
export async function clearSoulmateOf(writing: Writing, uid: Uid): Promise<void> {
  const left = await leftBy(writing.db, uid);
  if (left !== null) await part(writing, left, uid);
}
