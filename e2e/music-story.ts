/** A year of evenings of two people, as the server keeps what they heard together. */
import { join } from 'node:path';
import { pairIdOf } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import { openDatabase } from '../server/src/storage/database.ts';
import { saveMusicPair } from '../server/src/tunemates/music-pairs.ts';

const dayMs = 24 * 60 * 60_000;
const eveningMs = 130 * 60_000;
const songMs = 4 * 60_000;
const evenings = 53;

/** One evening a week, the first one a year ago today. `titles` are heard in turn, the first one most often. */
export async function writeYear(
  dataDir: string,
  [one, other]: readonly [Uid, Uid],
  titles: readonly string[],
): Promise<void> {
  const database = openDatabase(`sqlite:${join(dataDir, 'tunemate.sqlite')}`);
  const { db } = database;
  const pairId = pairIdOf(one, other);
  const now = new Date();
  const firstAtMs = new Date(now.getFullYear() - 1, now.getMonth(), now.getDate(), 12).getTime();
  const kept = { askedBy: one, declinedAtMs: null, keptSinceMs: firstAtMs, forgottenBy: null };
  await saveMusicPair(db, [one, other], kept, now.getTime());
  const idOf = (n: number): string => `lib_${String(n).padStart(16, '0')}`;
  const begun = Array.from({ length: evenings }, (_, week) => firstAtMs + week * 7 * dayMs).filter(
    (atMs) => atMs + eveningMs < now.getTime(),
  );
  const room = { room: 'audio:of-two', code: '4C0A9E', name: 'Kitchen Radio' };
  await db
    .insertInto('music_evenings')
    .values(
      begun.map((atMs, week) => ({
        ...{ pair_id: pairId, begun_at_ms: atMs, until_ms: atMs + eveningMs, ...room },
        heard_ms: eveningMs - (week % 5) * 20 * 60_000,
      })),
    )
    .execute();
  const heard = begun.flatMap((atMs, week) =>
    Array.from({ length: 3 }, (_, n) => ({ atMs: atMs + n * songMs, track: n === 0 ? 0 : (week + n) % titles.length })),
  );
  await db
    .insertInto('music_listens')
    .values(
      heard.map(({ atMs, track }) => ({
        ...{ pair_id: pairId, begun_at_ms: atMs, until_ms: atMs + songMs, track_id: idOf(track) },
        ...{ room: room.room, heard_ms: songMs, is_counted: 1 },
      })),
    )
    .execute();
  await db
    .insertInto('music_tracks')
    .values(
      titles.map((title, track) => ({
        ...{ pair_id: pairId, track_id: idOf(track), times: heard.filter((each) => each.track === track).length },
        ...{ first_at_ms: firstAtMs + track * songMs, first_by: track % 2 === 0 ? one : other },
        track: JSON.stringify({ videoId: idOf(track), title, durationSeconds: songMs / 1000 }),
      })),
    )
    .execute();
  await database.close();
}
