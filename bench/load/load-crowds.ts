/** The figures of ten thousand connections: what they cost idle, in many rooms at once, and after a crash. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { probeSettledSpacingMs } from '@tunemate/playback';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { percentile } from '@tunemate/testkit/percentile';
import { startOurs, type Ours } from './load-figures.ts';
import {
  allOnBare,
  atPace,
  comeIn,
  type Cost,
  type Delivered,
  type Here,
  measure,
  must,
  startBare,
  untilArrived,
  width,
} from './load-parts.ts';
import { residentMb } from './process-cost.ts';

const membershipsOf = ({ crowd }: Ours) =>
  crowd.rooms.flatMap(({ kind, code, members }) => members.map((person) => ({ person, room: { kind, code } })));

/** All of the crowd, each in their room. */
async function allInside(ours: Ours): Promise<Here[]> {
  const { server } = ours;
  return await inWaves(membershipsOf(ours), width, async ({ person, room }) => {
    const here = await comeIn(server.url, person);
    await must(here.wire.ask('rooms/enter', room));
    return here;
  });
}

export interface Idle {
  sockets: number;
  entering: Cost;
  /** Over the process that had not yet let a person in. */
  addedMb: number;
  /** The same of bare ws. */
  bareMb: number;
  bareEntering: Cost;
  /** Shares of a core, in percent. */
  pings: number;
  probes: number;
  bareProbes: number;
}

const idleMs = 30_000;
/** Each page asks for the time as often as this once its clock has settled. */
const probeEveryMs = probeSettledSpacingMs;

async function bareIdle(sockets: number) {
  const bare = await startBare();
  const emptyMb = residentMb(bare.pid);
  let everyone: Here[] = [];
  const cost = await measure([bare.pid], async () => {
    everyone = await allOnBare(bare, sockets, (n) => Math.floor(n / 10));
  });
  await pause(2000);
  const megabytes = residentMb(bare.pid) - emptyMb;
  // It sends no pings; an echo stands for a probe.
  const stop = probeAll(everyone, 'probe');
  await pause(probeEveryMs);
  const probes = await measure([bare.pid], () => pause(idleMs));
  stop();
  bare.stop();
  for (const { wire } of everyone) wire.close();
  return { megabytes, cost, probes };
}

/** Each person asks at the pace of a page, spread over it. Returns what stops it. */
function probeAll(everyone: readonly Here[], name: string): () => void {
  const timers: NodeJS.Timeout[] = [];
  everyone.forEach(({ wire }, n) => {
    const probe = () => void wire.ask(name, { roundTripMs: 20 });
    const begin = () => timers.push(setInterval(probe, probeEveryMs));
    timers.push(setTimeout(begin, (n * probeEveryMs) / everyone.length));
  });
  return () => timers.forEach((timer) => clearTimeout(timer));
}

const shareOf = (cost: Cost): number => (cost.cpu / cost.seconds) * 100;

/** So many verified people, ten in a room, who do nothing. */
export async function idle(sockets: number): Promise<Idle> {
  const ws = await bareIdle(sockets);
  const ours = await startOurs({ count: sockets, rooms: sockets / 10, perRoom: 10, messages: 1_000_000 });
  const pids = [ours.server.pid];
  const emptyMb = residentMb(ours.server.pid);
  let everyone: Here[] = [];
  const entering = await measure(pids, async () => {
    everyone = await allInside(ours);
  });
  await pause(25_000);
  const addedMb = residentMb(ours.server.pid) - emptyMb;
  const pings = await measure(pids, () => pause(idleMs));
  const stopProbes = probeAll(everyone, 'clock/probe');
  // The first probe of each connection stores its round trip, which is a part of coming in.
  await pause(probeEveryMs);
  const probes = await measure(pids, () => pause(idleMs));
  stopProbes();
  for (const { wire } of everyone) wire.close();
  await ours.stop();
  return {
    ...{ sockets, entering, addedMb, bareMb: ws.megabytes, bareEntering: ws.cost },
    ...{ pings: shareOf(pings), probes: shareOf(probes), bareProbes: shareOf(ws.probes) },
  };
}

export interface ManyRooms extends Pick<Delivered, 'p50' | 'p99' | 'missing'> {
  perSecond: number;
  cpuMsEach: number;
}

/** One action a second in each of so many rooms, at a total pace, for six seconds. */
export async function manyRooms(rooms: number, perRoom: number, paces: readonly number[]): Promise<ManyRooms[]> {
  const ours = await startOurs({ count: rooms * perRoom, rooms, perRoom });
  const everyone = await allInside(ours);
  const hosts = ours.crowd.rooms.map(({ kind, code }, n) => ({
    here: everyone[n * perRoom] as Here,
    room: { kind, code },
  }));
  const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 900 };
  const write = ({ here, room }: (typeof hosts)[number], intent: object) =>
    must(here.wire.ask('playback/write', { ...room, tabId: here.tabId, clientId: randomUUID(), intent }));
  await inWaves(hosts, width, async (host) => {
    await must(host.here.wire.ask('playback/takeControl', { ...host.room, tabId: host.here.tabId }));
    await write(host, { type: 'choose', track });
  });
  await pause(5000);
  const last = await inWaves(hosts, width, async (host) =>
    Number(/"revision":(\d+)/.exec(await write(host, { type: 'pause' }))?.[1]),
  );
  await pause(2000);
  const measured: ManyRooms[] = [];
  for (const perSecond of paces) {
    const sentAt = new Map<string, number>();
    const took: number[] = [];
    everyone.forEach((here, n) => {
      const room = Math.floor(n / perRoom);
      here.onEvent = (frame) => {
        for (const [, revision] of frame.matchAll(/"type":"playback\/moved","revision":(\d+)/g)) {
          const ms = sentAt.get(`${String(room)}:${revision ?? ''}`);
          if (ms !== undefined) took.push(performance.now() - ms);
        }
      };
    });
    const count = perSecond * 6;
    const cost = await measure([ours.server.pid], async () => {
      await atPace({ count, perSecond }, (n) => {
        const at = n % rooms;
        const host = hosts[at] as (typeof hosts)[number];
        const revision = (last[at] ?? 0) + 1;
        last[at] = revision;
        sentAt.set(`${String(at)}:${String(revision)}`, performance.now());
        isPlaying[at] = isPlaying[at] !== true;
        return write(host, { type: isPlaying[at] ? 'play' : 'pause' });
      });
      await untilArrived(took, count * perRoom);
    });
    measured.push({
      ...{ perSecond, p50: percentile(took, 0.5), p99: percentile(took, 0.99) },
      ...{ missing: count * perRoom - took.length, cpuMsEach: (cost.cpu * 1000) / count },
    });
  }
  for (const { wire } of everyone) wire.close();
  await ours.stop();
  return measured;
}
const isPlaying: boolean[] = [];

export interface Crash {
  p95: number;
  all: number;
  readyMs: number;
  residentMb: number;
}

/** The server is killed and started again at once; all come back as pages do. */
export async function crash(sockets: number): Promise<Crash> {
  const ours = await startOurs({ count: sockets, rooms: sockets / 10, perRoom: 10 });
  const { server } = ours;
  const everyone = await allInside(ours);
  await server.kill();
  for (const { wire } of everyone) wire.close();
  const startMs = performance.now();
  const back: number[] = [];
  let readyMs = 0;
  const memberships = membershipsOf(ours);
  const returning = inWaves(memberships, memberships.length, async ({ person, room }) => {
    const here = await comeBack(server.url, person, room);
    back.push(performance.now() - startMs);
    return here;
  });
  await server.restart();
  readyMs = performance.now() - startMs;
  const there = await returning;
  const result = {
    ...{ p95: percentile(back, 0.95) / 1000, all: Math.max(...back) / 1000 },
    ...{ readyMs, residentMb: residentMb(server.pid) },
  };
  for (const { wire } of there) wire.close();
  await ours.stop();
  return result;
}

/** Connects and enters as a page does that lost its connection: again and again, after longer and longer pauses. */
export async function comeBack(url: string, person: Person, room: object): Promise<Here> {
  for (let attempt = 0; ; attempt += 1) {
    await pause(Math.min(10_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2));
    try {
      const here = await within10s(comeIn(url, person));
      await must(here.wire.ask('rooms/enter', room));
      return here;
    } catch {
      // Tried again after a longer pause.
    }
  }
}

/** Pages give a connection up after ten seconds. */
async function within10s(coming: Promise<Here>): Promise<Here> {
  const isLate = Symbol('late');
  const first = await Promise.race([coming, pause(10_000, isLate)]);
  if (first !== isLate) return first;
  void coming.then(
    ({ wire }) => wire.close(),
    () => undefined,
  );
  throw new Error('too slow');
}
