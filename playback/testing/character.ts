/**
 * The behaviour of simulated players. `media` is Chromium's own player as measured: smooth clock, starts that take 65
 * to 125 ms unless it resumes after a pause, seeks that land 75 to 120 ms late, rate changes that cost next to nothing
 * and take effect a tenth of a second later. `stepped` is Firefox's as measured: a clock in steps, and sound dropped
 * without a change of position whenever the rate returns to exactly 1. `costly`: each rate change shifts the sound by
 * 50 to 250 ms, as reported of Safari; `fixed` is the same without any rates. `coarse` is like YouTube's: rates in
 * steps of 0.25, a position interpolated from messages, commands that take effect late, loading with a silent first
 * start of up to two seconds, adverts reported as playing. `near` also accepts rates near 1.
 */
import {
  mediaElementCapabilities,
  type PlayerCapabilities,
  withNearRates,
  youtubeCapabilities,
} from '../src/follow/player.ts';

export type SimPlayerKind = 'media' | 'stepped' | 'costly' | 'fixed' | 'coarse' | 'near';

/** Milliseconds, from low to high. */
export type Range = readonly [number, number];

export interface Character {
  readonly capabilities: PlayerCapabilities;
  readonly loadMs: Range;
  /** The probability that the device has the whole file already. */
  readonly wholeShare: number;
  readonly startMs: Range;
  readonly resumeMs: Range;
  readonly seekMs: Range;
  readonly cueMs: Range;
  readonly rateMs: Range;
  /** Loss of position when the rate leaves 1, and its shift when the rate returns. */
  readonly leaveLossMs: Range;
  readonly returnShiftMs: Range;
  /** The sound jumps ahead by this, without a change of position, when the rate returns to exactly 1. */
  readonly unseenReturnMs: number;
  /** The position moves in steps of this. */
  readonly stepMs: number;
  /** The interval between reports of the position, and its greatest error until the next one. */
  readonly reportEveryMs: number;
  readonly reportErrorMs: number;
  readonly phaseLagMs: number;
  /** Adverts in the middle are reported as playing for this long; null for a player without adverts. */
  readonly advertShownMs: number | null;
}

const media: Character = {
  capabilities: mediaElementCapabilities,
  loadMs: [80, 700],
  wholeShare: 0.5,
  startMs: [65, 125],
  resumeMs: [0, 20],
  seekMs: [75, 120],
  cueMs: [15, 90],
  rateMs: [70, 120],
  leaveLossMs: [-0.5, 0.5],
  returnShiftMs: [-0.5, 0.5],
  unseenReturnMs: 0,
  stepMs: 0,
  reportEveryMs: 0,
  reportErrorMs: 0.6,
  phaseLagMs: 0,
  advertShownMs: null,
};

const costly: Character = {
  ...media,
  leaveLossMs: [50, 250],
  returnShiftMs: [-250, -50],
};

const coarse: Character = {
  capabilities: youtubeCapabilities,
  loadMs: [950, 2800],
  wholeShare: 0,
  startMs: [100, 500],
  resumeMs: [100, 350],
  seekMs: [80, 350],
  cueMs: [0, 0],
  rateMs: [30, 90],
  leaveLossMs: [0, 20],
  returnShiftMs: [-10, 10],
  unseenReturnMs: 0,
  stepMs: 0,
  reportEveryMs: 250,
  reportErrorMs: 40,
  phaseLagMs: 80,
  advertShownMs: 1250,
};

export const characters: Readonly<Record<SimPlayerKind, Character>> = {
  media,
  stepped: {
    ...media,
    seekMs: [55, 90],
    rateMs: [160, 200],
    unseenReturnMs: 28,
    stepMs: 40.25,
    reportErrorMs: 0,
  },
  costly,
  fixed: { ...costly, capabilities: { ...mediaElementCapabilities, rateControl: { type: 'none' } } },
  coarse,
  near: { ...coarse, capabilities: withNearRates(youtubeCapabilities) },
};
