/**
 * The people of the attack measurement: the others, who talk in a room of their own, the accounts that attack, each with a full
 * room, many chats, a long one and a saved queue, and the watchers of these accounts. Written into the database before the
 * server starts; the library is a folder of empty files and a film.
 */
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits, type PairId, pairId, type RoomCode, type RoomId, type Uid } from '@tunemate/protocol';
import { makePeople, type Room } from '@tunemate/testkit/worlds/crowd';
import { insertUsers, type Person } from '@tunemate/testkit/worlds/people';
import { libraryId } from '../../server/src/catalogue/library/library-item.ts';
import { storedTerms } from '../../server/src/chats/messages-store.ts';
import { emptyPlayback, savePlayback } from '../../server/src/playback/playback-document.ts';
import { addMember, insertRoom } from '../../server/src/rooms/lifecycle/rooms-store.ts';
import { openDatabase } from '../../server/src/storage/database.ts';
import { largestTrack } from '../load/largest-queue.ts';

/** An account that attacks. */
export interface Attacker {
  person: Person;
  /** Theirs, with the largest queue and all mates. */
  room: Room;
  /** Of the chat with a mate, who answers: many short messages, then a long page. */
  pairId: PairId;
  lastNumber: number;
  queueId: string;
}

/** What the attackers of one turn know; sent to another process. */
export interface Attack {
  url: string;
  /** All behind one address. */
  attackers: Attacker[];
  address: Record<string, string>;
  mates: [Person, ...Person[]];
}

export type Stop = () => Promise<void>;
export interface AttackKind {
  readonly name: string;
  start(attack: Attack): Promise<Stop>;
}

/** How many accounts attack together after one alone. */
export const crowds = [5, 20] as const;

const chats = limits.chatList;
const watchers = 2000;
const mates = 4;
const longMessages = 100;
const tracks = 5000;
const rowsAtOnce = 1000;
const filmFile = 'film.mp4';
const filmBytes = 500 * 1024 * 1024;
/** The film of the library. */
export const filmId = libraryId(filmFile);

const uidOf = (n: number): Uid => `W${String(n).padStart(21, '0')}` as Uid;
const shortText = 'a message of ordinary length, as people write them';
const longText = shortText.padEnd(limits.messageLength, '—');
const fullQueue = () => Array.from({ length: limits.queueItems }, (_, n) => largestTrack(n));

type Db = ReturnType<typeof openDatabase>['db'];

async function inPieces<T>(count: number, make: (n: number) => T, insert: (rows: T[]) => Promise<unknown>) {
  for (let from = 0; from < count; from += rowsAtOnce) {
    await insert(Array.from({ length: Math.min(rowsAtOnce, count - from) }, (_, n) => make(from + n)));
  }
}

/** A chat of two: the last messages are long ones, and each answers the other. */
async function addChat(db: Db, [uid, other]: readonly [Uid, Uid], short: number, long: number): Promise<PairId> {
  const pair = pairId.parse([uid, other].toSorted().join('_'));
  const last = short + long;
  const row = { pair_id: pair, last_number: last, last_at_ms: last, started_at_ms: 0 };
  const sides = [
    { ...row, uid, other },
    { ...row, uid: other, other: uid },
  ];
  await db.insertInto('conversations').values(sides).execute();
  const terms = storedTerms(db, pair, shortText);
  const message = (n: number) => ({
    ...{ pair_id: pair, number: n + 1, client_id: `${pair}-${String(n)}`, sender: n % 2 === 0 ? uid : other, terms },
    ...{ text: n < short ? shortText : longText, image: null, timestamp_ms: n + 1 },
  });
  await inPieces(last, message, (rows) => db.insertInto('private_messages').values(rows).execute());
  return pair;
}

/** The first ones attack alone, and have as many messages as one account may have after years. */
async function equip(db: Db, person: Person, at: number, theirMates: readonly Person[]): Promise<Attacker> {
  const { uid } = person;
  const mateOf = (n: number) => ({ uid: uidOf(n), mate: uid, added_at_ms: 0, position: at });
  await inPieces(watchers, mateOf, (rows) => db.insertInto('tunemates').values(rows).execute());
  const room = { kind: 'video' as const, roomId: `R${String(at).padStart(21, '0')}` as RoomId };
  const code = (0xf00000 + at).toString(16).toUpperCase() as RoomCode;
  await insertRoom(db, { ...room, code, name: `Room ${String(at)}`, host: uid, createdAtMs: Date.now() });
  for (const member of [person, ...theirMates]) await addMember(db, room, member.uid, at);
  const videoQueue = fullQueue().map((each) => ({ ...each, thumbnail: null }));
  await savePlayback(db, room, { ...emptyPlayback(room.kind, 0), queue: { videoQueue, currentIndex: 0 } });
  const queue = { queue_id: `full-queue-${String(at)}`, uid, kind: room.kind, name: 'A full queue', at_ms: at };
  const saved = { tracks: JSON.stringify(fullQueue()), track_count: limits.queueItems };
  await db
    .insertInto('saved_queues')
    .values({ ...queue, ...saved })
    .execute();
  for (let n = 1; n < chats; n += 1) await addChat(db, [uid, uidOf(n)], 2, 0);
  const short = at < 3 ? 50_000 : 3000;
  const chat = await addChat(db, [uid, theirMates[0]?.uid ?? uidOf(0)], short, longMessages);
  const lastNumber = short + longMessages;
  return { person, room: { kind: room.kind, code }, pairId: chat, lastNumber, queueId: queue.queue_id };
}

/** Attackers for so many turns with one and with each of the crowds; no account attacks in two turns. */
export async function makeAttackWorld(databaseUrl: string, people: number, turns: number) {
  const attacking = turns * crowds.reduce<number>((sum, count) => sum + count, 1);
  const made = await makePeople(databaseUrl, attacking + mates + people);
  const theirMates = made.slice(0, mates) as [Person, ...Person[]];
  const database = openDatabase(databaseUrl);
  const watcher = (n: number) => ({ uid: uidOf(n), name: `Watcher ${String(n)}`, nowMs: 0 });
  await inPieces(watchers, watcher, (rows) => insertUsers(database.db, rows));
  const attackers: Attacker[] = [];
  for (const person of made.slice(mates, mates + attacking)) {
    // A transaction of many seconds would be ended.
    const equipped = database.db.transaction();
    attackers.push(await equipped.execute((db) => equip(db, person, attackers.length, theirMates)));
  }
  await database.close();
  return { attackers, mates: theirMates, people: made.slice(mates + attacking) };
}

export async function fillLibrary(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const items = Array.from({ length: tracks }, (_, n) => ({
    ...{ file: `t${String(n)}.mp3`, title: `Song number ${String(n)}`, artist: `Artist ${String(n % 400)}` },
    ...{ kind: 'audio', durationSeconds: 100, mime: 'audio/mpeg' },
  }));
  const film = { file: filmFile, title: 'A film', kind: 'video', durationSeconds: 100, mime: 'video/mp4' };
  await writeFile(join(folder, 'library.json'), JSON.stringify({ items: [...items, film] }));
  for (const { file } of items) await writeFile(join(folder, file), '');
  // Of zeros, so that it takes no room.
  await writeFile(join(folder, filmFile), '');
  await truncate(join(folder, filmFile), filmBytes);
}

/** Each person who does not attack comes from an address of their own, as far as the server knows. */
export function addressOf({ uid }: Person): Record<string, string> {
  const [a = 0, b = 0, c = 0] = Buffer.from(uid).subarray(-3);
  return { 'x-forwarded-for': `10.${String(a)}.${String(b)}.${String(c)}` };
}
