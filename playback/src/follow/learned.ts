/**
 * What a follower has learned about its player: how late seeks, starts and rates take effect, and how long loading
 * takes. Each is the middle of the last few observations, so that one start on a busy device spoils none after it; they
 * begin with what the player declares and are bounded to what can be.
 */
import { type PlayerCapabilities, type PlayerName, playerNames } from './player.ts';

/** The figures of one kind of player, in seconds. */
export interface Figures {
  readonly seekSeconds: number;
  /** From `play()` until the position advances, after the player was loaded or moved. */
  readonly startSeconds: number;
  /** The same where it was paused: nothing has to be fetched or decoded anew. */
  readonly resumeSeconds: number;
  /** From asking for a track until it can start. */
  readonly loadSeconds: number;
  /** From moving a paused player until it can start. */
  readonly cueSeconds: number;
  /** From telling a playing player a rate until its position advances at it: what is decoded already goes first. */
  readonly rateSeconds: number;
}

const keys = [
  'seekSeconds',
  'startSeconds',
  'resumeSeconds',
  'loadSeconds',
  'cueSeconds',
  'rateSeconds',
] as const satisfies readonly (keyof Figures)[];
/** So many observations of a figure count, what was declared being the first. */
const observations = 3;

/** The observations of each figure, the newest last. */
type Known = Partial<Record<keyof Figures, readonly number[]>>;

/** What was learned, by the kind of player: a room may play a track of its own and then one of YouTube. */
export type Learned = ReadonlyMap<PlayerName, Known>;

/** Nothing learned yet. */
export const initialLearned: Learned = new Map();

const bounds: Readonly<Record<keyof Figures, readonly [number, number]>> = {
  seekSeconds: [0, 2],
  startSeconds: [0, 2],
  resumeSeconds: [0, 2],
  loadSeconds: [0.1, 3],
  cueSeconds: [0.05, 2],
  rateSeconds: [0, 0.4],
};

const loadGuessFineSeconds = 0.5;
const loadGuessCoarseSeconds = 2.2;
const cueGuessFineSeconds = 0.12;
const cueGuessCoarseSeconds = 0.2;
const rateGuessFineSeconds = 0.1;

/** The figures to act by. */
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

/** The middle one of several values, between the two in the middle of an even number; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[(sorted.length >> 1) - 1] ?? upper)) / 2;
}

/** Takes in one observation of a figure, in seconds. */
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

/** What a device is to remember, as plain data. */
export function toMemory(learned: Learned): unknown {
  return { version: memoryVersion, players: Object.fromEntries(learned) };
}

/** Reads what was remembered; anything of another form, and any impossible figure, is ignored. */
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

/** What a device keeps of its players from one visit to the next. Plain data; `read` may return anything. */
export interface PlayerMemory {
  read(): unknown;
  write(memory: unknown): void;
}
