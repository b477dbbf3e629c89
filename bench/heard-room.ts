/**
 * One room that is listened to: a host in Chromium and a guest in a browser of choice, each on a channel of its own, put
 * through what people do. Everything is recorded once; each phase is then judged by what was heard in it.
 */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, makePeople } from '@tunemate/testkit/crowd';
import type { LoopbackSound, Recording } from '@tunemate/testkit/loopback-sound';
import { startServerProcess } from '@tunemate/testkit/process';
import { makeTempDir } from '@tunemate/testkit/temp-dir';
import { type HeardPhase, judge, type PhaseMark } from './heard-judge.ts';
import {
  type BrowserName,
  clickButton,
  countRateChanges,
  excursions,
  type HeardPage,
  openHeardPage,
  seekForward,
  startTrack,
  takeDrifts,
  untilPaused,
  untilPlaying,
  watchDrift,
} from './heard-page.ts';

export interface HeardPlan {
  readonly guest: BrowserName;
  readonly format: string;
  /** What the host types and starts. */
  readonly track: string;
  readonly steadySeconds: number;
  /** Only a start and a late join. */
  readonly isShort: boolean;
}

/** What starts, seeks and returns are given to settle: the goal is half a second, and this is measured after it. */
const settleMs = 2500;
const phaseSeconds = 6;
const rateExcursions = 10;

/** Puts a room through all phases and judges the recording. */
export async function listen(sound: LoopbackSound, plan: HeardPlan): Promise<HeardPhase[]> {
  const room = await openRoom(sound, plan);
  const finish = await sound.record();
  let recording: Recording | null = null;
  const marks: PhaseMark[] = [];
  const phase = async (name: string, seconds: number): Promise<void> => {
    await untilPlaying(room.guest);
    await pause(settleMs);
    const pages = [room.host, room.guest];
    await Promise.all(pages.map(watchDrift));
    await Promise.all(pages.map(takeDrifts));
    const rateChanges = await countRateChanges(room.guest);
    const fromMs = performance.timeOrigin + performance.now();
    await pause(seconds * 1000);
    const untilMs = performance.timeOrigin + performance.now();
    const load = loadavg()[0] ?? 0;
    const [host = [], guest = []] = await Promise.all(pages.map(takeDrifts));
    marks.push({ name, fromMs, untilMs, host, guest, rateChanges: await rateChanges(), load });
  };
  try {
    await startTrack(room.host, plan.track);
    await phase('start together', phaseSeconds);
    await room.guest.reload();
    await phase('late join', phaseSeconds);
    if (!plan.isShort) {
      await seekForward(room.host);
      await phase('seek', phaseSeconds);
      await clickButton(room.host, 'Pause');
      await untilPaused(room.guest);
      await clickButton(room.host, 'Play');
      await phase('pause and resume', phaseSeconds);
      await excursions(room.guest, rateExcursions);
      await phase('after ten changes of rate', phaseSeconds);
      await phase('steady', plan.steadySeconds);
    }
  } finally {
    recording = await finish();
    await room.close();
  }
  return marks.map((mark) => judge(mark, recording));
}

async function openRoom(sound: LoopbackSound, { guest: guestBrowser }: HeardPlan) {
  const data = await makeTempDir('bench-heard');
  const people = await makePeople(`sqlite:${data.path}/tunemate.sqlite`, 2);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
  const [host, guest] = await Promise.all(people.map((person) => connect(server.url, person)));
  if (host === undefined || guest === undefined) throw new Error('nobody came');
  const kind = 'audio';
  const { code } = await host.ask('rooms/create', { clientId: crypto.randomUUID(), kind, name: 'Heard' });
  await guest.ask('rooms/askToJoin', { kind, code });
  await host.ask('rooms/acceptRequest', { kind, code, uid: guest.person.uid });
  host.line.disconnect();
  guest.line.disconnect();
  const pages: HeardPage[] = [];
  for (const [browser, channel, { person }] of [
    ['chromium', 'left', host],
    [guestBrowser, 'right', guest],
  ] as const) {
    const page = await openHeardPage(browser, sound.environment(channel), server.url, person);
    await page.goto(`${server.url}/audio-room/${code}`);
    pages.push(page);
  }
  const [hostPage, guestPage] = pages;
  if (hostPage === undefined || guestPage === undefined) throw new Error('nobody came');
  return {
    host: hostPage,
    guest: guestPage,
    async close() {
      await Promise.all(pages.map((page) => page.close()));
      await server.dispose();
      await data.remove();
    },
  };
}
