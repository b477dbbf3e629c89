/**
 * What 'Suggested' is worth: how often the next track of held-out evenings in generated houses is among its first five,
 * beside the next file of the folder and what was played most; nights that go on by themselves; and how long a list of
 * 100,000 tracks takes on SQLite and PostgreSQL. Writes results/suggested.md; ends with 1 when a goal is missed.
 * Usage: npm run bench -- suggested [houses] [nights]
 */
import { join } from 'node:path';
import { percentile } from '@tunemate/testkit/percentile';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { goalsTable, writePage } from '../report/write-page.ts';
import { hitsOf } from './hits.ts';
import { largeLibrary, listTimes, rowOf } from './lists.ts';
import { playNights } from './nights.ts';

const houses = Number(process.argv[2] ?? 1000);
const nights = Number(process.argv[3] ?? 1000);
const goals = { overFolder: 3, overMost: 1.5, listMs: 30, pieceMs: 5, memoryMb: 40 };

const hits = hitsOf(houses);
const night = await playNights(nights);
const items = largeLibrary(100_000);
const folder = await makeTempDir('bench-suggested');
const onSqlite = await listTimes('SQLite', `sqlite:${join(folder.path, 'tunemate.sqlite')}`, items);
await folder.remove();
const postgres = await startPostgres();
const onPostgres = await listTimes('PostgreSQL', (await createDatabase(postgres.url)).url, items);
await postgres.stop();

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const [before, most, ours] = ['before: the next of the folder', 'most played here', 'suggested'].map(
  (name) => hits.get(name) ?? 0,
) as [number, number, number];
const times = (rate: number): string => (rate === 0 ? '' : (ours / rate).toFixed(2));
const lists = [onSqlite, onPostgres];
const met = {
  'at least 3 times the next of the folder': ours >= goals.overFolder * before,
  'at least 1.5 times the most played': ours >= goals.overMost * most,
  'no choice without a track, no track again within two hours, no artist twice in eight, no hour repeated':
    night.empty + night.repeated + night.artists + night.hours === 0,
  '95 % of lists within 30 ms': lists.every(({ tookMs }) => percentile(tookMs, 0.95) <= goals.listMs),
  '95 % of lists in pieces of at most 5 ms': lists.every(
    ({ longestPieceMs }) => percentile(longestPieceMs, 0.95) <= goals.pieceMs,
  ),
  'at most 40 MB': lists.every(({ memoryMb }) => memoryMb <= goals.memoryMb),
};
const report = `# Suggested

\`npm run bench -- suggested${houses === 1000 && nights === 1000 ? '' : ` ${String(houses)} ${String(nights)}`}\`

${String(houses)} generated houses of 3 to 6 people with a taste of their own and 70 to 130 evenings of 30 tracks; the last fifth of
the evenings is held out. What plays next is a habit of the house (40 %), the same genre (20 %), a favourite of a person
who is there (15 %), the same artist (3 %), else what the house comes back to or any track. No list sees how an evening
came about. They say how well counting finds what was put in, not what ears like.

| list | the next track is among the first five | suggested is so many times better |
| --- | --- | --- |
${[...hits].map(([name, share]) => `| ${name} | ${percent(share)} | ${times(share)} |`).join('\n')}

| nights of eight hours that go on by themselves | ${String(night.nights)} |
| --- | --- |
| tracks | ${String(night.tracks)} |
| choices without a track | ${String(night.empty)} |
| tracks again within two hours, while others had rested | ${String(night.repeated)} |
| artists again within eight tracks, while others had rested | ${String(night.artists)} |
| nights in which an hour is played again in its order, while there was another order | ${String(night.hours)} |
| tracks that were new to all | ${String(night.surprises)} |

Time of the processor for one list after another, with 200,000 counts of 100 people, six of them in the room:

| database | tracks | a list, half within | 95 % within | longest piece, half within | 95 % within | memory |
| --- | --- | --- | --- | --- | --- | --- |
${lists.map(rowOf).join('\n')}

${goalsTable(met)}
`;
writePage('suggested', report);
console.log(report);
process.exit(Object.values(met).every(Boolean) ? 0 : 1);
