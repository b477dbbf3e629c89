/**
 * What simulated players are like. `media` is Chromium's own player as measured: smooth clock, starts that take 65 to
 * 125 ms unless it goes on where it was paused, seeks that land 75 to 120 ms late, rate changes that cost next to
 * nothing and take effect a tenth of a second later. `stepped` is Firefox's as measured: a clock in steps, and sound
 * dropped unseen whenever the rate returns to exactly 1. `costly` is one whose every rate change shifts the sound by 50 to
 * 250 ms, as reported of Safari; `fixed` the same without any rates. `coarse` is like YouTube's: rates in steps of 0.25, a position interpolated from messages,
 * commands that take effect late, loading with a first silent start that takes up to two seconds, adverts that are told
 * as playing. `near` is one that also takes rates near 1.
 */
import {
  mediaElementCapabilities,
  type PlayerCapabilities,
  withNearRates,
  youtubeCapabilities,
} from '../follow/player.ts';

/** Which player it is like. */
export type SimPlayerKind = 'media' | 'stepped' | 'costly' | 'fixed' | 'coarse' | 'near';

/** Milliseconds from low to high. */
export type Range = readonly [number, number];

export interface Character {
  readonly capabilities: PlayerCapabilities;
  readonly loadMs: Range;
  /** How often the device has the whole file already. */
  readonly wholeShare: number;
  readonly startMs: Range;
  readonly resumeMs: Range;
  readonly seekMs: Range;
  readonly cueMs: Range;
  readonly rateMs: Range;
  /** What the position falls back by when the rate leaves 1, and is shifted by when it returns. */
  readonly leaveLossMs: Range;
  readonly returnShiftMs: Range;
  /** The sound jumps ahead by this, and the position does not tell, when the rate returns to exactly 1. */
  readonly unseenReturnMs: number;
  /** The position moves in steps of this. */
  readonly stepMs: number;
  /** The position is reported anew this often, wrong by up to this much until the next report. */
  readonly reportEveryMs: number;
  readonly reportErrorMs: number;
  readonly phaseLagMs: number;
  /** Adverts come in the middle; they are told as playing until the clock was seen to stand still for this long. */
  readonly advertToldMs: number | null;
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
  advertToldMs: null,
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
  advertToldMs: 1250,
};

export const characters: Readonly<Record<SimPlayerKind, Character>> = {
  media: media,
  stepped: {
    ...media,
    seekMs: [55, 90],
    rateMs: [160, 200],
    unseenReturnMs: 28,
    stepMs: 40.25,
    reportErrorMs: 0,
  },
  costly: costly,
  fixed: { ...costly, capabilities: { ...mediaElementCapabilities, rateControl: { type: 'none' } } },
  coarse: coarse,
  near: { ...coarse, capabilities: withNearRates(youtubeCapabilities) },
};
