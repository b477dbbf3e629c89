/**
 * What one action of the host takes to reach everybody: 500 people with two tabs each, beside a bare ws server
 * that sends the very same message, in turns. 'to the last' counts from the host's press and includes the commit;
 * 'first to last' is the way from the server to its clients alone.
 * Usage: npm run bench -- followers [people [actions [turns]]]   (default 500 100 3)
 */
import { join } from 'node:path';
import type { Entries } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import { connect, inWaves, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { allOnBare, startBare } from './load/load-parts.ts';

const [people = 500, actions = 100, turns = 3] = process.argv.slice(2).map(Number);
const width = 50;
const betweenActionsMs = 50;

/** Milliseconds of one action: from the press to the last follower, and from the first follower to the last. */
interface Took {
  readonly toLastMs: number;
  readonly firstToLastMs: number;
}

/** `heard` is called once for each follower and action. */
interface Crowd {
  readonly followers: number;
  act(): Promise<unknown>;
  heard: () => void;
  close(): unknown;
}
const nobodyAsks = (): void => undefined;

async function measure(crowd: Crowd): Promise<Took[]> {
  let missing = 0;
  let firstMs = 0;
  let everyone: () => void = () => undefined;
  crowd.heard = () => {
    if (missing === crowd.followers) firstMs = performance.now();
    missing -= 1;
    if (missing === 0) everyone();
  };
  const took: Took[] = [];
  for (let n = 0; n < actions; n += 1) {
    missing = crowd.followers;
    const heardByAll = new Promise<void>((resolve) => {
      everyone = resolve;
    });
    const startMs = performance.now();
    const answered = crowd.act();
    await heardByAll;
    const lastMs = performance.now();
    await answered;
    took.push({ toLastMs: lastMs - startMs, firstToLastMs: lastMs - firstMs });
    await new Promise((resolve) => setTimeout(resolve, betweenActionsMs));
  }
  return took;
}

const hasPlayback = (batch: Entries): boolean => batch.changes.some(({ type }) => type.startsWith('playback/'));

/** Everybody joins, opens a second tab and enters; the host takes control and chooses a track. */
async function openTunemate(onMessage: (batch: Entries) => void): Promise<Crowd> {
  const data = await makeTempDir('bench-followers');
  const accounts = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, people);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
  const open = (): Promise<Member[]> => inWaves(accounts, width, (person) => connect(server.url, person));
  const [host, ...guests] = (await open()) as [Member, ...Member[]];
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind: 'video', name: 'The crowd' });
  const room = { kind: 'video' as const, code };
  await inWaves(guests, width, async (guest) => {
    await guest.ask('rooms/askToJoin', room);
    await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
  });
  const followers = [host, ...guests, ...(await open())];
  await inWaves(followers, width, (member) => member.ask('rooms/enter', room));
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  const write = (intent: object): Promise<unknown> =>
    host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent } as never);
  await write({
    type: 'choose',
    track: { videoId: 'lib_0123456789abcdef', title: 'Bench', durationSeconds: 600 },
  });
  host.line.on('entries', (batch) => hasPlayback(batch) && onMessage(batch));
  let isPlaying = true;
  const crowd: Crowd = {
    followers: followers.length,
    act() {
      isPlaying = !isPlaying;
      return write({ type: isPlaying ? 'play' : 'pause' });
    },
    heard: nobodyAsks,
    async close() {
      for (const { line } of followers) line.disconnect();
      await server.dispose();
      await data.remove();
    },
  };
  for (const { line } of followers) line.on('entries', (batch) => hasPlayback(batch) && crowd.heard());
  return crowd;
}

async function openBare(news: () => unknown): Promise<Crowd> {
  const bare = await startBare();
  const everyone = await allOnBare(bare, people * 2, () => 0);
  const crowd: Crowd = {
    followers: everyone.length,
    act: () => everyone[0]?.wire.ask('tell', news()) ?? Promise.resolve(),
    heard: nobodyAsks,
    close() {
      for (const { wire } of everyone) wire.close();
      bare.stop();
    },
  };
  for (const here of everyone) here.onEvent = () => crowd.heard();
  return crowd;
}

const figures = (took: readonly Took[], of: (each: Took) => number): number[] =>
  [0.5, 0.95, 0.99].map((share) => Number(percentile(took.map(of), share).toFixed(1)));

let message: unknown = null;
const tunemate = await openTunemate((batch) => (message = batch));
await measure(tunemate);
const bare = await openBare(() => message);
await measure(bare);
const all: Record<'Tunemate' | 'bare ws', Took[]> = { Tunemate: [], 'bare ws': [] };
for (let turn = 0; turn < turns; turn += 1) {
  all['bare ws'].push(...(await measure(bare)));
  all.Tunemate.push(...(await measure(tunemate)));
}
console.log(`${String(tunemate.followers)} followers, ${String(actions * turns)} actions each, milliseconds`);
for (const [title, of] of [
  ['to the last', (each: Took) => each.toLastMs],
  ['first to last', (each: Took) => each.firstToLastMs],
] as const) {
  const ours = figures(all.Tunemate, of);
  const base = figures(all['bare ws'], of);
  const ratio = ours.map((value, index) => Number((value / (base[index] ?? Number.NaN)).toFixed(2)));
  const row = ([p50, p95, p99]: number[]) => ({ p50, p95, p99 });
  console.log(`\n${title}`);
  console.table({ Tunemate: row(ours), 'bare ws': row(base), ratio: row(ratio) });
}
await tunemate.close();
await bare.close();
process.exit(0);
