/**
 * Where the server's processor time goes while a crowd comes in, people join, come back and write: Node's profile of one
 * server process, cut into those four, by what the time was spent in.
 * Usage: npm run bench -- profiles [postgresql] [PEOPLE]   (250 without)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { makeLargeCrowd } from '@tunemate/testkit/worlds/large-crowd';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { openRoom, roomChat, seatAll } from './load/load-figures.ts';
import { comeIn, type Here, must, openStorage, width } from './load/load-parts.ts';
import { cpuSeconds } from './load/process-cost.ts';

interface Frame {
  id: number;
  callFrame: { functionName: string; url: string };
  children?: number[];
}
interface Profile {
  nodes: Frame[];
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}
interface Phase {
  name: string;
  fromUs: number;
  toUs: number;
  /** What the process used, as the system counts it. */
  cpuMs: number;
}

const isPostgres = process.argv[2] === 'postgresql';
const count = Number(process.argv[isPostgres ? 3 : 2] ?? 250);
const perSecond = 200;
const perRoom = 10;
/** What each line of the table counts: the file, or for code without one the file that called it. */
const categories: readonly (readonly [name: string, files: RegExp])[] = [
  // What is compiled counts for the file that calls it.
  ['SQLite with its disk', /storage\/database\.ts$|node_modules\/better-sqlite3\//],
  ['pg: the connection to PostgreSQL', /node_modules\/pg(?:-[a-z]+)?\/|postgres-pool\.ts$/],
  ['Kysely: building and compiling queries', /node_modules\/kysely\//],
  ['zod', /node_modules\/zod\//],
  ['ws', /node_modules\/ws\//],
  ['Fastify and other packages', /node_modules\//],
  ['our server', /\/server\/src\//],
  ['our domain, protocol, playback', /\/(?:domain|protocol|playback)\/src\//],
  ['Node: streams, net, timers, http', /^node:/],
];

/** Of one clock with the profile. */
const nowUs = () => Number(process.hrtime.bigint() / 1000n);

async function run(folder: string): Promise<Phase[]> {
  await using data = await makeTempDir('bench-profile');
  const storage = await openStorage(data.path, isPostgres);
  const crowd = await makeLargeCrowd(storage.url, { count, rooms: Math.floor(count / perRoom), perRoom, messages: 0 });
  const server = await startServerProcess({
    dataDir: data.path,
    env: { ...storage.env, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' },
    nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
  });
  const phases: Phase[] = [];
  async function during<T>(name: string, work: () => Promise<T>): Promise<T> {
    const [fromUs, before] = [nowUs(), cpuSeconds(server.pid)];
    const result = await work();
    phases.push({ name, fromUs, toUs: nowUs(), cpuMs: (cpuSeconds(server.pid) - before) * 1000 });
    return result;
  }
  await during('crowd: connect, hello and enter a room of ten', async () => {
    const seats = crowd.rooms.flatMap(({ kind, code, members }) => members.map((person) => ({ person, kind, code })));
    const here = await inWaves(seats, width, async ({ person, kind, code }) => {
      const arrived = await comeIn(server.url, person);
      await must(arrived.wire.ask('rooms/enter', { kind, code }));
      return arrived;
    });
    for (const { wire } of here) wire.close();
  });
  await pause(3000);
  let everyone = await inWaves(crowd.people, width, (person) => comeIn(server.url, person));
  const [host, ...guests] = everyone as [Here, ...Here[]];
  const room = await openRoom(host);
  await during('join: ask, approve, enter', () => seatAll(host, guests, room));
  for (const { wire } of everyone) wire.close();
  await pause(3000);
  everyone = await during('return: connect, hello, enter with a seat', () =>
    inWaves(crowd.people, width, async (person) => {
      const here = await comeIn(server.url, person);
      await must(here.wire.ask('rooms/enter', room));
      return here;
    }),
  );
  await pause(1000);
  await during('chat: 200 durable messages a second', () => roomChat(everyone, room, perSecond, [server.pid]));
  await server.stop();
  await server.dispose();
  await storage.end();
  return phases;
}

/** Null for what counts for its caller. */
function nameOf(functionName: string, url: string): string | null {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url !== '') return categories.find(([, files]) => files.test(url))?.[0] ?? 'other';
  if (functionName.startsWith('(') || functionName === '') return functionName || 'other';
  return functionName.startsWith('write') ? 'writing to sockets' : null;
}

/** Milliseconds of each category, others' use of the processor included: only their shares count. */
function costs(profile: Profile, { fromUs, toUs }: Phase): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const known = new Map<number, string>();
  const categoryOf = (id: number): string => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const { functionName, url } = nodes.get(id)?.callFrame ?? { functionName: '', url: '' };
    const name = nameOf(functionName, url) ?? categoryOf(parents.get(id) ?? 0);
    known.set(id, name);
    return name;
  };
  const sums = new Map<string, number>();
  let atUs = profile.startTime;
  profile.samples.forEach((sample, index) => {
    const tookUs = profile.timeDeltas[index] ?? 0;
    atUs += tookUs;
    if (atUs < fromUs || atUs > toUs) return;
    const name = categoryOf(sample);
    if (name !== '(idle)') sums.set(name, (sums.get(name) ?? 0) + tookUs / 1000);
  });
  return sums;
}

await using folder = await makeTempDir('bench-profiles');
const phases = await run(folder.path);
const [file = ''] = readdirSync(folder.path);
const profile = JSON.parse(readFileSync(join(folder.path, file), 'utf8')) as Profile;
for (const phase of phases) {
  const sums = costs(profile, phase);
  const all = [...sums.values()].reduce((sum, ms) => sum + ms, 0);
  process.stdout.write(`\n${phase.name}: ${phase.cpuMs.toFixed(0)} CPU ms\n`);
  for (const [name, ms] of [...sums].toSorted(([, a], [, b]) => b - a)) {
    process.stdout.write(`  ${name.padEnd(42)} ${((ms * 100) / all).toFixed(1).padStart(5)} %\n`);
  }
}
