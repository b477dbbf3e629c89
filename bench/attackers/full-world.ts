/**
 * The largest of everything that a question can be about: a room of a thousand people, twenty rooms with full queues, a
 * library of 20,000 files, a full list of chats, a full inbox, and as many histories and saved queues as one may have. Written before the server starts.
 */
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits, pairId, type RoomCode, type RoomId, type Uid, type VideoId } from '@tunemate/protocol';
import { insertUsers, type Person } from '@tunemate/testkit/worlds/people';
import { libraryId } from '../../server/src/catalogue/library/library-item.ts';
import { emptyPlayback, mostPlayed, savePlayback } from '../../server/src/playback/playback-document.ts';
import { addMember, insertRoom } from '../../server/src/rooms/lifecycle/rooms-store.ts';
import type { Db } from '../../server/src/storage/schema.ts';
import type { Room } from '../rooms/largest-queue.ts';

const tracks = 20_000;
const chats = 300;
const rowsAtOnce = 500;
const filmFile = 'film.mp4';
const filmBytes = 500 * 1024 * 1024;

/** What the questions name. */
export interface FullWorld {
  /** Of a thousand people, with a full queue. */
  crowded: Room;
  /** One of its people, in the middle. */
  inCrowd: Uid;
  /** With a page of messages and many before. */
  chatWith: Uid;
  /** A room that is gone, of which the attacker keeps a full history. */
  history: RoomId;
  /** A saved queue that is full. */
  queueId: string;
}

const uidOf = (prefix: string, n: number): Uid => `${prefix}${String(n).padStart(21, '0')}` as Uid;

async function addInPieces<T>(rows: readonly T[], insert: (some: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) await insert(rows.slice(from, from + rowsAtOnce));
}

const roomCode = (n: number): RoomCode => (0xf00000 + n).toString(16).toUpperCase() as RoomCode;
/** The rooms that the attacker is in beside the crowded one. */
export const roomCodes = Array.from({ length: limits.yourRooms - 1 }, (_, n) => roomCode(n + 1));

async function addRoom(db: Db, n: number, host: Uid, members: readonly Uid[]): Promise<Room> {
  const room = { kind: 'video' as const, roomId: uidOf('R', n) as string as RoomId };
  const code = roomCode(n);
  await insertRoom(db, { ...room, code, name: `Room ${String(n)}`, host, createdAtMs: n });
  for (const uid of [host, ...members]) await addMember(db, room, uid, n);
  const videoQueue = Array.from({ length: limits.queueItems }, (_, item) => ({ ...track(item), thumbnail: null }));
  const empty = emptyPlayback(room.kind, 0);
  await savePlayback(db, room, { ...empty, queue: { videoQueue, currentIndex: 0 } });
  return { kind: room.kind, code };
}

const track = (n: number) => ({
  videoId: `lib_${n.toString(16).padStart(16, '0')}` as VideoId,
  title: '🎵'.repeat(150),
  durationSeconds: 600,
});

async function addHistories(db: Db, uid: Uid): Promise<RoomId> {
  const nowMs = Date.now();
  for (let n = 0; n < limits.histories; n += 1) {
    const room_id = uidOf('H', n);
    const played = Array.from({ length: mostPlayed }, (_, number) => {
      const at_ms = nowMs - (mostPlayed - number) * 1000;
      return { room_id, number: number + 1, track: JSON.stringify(track(number)), proposed_by: null, at_ms };
    });
    await addInPieces(played, (some) => db.insertInto('played_tracks').values(some).execute());
    const span = { from_ms: 0, until_ms: nowMs, after_number: 0, until_number: mostPlayed };
    await db
      .insertInto('room_histories')
      .values({ uid, room_id, kind: 'video', name: `Gone ${String(n)}`, ...span })
      .execute();
  }
  return uidOf('H', 0) as string as RoomId;
}

async function addQueues(db: Db, uid: Uid): Promise<string> {
  const queues = Array.from({ length: limits.savedQueues }, (_, n) => ({
    ...{ queue_id: `full-queue-${String(n)}`, uid, kind: 'video' as const, name: `Queue ${String(n)}`, at_ms: n },
    tracks: JSON.stringify(Array.from({ length: limits.queueItems }, (_each, item) => track(item))),
    track_count: limits.queueItems,
  }));
  for (const queue of queues) await db.insertInto('saved_queues').values(queue).execute();
  return 'full-queue-0';
}

export async function fillWorld(db: Db, attacker: Person, host: Person): Promise<FullWorld> {
  const crowd = Array.from({ length: limits.participantsPerRoom - 2 }, (_, n) => uidOf('C', n));
  await addInPieces(crowd, (some) =>
    insertUsers(
      db,
      some.map((uid, n) => ({ uid, name: `Guest ${String(n)}`, nowMs: 0 })),
    ),
  );
  const crowded = await addRoom(db, 0, host.uid, [attacker.uid, ...crowd]);
  for (let n = 1; n < limits.yourRooms; n += 1) await addRoom(db, n, crowd[n] ?? host.uid, [attacker.uid]);
  const pairs = crowd.slice(0, chats).map((other, n) => {
    const pair = pairId.parse([attacker.uid, other].sort().join('_'));
    return { pair, other, n };
  });
  await addInPieces(pairs, (some) =>
    db
      .insertInto('conversations')
      .values(
        some.flatMap(({ pair, other, n }) => {
          const row = { pair_id: pair, last_number: 60, last_at_ms: n, started_at_ms: 0 };
          return [
            { ...row, uid: attacker.uid, other },
            { ...row, uid: other, other: attacker.uid },
          ];
        }),
      )
      .execute(),
  );
  const messages = pairs.flatMap(({ pair, other, n }) =>
    Array.from({ length: 60 }, (_, number) => ({
      pair_id: pair,
      number: number + 1,
      client_id: `c${String(n)}-${String(number)}`,
      sender: other,
      text: 'a message of ordinary length, as people write them',
      image: null,
      timestamp_ms: number,
    })),
  );
  await addInPieces(messages, (some) => db.insertInto('private_messages').values(some).execute());
  const inbox = crowd.slice(0, limits.notifications).map((sender, n) => ({
    id: `full-inbox-${String(n)}`,
    uid: attacker.uid,
    type: 'now-playing' as const,
    message: 'Come and listen',
    sender_uid: sender,
    sender_name: 'Guest',
    room: JSON.stringify({ kind: 'video', code: crowded.code, name: 'Room 0' }),
    room_id: uidOf('R', 0),
    about: '',
    is_read: 0,
    timestamp_ms: n,
  }));
  await db.insertInto('notifications').values(inbox).execute();
  const history = await addHistories(db, attacker.uid);
  const queueId = await addQueues(db, attacker.uid);
  return { crowded, inCrowd: crowd[500] ?? host.uid, chatWith: crowd[0] ?? host.uid, history, queueId };
}

/** The film of the library. */
export const filmId = libraryId(filmFile);

/** A folder with a manifest of 20,000 empty files and a film. */
export async function fillLibrary(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const items = Array.from({ length: tracks }, (_, n) => ({
    file: `t${String(n)}.mp3`,
    title: `Song number ${String(n)}`,
    artist: `Artist ${String(n % 400)}`,
    kind: n % 10 === 0 ? 'video' : 'audio',
    durationSeconds: 100,
    cover: 'c.png',
    mime: n % 10 === 0 ? 'video/mp4' : 'audio/mpeg',
  }));
  const film = { ...items[0], file: filmFile, title: 'A film', kind: 'video', mime: 'video/mp4' };
  await writeFile(join(folder, 'library.json'), JSON.stringify({ items: [...items, film] }));
  // Of zeros, so that it takes no room.
  await writeFile(join(folder, filmFile), '');
  await truncate(join(folder, filmFile), filmBytes);
  for (let from = 0; from < tracks; from += rowsAtOnce) {
    await Promise.all(items.slice(from, from + rowsAtOnce).map(({ file }) => writeFile(join(folder, file), '')));
  }
}
