/**
 * What many people cost: joining one room, a host's action for all of them, chat in a room of 200, a crash and the way
 * back. Frames are written from this process, the server is another, and bare Socket.IO runs beside it.
 * Usage: npm run bench:load [-- members]   (default 300)
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { protocolVersion } from '@tunemate/protocol';
import { inWaves, makePeople } from '@tunemate/testkit/crowd';
import { arrived, Line } from '@tunemate/testkit/load-line';
import type { Person } from '@tunemate/testkit/people';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/process';
import { makeTempDir } from '@tunemate/testkit/temp-dir';

import { cpuSeconds } from './process-cost.ts';

const members = Number(process.argv[2] ?? 300);
const width = 50;
const chatMembers = Math.min(200, members);
const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };

interface Cost {
  seconds: number;
  cpu: number;
  megabytes: number;
  frames: number;
}

async function measure(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = { ms: performance.now(), cpu: cpuSeconds(pid), ...arrived };
  await work();
  return {
    seconds: (performance.now() - before.ms) / 1000,
    cpu: cpuSeconds(pid) - before.cpu,
    megabytes: (arrived.bytes - before.bytes) / 1e6,
    frames: arrived.frames - before.frames,
  };
}

const rows: Record<string, unknown>[] = [];
function note(what: string, cost: Cost, more: Record<string, unknown> = {}): void {
  const rounded = Object.entries(cost).map(([key, value]) => [key, Number((value as number).toPrecision(3))]);
  rows.push({ what, ...Object.fromEntries(rounded), ...more });
  process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
}

interface Here {
  person: Person;
  line: Line;
  tabId: string;
  onEvent: (frame: string) => void;
}

async function comeIn(url: string, person: Person): Promise<Here> {
  const here: Here = { person, line: undefined as unknown as Line, tabId: randomUUID(), onEvent: () => undefined };
  here.line = await Line.open(url, { cookie: person.cookie, origin: url }, (frame) => here.onEvent(frame));
  const hello = await here.line.ask('session/hello', { protocolVersion, tabId: here.tabId });
  if (!hello.startsWith('[{"ok":true')) throw new Error(`hello: ${hello}`);
  return here;
}

async function must(answer: Promise<string>): Promise<string> {
  const text = await answer;
  if (!text.startsWith('[{"ok":true')) throw new Error(text.slice(0, 200));
  return text;
}

/** Latencies in ms from each send to the arrival at everybody. */
async function toAll(
  everyone: readonly Here[],
  count: number,
  perSecond: number,
  send: (n: number) => Promise<unknown>,
  mark: (frame: string) => number,
) {
  const sentAt: number[] = [];
  const took: number[] = [];
  for (const here of everyone) {
    here.onEvent = (frame) => {
      const found = mark(frame);
      for (let n = 0; n < found; n += 1) took.push(performance.now() - (sentAt.at(-1) ?? 0));
    };
  }
  for (let n = 0; n < count; n += 1) {
    sentAt.push(performance.now());
    await send(n);
    await pause(1000 / perSecond);
  }
  const wanted = count * everyone.length;
  for (let waited = 0; took.length < wanted && waited < 100; waited += 1) await pause(50);
  for (const here of everyone) here.onEvent = () => undefined;
  return {
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    missing: wanted - took.length,
    deliveries: took.length,
  };
}

async function bare(): Promise<void> {
  const server = fork(join(import.meta.dirname, 'bare-server.ts'));
  const [port] = (await once(server, 'message')) as [number];
  const url = `http://127.0.0.1:${String(port)}`;
  const pid = server.pid ?? 0;
  const everyone: Here[] = [];
  const connecting = await measure(pid, () =>
    inWaves([...Array(members).keys()], width, async () => {
      const here = { onEvent: () => undefined } as unknown as Here;
      here.line = await Line.open(url, {}, (frame) => here.onEvent(frame));
      everyone.push(here);
    }),
  );
  note('bare Socket.IO: connect', connecting);
  await inWaves(everyone, width, (here, n) =>
    here.line.ask('join', { uid: String(n), name: `L ${String(n)}`, online: true }),
  );
  const news = { type: 'told', text: 'x'.repeat(400) };
  let latencies = {};
  const cost = await measure(pid, async () => {
    latencies = await toAll(
      everyone,
      40,
      5,
      () => everyone[0]?.line.ask('tell', news) ?? Promise.resolve(),
      () => 1,
    );
  });
  note('bare Socket.IO: 40 to all', cost, latencies);
  server.kill();
}

async function tunemate(): Promise<void> {
  const data = await makeTempDir('bench-load');
  const people = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, members);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
  let everyone: Here[] = [];
  note(
    'connect and hello',
    await measure(server.pid, async () => {
      everyone = await inWaves(people, width, (person) => comeIn(server.url, person));
    }),
  );
  const [host, ...guests] = everyone as [Here, ...Here[]];
  const created = await must(
    host.line.ask('rooms/create', { clientId: randomUUID(), kind: 'video', name: 'The crowd' }),
  );
  const code = /"code":"([^"]+)"/.exec(created)?.[1] ?? '';
  const room = { kind: 'video', code };
  await must(host.line.ask('rooms/enter', room));
  note(
    'ask, approve, enter',
    await measure(server.pid, () =>
      inWaves(guests, width, async (guest) => {
        await must(guest.line.ask('rooms/askToJoin', room));
        await must(host.line.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid }));
        await must(guest.line.ask('rooms/enter', room));
      }),
    ),
  );
  await pause(1000);
  const write = (intent: object) =>
    host.line.ask('playback/write', { ...room, tabId: host.tabId, clientId: randomUUID(), intent });
  await must(host.line.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  await must(write({ type: 'choose', track }));
  await pause(4000);
  let latencies = {};
  const isMove = (frame: string) => frame.split('"playback/moved"').length - 1;
  note(
    '40 actions to all',
    await measure(server.pid, async () => {
      latencies = await toAll(everyone, 40, 5, (n) => must(write({ type: n % 2 === 0 ? 'pause' : 'play' })), isMove);
    }),
    latencies,
  );
  note('2 s of nothing', await measure(server.pid, () => pause(2000)));
  await chat(server, people);
  note(
    'disconnect',
    await measure(server.pid, async () => {
      for (const { line } of everyone) line.close();
      await pause(1500);
    }),
  );
  note(
    'return: connect, hello, enter',
    await measure(server.pid, async () => {
      everyone = await inWaves(people, width, async (person) => {
        const here = await comeIn(server.url, person);
        await must(here.line.ask('rooms/enter', room));
        return here;
      });
    }),
  );
  await pause(1000);
  await crash(server, everyone, room);
  await server.dispose();
  await data.remove();
}

/** 20 people send to a room of 200, 200 a second. */
async function chat(server: Awaited<ReturnType<typeof startServerProcess>>, people: readonly Person[]): Promise<void> {
  const there = await inWaves(people.slice(0, chatMembers), width, (person) => comeIn(server.url, person));
  const [host, ...guests] = there as [Here, ...Here[]];
  const created = await must(host.line.ask('rooms/create', { clientId: randomUUID(), kind: 'audio', name: 'Chat' }));
  const room = { kind: 'audio', code: /"code":"([^"]+)"/.exec(created)?.[1] ?? '' };
  await must(host.line.ask('rooms/enter', room));
  await inWaves(guests, width, async (guest) => {
    await must(guest.line.ask('rooms/askToJoin', room));
    await must(host.line.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid }));
    await must(guest.line.ask('rooms/enter', room));
  });
  await pause(1000);
  const answers: number[] = [];
  const perSecond = 200;
  const count = perSecond * 4;
  let received = 0;
  for (const here of there) here.onEvent = (frame) => void (received += frame.split('"rooms/messageSent"').length - 1);
  const cost = await measure(server.pid, async () => {
    const startMs = performance.now();
    const sending: Promise<unknown>[] = [];
    for (let n = 0; n < count; n += 1) {
      const wait = startMs + (n * 1000) / perSecond - performance.now();
      if (wait > 0) await pause(wait);
      const sentMs = performance.now();
      const line = there[n % 20]?.line;
      if (line) {
        const sent = must(
          line.ask('rooms/sendMessage', { ...room, clientId: randomUUID(), text: `message ${String(n)}` }),
        );
        sending.push(sent.then(() => answers.push(performance.now() - sentMs)));
      }
    }
    await Promise.all(sending);
    for (let waited = 0; received < count * there.length && waited < 100; waited += 1) await pause(50);
  });
  note(`${String(count)} messages to ${String(there.length)}`, cost, {
    p50: percentile(answers, 0.5),
    p99: percentile(answers, 0.99),
    missing: count * there.length - received,
  });
  for (const { line } of there) line.close();
  await pause(500);
}

async function crash(
  server: Awaited<ReturnType<typeof startServerProcess>>,
  everyone: readonly Here[],
  room: object,
): Promise<void> {
  await server.kill();
  const startMs = performance.now();
  const back: number[] = [];
  let readyMs = 0;
  const returning = inWaves(everyone, everyone.length, async ({ person }) => {
    for (let attempt = 0; ; attempt += 1) {
      await pause(Math.min(10_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2));
      try {
        const here = await comeIn(server.url, person);
        await must(here.line.ask('rooms/enter', room));
        back.push(performance.now() - startMs);
        return;
      } catch {
        // Tried again after a longer pause.
      }
    }
  });
  const restarting = server.restart().then(() => (readyMs = performance.now() - startMs));
  await Promise.all([returning, restarting]);
  const cost = { seconds: (performance.now() - startMs) / 1000, cpu: cpuSeconds(server.pid), megabytes: 0, frames: 0 };
  note('kill -9 and all back', cost, { ready: readyMs, p95: percentile(back, 0.95) });
}

await bare();
await tunemate();
console.table(rows);
process.exit(0);
