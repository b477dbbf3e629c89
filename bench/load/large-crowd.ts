/**
 * Thousands of people with sessions, rooms in which they sit, and a past of messages, written through the project's own
 * stores before a server starts: for measurements that begin with all people there.
 */
import { randomBytes } from 'node:crypto';
import { pairIdOf } from '@tunemate/domain';
import { limits, type RoomCode, type RoomId, type RoomKind, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { hashSecret } from '../../server/src/accounts/sign-in/sessions.ts';
import { emptyPlayback, savePlayback } from '../../server/src/playback/playback-document.ts';
import { randomIds } from '../../server/src/system/machine.ts';
import { insertRoom } from '../../server/src/rooms/lifecycle/rooms-store.ts';
import { type Database, migrate, openDatabase } from '../../server/src/storage/database.ts';
import { chunked } from '../../server/src/storage/queries.ts';
import { roomTables } from '../../server/src/storage/schema.ts';
import { insertUsers, type Person } from '@tunemate/testkit/worlds/people';

export interface FilledRoom {
  kind: RoomKind;
  code: string;
  /** The host first. */
  members: Person[];
}

export interface LargeCrowd {
  people: Person[];
  rooms: FilledRoom[];
}

/** What a server that was in use for long has in its database, beside the people and their rooms. */
export interface LargeCrowdPast {
  /** Read notifications, spread over the people. Throws where these would have more than an inbox keeps. */
  notifications?: number;
  /** Further devices that are signed in, spread over the people. */
  sessions?: number;
}

const atOnce = 500;
const ids = randomIds();

export async function makeLargeCrowd(
  url: string,
  {
    count,
    rooms,
    perRoom,
    messages,
    notifications = 0,
    sessions = 0,
  }: { count: number; rooms: number; perRoom: number; messages: number } & LargeCrowdPast,
): Promise<LargeCrowd> {
  const database = openDatabase(url);
  await migrate(database);
  const people: Person[] = [];
  for (let from = 0; from < count; from += atOnce) {
    people.push(...(await insertPeople(database, from, Math.min(atOnce, count - from))));
  }
  const filled: FilledRoom[] = [];
  for (let n = 0; n < rooms; n += 1) {
    filled.push(await insertFilledRoom(database, n, people.slice(n * perRoom, (n + 1) * perRoom)));
  }
  if (messages > 0) await insertPast(database, people, messages);
  await insertNotifications(database, people, notifications);
  await insertSessions(database, people, sessions);
  await database.close();
  return { people, rooms: filled };
}

async function insertPeople({ db }: Database, from: number, count: number): Promise<Person[]> {
  const nowMs = Date.now();
  const names = Array.from({ length: count }, (_, n) => `Listener ${String(from + n)}`);
  return await db.transaction().execute(async (inside) => {
    const uids = await insertUsers(
      inside,
      names.map((name) => ({ name, nowMs })),
    );
    const made = uids.map((uid, n) => ({
      uid,
      name: names[n] ?? '',
      sessionId: ids.newId(),
      token: randomBytes(32).toString('base64url'),
    }));
    const times = { created_at_ms: nowMs, last_seen_at_ms: nowMs };
    const rows = made.map(({ uid, sessionId, token }) => {
      return { token_hash: hashSecret(token), session_id: sessionId, uid, device: 'a measurement', ...times };
    });
    await inside.insertInto('sessions').values(rows).execute();
    return made.map(({ token, ...person }) => ({ ...person, cookie: `sid=${token}` }));
  });
}

async function insertFilledRoom({ db }: Database, n: number, members: Person[]): Promise<FilledRoom> {
  const nowMs = Date.now();
  const kind = 'video';
  const code = n.toString(16).toUpperCase().padStart(6, '0') as RoomCode;
  const roomId = ids.newId() as RoomId;
  const host = members[0]?.uid ?? ('' as Uid);
  await db.transaction().execute(async (inside) => {
    await insertRoom(inside, { kind, roomId, code, name: `Room ${String(n)}`, host, createdAtMs: nowMs });
    await savePlayback(inside, { kind, roomId }, emptyPlayback(kind, nowMs));
    const rows = members.map(({ uid }, at) => ({ room_id: roomId, uid, joined_at_ms: nowMs + at }));
    for (const some of chunked(rows, atOnce)) {
      await inside.insertInto(roomTables[kind].participants).values(some).execute();
    }
  });
  return { kind, code, members };
}

/** Old private messages between neighbours of the list, of which the index of the search has nothing left to do. */
async function insertPast({ db }: Database, people: readonly Person[], count: number): Promise<void> {
  const pairs = Math.max(1, Math.min(1000, people.length >> 1));
  const perPair = Math.ceil(count / pairs);
  for (let n = 0; n < pairs; n += 1) {
    const [a = '' as Uid, b = '' as Uid] = [people[2 * n]?.uid, people[2 * n + 1]?.uid];
    const pair = pairIdOf(a, b);
    await sql`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${perPair})
      insert into private_messages (pair_id, number, client_id, sender, text, image, timestamp_ms, terms)
      select cast(${pair} as text), n, 'old-' || n || ${a}, cast(${a} as text), 'an old message', null, n, '' from numbers`.execute(
      db,
    );
    const side = { pair_id: pair, last_number: perPair, last_at_ms: perPair, started_at_ms: 1 };
    await db
      .insertInto('conversations')
      .values([
        { ...side, uid: a, other: b },
        { ...side, uid: b, other: a },
      ])
      .execute();
  }
}

async function insertNotifications({ db }: Database, people: readonly Person[], count: number): Promise<void> {
  if (count > people.length * limits.notifications) throw new Error('no inbox keeps so many notifications');
  const nowMs = Date.now();
  const rows = Array.from({ length: count }, (_, n) => ({
    id: ids.newId(),
    uid: people[n % people.length]?.uid ?? '',
    type: 'tunemate' as const,
    message: '',
    // A person has one notification of a type from each sender.
    sender_uid: people[(n + 1 + Math.floor(n / people.length)) % people.length]?.uid ?? '',
    sender_name: 'Listener',
    room: null,
    room_id: null,
    about: '',
    is_read: 1,
    timestamp_ms: nowMs - n,
  }));
  for (const some of chunked(rows, atOnce)) await db.insertInto('notifications').values(some).execute();
}

async function insertSessions({ db }: Database, people: readonly Person[], count: number): Promise<void> {
  const nowMs = Date.now();
  const rows = Array.from({ length: count }, (_, n) => ({
    token_hash: hashSecret(ids.newId()),
    session_id: ids.newId(),
    uid: people[n % people.length]?.uid ?? '',
    device: 'another device',
    created_at_ms: nowMs,
    last_seen_at_ms: nowMs,
  }));
  for (const some of chunked(rows, atOnce)) await db.insertInto('sessions').values(some).execute();
}
