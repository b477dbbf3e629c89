/**
 * What two people share: random schedules of people who press at one moment, what friends see of a change of track, and
 * our music over 50,000 listens, on SQLite and PostgreSQL. Writes results/two.md; ends with 1 when a goal is missed.
 * Usage: npm run bench -- two [schedules] [schedules among kills of servers] [--unheard]   (default 10,000 and 1,000;
 * --unheard: without the browsers)
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { stopMarginMs } from '@tunemate/playback';
import { percentile } from '@tunemate/testkit/percentile';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { goalsTable, writePage } from '../report/write-page.ts';
import { measureFriends } from './friends.ts';
import { type HeardHands, measureHands } from './hands.ts';
import { inThisProcess, onServers } from './places.ts';
import { measurePresses, type Place } from './presses.ts';
import { listens, measureYears } from './years.ts';

const [schedules, amongKills] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 1000)];
const goals = {
  silentMs: 150,
  soundMs: 2000,
  pageMs: 100,
  friendsMs: 1000,
  statements: 2,
};

async function measure(name: string, urlOf: (of: string) => Promise<string>) {
  const years = await measureYears(await urlOf('years'));
  const friends = await measureFriends(await urlOf('friends'));
  const press = (place: Place) => measurePresses(place, schedules, 52);
  return { name, years, friends, presses: await inThisProcess(await urlOf('presses'), press) };
}

// While nothing else runs.
const hands = process.argv.includes('--unheard') ? null : await measureHands();
const folder = await makeTempDir('bench-two');
const onSqlite = await measure('SQLite', async (of) => `sqlite:${join(folder.path, `${of}.sqlite`)}`);
await folder.remove();
const postgres = await startPostgres();
const onPostgres = await measure('PostgreSQL', async () => (await createDatabase(postgres.url)).url);
await postgres.stop();
const both = [onSqlite, onPostgres];
const press = (place: Place) => measurePresses(place, amongKills, 53);
const pressed = [
  ...both.map(({ name, presses }) => ({ where: name, presses })),
  { where: 'SQLite, killed', presses: await onServers('one', 53, press) },
  { where: 'three processes, killed', presses: await onServers('three', 53, press) },
];

const p95 = (values: readonly number[]): number => percentile(values, 0.95);
const shares = (values: readonly number[]): string =>
  [0.5, 0.95].map((share) => `${percentile(values, share).toFixed(1)} ms`).join(' | ');
const mb = (bytes: number | null): string => (bytes === null ? '' : `${(bytes / 1e6).toFixed(1)} MB`);
const added = ({ statements: { shown, shownToNone } }: (typeof onSqlite)['friends']): number => shown - shownToNone;
const met = {
  'presses: one state, none lost, twice, applied after a refusal or without the remote': pressed.every(
    ({ presses: { apart, lost, twice, undoneOrUnsaid, afterTheRight } }) =>
      apart + lost + twice + undoneOrUnsaid + afterTheRight === 0,
  ),
  'a change of track to fifty friends: 95 % within a second': both.every(
    ({ friends }) => p95(friends.tookMs) <= goals.friendsMs,
  ),
  'it adds at most two statements': both.every(({ friends }) => added(friends) <= goals.statements),
  ...(hands && {
    'a press of another holder: 95 % silent at the host within 150 ms': p95(hands.silentMs) <= goals.silentMs,
    'from the soulmate’s card to the first sound: at most two seconds': Math.max(...hands.soundMs) <= goals.soundMs,
  }),
  'page of a pair and year: 95 % within 100 ms': both.every(
    ({ years }) => p95(years.pairMs) <= goals.pageMs && p95(years.yearMs) <= goals.pageMs,
  ),
  'forgetting leaves no row': both.every(({ years }) => years.rowsAfterForgetting === 0),
};
const heardTable = ({ silentMs, ownSilentMs, soundMs, apartAloneMs, apartLentMs }: HeardHands): string => {
  const row = (what: string, values: readonly number[]): string =>
    `| ${what} | ${String(values.length)} | ${shares(values)} | ${Math.max(...values).toFixed(1)} ms |`;
  return `Two Chromiums with their sound on, recorded on one clock. The guest, who holds the remote, pauses; then the guest leaves,
and comes again from home by one press on the soulmate's card. All pages of a room pause together, ${String(stopMarginMs)} ms after the
server had the press at the earliest:

| heard | times | half within | 95 % within | most |
| --- | --- | --- | --- | --- |
${[
  row('from the guest’s press to silence at the host', silentMs),
  row('from the host’s own press to that', ownSilentMs),
  row('from the press on the soulmate’s card to the first sound', soundMs),
  row('how far apart, before the remote is lent', apartAloneMs),
  row('how far apart, while two hold it', apartLentMs),
].join('\n')}`;
};
const report = `# Two people

\`npm run bench -- two ${String(schedules)} ${String(amongKills)}\`

Server and pages are in one process but where servers are killed. Load average of the two cores at the end: ${loadavg()[0]?.toFixed(0) ?? ''}; times grow with it.

Two to five of five people press at one moment; the host lends the remote and takes it back meanwhile. A line is cut with
a press on it, and the page asks for its answer once it has another one. In the last two columns a server is killed (SIGKILL)
amid one of ten schedules and starts again: the one process on SQLite, or one of three behind a balancer on PostgreSQL and Redis.
What counted is read from the numbered changes of the room in the database.

| random schedules | ${pressed.map(({ where }) => where).join(' | ')} |
| --- | --- | --- | --- | --- |
${(
  [
    ['schedules', 'schedules'],
    ['presses', 'presses'],
    ['accepted', 'accepted'],
    ['refused: another person was first', 'overtaken'],
    ['refused: without the remote', 'withoutRight'],
    ['lines cut with a press on them', 'cutLines'],
    ['servers killed', 'kills'],
    ['presses whose answer was lost, and given up', 'givenUp'],
    ['pages in another state than the host', 'apart'],
    ['accepted presses that are lost', 'lost'],
    ['applied twice', 'twice'],
    ['refused and applied all the same', 'undoneOrUnsaid'],
    ['applied without the remote', 'afterTheRight'],
  ] as const
)
  .map(([title, field]) => `| ${title} | ${pressed.map(({ presses }) => String(presses[field])).join(' | ')} |`)
  .join('\n')}

${hands ? heardTable(hands) : 'What is heard was not measured in this run.'}

A change of track to the pages of 50 friends of a person in the room:

| database | half within | 95 % within | statements that it adds | where the person shows nothing |
| --- | --- | --- | --- | --- |
${both.map(({ name, friends }) => `| ${name} | ${shares(friends.tookMs)} | ${String(added(friends))} | ${String(friends.statements.shownToNone)} in all |`).join('\n')}

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
