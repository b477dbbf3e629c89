/**
 * What a follower has learned about its player: how late seeks and starts land, how long loading takes, what a rate
 * change costs. Each figure is a running average that starts from the player's declaration, bounded to what can be.
 */
import { PLAYER_NAMES, type PlayerCapabilities, type PlayerName } from './player.ts';
import { RATE_LEAVE_LOSS_SECONDS } from './timings.ts';

/** The figures of one kind of player, in seconds. */
export type Figures = {
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
};

/** What was learned, by the kind of player: a room may play a track of its own and then one of YouTube. */
export type Learned = ReadonlyMap<PlayerName, Partial<Figures>>;

/** Nothing learned yet. */
export const INITIAL_LEARNED: Learned = new Map();

/** The share of a new observation in the average; returns are random around a mean, so they count less. */
const SHARES: Figures = {
  seekSeconds: 0.5,
  startSeconds: 0.5,
  resumeSeconds: 0.5,
  loadSeconds: 0.5,
  cueSeconds: 0.5,
  leaveLossSeconds: 0.4,
  returnLossSeconds: 0.2,
};

const BOUNDS: Readonly<Record<keyof Figures, readonly [number, number]>> = {
  seekSeconds: [0, 2],
  startSeconds: [0, 2],
  resumeSeconds: [0, 2],
  loadSeconds: [0.1, 3],
  cueSeconds: [0.05, 2],
  leaveLossSeconds: [-0.05, 0.1],
  returnLossSeconds: [-0.05, 0.05],
};

const LOAD_GUESS_FINE_SECONDS = 0.5;
const LOAD_GUESS_COARSE_SECONDS = 1.0;
const CUE_GUESS_FINE_SECONDS = 0.12;
const CUE_GUESS_COARSE_SECONDS = 0.2;

/** The figures to act by. */
export function expected(learned: Learned, capabilities: PlayerCapabilities): Figures {
  const isFine = capabilities.rateControl.type === 'fine';
  return {
    seekSeconds: capabilities.seekLatencySeconds,
    startSeconds: capabilities.startLatencySeconds,
    resumeSeconds: capabilities.resumeLatencySeconds,
    loadSeconds: isFine ? LOAD_GUESS_FINE_SECONDS : LOAD_GUESS_COARSE_SECONDS,
    cueSeconds: isFine ? CUE_GUESS_FINE_SECONDS : CUE_GUESS_COARSE_SECONDS,
    leaveLossSeconds: isFine ? RATE_LEAVE_LOSS_SECONDS : 0,
    returnLossSeconds: 0,
    ...learned.get(capabilities.name),
  };
}

/** Takes in one observation of a figure, in seconds. */
export function learn(
  learned: Learned,
  capabilities: PlayerCapabilities,
  figure: keyof Figures,
  observedSeconds: number,
): Learned {
  const before = expected(learned, capabilities)[figure];
  const after = before + SHARES[figure] * (observedSeconds - before);
  const figures = { ...learned.get(capabilities.name), [figure]: bounded(figure, after) };
  return new Map(learned).set(capabilities.name, figures);
}

function bounded(figure: keyof Figures, seconds: number): number {
  const [least, most] = BOUNDS[figure];
  return Math.min(most, Math.max(least, seconds));
}

/**
 * How soon a player obeys belongs to the device, and is worth remembering from one visit to the next; what a change of
 * the rate costs is found out within seconds.
 */
const REMEMBERED = ['seekSeconds', 'startSeconds', 'resumeSeconds', 'loadSeconds', 'cueSeconds'] as const;
const MEMORY_VERSION = 1;

/** What a device is to remember, as plain data. */
export function toMemory(learned: Learned): unknown {
  const players = [...learned].map(([name, figures]) => [
    name,
    Object.fromEntries(
      REMEMBERED.flatMap((figure) => (figures[figure] === undefined ? [] : [[figure, figures[figure]]])),
    ),
  ]);
  return { version: MEMORY_VERSION, players: Object.fromEntries(players) as unknown };
}

/** What was remembered; whatever is no such memory, or a part of it that can't be, counts as nothing. */
export function fromMemory(memory: unknown): Learned {
  const { version, players } = fieldsOf(memory);
  if (version !== MEMORY_VERSION) return INITIAL_LEARNED;
  const kinds = fieldsOf(players);
  return new Map(PLAYER_NAMES.map((name) => [name, figuresOf(fieldsOf(kinds[name]))]));
}

function figuresOf(fields: Readonly<Record<string, unknown>>): Partial<Figures> {
  const known = REMEMBERED.flatMap((figure) => {
    const seconds = fields[figure];
    return typeof seconds === 'number' && Number.isFinite(seconds) ? [[figure, bounded(figure, seconds)] as const] : [];
  });
  return Object.fromEntries(known);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
