/** How long the page of a pair and a year take over 50,000 listens, what their indexes take, and what forgetting leaves. */
import { pairIdOf } from '@tunemate/domain';
import type { Uid } from '@tunemate/protocol';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { sql } from 'kysely';
import { saveMusicPair } from '../../server/src/tunemates/music-pairs.ts';
import { openDatabase } from '../../server/src/storage/database.ts';
import type { Db } from '../../server/src/storage/schema.ts';

export const listens = 50_000;
const [evenings, tracks, reads] = [1000, 20_000, 60];
const tables = ['music_pairs', 'music_listens', 'music_tracks', 'music_evenings'] as const;
const yearMs = 365 * 24 * 60 * 60_000;
const songMs = 210_000;

export interface Years {
  readonly pairMs: number[];
  readonly yearMs: number[];
  /** Of 50,000 listens of one pair, with all tables and indexes of our music; null where the database does not say. */
  readonly bytes: number | null;
  readonly indexBytes: number | null;
  readonly rowsBefore: number;
  readonly rowsAfterForgetting: number;
}

/** All listens in the year before `nowMs`, in a thousand evenings. */
async function fill(db: Db, pairId: string, putBy: readonly Uid[], nowMs: number): Promise<void> {
  const random = seededRandom(59);
  const counts = new Map<number, { times: number; firstAtMs: number }>();
  const perEvening = listens / evenings;
  const pauseMs = Math.floor(yearMs / evenings);
  for (let evening = 0; evening < evenings; evening += 1) {
    const begunAtMs = nowMs - yearMs + evening * pauseMs;
    const rows = Array.from({ length: perEvening }, (_, n) => {
      const track = Math.floor(tracks * random() ** 2);
      const atMs = begunAtMs + n * songMs;
      const known = counts.get(track) ?? { times: 0, firstAtMs: atMs };
      counts.set(track, { ...known, times: known.times + 1 });
      return {
        ...{ pair_id: pairId, begun_at_ms: atMs, until_ms: atMs + songMs, track_id: idOf(track) },
        ...{ room: 'audio:bench', heard_ms: songMs, is_counted: 1 },
      };
    });
    await db.insertInto('music_listens').values(rows).execute();
    const [heardMs, room] = [perEvening * songMs, { room: 'audio:bench', code: 'AAAAAA', name: 'Kitchen Radio' }];
    const times = { begun_at_ms: begunAtMs, until_ms: begunAtMs + heardMs, heard_ms: heardMs };
    await db
      .insertInto('music_evenings')
      .values({ pair_id: pairId, ...times, ...room })
      .execute();
  }
  const rows = [...counts].map(([track, { times, firstAtMs }]) => ({
    ...{ pair_id: pairId, track_id: idOf(track), times, first_at_ms: firstAtMs, first_by: putBy[track % 2] ?? null },
    track: JSON.stringify({ videoId: idOf(track), title: `Artist - Song ${String(track)}`, durationSeconds: 210 }),
  }));
  for (let at = 0; at < rows.length; at += 500)
    await db
      .insertInto('music_tracks')
      .values(rows.slice(at, at + 500))
      .execute();
}
const idOf = (track: number): string => `lib_${String(track).padStart(16, '0')}`;

async function timesOf(ask: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < reads; n += 1) {
    const startMs = performance.now();
    await ask();
    took.push(performance.now() - startMs);
  }
  return took;
}

export async function measureYears(databaseUrl: string): Promise<Years> {
  const w = await openSocketWorld({ databaseUrl, isStill: false });
  try {
    const [ada, jonas] = [await w.arrive('Ada'), await w.arrive('Jonas')];
    await w.roomWith(ada, 'audio', jonas);
    const nowMs = w.clock.now();
    for (const mate of ['Mara', 'Ivo']) await keepAndFill(w, ada, (await w.arrive(mate)).uid, nowMs);
    const before = await sizeOf(databaseUrl);
    await keepAndFill(w, ada, jonas.uid, nowMs);
    const after = await sizeOf(databaseUrl);
    // As PostgreSQL does by itself within a minute of so many new rows: before, it takes the tables for empty.
    if (databaseUrl.startsWith('postgres')) await sql`vacuum analyze`.execute(w.db);
    const ago = { from: nowMs - yearMs / 2, until: nowMs - yearMs / 2 + yearMs / 365 };
    const ask = { uid: jonas.uid };
    const pairMs = await timesOf(async () => valueOf(await ada.ask('music/pair', { ...ask, ago })));
    const year = { from: nowMs - yearMs, until: nowMs };
    const yearTookMs = await timesOf(async () => valueOf(await ada.ask('music/year', { ...ask, year })));
    const rowsBefore = await rowsOf(w.db, pairIdOf(ada.uid, jonas.uid));
    valueOf(await jonas.ask('music/keep', { uid: ada.uid, keeps: false }));
    return {
      ...{ pairMs, yearMs: yearTookMs, rowsBefore },
      bytes: before && after && after.bytes - before.bytes,
      indexBytes: before && after && after.indexBytes - before.indexBytes,
      rowsAfterForgetting: await rowsOf(w.db, pairIdOf(ada.uid, jonas.uid)),
    };
  } finally {
    await w.close();
  }
}

export async function keepAndFill({ db }: SocketWorld, { uid }: Tab, other: Uid, nowMs: number): Promise<void> {
  const kept = { askedBy: uid, declinedAtMs: null, keptSinceMs: nowMs - yearMs, forgottenBy: null };
  await saveMusicPair(db, [uid, other], kept, nowMs);
  await fill(db, pairIdOf(uid, other), [uid, other], nowMs);
}

/** What is kept of the pair; the pair's own row stays, and says who ended it. */
async function rowsOf(db: Db, pairId: string): Promise<number> {
  let rows = 0;
  for (const table of ['music_listens', 'music_tracks', 'music_evenings'] as const) {
    const kept = await db.selectFrom(table).select('pair_id').where('pair_id', '=', pairId).execute();
    rows += kept.length;
  }
  return rows;
}

/** Pages of the tables and of their indexes. */
async function sizeOf(databaseUrl: string): Promise<{ bytes: number; indexBytes: number } | null> {
  const database = openDatabase(databaseUrl);
  try {
    const names = sql.join(tables.map((table) => sql.lit(table)));
    const query =
      database.dialect === 'postgres'
        ? sql<{ bytes: number; index_bytes: number }>`
            select sum(pg_total_relation_size(relid))::float8 as bytes, sum(pg_indexes_size(relid))::float8 as index_bytes
            from pg_stat_user_tables where relname in (${names})`
        : sql<{ bytes: number; index_bytes: number }>`
            select sum(stat.pgsize) as bytes, sum(case when part.type = 'index' then stat.pgsize else 0 end) as index_bytes
            from dbstat as stat inner join sqlite_schema as part on part.name = stat.name where part.tbl_name in (${names})`;
    const { rows } = await query.execute(database.db);
    return rows[0] ? { bytes: rows[0].bytes, indexBytes: rows[0].index_bytes } : null;
  } finally {
    await database.close();
  }
}
