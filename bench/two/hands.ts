/**
 * A second hand on the remote, and the way from a soulmate's card to the sound, as they are heard: two browsers with their
 * sound on, recorded on one clock. Null where there is no sound system or browser.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TabId } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import {
  type Recorder,
  type Recording,
  sampleRate,
  startLoopbackSound,
} from '@tunemate/testkit/browsers/loopback-sound';
import { type HeardPhase, judge } from '@tunemate/testkit/heard/judge';
import { loudness, turnsMs } from '@tunemate/testkit/heard/offset';
import { type HeardPage, pressButton, startTrack, untilPaused, untilPlaying } from '@tunemate/testkit/heard/page';
import { type HeardRoom, markPhase, openHeardRoom } from '@tunemate/testkit/heard/room';
import { createHttpVisitor } from '@tunemate/testkit/network/http-visitor';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openTab, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { makeSteadyTracks, steadyTitles } from '../heard/steady-tracks.ts';

const [presses, visits, steadySeconds] = [20, 10, 15];
/** Longer than all of it. */
const trackSeconds = 900;
/** Until players have settled after a start, and until what was played is in the recording. */
const [settleMs, recordedMs] = [1500, 800];
/** Shorter is a gap, or a click. */
const turnedMs = 100;
const silentShare = 0.01;

export interface HeardHands {
  /** From the guest's press to the host's silence. */
  readonly silentMs: number[];
  /** The same of the host's own press. */
  readonly ownSilentMs: number[];
  /** From the press on the soulmate's card, on the page of home, to the first sound. */
  readonly soundMs: number[];
  /** How far apart the two are heard, before the guest holds the remote and while they do. */
  readonly apartAloneMs: number[];
  readonly apartLentMs: number[];
}

export async function measureHands(): Promise<HeardHands | null> {
  await using media = await makeTempDir('steady-tracks');
  try {
    makeSteadyTracks(media.path, trackSeconds);
    const sound = await startLoopbackSound();
    try {
      return await listen(await openHeardRoom(sound, 'chromium', { MEDIA_DIR: media.path }), await sound.record());
    } finally {
      await sound.stop();
    }
  } catch (error) {
    if (error instanceof ServiceUnavailable) return null;
    throw error;
  }
}

async function listen(heard: HeardRoom, recorder: Recorder): Promise<HeardHands> {
  const { host, room, url, people } = heard;
  const [owner, other] = await Promise.all(people.map((person) => openLine(url, person)));
  if (!owner || !other) throw new Error('the room has two people');
  try {
    await startTrack(host, steadyTitles[0] ?? '');
    const alone = await markPhase(heard, 'alone', steadySeconds);
    valueOf(await owner.ask('rooms/lendRemote', { ...room, uid: other.uid, isLent: true }));
    const paused = await pausesOf(heard, heard.guest);
    const pausedByHost = await pausesOf(heard, host);
    const lent = await markPhase(heard, 'lent', steadySeconds);
    await bind(url, owner, other);
    valueOf(await owner.ask('rooms/set', { ...room, settings: { admits: 'friends' } }));
    const arrived = await arrivalsOf(heard, other);
    await recorder.stop();
    const recording = recorder.soFar();
    return {
      silentMs: paused.map((atMs) => turnAfter(recording, 'left', atMs, false)),
      ownSilentMs: pausedByHost.map((atMs) => turnAfter(recording, 'left', atMs, false)),
      soundMs: arrived.map((atMs) => turnAfter(recording, 'right', atMs, true)),
      apartAloneMs: apartIn(judge(alone, recording)),
      apartLentMs: apartIn(judge(lent, recording)),
    };
  } finally {
    for (const tab of [owner, other]) tab.leave();
    await heard.close();
  }
}

const apartIn = ({ stretches }: HeardPhase): number[] =>
  stretches.flatMap(({ heardMs }) => (heardMs === null ? [] : [Math.abs(heardMs)]));

/** When the one with this page pressed pause; they play again after each. */
async function pausesOf({ host }: HeardRoom, presser: HeardPage): Promise<number[]> {
  const pressed: number[] = [];
  for (let press = 0; press < presses; press += 1) {
    await untilPlaying(host);
    await pause(settleMs);
    pressed.push(await pressButton(presser, 'Pause'));
    await untilPaused(host);
    await pause(recordedMs);
    await pressButton(presser, 'Play');
  }
  await untilPlaying(host);
  return pressed;
}

/** When the guest, who had left, pressed the soulmate's card on home. */
async function arrivalsOf({ guest, room, url }: HeardRoom, other: Tab): Promise<number[]> {
  const pressed: number[] = [];
  for (let visit = 0; visit < visits; visit += 1) {
    valueOf(await other.ask('rooms/leave', { ...room, ends: false }));
    await guest.goto(`${url}/`);
    await pause(settleMs);
    pressed.push(await pressButton(guest, 'Listen along'));
    await untilPlaying(guest);
    await pause(recordedMs);
  }
  return pressed;
}

/** How long after a press a channel became loud, or silent. */
function turnAfter(recording: Recording, channel: 'left' | 'right', pressedMs: number, isLoud: boolean): number {
  const from = Math.round(((pressedMs - recording.startedAtMs) / 1000) * sampleRate);
  // The host plays before every press.
  const level = loudness(recording.left.subarray(from - sampleRate, from)) * silentShare;
  return turnsMs(recording[channel].subarray(from), sampleRate, { level, isLoud, forMs: turnedMs }) ?? Infinity;
}

/** They become soulmates, and the host shows the guest what they hear. */
async function bind(url: string, owner: Tab, other: Tab): Promise<void> {
  valueOf(await owner.ask('soulmate/ask', { clientId: newClientId(), uid: other.uid }));
  const asked = await openLine(url, other);
  const id = asked.snapshot.notifications.find(({ type }) => type === 'soulmate')?.id ?? '';
  valueOf(await asked.ask('soulmate/accept', { id }));
  asked.leave();
  const visitor = createHttpVisitor(url, url);
  visitor.setCookie(owner.cookie);
  valueOf((await visitor.call('PATCH /api/accounts/me', { hearingShownTo: 'soulmate' })).result);
}

const openLine = (url: string, person: Person): Promise<Tab> =>
  openTab({ url, origin: url }, person, randomUUID() as TabId);
