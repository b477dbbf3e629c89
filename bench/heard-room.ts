/**
 * One room that is listened to: a host in Chromium and a guest in a browser of choice, each on a channel of its own, put
 * through what people do. Everything is recorded once; each phase is then judged by what was heard in it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connect, makePeople } from '@tunemate/testkit/crowd';
import { heardOffset, longestSilenceMs, loudness } from '@tunemate/testkit/heard-offset';
import { type LoopbackSound, type Recording, sampleRate } from '@tunemate/testkit/loopback-sound';
import { startServerProcess } from '@tunemate/testkit/process';
import { makeTempDir } from '@tunemate/testkit/temp-dir';
import {
  type BrowserName,
  clickButton,
  countRateChanges,
  excursions,
  type HeardPage,
  openHeardPage,
  reportedMs,
  seekForward,
  startTrack,
  untilPaused,
  untilPlaying,
} from './heard-page.ts';

export interface HeardPlan {
  readonly guest: BrowserName;
  readonly format: string;
  /** What the host types and starts. */
  readonly track: string;
  readonly steadySeconds: number;
}

/** What was heard in one phase. Milliseconds; offsets of the guest to the host, positive when the guest is ahead. */
export interface HeardPhase {
  readonly plan: HeardPlan;
  readonly name: string;
  readonly offsetsMs: readonly number[];
  /** Stretches in which the two could not be compared. */
  readonly unclear: number;
  /** The most that both badges together admitted. */
  readonly badgeMs: number;
  readonly silenceMs: number;
  readonly rateChanges: number;
}

interface Mark {
  name: string;
  fromMs: number;
  untilMs: number;
  badgeMs: number;
  rateChanges: number;
}

/** What starts, seeks and returns are given to settle: the goal is half a second, and this is measured after it. */
const settleMs = 2500;
const phaseSeconds = 6;
const windowMs = 1000;
const clockStepMs = 500;
const reachMs = 500;
const leastSharpness = 8;
/** Quieter than this share of the phase's own loudness is silence. */
const silentShare = 0.01;
const rateExcursions = 10;

/** Puts a room through all phases and judges the recording. */
export async function listen(sound: LoopbackSound, plan: HeardPlan): Promise<HeardPhase[]> {
  const room = await openRoom(sound, plan);
  const finish = await sound.record();
  let recording: Recording | null = null;
  const marks: Mark[] = [];
  const phase = async (name: string, seconds: number): Promise<void> => {
    await untilPlaying(room.guest);
    await pause(settleMs);
    const rateChanges = await countRateChanges(room.guest);
    const fromMs = performance.timeOrigin + performance.now();
    let badgeMs = 0;
    for (let second = 0; second < seconds; second += 1) {
      await pause(1000);
      const badges = await Promise.all([reportedMs(room.host), reportedMs(room.guest)]);
      badgeMs = Math.max(
        badgeMs,
        badges.reduce<number>((sum, badge) => sum + (badge ?? 0), 0),
      );
    }
    const untilMs = performance.timeOrigin + performance.now();
    marks.push({ name, fromMs, untilMs, badgeMs, rateChanges: await rateChanges() });
  };
  try {
    await startTrack(room.host, plan.track);
    await phase('start together', phaseSeconds);
    await room.guest.reload();
    await phase('late join', phaseSeconds);
    await seekForward(room.host);
    await phase('seek', phaseSeconds);
    await clickButton(room.host, 'Pause');
    await untilPaused(room.guest);
    await clickButton(room.host, 'Play');
    await phase('pause and resume', phaseSeconds);
    await excursions(room.guest, rateExcursions);
    await phase('after ten changes of rate', phaseSeconds);
    await phase('steady', plan.steadySeconds);
  } finally {
    recording = await finish();
    await room.close();
  }
  return marks.map((mark) => judge(plan, mark, recording));
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

function judge(plan: HeardPlan, mark: Mark, { left, right, startedAtMs }: Recording): HeardPhase {
  const { name, fromMs, untilMs, badgeMs, rateChanges } = mark;
  const at = (ms: number): number => Math.max(0, Math.round(((ms - startedAtMs) / 1000) * sampleRate));
  const offsetsMs: number[] = [];
  let unclear = 0;
  for (let startMs = fromMs; startMs + windowMs <= untilMs; startMs += clockStepMs) {
    const [from, until] = [at(startMs), at(startMs + windowMs)];
    const { aheadMs, sharpness } = heardOffset(left.slice(from, until), right.slice(from, until), sampleRate, reachMs);
    if (sharpness < leastSharpness) unclear += 1;
    else offsetsMs.push(aheadMs);
  }
  const silences = [left, right].map((channel) => {
    const heard = channel.subarray(at(fromMs), at(untilMs));
    return longestSilenceMs(heard, sampleRate, loudness(heard) * silentShare);
  });
  return { plan, name, offsetsMs, unclear, badgeMs, silenceMs: Math.max(...silences), rateChanges };
}
