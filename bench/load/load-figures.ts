/** The figures of joining, of telling all in one room, and of chat; each measures ours and the baseline alike. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@tunemate/protocol';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { type LargeCrowd, type LargeCrowdPast, makeLargeCrowd } from './large-crowd.ts';
import { percentile } from '@tunemate/testkit/percentile';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import {
  allOnBare,
  comeIn,
  type Cost,
  type Here,
  measure,
  must,
  startBare,
  toAll,
  type Delivered,
  width,
} from './load-parts.ts';

export interface Ours {
  server: ServerProcess;
  crowd: LargeCrowd;
  stop(): Promise<void>;
}

/** Our server over a database with these people in it. */
export async function startOurs(shape: {
  count: number;
  rooms?: number;
  perRoom?: number;
  messages?: number;
  notifications?: number;
  sessions?: number;
  env?: Record<string, string>;
}): Promise<Ours> {
  const data = await makeTempDir('bench-load');
  const url = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
  const crowd = await makeLargeCrowd(url, { rooms: 0, perRoom: 0, messages: 0, ...shape });
  const server = await startServerProcess({
    dataDir: data.path,
    env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn', ...shape.env },
  });
  return {
    server,
    crowd,
    async stop() {
      await server.dispose();
      await data.remove();
    },
  };
}

interface Room {
  kind: 'video' | 'audio';
  code: string;
}

export async function openRoom(host: Here, kind: Room['kind'] = 'video'): Promise<Room> {
  const made = await must(host.wire.ask('rooms/create', { clientId: randomUUID(), kind, name: 'The crowd' }));
  const room = { kind, code: /"code":"([^"]+)"/.exec(made)?.[1] ?? '' };
  await must(host.wire.ask('rooms/enter', room));
  return room;
}

/** Each asks, the host accepts, and they enter. */
export function seatAll(host: Here, guests: readonly Here[], room: Room): Promise<unknown> {
  return inWaves(guests, width, async ({ wire, person }) => {
    await must(wire.ask('rooms/askToJoin', room));
    await must(host.wire.ask('rooms/acceptRequest', { ...room, uid: person?.uid }));
    await must(wire.ask('rooms/enter', room));
  });
}

/** All ask, the host accepts all who wait with one press, once for each 200 who wait. */
export async function seatAllAtOnce(host: Here, guests: readonly Here[], room: Room): Promise<void> {
  for (let from = 0; from < guests.length; from += limits.pendingPerRoom) {
    const waiting = guests.slice(from, from + limits.pendingPerRoom);
    await inWaves(waiting, width, ({ wire }) => must(wire.ask('rooms/askToJoin', room)));
    await must(host.wire.ask('rooms/acceptAll', { ...room, uids: waiting.map(({ person }) => person?.uid) }));
    await inWaves(waiting, width, ({ wire }) => must(wire.ask('rooms/enter', room)));
  }
}

export interface Joins {
  connect: Cost;
  approved: Cost;
  allAtOnce: Cost;
  returning: Cost;
}

/**
 * `count` people connect, join one room whose host accepts one by one, and another whose host accepts all at once; they
 * go, and come back to the first.
 */
export async function joins(count: number, env: Record<string, string> = {}): Promise<Joins> {
  const { server, crowd, stop } = await startOurs({ count, env });
  const pids = [server.pid];
  let everyone: Here[] = [];
  const connect = await measure(pids, async () => {
    everyone = await inWaves(crowd.people, width, (person) => comeIn(server.url, person));
  });
  const [host, ...guests] = everyone as [Here, ...Here[]];
  const room = await openRoom(host);
  const approved = await measure(pids, () => seatAll(host, guests, room));
  const other = await openRoom(host, 'audio');
  const allAtOnce = await measure(pids, () => seatAllAtOnce(host, guests, other));
  for (const { wire } of everyone) wire.close();
  await pause(3000);
  const returning = await measure(pids, () =>
    inWaves(crowd.people, width, async (person) => {
      const here = await comeIn(server.url, person);
      await must(here.wire.ask('rooms/enter', room));
    }),
  );
  await stop();
  return { connect, approved, allAtOnce, returning };
}

/** `count` people connect to bare ws and join. */
export async function bareJoins(count: number): Promise<Cost> {
  const server = await startBare();
  const cost = await measure([server.pid], () => allOnBare(server, count, () => 0));
  server.stop();
  return cost;
}

export interface Connecting {
  perSecond: number;
  /** CPU ms of the server. */
  cpuMsEach: number;
}

/** How fast `count` people connect, to a server that has `accounts` and this past. */
export async function connecting(count: number, accounts: number, past: LargeCrowdPast): Promise<Connecting> {
  const { server, crowd, stop } = await startOurs({ count: accounts, ...past });
  const { seconds, cpu } = await measure([server.pid], () =>
    inWaves(crowd.people.slice(0, count), width, (person) => comeIn(server.url, person)),
  );
  await stop();
  return { perSecond: count / seconds, cpuMsEach: (cpu * 1000) / count };
}

export interface FanOut extends Delivered {
  cpuMsPer1000: number;
}

const fanOutOf = (sent: Delivered): FanOut => ({
  ...sent,
  cpuMsPer1000: (sent.cpu * 1e6) / Math.max(1, sent.deliveries),
});

/** One host's actions to `members` people with so many tabs each. */
export async function fanOut(
  members: number,
  tabs: number,
  rate: { count: number; perSecond: number },
): Promise<FanOut> {
  const { server, crowd, stop } = await startOurs({ count: members, rooms: 1, perRoom: members });
  const [room] = crowd.rooms;
  if (!room) throw new Error('no room');
  const address = { kind: room.kind, code: room.code };
  const persons = Array.from({ length: tabs }, () => crowd.people).flat();
  const everyone = await inWaves(persons, width, async (person) => {
    const here = await comeIn(server.url, person);
    await must(here.wire.ask('rooms/enter', address));
    return here;
  });
  const sent = await actions(everyone, address, rate, server);
  await stop();
  return sent;
}

/** Plays and pauses, as the host of a room in which all are. */
export async function actions(
  everyone: readonly Here[],
  room: Room,
  rate: { count: number; perSecond: number },
  servers: ServerProcess | readonly ServerProcess[],
): Promise<FanOut> {
  const [host] = everyone as [Here];
  const write = (intent: object) =>
    must(host.wire.ask('playback/write', { ...room, tabId: host.tabId, clientId: randomUUID(), intent }));
  await must(host.wire.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };
  const chosen = await write({ type: 'choose', track });
  const base = Number(/"revision":(\d+)/.exec(chosen)?.[1]);
  // The first start waits for players, of which there are none.
  await pause(4000);
  const first = Number(
    /"revision":(\d+)/.exec(await write({ type: 'seek', videoId: track.videoId, currentTime: 1 }))?.[1] ?? base,
  );
  await pause(1500);
  const now = Number(/"revision":(\d+)/.exec(await write({ type: 'pause' }))?.[1] ?? first);
  await pause(1500);
  const find = (frame: string): number[] =>
    Array.from(frame.matchAll(/"type":"playback\/moved","revision":(\d+)/g), (found) => Number(found[1]) - now - 1);
  const pids = [servers].flat().map(({ pid }) => pid);
  const act = (n: number) => write({ type: n % 2 === 0 ? 'play' : 'pause' });
  return fanOutOf(await toAll(everyone, pids, { ...rate, each: everyone.length }, act, find));
}

/** The same on the baseline, with a message of our size. */
export async function bareFanOut(sockets: number, rate: { count: number; perSecond: number }): Promise<FanOut> {
  const bare = await startBare();
  const everyone = await allOnBare(bare, sockets, () => 0);
  const [first] = everyone as [Here];
  const pad = 'x'.repeat(400);
  const sent = await toAll(
    everyone,
    [bare.pid],
    { ...rate, each: sockets },
    (n) => first.wire.ask('tell', { n, pad }),
    (frame) => [Number(/"n":(\d+)/.exec(frame)?.[1])],
  );
  bare.stop();
  for (const { wire } of everyone) wire.close();
  return fanOutOf(sent);
}

export interface Chat extends Delivered {
  perSecond: number;
  ackP99: number;
  cpuMsEach: number;
}

const chatSeconds = 6;

const chatOf = (sent: Delivered, perSecond: number, acks: readonly number[]): Chat => ({
  ...{ ...sent, perSecond, ackP99: acks.length === 0 ? 0 : percentile(acks, 0.99) },
  cpuMsEach: (sent.cpu * 1000) / (perSecond * chatSeconds),
});

/** Notes how long the answer takes. */
async function acknowledged(acks: number[], answer: Promise<string>): Promise<void> {
  const sentMs = performance.now();
  await must(answer);
  acks.push(performance.now() - sentMs);
}

const textsIn = (frame: string): number[] =>
  Array.from(frame.matchAll(/"text":"message (\d+)"/g), (found) => Number(found[1]));

/** Twenty of those in a room write, so many a second altogether, for six seconds. */
export async function roomChat(
  there: readonly Here[],
  room: Room,
  perSecond: number,
  pids: readonly number[],
): Promise<Chat> {
  const acks: number[] = [];
  const sent = await toAll(
    there,
    pids,
    { count: perSecond * chatSeconds, perSecond, each: there.length },
    (n) => {
      const { wire } = there[n % 20] as Here;
      const message = { ...room, clientId: randomUUID(), text: `message ${String(n)}` };
      return acknowledged(acks, wire.ask('rooms/sendMessage', message));
    },
    (frame) => (frame.includes('rooms/messageSent') ? textsIn(frame) : []),
  );
  return chatOf(sent, perSecond, acks);
}

export async function bareChat(perSecond: number, members = 200): Promise<Chat> {
  const bare = await startBare();
  const everyone = await allOnBare(bare, members, () => 0);
  const sent = await toAll(
    everyone,
    [bare.pid],
    { count: perSecond * chatSeconds, perSecond, each: members },
    (n) => (everyone[n % 20] as Here).wire.ask('tell', { text: `message ${String(n)}`, pad: 'x'.repeat(300) }),
    textsIn,
  );
  bare.stop();
  for (const { wire } of everyone) wire.close();
  return chatOf(sent, perSecond, []);
}

/** Pairs write to each other, so many messages a second altogether, for six seconds. */
export async function privateChat(
  pairs: readonly (readonly [Here, Here])[],
  perSecond: number,
  pid: number,
): Promise<Chat> {
  const acks: number[] = [];
  const sent = await toAll(
    [],
    [pid],
    { count: perSecond * chatSeconds, perSecond, each: 0 },
    (n) => {
      const pair = pairs[n % pairs.length] as readonly [Here, Here];
      const [from, to] = Math.floor(n / pairs.length) % 2 === 0 ? pair : [pair[1], pair[0]];
      const message = { uid: to.person?.uid, clientId: randomUUID(), text: `message ${String(n)}` };
      return acknowledged(acks, from.wire.ask('chats/send', message));
    },
    () => [],
  );
  return chatOf(sent, perSecond, acks);
}
