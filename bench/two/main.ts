/**
 * What two people share: random schedules of people who press at one moment, what friends see of a change of track, blends,
 * and our music over 50,000 listens, on SQLite and PostgreSQL. Writes results/two.md; ends with 1 when a goal is missed.
 * Usage: npm run bench -- two [schedules]
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { percentile } from '@tunemate/testkit/percentile';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { goalsTable, writePage } from '../report/write-page.ts';
import { measureBlends } from './blends.ts';
import { measureFriends } from './friends.ts';
import { measurePresses } from './presses.ts';
import { listens, measureYears } from './years.ts';

const schedules = Number(process.argv[2] ?? 10_000);
const goals = { pageMs: 100, friendsMs: 1000, statements: 2, leastShare: 0.4, mostShare: 0.6 };

async function measure(name: string, urlOf: (of: string) => Promise<string>) {
  const years = await measureYears(await urlOf('years'));
  const friends = await measureFriends(await urlOf('friends'));
  return { name, years, friends, presses: await measurePresses(await urlOf('presses'), schedules, 52) };
}

const folder = await makeTempDir('bench-two');
const onSqlite = await measure('SQLite', async (of) => `sqlite:${join(folder.path, `${of}.sqlite`)}`);
await folder.remove();
const postgres = await startPostgres();
const onPostgres = await measure('PostgreSQL', async () => (await createDatabase(postgres.url)).url);
await postgres.stop();
const both = [onSqlite, onPostgres];
const blends = measureBlends(1000);

const p95 = (values: readonly number[]): number => percentile(values, 0.95);
const shares = (values: readonly number[]): string =>
  [0.5, 0.95].map((share) => `${percentile(values, share).toFixed(1)} ms`).join(' | ');
const mb = (bytes: number | null): string => (bytes === null ? '' : `${(bytes / 1e6).toFixed(1)} MB`);
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const added = ({ statements: { shown, shownToNone } }: (typeof onSqlite)['friends']): number => shown - shownToNone;
const met = {
  'presses: one state, none lost, twice, applied after a refusal or without the remote': both.every(
    ({ presses: { apart, lost, twice, undoneOrUnsaid, afterTheRight } }) =>
      apart + lost + twice + undoneOrUnsaid + afterTheRight === 0,
  ),
  'a change of track to fifty friends: 95 % within a second': both.every(
    ({ friends }) => p95(friends.tookMs) <= goals.friendsMs,
  ),
  'it adds at most two statements': both.every(({ friends }) => added(friends) <= goals.statements),
  'blends: 40 to 60 % each, no artist twice in eight, reasons true':
    blends.leastShare >= goals.leastShare &&
    blends.mostShare <= goals.mostShare &&
    blends.artistsTooSoon + blends.falseReasons === 0,
  'page of a pair and year: 95 % within 100 ms': both.every(
    ({ years }) => p95(years.pairMs) <= goals.pageMs && p95(years.yearMs) <= goals.pageMs,
  ),
  'forgetting leaves no row': both.every(({ years }) => years.rowsAfterForgetting === 0),
};
const report = `# Two people

\`npm run bench -- two${schedules === 10_000 ? '' : ` ${String(schedules)}`}\`

Server and pages are in one process. Load average of the two cores at the end: ${loadavg()[0]?.toFixed(0) ?? ''}; times grow with it.

Two to five of five people press at one moment; the host lends the remote and takes it back meanwhile. A line is cut with
a press on it, and the page asks for its answer once it has another one. No process is killed here.

| random schedules | ${both.map(({ name }) => name).join(' | ')} |
| --- | --- | --- |
${(
  [
    ['schedules', 'schedules'],
    ['presses', 'presses'],
    ['accepted', 'accepted'],
    ['refused: another person was first', 'overtaken'],
    ['refused: without the remote', 'withoutRight'],
    ['lines cut with a press on them', 'cutLines'],
    ['of these presses, given up', 'givenUp'],
    ['pages in another state than the host', 'apart'],
    ['accepted presses that are lost', 'lost'],
    ['applied twice', 'twice'],
    ['refused and applied all the same', 'undoneOrUnsaid'],
    ['applied without the remote', 'afterTheRight'],
  ] as const
)
  .map(([title, field]) => `| ${title} | ${both.map(({ presses }) => String(presses[field])).join(' | ')} |`)
  .join('\n')}

A change of track to the pages of 50 friends of a person in the room:

| database | half within | 95 % within | statements that it adds | where the person shows nothing |
| --- | --- | --- | --- | --- |
${both.map(({ name, friends }) => `| ${name} | ${shares(friends.tookMs)} | ${String(added(friends))} | ${String(friends.statements.shownToNone)} in all |`).join('\n')}

| blends of generated pairs | ${String(blends.pairs)} |
| --- | --- |
| pairs that have one | ${String(blends.blends)} |
| tracks | ${String(blends.tracks)} |
| share of one person | ${percent(blends.leastShare)} to ${percent(blends.mostShare)} |
| artists again within eight tracks | ${String(blends.artistsTooSoon)} |
| reasons that are not true | ${String(blends.falseReasons)} |

Our music of a pair with ${String(listens)} listens of 20,000 tracks in one year, beside two such pairs:

| database | page, half within | 95 % within | year, half within | 95 % within | tables and indexes | of these indexes | rows before | rows after forgetting |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${both
  .map(({ name, years }) =>
    [
      ...['', name, shares(years.pairMs), shares(years.yearMs), mb(years.bytes), mb(years.indexBytes)],
      ...[String(years.rowsBefore), String(years.rowsAfterForgetting), ''],
    ]
      .join(' | ')
      .trim(),
  )
  .join('\n')}

${goalsTable(met)}
`;
writePage('two', report);
console.log(report);
process.exit(Object.values(met).every(Boolean) ? 0 : 1);
