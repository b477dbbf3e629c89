/**
 * A follower's knowledge of its player: how late seeks, starts and rates take effect, and how long loading takes. Each
 * figure is the median of the last few observations, so that one start on a busy device has no lasting effect; it
 * starts with what the player declares and is bounded.
 */
import { type PlayerCapabilities, type PlayerName, playerNames } from './player.ts';

/** Latencies of one kind of player, in seconds. */
export interface Figures {
  readonly seekSeconds: number;
  /** From `play()` until the position advances, after a load or a seek. */
  readonly startSeconds: number;
  /** The same after a pause: nothing has to be fetched or decoded again. */
  readonly resumeSeconds: number;
  /** From `load()` until it can start. */
  readonly loadSeconds: number;
  /** From moving a paused player until it can start. */
  readonly cueSeconds: number;
  /** From setting the rate of a playing player until its position advances at it: decoded data plays first. */
  readonly rateSeconds: number;
}

/** Observations kept per figure, the declared value being the first. */
const observations = 3;

/** The observations of each figure, newest last. */
type Known = Partial<Record<keyof Figures, readonly number[]>>;

/** By kind of player: a room may play a library track and then one of YouTube. */
export type Learned = ReadonlyMap<PlayerName, Known>;

export const initialLearned: Learned = new Map();

const bounds: Readonly<Record<keyof Figures, readonly [number, number]>> = {
  seekSeconds: [0, 2],
  startSeconds: [0, 2],
  resumeSeconds: [0, 2],
  loadSeconds: [0.1, 3],
  cueSeconds: [0.05, 2],
  rateSeconds: [0, 0.4],
};
const keys = Object.keys(bounds) as (keyof Figures)[];

const loadGuessFineSeconds = 0.5;
const loadGuessCoarseSeconds = 2.2;
const cueGuessFineSeconds = 0.12;
const cueGuessCoarseSeconds = 0.2;
const rateGuessFineSeconds = 0.1;

/** The current best figures. */
export function expected(learned: Learned, capabilities: PlayerCapabilities): Figures {
  const isFine = capabilities.rateControl.type === 'fine';
  const known = learned.get(capabilities.name) ?? {};
  return {
    seekSeconds: capabilities.seekLatencySeconds,
    startSeconds: capabilities.startLatencySeconds,
    resumeSeconds: capabilities.resumeLatencySeconds,
    loadSeconds: isFine ? loadGuessFineSeconds : loadGuessCoarseSeconds,
    cueSeconds: isFine ? cueGuessFineSeconds : cueGuessCoarseSeconds,
    rateSeconds: isFine ? rateGuessFineSeconds : 0,
    ...Object.fromEntries(Object.entries(known).map(([figure, observed]) => [figure, median(observed)])),
  };
}

/** The middle value, or the mean of the two middle ones; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2;
}

export function learn(
  learned: Learned,
  capabilities: PlayerCapabilities,
  figure: keyof Figures,
  observedSeconds: number,
): Learned {
  const known = learned.get(capabilities.name) ?? {};
  const before = known[figure] ?? [expected(learned, capabilities)[figure]];
  const observed = [...before, bounded(figure, observedSeconds)].slice(-observations);
  return new Map(learned).set(capabilities.name, { ...known, [figure]: observed });
}

function bounded(figure: keyof Figures, seconds: number): number {
  const [least, most] = bounds[figure];
  return Math.min(most, Math.max(least, seconds));
}

const memoryVersion = 1;

/** The learned figures as plain data, for storage on the device. */
export function toMemory(learned: Learned): unknown {
  return { version: memoryVersion, players: Object.fromEntries(learned) };
}

/** Reads the stored figures; ignores other formats and impossible values. */
export function fromMemory(memory: unknown): Learned {
  const { version, players } = fieldsOf(memory);
  if (version !== memoryVersion) return initialLearned;
  const kinds = fieldsOf(players);
  return new Map(playerNames.map((name) => [name, knownOf(fieldsOf(kinds[name]))]));
}

function knownOf(fields: Readonly<Record<string, unknown>>): Known {
  const known = keys.map((figure) => [figure, observationsOf(figure, fields[figure])] as const);
  return Object.fromEntries(known.filter(([, observed]) => observed.length > 0));
}

function observationsOf(figure: keyof Figures, observed: unknown): readonly number[] {
  if (!Array.isArray(observed)) return [];
  const seconds = observed.filter((each): each is number => typeof each === 'number' && Number.isFinite(each));
  return seconds.slice(-observations).map((each) => bounded(figure, each));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Storage of the learned figures between visits. Plain data; `read` may return anything. */
export interface PlayerMemory {
  read(): unknown;
  write(memory: unknown): void;
}
