/**
 * A server on a slow disk: two people write to each other, and others only read, read the clock, and ask whether the
 * server is there.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { newClientId } from '@tunemate/testkit/answers';
import { shimDisk } from '@tunemate/testkit/services/disks/disk-shim';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { connect, makePeople, type Member } from '@tunemate/testkit/worlds/crowd';
import { makeTunemates } from '@tunemate/testkit/worlds/durability';
import type { Person } from '@tunemate/testkit/worlds/people';

export interface SlowDisk {
  /** Of the answers to others, in milliseconds. */
  healthz: number[];
  clock: number[];
  chats: number[];
  /** Messages that were sent, and how long those took that were answered. */
  sent: number;
  answered: number[];
  refused: string[];
}

interface Options {
  syncMs: number;
  seconds: number;
  perSecond: number;
}

const askEveryMs = 50;

export async function onSlowDisk({ syncMs, seconds, perSecond }: Options): Promise<SlowDisk> {
  await using data = await makeTempDir('slow-disk');
  await using tools = await makeTempDir('slow-disk-tools');
  const people = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, 4);
  const [from, to, reader, timed] = people as [Person, Person, Person, Person];
  await makeTunemates(`sqlite:${join(data.path, 'tunemate.sqlite')}`, [[from, to]]);
  const disk = shimDisk(tools.path);
  const env = { ...disk.env, RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' };
  const server = await startServerProcess({ dataDir: data.path, env });
  try {
    const [sender, other, reading, clock] = (await Promise.all(
      [from, to, reader, timed].map((person) => connect(server.url, person)),
    )) as [Member, Member, Member, Member];
    disk.set({ syncMs });
    const untilMs = performance.now() + seconds * 1000;
    const asked = others(server.url, reading, clock, untilMs);
    const sending = write([sender, other], untilMs, perSecond);
    const [times, messages] = [await asked, await sending];
    for (const { line } of [sender, other, reading, clock]) line.cut();
    return { ...times, ...messages };
  } finally {
    disk.set({});
    await server.dispose();
  }
}

/** Asks again and again, each question beside the others, and notes how long each answer took. */
async function others(url: string, reading: Member, clock: Member, untilMs: number) {
  const timesOf = async (ask: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = [];
    while (performance.now() < untilMs) {
      const startMs = performance.now();
      await ask();
      times.push(performance.now() - startMs);
      await pause(askEveryMs);
    }
    return times;
  };
  const [healthz, clocks, chats] = await Promise.all([
    timesOf(async () => void (await (await fetch(`${url}/healthz`)).text())),
    timesOf(() => clock.ask('clock/probe', {})),
    timesOf(() => reading.ask('chats/list', {})),
  ]);
  return { healthz, clock: clocks, chats };
}

/** Both write, in turns. */
async function write(couple: readonly [Member, Member], untilMs: number, perSecond: number) {
  const [answered, refused]: [number[], string[]] = [[], []];
  const open: Promise<unknown>[] = [];
  while (performance.now() < untilMs) {
    const startMs = performance.now();
    const [from, to] = open.length % 2 === 0 ? couple : couple.toReversed();
    const message = { clientId: newClientId(), uid: to?.person.uid ?? null, text: 'on a slow disk' };
    const settled = from?.line
      .request('chats/send', message)
      .then((result) => (result.ok ? answered.push(performance.now() - startMs) : refused.push(result.error.code)));
    // Those that are on their way at the end are cut off.
    open.push(Promise.resolve(settled).catch(() => undefined));
    await pause(1000 / perSecond);
  }
  // What is still on its way has the time that a page gives it.
  await Promise.race([Promise.all(open), pause(10_000)]);
  return { sent: open.length, answered, refused };
}
