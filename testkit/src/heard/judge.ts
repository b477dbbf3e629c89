/** What was heard in one phase of a recording, beside what the pages said meanwhile. Pure arithmetic. */
import { heardOffset, longestSilenceMs, loudness } from './offset.ts';
import { type Recording, sampleRate } from '../browsers/loopback-sound.ts';
import { percentile } from '../percentile.ts';
import type { DriftReading } from './page.ts';

/** One stretch of a phase. Milliseconds; the guest's offset to the host, positive when the guest is ahead. */
export interface HeardStretch {
  readonly atMs: number;
  /** Null where the two could not be compared. */
  readonly heardMs: number | null;
  /** What each page said of itself: player minus timeline; null while it said nothing. */
  readonly hostMs: number | null;
  readonly guestMs: number | null;
}

/** A phase as it was put through: when it was, and what the pages said. Times in milliseconds since the epoch. */
export interface PhaseMark {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly host: readonly DriftReading[];
  readonly guest: readonly DriftReading[];
  readonly rateChanges: number;
  /** How many wanted to run on the machine, on average over the last minute. */
  readonly load: number;
}

export interface HeardPhase {
  readonly name: string;
  readonly stretches: readonly HeardStretch[];
  /** The most that both badges together admitted. */
  readonly badgeMs: number;
  readonly silenceMs: number;
  readonly rateChanges: number;
  readonly load: number;
}

/** How far the guest is ahead of the host by what both pages say; null while one of them says nothing. */
export const reportedMs = ({ hostMs, guestMs }: Pick<HeardStretch, 'hostMs' | 'guestMs'>): number | null =>
  hostMs === null || guestMs === null ? null : guestMs - hostMs;

/** What a page says is up to a second old on a busy machine, so it is held against what is heard only while nothing moves. */
const settledMs = 15;

/** Heard minus reported, for those stretches that are like the ones before and after them. */
export function unknownMs(stretches: readonly HeardStretch[]): number[] {
  const figures = ({ heardMs, hostMs, guestMs }: HeardStretch) => [heardMs, hostMs, guestMs];
  return stretches.flatMap((stretch, index) => {
    const [own, around] = [figures(stretch), [stretches[index - 1], stretches[index + 1]]];
    const isSettled = around.every(
      (other) =>
        other !== undefined &&
        figures(other).every((value, at) => Math.abs((value ?? Number.NaN) - (own[at] ?? Number.NaN)) <= settledMs),
    );
    return isSettled ? [(stretch.heardMs ?? 0) - (reportedMs(stretch) ?? 0)] : [];
  });
}

const windowMs = 1000;
const stepMs = 500;
const reachMs = 500;
/** Two that say of themselves that they are nearly as far apart as that are out of sight: any answer would be a chance. */
const sightMs = 450;
const leastSharpness = 8;
/** Quieter than this share of the phase's own loudness is silence. */
const silentShare = 0.01;

export function judge(mark: PhaseMark, { left, right, startedAtMs }: Recording): HeardPhase {
  const { name, fromMs, untilMs, host, guest, rateChanges, load } = mark;
  const at = (ms: number): number => Math.max(0, Math.round(((ms - startedAtMs) / 1000) * sampleRate));
  const stretches: HeardStretch[] = [];
  for (let startMs = fromMs; startMs + windowMs <= untilMs; startMs += stepMs) {
    const endMs = startMs + windowMs;
    const [from, until] = [at(startMs), at(endMs)];
    const { aheadMs, sharpness } = heardOffset(left.slice(from, until), right.slice(from, until), sampleRate, reachMs);
    const said = { hostMs: driftIn(host, startMs, endMs), guestMs: driftIn(guest, startMs, endMs) };
    const isClear = sharpness >= leastSharpness && Math.abs(reportedMs(said) ?? 0) <= sightMs;
    stretches.push({ atMs: startMs - startedAtMs, heardMs: isClear ? aheadMs : null, ...said });
  }
  const silences = [left, right].map((channel) => {
    const heard = channel.subarray(at(fromMs), at(untilMs));
    return longestSilenceMs(heard, sampleRate, loudness(heard) * silentShare);
  });
  const badgeMs = mostShown(host) + mostShown(guest);
  return { name, stretches, badgeMs, silenceMs: Math.max(...silences), rateChanges, load };
}

function driftIn(readings: readonly DriftReading[], fromMs: number, untilMs: number): number | null {
  const drifts = readings.flatMap(({ atMs, driftMs }) =>
    driftMs !== null && atMs >= fromMs && atMs < untilMs ? [driftMs] : [],
  );
  return drifts.length === 0 ? null : percentile(drifts, 0.5);
}

function mostShown(readings: readonly DriftReading[]): number {
  return Math.max(0, ...readings.map(({ driftMs, smoothedDriftMs }) => Math.abs(smoothedDriftMs ?? driftMs ?? 0)));
}
