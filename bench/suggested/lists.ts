/** How long a list of 100,000 tracks takes with a year of counts, in which pieces, and what it keeps in memory. */
import type { RoomId, Uid, VideoId } from '@tunemate/protocol';
import { percentile } from '@tunemate/testkit/percentile';
import { insertUsers } from '@tunemate/testkit/worlds/people';
import type { LibraryItem } from '../../server/src/catalogue/library/library-item.ts';
import { noTaste } from '../../server/src/catalogue/sources/source.ts';
import { librarySuggestions } from '../../server/src/catalogue/suggested/library-suggestions.ts';
import { emptyPlayback, savePlayback } from '../../server/src/playback/playback-document.ts';
import { roomFacts } from '../../server/src/rooms/suggested/room-facts-store.ts';
import { type Database, migrate, openDatabase } from '../../server/src/storage/database.ts';
import { libraryOf, seeded } from './houses.ts';
import { itemOf } from './nights.ts';

const [people, countsOfEach, inRoom, lists] = [100, 2000, 6, 300];
const nowMs = 1_800_000_000_000;
const roomId = 'room' as RoomId;

export interface Lists {
  name: string;
  tracks: number;
  tookMs: number[];
  longestPieceMs: number[];
  memoryMb: number;
}

export function largeLibrary(tracks: number): LibraryItem[] {
  const random = seeded(1);
  const known = libraryOf(random, { artists: Math.ceil(tracks / 8.5) + 100, genres: 60 });
  return known.slice(0, tracks).map((track) => itemOf(track, 200));
}

async function fill({ db }: Database, items: readonly LibraryItem[]): Promise<void> {
  const random = seeded(2);
  const anId = (): VideoId => (items[Math.floor(items.length * random() ** 3)] as LibraryItem).id;
  const names = Array.from({ length: people }, (_, at) => ({ name: `Person ${String(at)}`, nowMs }));
  const uids = await insertUsers(db, names);
  for (const uid of uids) {
    const pairs = new Map<string, { after_id: string; track_id: string }>();
    for (let at = 0; at < countsOfEach; at += 1) {
      const pair = { after_id: at % 2 === 0 ? '' : anId(), track_id: anId() };
      pairs.set(`${pair.after_id} ${pair.track_id}`, pair);
    }
    const rows = [...pairs.values()].map((pair) => {
      const times = 1 + Math.floor(random() * 6);
      return {
        uid,
        ...pair,
        heard: times,
        chosen: times % 3,
        skipped: 0,
        last_at_ms: nowMs - Math.floor(random() * 1e10),
      };
    });
    for (let at = 0; at < rows.length; at += 500) {
      await db
        .insertInto('heard_counts')
        .values(rows.slice(at, at + 500))
        .execute();
    }
  }
  await savePlayback(db, { kind: 'audio', roomId }, emptyPlayback('audio', nowMs));
  const members = uids.slice(0, inRoom).map((uid: Uid) => ({ room_id: roomId, uid, joined_at_ms: nowMs }));
  await db.insertInto('audioroom_participants').values(members).execute();
  const played = Array.from({ length: 60 }, (_, at) => ({
    ...{ room_id: roomId, number: at + 1, proposed_by: null, at_ms: nowMs - (60 - at) * 120_000, by_house: at % 2 },
    track: JSON.stringify({ videoId: anId(), title: 'Title', durationSeconds: 200 }),
  }));
  await db.insertInto('played_tracks').values(played).execute();
}

export async function listTimes(name: string, url: string, items: readonly LibraryItem[]): Promise<Lists> {
  const database = openDatabase(url);
  await migrate(database);
  await fill(database, items);
  const byId = new Map<string, LibraryItem>(items.map((item) => [item.id, item]));
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  const soundOf = () => ({ lufs: null, tempo: null });
  const suggest = librarySuggestions({
    list: () => items,
    byId: (id) => byId.get(id) ?? null,
    soundOf,
    taste: noTaste,
  });
  const random = seeded(3);
  const list = async () => {
    const playing = (items[Math.floor(items.length * random() ** 3)] as LibraryItem).id;
    const facts = await roomFacts(database.db, { kind: 'audio', roomId }, nowMs);
    await suggest(['audio'], playing, { ...facts, seed: Math.floor(random() * 1e9) }, 18);
  };
  // The first one makes the places, and nothing is compiled before.
  for (let at = 0; at < 20; at += 1) await list();
  global.gc?.();
  const memoryMb = (process.memoryUsage().heapUsed - before) / 1e6;
  const [tookMs, longestPieceMs]: [number[], number[]] = [[], []];
  for (let at = 0; at < lists; at += 1) {
    const startMs = loopMs();
    await list();
    tookMs.push(loopMs() - startMs);
    // Looking at each turn is work too, so pieces are measured with lists of their own.
    const piece = longestPiece();
    await list();
    longestPieceMs.push(piece.end());
  }
  await database.close();
  return { name, tracks: items.length, tookMs, longestPieceMs, memoryMb };
}

/** Of the processor, for the loop: other programs on the machine don't count, nor the time in which a database answers. */
function loopMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest work between two turns of others. */
function longestPiece() {
  let [longest, last, isOver] = [0, loopMs(), false];
  const note = (): void => {
    const now = loopMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const turn = (): void => {
    note();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end(): number {
      isOver = true;
      note();
      return longest;
    },
  };
}

export const rowOf = ({ name, tracks, tookMs, longestPieceMs, memoryMb }: Lists): string => {
  const ms = (times: number[], share: number): string => `${percentile(times, share).toFixed(1)} ms`;
  const shares = [ms(tookMs, 0.5), ms(tookMs, 0.95), ms(longestPieceMs, 0.5), ms(longestPieceMs, 0.95)];
  return `| ${name} | ${String(tracks)} | ${shares.join(' | ')} | ${memoryMb.toFixed(0)} MB |`;
};
