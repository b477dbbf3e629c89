/**
 * One room that is listened to: a host in Chromium and a guest in a browser of choice, each on a channel of its own.
 * What is recorded in one phase of an evening is judged by what was heard in it.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, makePeople, type Room, roomOf } from '../worlds/crowd.ts';
import type { LoopbackSound, Recorder } from '../browsers/loopback-sound.ts';
import { startServerProcess } from '../services/process.ts';
import { makeTempDir } from '../services/temp-dir.ts';
import type { Person } from '../worlds/people.ts';
import { type HeardPhase, judge, type PhaseMark } from './judge.ts';
import {
  type BrowserName,
  countRateChanges,
  type HeardPage,
  openHeardPage,
  takeDrifts,
  untilPlaying,
  watchDrift,
} from './page.ts';

/** A room with two people whose pages are open. */
export interface HeardRoom {
  readonly host: HeardPage;
  readonly guest: HeardPage;
  /** Of the server. */
  readonly url: string;
  readonly room: Room;
  /** Host and guest. */
  readonly people: readonly Person[];
  close(): Promise<void>;
}

/** What starts, seeks and returns are given to settle: the goal is half a second, and this is measured after it. */
const settleMs = 2500;
/** How far a recording may be behind. */
const recordedWithinMs = 500;

/** Notes for so many seconds what the pages say of themselves, once both play and have settled. */
export async function markPhase({ host, guest }: HeardRoom, name: string, seconds: number): Promise<PhaseMark> {
  await untilPlaying(guest);
  await pause(settleMs);
  const pages = [host, guest];
  await Promise.all(pages.map(watchDrift));
  await Promise.all(pages.map(takeDrifts));
  const rateChanges = await countRateChanges(guest);
  const fromMs = performance.timeOrigin + performance.now();
  await pause(seconds * 1000);
  const untilMs = performance.timeOrigin + performance.now();
  const load = loadavg()[0] ?? 0;
  const [hostDrifts = [], guestDrifts = []] = await Promise.all(pages.map(takeDrifts));
  return { name, fromMs, untilMs, host: hostDrifts, guest: guestDrifts, rateChanges: await rateChanges(), load };
}

/** Judges one phase of a recording that began before anything was played. */
export async function hearPhase(
  recorder: Recorder,
  room: HeardRoom,
  name: string,
  seconds: number,
): Promise<HeardPhase> {
  const mark = await markPhase(room, name, seconds);
  await pause(recordedWithinMs);
  return judge(mark, recorder.soFar());
}

/**
 * Opens a room of kind audio; `env` are settings of its server. Throws `ServiceUnavailable` where there is no such
 * browser.
 */
export async function openHeardRoom(
  sound: LoopbackSound,
  guestBrowser: BrowserName,
  env: Record<string, string> = {},
): Promise<HeardRoom> {
  const data = await makeTempDir('heard');
  const people = await makePeople(`sqlite:${data.path}/tunemate.sqlite`, 2);
  const server = await startServerProcess({
    dataDir: data.path,
    env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn', ...env },
  });
  const [host, guest] = await Promise.all(people.map((person) => connect(server.url, person)));
  if (host === undefined || guest === undefined) throw new Error('no guest came');
  const room = await roomOf(host, 'audio', guest);
  host.line.disconnect();
  guest.line.disconnect();
  const pages: HeardPage[] = [];
  const close = async () => {
    await Promise.all(pages.map((page) => page.close()));
    await server.dispose();
    await data.remove();
  };
  const open = async (browser: BrowserName, channel: 'left' | 'right', { person }: typeof host) => {
    const page = await openHeardPage(browser, sound.environment(channel), server.url, person);
    pages.push(page);
    await page.goto(`${server.url}/audio-room/${room.code}`);
    return page;
  };
  try {
    const pair = { host: await open('chromium', 'left', host), guest: await open(guestBrowser, 'right', guest) };
    return { ...pair, url: server.url, room, people, close };
  } catch (error) {
    await close();
    throw error;
  }
}
