/**
 * Changes the lists inside a write of another feature: a host's accept, a removal, the deletion of an account. Each
 * person whose list changes is notified on their own stream, in the same transaction.
 */
import { addToCappedList, mergeLists } from '@tunemate/domain';
import { userStream, type RoomKind, roomKinds, type Tunemate, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { peopleOf } from '../storage/people.ts';
import type { Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { append, entriesAndPeople, entriesOf, kindsOf, matesOf, takeOut } from './tunemates-store.ts';

/**
 * Puts each of two people on the other's list of this kind; a full list drops its oldest entry (MATE-2). The caller's
 * write holds both streams. Nothing changes for two who are on each other's list already.
 */
export async function connect(writing: Writing, kind: RoomKind, a: Uid, b: Uid): Promise<void> {
  if (a === b) return;
  const { db, nowMs } = writing;
  const { entries: lists, people } = await entriesAndPeople(db, [a, b]);
  const sides = [
    { uid: a, mate: b },
    { uid: b, mate: a },
  ].map((side) => {
    const entries = lists.filter(({ uid }) => uid === side.uid);
    const ofKind = entries.filter((entry) => entry.kind === kind).map(({ mate }) => mate);
    const kinds = entries.filter(({ mate }) => mate === side.mate).map((entry) => entry.kind);
    return { ...side, ...addToCappedList(ofKind, side.mate), kinds };
  });
  const added = sides.filter(({ isAdded }) => isAdded);
  if (added.length === 0) return;
  for (const { uid, dropped } of added) await takeOut(db, kind, uid, dropped);
  await append(db, kind, added, nowMs);
  for (const { uid, mate, dropped, kinds } of added) {
    for (const gone of dropped) {
      await writing.append(userStream(uid), { type: 'tunemates/removed', uid: gone, metIn: [kind] });
    }
    const person = people.get(mate);
    if (!person) continue;
    const metIn = roomKinds.filter((each) => each === kind || kinds.includes(each));
    await writing.append(userStream(uid), { type: 'tunemates/added', tunemate: { ...person, metIn } });
  }
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
