/**
 * What a large library costs a server, as a folder of files and as a music server, on SQLite and on PostgreSQL: whether
 * all is listed, the memory over a process without, how soon it is ready and whole again after a kill, how long others
 * wait while it is read, and how long its pages take. Writes results/library.md; ends with 1 when a goal is missed.
 * Usage: npm run bench -- library [--sqlite] [--folder | --server] [tracks …]
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LibraryView } from '@tunemate/protocol';
import { fakeAccount, fakeSong, startFakeSubsonic } from '@tunemate/testkit/fakes/fake-subsonic';
import { percentile } from '@tunemate/testkit/percentile';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect, makePeople, type Member, type Room, roomOf } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { residentMb } from './load/process-cost.ts';
import { goalsTable, writePage } from './report/write-page.ts';

const words = process.argv.slice(2);
const given = words.filter((word) => !word.startsWith('--')).map(Number);
const sizes = given.length > 0 ? given : [30_000, 100_000, 300_000];
const sources = (['folder', 'server'] as const).filter(
  (source) => words.includes(`--${source}`) || !(words.includes('--folder') || words.includes('--server')),
);
const databases = words.includes('--sqlite') ? (['SQLite'] as const) : (['SQLite', 'PostgreSQL'] as const);
const goals = { memoryMb: 60, readyMs: 1500, othersMs: 30, pageMs: 50, memoryOf: 100_000 };
const asked = 200;

const random = seededRandom(7);
const below = (count: number): number => Math.floor(random() * count);
const syllables = 'ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro'.split(' ');
const vocabulary = Array.from({ length: 20_000 }, () =>
  Array.from({ length: 2 + below(3) }, () => syllables[below(syllables.length)]).join(''),
);
/** The same for a place in each run; a few words are in most names. */
const wordAt = (place: number): string => {
  const share = (Math.imul(place + 1, 2_654_435_761) >>> 0) / 2 ** 32;
  return vocabulary[Math.floor(vocabulary.length * share ** 2)] ?? '';
};

/** Ten tracks of an album, ten albums of an artist. */
function trackAt(n: number) {
  const [album, artist] = [Math.floor(n / 10), Math.floor(n / 100)];
  return {
    title: `${wordAt(n * 3)} ${wordAt(n * 3 + 1)} ${wordAt(n * 3 + 2)}`,
    album: `${wordAt(album * 2 + 5)} ${String(album)}`,
    artist: `${wordAt(artist * 2 + 9)} ${wordAt(artist * 2 + 10)} ${String(artist)}`,
    number: (n % 10) + 1,
    year: 1960 + (album % 60),
    genre: ['Jazz', 'Folk', 'Dub', 'Chamber'][artist % 4] ?? '',
  };
}
type Track = ReturnType<typeof trackAt>;

const chunk = (name: string, bytes: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([Buffer.from(name, 'latin1'), size, bytes, Buffer.alloc(bytes.length % 2)]);
};

/** Two seconds of silence at 100 samples a second, with tags. */
function waveOf({ title, album, artist, number, year, genre }: Track): Buffer {
  const format = Buffer.alloc(16);
  [1, 1].forEach((value, at) => format.writeUInt16LE(value, at * 2));
  [100, 100].forEach((value, at) => format.writeUInt32LE(value, 4 + at * 4));
  [1, 8].forEach((value, at) => format.writeUInt16LE(value, 12 + at * 2));
  const said = { INAM: title, IPRD: album, IART: artist, ITRK: String(number), ICRD: String(year), IGNR: genre };
  const info = Object.entries(said).map(([name, text]) => chunk(name, Buffer.from(`${text}\0`)));
  const parts = [
    chunk('fmt ', format),
    chunk('LIST', Buffer.concat([Buffer.from('INFO'), ...info])),
    chunk('data', Buffer.alloc(200, 128)),
  ];
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...parts]));
}

const covers = join(import.meta.dirname, '../library/covers');

/** Not by promises, which take most of the time for so many small files. */
function makeFolder(root: string, tracks: number): void {
  const [cover = ''] = readdirSync(covers).sort();
  for (let n = 0; n < tracks; n += 1) {
    const track = trackAt(n);
    const file = join(root, track.artist, track.album, `${String(track.number).padStart(2, '0')} ${track.title}.wav`);
    if (track.number === 1) {
      mkdirSync(dirname(file), { recursive: true });
      linkSync(join(covers, cover), join(dirname(file), 'cover.png'));
    }
    writeFileSync(file, waveOf(track));
  }
}

const songAt = (n: number): object => {
  const { number: track, ...names } = trackAt(n);
  return { ...fakeSong(n), ...names, track, displayArtist: names.artist, artists: [{ name: names.artist }] };
};

/**
 * Says, whenever it is asked to, what its memory is after a collection, and how long the pieces of its work were since
 * then: in processor time, so that other programs of the machine don't count. 99 % of the work is in pieces of at most so
 * many ms.
 */
const watched = `
const spent = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
let [pieces, last] = [[], spent()];
setInterval(() => { const now = spent(); pieces.push(now - last); last = now; }, 4).unref();
process.on('SIGUSR2', () => {
  let left = 0.01 * pieces.reduce((sum, piece) => sum + piece, 0);
  const pieceMs = pieces.sort((a, b) => b - a).find((piece) => (left -= piece) < 0) ?? 0;
  const longestMs = pieces[0] ?? 0;
  gc(); gc();
  console.log(JSON.stringify({ msg: 'bench.state', pieceMs, longestMs, ...process.memoryUsage() }));
  [pieces, last] = [[], spent()];
});`;
const nodeFlags = ['--expose-gc', `--import=data:text/javascript,${encodeURIComponent(watched)}`];

const linesOf = (log: string, event: string): Record<string, number>[] =>
  log
    .split('\n')
    .filter((line) => line.includes(`"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, number>);

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await pause(100);
}

/** What lives of a process, and what the system gives it, in MB; and its pieces of work since it was asked before. */
async function stateOf(server: ServerProcess) {
  const before = linesOf(server.log(), 'bench.state').length;
  process.kill(server.pid, 'SIGUSR2');
  await until(() => linesOf(server.log(), 'bench.state').length > before);
  const { heapUsed = 0, external = 0, pieceMs = 0 } = linesOf(server.log(), 'bench.state').at(-1) ?? {};
  return { heap: (heapUsed + external) / 1e6, resident: residentMb(server.pid), pieceMs };
}

/** Processor time of the thread that answers, in ms. */
const spentMs = ({ pid }: ServerProcess): number =>
  Number(readFileSync(`/proc/${String(pid)}/task/${String(pid)}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** How long something took, and what of the server's processor. */
interface Took {
  ms: number;
  spentMs: number;
}

/** Another person, who has nothing to do with the library, asks again and again. */
function othersWait({ ask }: Member) {
  const took: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const fromMs = performance.now();
      await ask('rooms/mine', {});
      took.push(performance.now() - fromMs);
      await pause(10);
    }
  })();
  return async (): Promise<number> => {
    isOver = true;
    await asking;
    return percentile(took, 0.99);
  };
}

async function openRoom(host: Member): Promise<Room> {
  const room = await roomOf(host, 'audio');
  await host.ask('rooms/enter', room);
  return room;
}

const totalOf = async ({ ask }: Member, room: Room): Promise<number> =>
  (await ask('library/groups', { ...room, by: 'artist', from: 0 })).totals.tracks;

/** What 95 % of the answers of each kind take at most. */
async function pageTimes(server: ServerProcess, { ask }: Member, room: Room): Promise<Took[]> {
  const { totals } = await ask('library/groups', { ...room, by: 'artist', from: 0 });
  const at = (total: number): number => below(Math.max(1, total - 50));
  const albums: string[] = [];
  while (albums.length < asked) {
    const { groups } = await ask('library/groups', { ...room, by: 'album', from: at(totals.album) });
    albums.push(...groups.map(({ id }) => id));
  }
  const aWord = (): string => wordAt(below(1e6));
  const tracks = (view: LibraryView, from = 0) => ask('library/tracks', { ...room, view, from });
  const kinds = {
    word: () => tracks({ type: 'search', words: aWord() }),
    twoWords: () => tracks({ type: 'search', words: `${aWord()} ${aWord()}` }),
    letters: () => tracks({ type: 'search', words: aWord().slice(0, 2 + below(3)) }),
    artists: () => ask('library/groups', { ...room, by: 'artist', from: at(totals.artist) }),
    album: () => tracks({ type: 'group', by: 'album', id: albums[below(albums.length)] ?? '' }),
    newest: () => tracks({ type: 'newest' }, at(Math.min(totals.tracks, 5000))),
  };
  const p95: Took[] = [];
  for (const work of Object.values(kinds)) {
    const [took, spent]: [number[], number[]] = [[], []];
    for (let n = 0; n < asked; n += 1) {
      const [fromMs, from] = [performance.now(), spentMs(server)];
      await work();
      took.push(performance.now() - fromMs);
      spent.push(spentMs(server) - from);
    }
    p95.push({ ms: percentile(took, 0.95), spentMs: percentile(spent, 0.95) });
  }
  return p95;
}

interface World {
  env: Readonly<Record<string, string>>;
  /** Logged once a list was read to its end. */
  event: string;
  tracks: number;
}

async function openServer(database: (typeof databases)[number], { env }: Pick<World, 'env'>) {
  const folder = await makeTempDir('bench-library');
  const isSqlite = database === 'SQLite';
  const ofPostgres = isSqlite ? '' : (await createDatabase((await postgres()).url)).url;
  const url = isSqlite ? `sqlite:${join(folder.path, 'tunemate.sqlite')}` : ofPostgres;
  const people = (await makePeople(url, 2)) as [Person, Person];
  // Without ffmpeg: what it makes in the background is not measured here.
  const settings = {
    RATE_LIMIT_SCALE: '0',
    PATH: dirname(process.execPath),
    ...(isSqlite ? {} : { DATABASE_URL: url }),
  };
  // As `npm start` runs it.
  const program = ['server/dist/main.js'];
  const server = await startServerProcess({ program, dataDir: folder.path, nodeFlags, env: { ...settings, ...env } });
  return { server, people, end: () => server.dispose().then(() => folder.remove()) };
}

const started: Awaited<ReturnType<typeof startPostgres>>[] = [];
async function postgres() {
  if (started.length === 0) started.push(await startPostgres());
  return started[0] as (typeof started)[number];
}

interface Empty {
  heap: number;
  resident: number;
  ready: Took;
  listed: number;
}

async function empty(database: (typeof databases)[number]): Promise<Empty> {
  const { server, people, end } = await openServer(database, { env: {} });
  const ready = await killed(server);
  const reader = await connect(server.url, people[0]);
  const listed = await totalOf(reader, await openRoom(reader));
  await pause(2000);
  const { heap, resident } = await stateOf(server);
  await end();
  return { heap, resident, ready, listed };
}

/** Starts it again after a kill, and answers when it is ready. */
async function killed(server: ServerProcess): Promise<Took> {
  await server.kill();
  const fromMs = performance.now();
  await server.restart();
  return { ms: performance.now() - fromMs, spentMs: spentMs(server) };
}

async function measure(database: (typeof databases)[number], world: World, without: Empty) {
  const { server, people, end } = await openServer(database, world);
  const isRead = (from: number) => () =>
    linesOf(server.log().slice(from), world.event).some(({ items = 0 }) => items > world.tracks / 2);
  let [reader, other] = [await connect(server.url, people[0]), await connect(server.url, people[1])];
  const room = await openRoom(reader);
  const beganMs = performance.now();
  await stateOf(server);
  let waited = othersWait(other);
  await until(isRead(0));
  const firstSeconds = (performance.now() - beganMs) / 1000;
  const othersFirst = { ms: await waited(), spentMs: (await stateOf(server)).pieceMs };
  const [before, wholeList] = [server.log().length, await totalOf(reader, room)];

  const ready = await killed(server);
  const readyAtMs = performance.now();
  [reader, other] = [await connect(server.url, people[0]), await connect(server.url, people[1])];
  await reader.ask('rooms/enter', room);
  await stateOf(server);
  waited = othersWait(other);
  await until(async () => (await totalOf(reader, room)) >= wholeList);
  const wholeMs = ready.ms + performance.now() - readyAtMs;
  await until(isRead(before));
  const othersAgain = { ms: await waited(), spentMs: (await stateOf(server)).pieceMs };
  await until(async () => (await totalOf(reader, room)) >= wholeList);
  const p95 = await pageTimes(server, reader, room);
  const memory = await stateOf(server);
  await end();
  return {
    ...{ listed: wholeList, firstSeconds, othersFirst, ready, wholeMs, othersAgain, p95 },
    ...{ heap: memory.heap - without.heap, resident: memory.resident - without.resident },
  };
}

const rows: string[] = [];
const met: Record<string, boolean> = {};
const must = (goal: string, isMet: boolean): void => void (met[goal] = (met[goal] ?? true) && isMet);
const n = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
const both = ({ ms, spentMs: spent }: Took): string => `${n(spent)} of ${n(ms)}`;

/** Written after each row: a run that is ended has what it measured until then. */
function write(): void {
  writePage(
    'library',
    `# Large libraries

\`npm run bench -- library${words.map((word) => ` ${word}`).join('')}\`

Tracks with names of their own, ten an album, a hundred an artist: files of 500 bytes with tags, a cover beside each album;
or a music server that answers from memory. Memory is what lives after a collection, over a server with the library that
comes with it (and what the system gives it). Ready is from the start of Node, after a kill (and without tracks); whole is
when all are listed. Another person asks for their rooms all the while: during the first reading; after the kill. '20 of 90'
are 20 ms of the processor, for the thread that answers, of 90 ms that passed on a machine that others use: goals are
measured by the first. What others wait for is a piece of work of the server, such that 99 % of its work is in shorter ones;
and 99 % of the answers to them came within the second.

| tracks | from | database | listed | MB over empty | ready again, ms | whole again, ms | first reading, s | others wait, ms | a word, 95 % in ms | two words | two to four letters | artists | an album | newest | load |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${goalsTable(met)}
`,
  );
}

async function note(database: (typeof databases)[number], name: string, world: World): Promise<void> {
  const without = withouts.get(database) as Empty;
  const { listed, p95: pages, ...of } = await measure(database, world, without);
  must('all are listed', listed >= world.tracks);
  if (world.tracks === goals.memoryOf)
    must(`at most ${String(goals.memoryMb)} MB of 100,000 tracks`, of.heap <= goals.memoryMb);
  must('ready again within 1.5 s', of.ready.spentMs <= goals.readyMs);
  must('others wait for at most 30 ms', Math.max(of.othersFirst.spentMs, of.othersAgain.spentMs) <= goals.othersMs);
  must(
    '95 % of the pages within 50 ms',
    pages.every(({ spentMs: of95 }) => of95 <= goals.pageMs),
  );
  const load = loadavg()[0] ?? 0;
  const cells = [
    ...[String(world.tracks), name, database, String(listed), `${n(of.heap)} (${n(of.resident)})`],
    ...[`${both(of.ready)} (${both(without.ready)})`, n(of.wholeMs), n(of.firstSeconds)],
    ...[`${both(of.othersFirst)}; ${both(of.othersAgain)}`, ...pages.map(both), n(load)],
  ];
  rows.push(`| ${cells.join(' | ')} |`);
  console.log(rows.at(-1));
  write();
}

const withouts = new Map<string, Empty>();
for (const database of databases) withouts.set(database, await empty(database));
for (const tracks of sizes) {
  if (sources.includes('server')) {
    const fake = await startFakeSubsonic({ songAt, count: tracks });
    const env = { SUBSONIC_URL: fake.url, SUBSONIC_USER: fakeAccount.user, SUBSONIC_PASSWORD: fakeAccount.password };
    for (const database of databases)
      await note(database, 'music server', { env, event: 'catalogue.subsonic-read', tracks });
    await fake.close();
  }
  if (!sources.includes('folder')) continue;
  await using folder = await makeTempDir('bench-library-files');
  makeFolder(folder.path, tracks);
  const world = { env: { MEDIA_DIR: folder.path }, event: 'catalogue.library-read', tracks };
  for (const database of databases) await note(database, 'folder', world);
}
for (const one of started) await one.stop();
process.exitCode = Object.values(met).every(Boolean) ? 0 : 1;
