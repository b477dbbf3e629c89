/**
 * What a follower has learned about its player: how late seeks and starts land, how long loading takes, what a rate
 * change costs. Latencies are the middle of the last few observations, so that one start on a busy device spoils none
 * after it; costs are running averages. Both start from the player's declaration and are bounded to what can be.
 */
import { playerNames, type PlayerCapabilities, type PlayerName } from './player.ts';
import { rateLeaveLossSeconds } from './timings.ts';

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
  /** What the player falls back by when it leaves rate 1. */
  readonly leaveLossSeconds: number;
  /** What it falls back by when it returns to rate 1. */
  readonly returnLossSeconds: number;
}

/** Latencies: worth remembering from one visit to the next; what a change of the rate costs is found out within seconds. */
const latencyKeys = ['seekSeconds', 'startSeconds', 'resumeSeconds', 'loadSeconds', 'cueSeconds'] as const;
type Latency = (typeof latencyKeys)[number];
/** So many observations of a latency count, what was declared being the first. */
const observations = 3;

interface Known {
  readonly latencies: Partial<Record<Latency, readonly number[]>>;
  readonly costs: Partial<Figures>;
}

/** What was learned, by the kind of player: a room may play a track of its own and then one of YouTube. */
export type Learned = ReadonlyMap<PlayerName, Known>;

/** Nothing learned yet. */
export const initialLearned: Learned = new Map();
const nothing: Known = { latencies: {}, costs: {} };

/** The share of a new observation in the average; returns are random around a mean, so they count less. */
const costShares = { leaveLossSeconds: 0.4, returnLossSeconds: 0.2 } as const;

const bounds: Readonly<Record<keyof Figures, readonly [number, number]>> = {
  seekSeconds: [0, 2],
  startSeconds: [0, 2],
  resumeSeconds: [0, 2],
  loadSeconds: [0.1, 3],
  cueSeconds: [0.05, 2],
  leaveLossSeconds: [-0.05, 0.1],
  returnLossSeconds: [-0.05, 0.05],
};

const loadGuessFineSeconds = 0.5;
const loadGuessCoarseSeconds = 2.2;
const cueGuessFineSeconds = 0.12;
const cueGuessCoarseSeconds = 0.2;

/** The figures to act by. */
export function expected(learned: Learned, capabilities: PlayerCapabilities): Figures {
  const isFine = capabilities.rateControl.type === 'fine';
  const { latencies, costs } = learned.get(capabilities.name) ?? nothing;
  return {
    seekSeconds: capabilities.seekLatencySeconds,
    startSeconds: capabilities.startLatencySeconds,
    resumeSeconds: capabilities.resumeLatencySeconds,
    loadSeconds: isFine ? loadGuessFineSeconds : loadGuessCoarseSeconds,
    cueSeconds: isFine ? cueGuessFineSeconds : cueGuessCoarseSeconds,
    leaveLossSeconds: isFine ? rateLeaveLossSeconds : 0,
    returnLossSeconds: 0,
    ...costs,
    ...Object.fromEntries(Object.entries(latencies).map(([figure, observed]) => [figure, middle(observed)])),
  };
}

function middle(observed: readonly number[]): number {
  const sorted = observed.toSorted((a, b) => a - b);
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
  const before = expected(learned, capabilities)[figure];
  const known = learned.get(capabilities.name) ?? nothing;
  return new Map(learned).set(capabilities.name, withObservation(known, figure, before, observedSeconds));
}

function withObservation(known: Known, figure: keyof Figures, before: number, observedSeconds: number): Known {
  if (figure === 'leaveLossSeconds' || figure === 'returnLossSeconds') {
    const after = before + costShares[figure] * (observedSeconds - before);
    return { ...known, costs: { ...known.costs, [figure]: bounded(figure, after) } };
  }
  const observed = [...(known.latencies[figure] ?? [before]), bounded(figure, observedSeconds)].slice(-observations);
  return { ...known, latencies: { ...known.latencies, [figure]: observed } };
}

function bounded(figure: keyof Figures, seconds: number): number {
  const [least, most] = bounds[figure];
  return Math.min(most, Math.max(least, seconds));
}

const memoryVersion = 1;

/** What a device is to remember, as plain data. */
export function toMemory(learned: Learned): unknown {
  const players = Object.fromEntries([...learned].map(([name, { latencies }]) => [name, latencies]));
  return { version: memoryVersion, players };
}

/** Reads what was remembered; anything of another form, and any impossible figure, is ignored. */
export function fromMemory(memory: unknown): Learned {
  const { version, players } = fieldsOf(memory);
  if (version !== memoryVersion) return initialLearned;
  const kinds = fieldsOf(players);
  return new Map(playerNames.map((name) => [name, { latencies: latenciesOf(fieldsOf(kinds[name])), costs: {} }]));
}

function latenciesOf(fields: Readonly<Record<string, unknown>>): Known['latencies'] {
  const known = latencyKeys.map((figure) => [figure, observationsOf(figure, fields[figure])] as const);
  return Object.fromEntries(known.filter(([, observed]) => observed.length > 0));
}

function observationsOf(figure: Latency, observed: unknown): readonly number[] {
  if (!Array.isArray(observed)) return [];
  const seconds = observed.filter((each): each is number => typeof each === 'number' && Number.isFinite(each));
  return seconds.slice(-observations).map((each) => bounded(figure, each));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
