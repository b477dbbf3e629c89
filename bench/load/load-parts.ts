/**
 * What the figures of the load are measured with: servers to load (ours and bare ws), people on raw
 * connections, and what a server and its wires cost meanwhile. It knows no figure.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { protocolVersion } from '@tunemate/protocol';
import { inWaves } from '@tunemate/testkit/worlds/crowd';
import { arrived, Line } from './load-line.ts';
import { createDatabase, startPostgres } from '@tunemate/testkit/services/postgres';
import type { Person } from '@tunemate/testkit/worlds/people';
import { percentile } from '@tunemate/testkit/percentile';
import { cpuSeconds } from './process-cost.ts';

/** A database for a server with this data folder, and what the server has to be set to for it. */
export async function openStorage(dataDir: string, isPostgres: boolean) {
  if (!isPostgres) return { url: `sqlite:${join(dataDir, 'tunemate.sqlite')}`, env: {}, end: () => Promise.resolve() };
  const postgres = await startPostgres({ durable: true });
  const { url } = await createDatabase(postgres.url);
  return { url, env: { DATABASE_URL: url }, end: () => postgres.stop() };
}

/** How many requests newcomers send at once. */
export const width = 50;

/** One person on one connection; `onEvent` gets what was not asked for. */
export interface Here {
  wire: Line;
  onEvent: (frame: string) => void;
  tabId: string;
  person: Person | null;
}

export interface Cost {
  seconds: number;
  cpu: number;
  megabytes: number;
}

/** What the processes used, and what arrived here, while `work` ran. */
export async function measure(pids: readonly number[], work: () => Promise<unknown>): Promise<Cost> {
  const used = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const before = { ms: performance.now(), cpu: used(), bytes: arrived.bytes };
  await work();
  return {
    seconds: (performance.now() - before.ms) / 1000,
    cpu: used() - before.cpu,
    megabytes: (arrived.bytes - before.bytes) / 1e6,
  };
}

export interface Bare {
  pid: number;
  connect(): Promise<Here>;
  stop(): void;
}

/** Starts the baseline. */
export async function startBare(): Promise<Bare> {
  const server = fork(join(import.meta.dirname, 'bare-ws.ts'));
  const [port] = (await once(server, 'message')) as [number];
  return {
    pid: server.pid ?? 0,
    connect: () => openHere(`http://127.0.0.1:${String(port)}`),
    stop: () => void server.kill(),
  };
}

/** All on the baseline, each in their room. */
export async function allOnBare(bare: Bare, count: number, roomOf: (n: number) => number): Promise<Here[]> {
  return await inWaves([...Array(count).keys()], width, async (n) => {
    const here = await bare.connect();
    await here.wire.ask('join', { uid: String(n), name: `Listener ${String(n)}`, online: true, room: roomOf(n) });
    return here;
  });
}

async function openHere(url: string, person: Person | null = null): Promise<Here> {
  const headers = person === null ? {} : { cookie: person.cookie, origin: url };
  const here: Omit<Here, 'wire'> = { onEvent: () => undefined, tabId: randomUUID(), person };
  return Object.assign(here, { wire: await Line.open(url, headers, (frame) => here.onEvent(frame)) });
}

/** Connects to our server and says hello. */
export async function comeIn(url: string, person: Person): Promise<Here> {
  const here = await openHere(url, person);
  await must(here.wire.ask('session/hello', { protocolVersion, tabId: here.tabId }));
  return here;
}

/** The answer, which must not be a refusal. */
export async function must(answer: Promise<string>): Promise<string> {
  const text = await answer;
  if (!text.startsWith('{"ok":true')) throw new Error(text === '' ? 'cut off' : text.slice(0, 200));
  return text;
}

export interface Delivered {
  p50: number;
  p99: number;
  /** How many of those sent never arrived. */
  missing: number;
  deliveries: number;
  /** Processor seconds of the servers meanwhile. */
  cpu: number;
}

/** Sends `count` things at a pace, and resolves when all are answered. */
export async function atPace(
  { count, perSecond }: { count: number; perSecond: number },
  send: (n: number) => Promise<unknown>,
): Promise<void> {
  const sending: Promise<unknown>[] = [];
  const startMs = performance.now();
  for (let n = 0; n < count; n += 1) {
    const waitMs = startMs + (n * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    sending.push(send(n));
  }
  await Promise.all(sending);
}

/** Gives what is on its way to the pages five seconds. */
export async function untilArrived(took: readonly number[], wanted: number): Promise<void> {
  for (let waited = 0; took.length < wanted && waited < 100; waited += 1) await pause(50);
}

/**
 * Sends `count` things at a pace and notes how long each took to reach all, and what the processes used meanwhile. `find`
 * says which of the sent a frame holds: their numbers, or how many.
 */
export async function toAll(
  everyone: readonly Here[],
  pids: readonly number[],
  { each, ...rate }: { count: number; perSecond: number; each: number },
  send: (n: number) => Promise<unknown>,
  find: (frame: string) => readonly number[],
): Promise<Delivered> {
  const sentAt: number[] = [];
  const took: number[] = [];
  for (const here of everyone) {
    here.onEvent = (frame) => {
      for (const n of find(frame)) took.push(performance.now() - (sentAt[n] ?? 0));
    };
  }
  const wanted = rate.count * each;
  const { cpu } = await measure(pids, async () => {
    await atPace(rate, (n) => {
      sentAt.push(performance.now());
      return send(n);
    });
    await untilArrived(took, wanted);
  });
  for (const here of everyone) here.onEvent = () => undefined;
  return {
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    missing: wanted - took.length,
    deliveries: took.length,
    cpu,
  };
}
