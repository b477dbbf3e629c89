/**
 * The people of the attack measurement: some who talk in a room of their own, an attacker with a full room and a chat,
 * accounts that many watch, and one with a long history. Written into the database before the server starts.
 */
import { pairId, type Uid } from '@tunemate/protocol';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { insertUsers, type Person } from '@tunemate/testkit/worlds/people';
import { openDatabase } from '../../server/src/storage/database.ts';
import type { Room } from '../load/largest-queue.ts';

/** What an attacker knows; sent to another process. */
export interface AttackWorld {
  url: string;
  attacker: Person;
  /** In the attacker's room and chat. */
  mates: Person[];
  /** The attacker's room with the largest queue. */
  room: Room;
  watched: Record<'few' | 'many', { person: Person; watchers: number }>;
  /** Has 100,000 private messages. */
  writer: Person;
}

const fewWatchers = 300;
const manyWatchers = 2000;
const messages = 100_000;
const rowsAtOnce = 1000;

const uidOf = (n: number): Uid => `W${String(n).padStart(21, '0')}` as Uid;

function* inPieces<T>(count: number, make: (n: number) => T): Iterable<T[]> {
  for (let start = 0; start < count; start += rowsAtOnce) {
    yield Array.from({ length: Math.min(rowsAtOnce, count - start) }, (_, index) => make(start + index));
  }
}

type Db = ReturnType<typeof openDatabase>['db'];

async function addWatchers(db: Db, few: Uid, many: Uid): Promise<void> {
  const watcher = (n: number) => ({ uid: uidOf(n), name: `Watcher ${String(n)}`, nowMs: 0 });
  const mateOf = (mate: Uid, position: number) => (n: number) => ({ uid: uidOf(n), mate, added_at_ms: 0, position });
  for (const people of inPieces(manyWatchers, watcher)) await insertUsers(db, people);
  for (const rows of inPieces(manyWatchers, mateOf(many, 1))) await db.insertInto('tunemates').values(rows).execute();
  for (const rows of inPieces(fewWatchers, mateOf(few, 2))) await db.insertInto('tunemates').values(rows).execute();
}

async function addMessages(db: Db, sender: Uid, other: Uid): Promise<void> {
  const pair = pairId.parse([sender, other].sort().join('_'));
  const row = { pair_id: pair, last_number: messages, last_at_ms: messages, started_at_ms: 0 };
  await db
    .insertInto('conversations')
    .values([
      { ...row, uid: sender, other },
      { ...row, uid: other, other: sender },
    ])
    .execute();
  const text = 'a message of ordinary length, as people write them';
  const messageOf = (n: number) => {
    return { pair_id: pair, number: n + 1, client_id: `m${String(n)}`, sender, text, image: null, timestamp_ms: n };
  };
  for (const rows of inPieces(messages, messageOf)) await db.insertInto('private_messages').values(rows).execute();
}

/** Makes all people; the room is made later, because that needs a server. */
export async function makeAttackWorld(databaseUrl: string, people: number) {
  const everybody = await makePeople(databaseUrl, people + 8);
  const [attacker, few, many, writer, ...others] = everybody as [Person, Person, Person, Person, ...Person[]];
  const database = openDatabase(databaseUrl);
  await database.db.transaction().execute(async (db) => {
    await addWatchers(db, few.uid, many.uid);
    await addMessages(db, writer.uid, attacker.uid);
  });
  await database.close();
  const watched = { few: { person: few, watchers: fewWatchers }, many: { person: many, watchers: manyWatchers } };
  return { attacker, watched, writer, mates: others.slice(0, 4), people: others.slice(4) };
}

/** Each person comes from an address of their own, as far as the server knows. */
export function addressOf({ uid }: Person): Record<string, string> {
  const [a = 0, b = 0, c = 0] = Buffer.from(uid).subarray(-3);
  return { 'x-forwarded-for': `10.${String(a)}.${String(b)}.${String(c)}` };
}
