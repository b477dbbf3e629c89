/**
 * Fake players with the failings of real ones. `media` is Chromium's own player as measured: smooth clock, starts that
 * take 50 to 110 ms unless it goes on where it was paused, seeks that land 75 to 120 ms late, rate changes that cost 13 to 29 ms on leaving and up to 12 either way on returning.
 * `coarse` is like YouTube's: rates in steps of 0.25, a position interpolated from messages, commands that take effect
 * and are reported late, adverts. The true position is for the judge only.
 */
import { MEDIA_ELEMENT_CAPABILITIES, YOUTUBE_CAPABILITIES } from './player.ts';
import type { Player, PlayerCapabilities, PlayerEvent, PlayerPhase, PlayerSnapshot } from './player.ts';
import type { SimRandom } from './sim-random.ts';
import type { SimTime } from './sim-time.ts';

/** Which of the two a player is like. */
export type SimPlayerKind = 'media' | 'coarse';

/** Milliseconds from low to high. */
type Range = readonly [number, number];
type Character = {
  readonly capabilities: PlayerCapabilities;
  readonly loadMs: Range;
  readonly startMs: Range;
  readonly resumeMs: Range;
  readonly seekMs: Range;
  readonly cueMs: Range;
  readonly rateMs: Range;
  readonly leaveLossMs: Range;
  readonly returnShiftMs: Range;
  /** The position is reported anew this often, wrong by up to this much until the next report. */
  readonly reportEveryMs: number;
  readonly reportErrorMs: number;
  readonly phaseLagMs: number;
};

const CHARACTERS: Readonly<Record<SimPlayerKind, Character>> = {
  media: {
    capabilities: MEDIA_ELEMENT_CAPABILITIES,
    loadMs: [80, 700],
    startMs: [50, 110],
    resumeMs: [0, 20],
    seekMs: [75, 120],
    cueMs: [15, 90],
    rateMs: [2, 8],
    leaveLossMs: [13, 29],
    returnShiftMs: [-12, 12],
    reportEveryMs: 0,
    reportErrorMs: 0.6,
    phaseLagMs: 0,
  },
  coarse: {
    capabilities: YOUTUBE_CAPABILITIES,
    loadMs: [300, 1500],
    startMs: [150, 450],
    resumeMs: [100, 350],
    seekMs: [80, 350],
    cueMs: [0, 0],
    rateMs: [30, 90],
    leaveLossMs: [0, 20],
    returnShiftMs: [-10, 10],
    reportEveryMs: 250,
    reportErrorMs: 40,
    phaseLagMs: 80,
  },
};

/** A simulated player: the port, and what only the world may do with it. */
export class SimPlayer implements Player {
  readonly #time: SimTime;
  readonly #random: SimRandom;
  readonly #character: Character;
  readonly #listeners = new Set<(event: PlayerEvent) => void>();
  /** How much faster than the world this device's media clock runs. */
  readonly #skew: number;
  readonly #durationSeconds: number;
  #phase: PlayerPhase = 'empty';
  #reportedPhase: PlayerPhase = 'empty';
  #wantsToPlay = false;
  /** It has played since it was last loaded or moved. */
  #isWarm = false;
  #isBlocked = false;
  #rate = 1;
  #anchor = { atMs: 0, positionSeconds: 0 };
  #report = { atMs: Number.NEGATIVE_INFINITY, errorSeconds: 0 };
  /** Whatever takes effect later belongs to one of these; a newer command makes the older void. */
  #landing = 0;
  #endCheck: () => void = () => undefined;
  /** An advert comes before the next start, this long. */
  advertMs = 0;
  seeks = 0;
  rateChanges = 0;
  loads = 0;

  constructor(time: SimTime, random: SimRandom, kind: SimPlayerKind, durationSeconds: number) {
    this.#time = time;
    this.#random = random;
    this.#character = CHARACTERS[kind];
    this.#durationSeconds = durationSeconds;
    this.#skew = random.between(-40e-6, 40e-6);
  }

  capabilitiesFor(): PlayerCapabilities {
    return this.#character.capabilities;
  }

  /** Where the sound really is. */
  get truePositionSeconds(): number {
    const elapsedMs = this.#phase === 'playing' ? this.#time.nowMs - this.#anchor.atMs : 0;
    const run = (elapsedMs / 1000) * this.#rate * (1 + this.#skew);
    return Math.min(this.#anchor.positionSeconds + run, this.#durationSeconds);
  }

  get isSounding(): boolean {
    return this.#phase === 'playing';
  }

  /** Stands still for a while, as when data runs out; does nothing to a player that does not play. */
  stall(durationMs: number): void {
    if (this.#phase !== 'playing') return;
    this.#enter('buffering');
    this.#land(durationMs, () => this.#enter('playing'));
  }

  /** The sound jumps without anybody having asked for it. */
  shift(seconds: number): void {
    this.#setAnchor(this.truePositionSeconds + seconds);
  }

  load(_trackKey: string, startSeconds: number): void {
    this.loads += 1;
    this.#wantsToPlay = false;
    this.#isWarm = false;
    this.#setAnchor(startSeconds);
    this.#enter('loading');
    this.#land(this.#draw(this.#character.loadMs), () => this.#ready());
  }

  unload(): void {
    this.#landing += 1;
    this.#setAnchor(0);
    this.#enter('empty');
  }

  /** The browser will refuse the next start and want a tap. */
  blockNextPlay(): void {
    this.#isBlocked = true;
  }

  play(): void {
    if (this.#isBlocked) {
      this.#isBlocked = false;
      this.#time.after(1, () => this.#emit({ type: 'blocked' }));
      return;
    }
    this.#wantsToPlay = true;
    if (this.#phase === 'paused') this.#start();
  }

  pause(): void {
    this.#wantsToPlay = false;
    if (this.#phase !== 'playing' && this.#phase !== 'buffering') return;
    this.#landing += 1;
    this.#setAnchor(this.truePositionSeconds);
    this.#enter('paused');
  }

  seek(positionSeconds: number): void {
    this.seeks += 1;
    const isMoving = this.#phase === 'playing' || this.#phase === 'buffering';
    this.#isWarm = false;
    this.#setAnchor(Math.min(positionSeconds, this.#durationSeconds));
    this.#enter(isMoving ? 'buffering' : 'loading');
    const range = isMoving ? this.#character.seekMs : this.#character.cueMs;
    this.#land(this.#draw(range), () => (isMoving ? this.#enter('playing') : this.#ready()));
  }

  setRate(rate: number): void {
    this.rateChanges += 1;
    const { rateControl } = this.#character.capabilities;
    if (rateControl.type === 'steps' && !rateControl.rates.includes(rate)) return;
    this.#time.after(this.#draw(this.#character.rateMs), () => this.#applyRate(rate));
  }

  snapshot(): PlayerSnapshot {
    const phase = this.#reportedPhase;
    return {
      phase,
      positionSeconds: this.#reportedPosition(),
      rate: this.#rate,
      durationSeconds: phase === 'empty' || phase === 'loading' ? null : this.#durationSeconds,
      bufferedUntilSeconds: null,
    };
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#listeners.clear();
  }

  #ready(): void {
    this.#enter('paused');
    if (this.#wantsToPlay) this.#start();
  }

  #start(): void {
    this.#enter('buffering');
    const { startMs: coldMs, resumeMs } = this.#character;
    const startMs = this.#draw(this.#isWarm ? resumeMs : coldMs) + this.advertMs;
    this.advertMs = 0;
    this.#land(startMs, () => this.#enter('playing'));
  }

  #applyRate(rate: number): void {
    if (rate === this.#rate) return;
    const { leaveLossMs, returnShiftMs } = this.#character;
    const shiftMs = rate === 1 ? this.#draw(returnShiftMs) : this.#rate === 1 ? -this.#draw(leaveLossMs) : 0;
    const isMoving = this.#phase === 'playing';
    this.#setAnchor(this.truePositionSeconds + (isMoving ? shiftMs / 1000 : 0));
    this.#rate = rate;
    if (isMoving) this.#expectEnd();
  }

  /** A smooth clock with a little noise, or one that is wrong by something else after each message. */
  #reportedPosition(): number {
    const { reportEveryMs, reportErrorMs } = this.#character;
    if (this.#phase === 'playing' && this.#time.nowMs - this.#report.atMs >= reportEveryMs) {
      const errorSeconds = this.#random.between(-reportErrorMs, reportErrorMs) / 1000;
      this.#report = { atMs: this.#time.nowMs, errorSeconds };
    }
    return Math.max(0, this.truePositionSeconds + (this.#phase === 'playing' ? this.#report.errorSeconds : 0));
  }

  #enter(phase: PlayerPhase): void {
    this.#setAnchor(this.truePositionSeconds);
    this.#phase = phase;
    this.#endCheck();
    if (phase === 'playing') {
      this.#isWarm = true;
      this.#expectEnd();
    }
    const report = (): void => {
      if (this.#phase === 'loading' && phase !== 'loading') return;
      this.#reportedPhase = phase;
      this.#emit({ type: phase === 'ended' ? 'ended' : 'changed' });
    };
    const { phaseLagMs } = this.#character;
    // An event never arrives inside the command that caused it.
    if (phaseLagMs === 0 || phase === 'loading') this.#reportedPhase = phase;
    this.#time.after(phaseLagMs, report);
  }

  #expectEnd(): void {
    this.#endCheck();
    const leftSeconds = (this.#durationSeconds - this.truePositionSeconds) / (this.#rate * (1 + this.#skew));
    this.#endCheck = this.#time.after(leftSeconds * 1000 + 1, () => {
      if (this.#phase === 'playing') this.#enter('ended');
    });
  }

  #setAnchor(positionSeconds: number): void {
    this.#anchor = { atMs: this.#time.nowMs, positionSeconds };
  }

  #land(afterMs: number, task: () => void): void {
    this.#landing += 1;
    const landing = this.#landing;
    this.#time.after(afterMs, () => {
      if (landing === this.#landing) task();
    });
  }

  #emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #draw(range: Range): number {
    return this.#random.between(range[0], range[1]);
  }
}
