/**
 * Changes the lists inside a write of another feature: a host's accept, a removal, the deletion of an account. Each
 * person whose list changes is notified on their own stream, in the same transaction.
 */
import { addToCappedList, mergeLists } from '@tunemate/domain';
import { userStream, type RoomKind, type Tunemate, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { peopleOf } from '../storage/people.ts';
import type { Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { append, kindsOf, listOfKind, matesOf, entriesOf, takeOut } from './tunemates-store.ts';

/**
 * Puts each of two people on the other's list of this kind; a full list drops its oldest entry (MATE-2). The caller's
 * write holds both streams. Nothing changes for two who are on each other's list already.
 */
export async function connect(writing: Writing, kind: RoomKind, a: Uid, b: Uid): Promise<void> {
  if (a === b) return;
  await addTo(writing, kind, a, b);
  await addTo(writing, kind, b, a);
}

async function addTo(writing: Writing, kind: RoomKind, uid: Uid, mate: Uid): Promise<void> {
  const { db, nowMs } = writing;
  const { dropped, isAdded } = addToCappedList(await listOfKind(db, kind, uid), mate);
  if (!isAdded) return;
  await takeOut(db, kind, uid, dropped);
  await append(db, kind, uid, mate, nowMs);
  for (const gone of dropped) {
    await writing.append(userStream(uid), { type: 'tunemates/removed', uid: gone, metIn: [kind] });
  }
  const person = (await peopleOf(db, [mate])).get(mate);
  if (!person) return;
  const tunemate = { ...person, metIn: await kindsOf(db, uid, mate) };
  await writing.append(userStream(uid), { type: 'tunemates/added', tunemate });
}

/** Removes each from the other's lists, both kinds. False when neither was on any. */
export async function disconnect(writing: Writing, a: Uid, b: Uid): Promise<boolean> {
  const wasOnMine = await removeFrom(writing, a, b);
  const wasOnTheirs = await removeFrom(writing, b, a);
  return wasOnMine || wasOnTheirs;
}

async function removeFrom(writing: Writing, uid: Uid, mate: Uid): Promise<boolean> {
  const metIn = await kindsOf(writing.db, uid, mate);
  if (metIn.length === 0) return false;
  for (const kind of metIn) await takeOut(writing.db, kind, uid, [mate]);
  await writing.append(userStream(uid), { type: 'tunemates/removed', uid: mate, metIn });
  return true;
}

/** Everyone whose lists change when this account ends; the caller's write holds their own streams. */
export async function peopleMetBy(db: Kysely<Schema>, uid: Uid): Promise<Uid[]> {
  const mine = (await entriesOf(db, uid)).map(({ mate }) => mate);
  return [...new Set([...mine, ...(await matesOf(db, uid))])];
}

/** For a deleted account: removes both sides of all its entries. */
export async function removeFromAllLists(writing: Writing, uid: Uid): Promise<void> {
  for (const mate of (await peopleMetBy(writing.db, uid)).sort()) await disconnect(writing, mate, uid);
}

/** Both lists as the sidebar shows them: each person once, the last one met first. */
export async function tunematesOf(db: Kysely<Schema>, uid: Uid): Promise<Tunemate[]> {
  const merged = mergeLists(await entriesOf(db, uid));
  const people = await peopleOf(
    db,
    merged.map((mate) => mate.uid),
  );
  return merged.flatMap(({ uid: mate, metIn }) => {
    const person = people.get(mate);
    return person ? [{ ...person, metIn }] : [];
  });
}
