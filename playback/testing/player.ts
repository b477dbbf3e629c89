/**
 * Simulated players with the defects of real ones, by their character. Only the judge reads the true position, which is
 * what is heard; snapshots have what a page could read.
 */
import { BrowserClock, clockLooksMs, MediaClock } from '../src/clock/media-clock.ts';
import type { Player, PlayerCapabilities, PlayerEvent, PlayerPhase, PlayerSnapshot } from '../src/follow/player.ts';
import { characters, type Character, type Range, type SimPlayerKind } from './character.ts';
import type { SimRandom } from './random.ts';
import type { SimTime } from './time.ts';

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
  /** It has played since the last load or seek. */
  #isWarm = false;
  #isBlocked = false;
  /** The actual rate, and the requested one; a rate takes effect late. */
  #rate: number;
  #askedRate: number;
  readonly #clock: SimStepClock | null;
  /** How far the sound is ahead of the position. */
  #unseenSeconds = 0;
  #anchor = { atMs: 0, positionSeconds: 0 };
  #report = { atMs: Number.NEGATIVE_INFINITY, errorSeconds: 0 };
  /** Identifies the latest command; delayed effects of older ones are dropped. */
  #landing = 0;
  #endCheck: () => void = () => undefined;
  /** The device has the whole file, from an earlier visit. */
  #isWhole = false;
  #advertUntilMs = Number.NEGATIVE_INFINITY;
  trackKey: string | null = null;
  #prepared: { readonly trackKey: string | null; readonly readyAtMs: number } = { trackKey: null, readyAtMs: 0 };
  seeks = 0;
  rateChanges = 0;
  loads = 0;

  constructor(time: SimTime, random: SimRandom, kind: SimPlayerKind, durationSeconds: number) {
    this.#time = time;
    this.#random = random;
    this.#character = characters[kind];
    const { stepMs } = this.#character;
    this.#clock = stepMs === 0 ? null : new SimStepClock(stepMs, random, (atMs) => this.#exactSeconds(atMs));
    this.#rate = this.#clock?.rateFor(1) ?? 1;
    this.#askedRate = this.#rate;
    this.#durationSeconds = durationSeconds;
    this.#skew = random.between(-40e-6, 40e-6);
  }

  capabilitiesFor(): PlayerCapabilities {
    return this.#character.capabilities;
  }

  /** The position of the sound. */
  get truePositionSeconds(): number {
    return this.#exactSeconds(this.#time.nowMs) + this.#unseenSeconds;
  }

  get isSounding(): boolean {
    return this.#phase === 'playing';
  }

  /** Stands still for a while, as when data runs out; no effect on a player that does not play. */
  stall(durationMs: number): void {
    if (this.#phase !== 'playing') return;
    this.#enter('buffering');
    this.#land(durationMs, () => this.#enter('playing'));
  }

  /** During an advert nothing is heard of the track, and its clock stands still. */
  get hasAdverts(): boolean {
    return this.#character.advertShownMs !== null;
  }

  /** An advert in the middle, first reported as playing; only a pause ends it early. */
  advertise(durationMs: number): void {
    if (this.#phase !== 'playing') return;
    this.#advertUntilMs = this.#time.nowMs + durationMs;
    this.#enter('buffering', this.#character.advertShownMs ?? 0);
    this.#land(durationMs, () => this.#enter('playing'));
  }

  /** The sound jumps without a command. */
  shift(seconds: number): void {
    this.#setAnchor(this.#exactSeconds(this.#time.nowMs) + seconds);
  }

  /** Loads the track besides the playing one. */
  prepare(trackKey: string | null): void {
    if (trackKey === this.#prepared.trackKey) return;
    this.#prepared = { trackKey, readyAtMs: this.#time.nowMs + this.#draw(this.#character.loadMs) };
  }

  load(trackKey: string, startSeconds: number): void {
    const prepared = this.#prepared;
    this.#prepared = { trackKey: null, readyAtMs: 0 };
    this.loads += 1;
    this.trackKey = trackKey;
    this.#wantsToPlay = false;
    this.#isWarm = false;
    this.#unseenSeconds = 0;
    this.#setAnchor(startSeconds);
    this.#enter('loading');
    this.#isWhole = this.#random.chance(this.#character.wholeShare);
    const loadMs = this.#draw(this.#character.loadMs);
    const isPrepared = prepared.trackKey === trackKey;
    this.#land(isPrepared ? Math.max(0, prepared.readyAtMs - this.#time.nowMs) : loadMs, () => this.#ready());
  }

  unload(): void {
    this.#landing += 1;
    this.#setAnchor(0);
    this.#enter('empty');
  }

  /** The browser refuses the next start and needs a tap. */
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
    this.#advertUntilMs = Number.NEGATIVE_INFINITY;
    this.#setAnchor(this.#exactSeconds(this.#time.nowMs));
    this.#enter('paused');
  }

  seek(positionSeconds: number): void {
    this.seeks += 1;
    const isMoving = this.#phase === 'playing' || this.#phase === 'buffering';
    this.#isWarm = false;
    this.#unseenSeconds = 0;
    this.#setAnchor(Math.min(positionSeconds, this.#durationSeconds));
    this.#enter(isMoving ? 'buffering' : 'loading');
    const landMs = this.#draw(isMoving ? this.#character.seekMs : this.#character.cueMs);
    const restMs = this.#advertUntilMs - this.#time.nowMs;
    this.#land(Math.max(landMs, restMs), () => (isMoving ? this.#enter('playing') : this.#ready()));
  }

  setRate(rate: number): void {
    this.rateChanges += 1;
    const { rateControl } = this.#character.capabilities;
    if (rateControl.type === 'steps' && !rateControl.rates.includes(rate)) return;
    const own = this.#clock?.rateFor(rate) ?? rate;
    this.#askedRate = own;
    this.#clock?.changeRate(this.#time.nowMs, own);
    this.#time.after(this.#draw(this.#character.rateMs), () => this.#applyRate(own));
  }

  snapshot(): PlayerSnapshot {
    const phase = this.#reportedPhase;
    // A media element reads back the requested rate; a frame reports the actual one.
    const isFine = this.#character.capabilities.rateControl.type === 'fine';
    const rate = isFine ? this.#askedRate : this.#rate;
    return {
      phase,
      positionSeconds: this.#reportedPosition(),
      rate: this.#clock?.reportedRate(rate) ?? rate,
      durationSeconds: phase === 'empty' || phase === 'loading' ? null : this.#durationSeconds,
      bufferedUntilSeconds: this.#isWhole ? this.#durationSeconds : null,
      bufferedFromSeconds: this.#isWhole ? 0 : null,
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
    this.#land(this.#draw(this.#isWarm ? resumeMs : coldMs), () => this.#enter('playing'));
  }

  #applyRate(rate: number): void {
    if (rate === this.#rate) return;
    const isMoving = this.#phase === 'playing';
    const shiftMs = isMoving ? this.#shiftMs(rate) : 0;
    if (isMoving && rate === 1) this.#unseenSeconds += this.#character.unseenReturnMs / 1000;
    this.#anchorAt(this.#exactSeconds(this.#time.nowMs) + shiftMs / 1000);
    this.#rate = rate;
    if (isMoving) this.#expectEnd();
  }

  /** The shift of the position by a change of the rate. */
  #shiftMs(rate: number): number {
    const restsAt = (own: number): boolean => (this.#clock?.reportedRate(own) ?? own) === 1;
    if (restsAt(rate)) return this.#draw(this.#character.returnShiftMs);
    return restsAt(this.#rate) ? -this.#draw(this.#character.leaveLossMs) : 0;
  }

  /** The position on an exact clock. */
  #exactSeconds(atMs: number): number {
    const elapsedMs = this.#phase === 'playing' ? atMs - this.#anchor.atMs : 0;
    const run = (elapsedMs / 1000) * this.#rate * (1 + this.#skew);
    return Math.min(this.#anchor.positionSeconds + run, this.#durationSeconds - this.#unseenSeconds);
  }

  /** On a clock in steps; on a smooth one with a little noise; or with another error after each message. */
  #reportedPosition(): number {
    const { reportEveryMs, reportErrorMs } = this.#character;
    const { nowMs } = this.#time;
    if (this.#phase !== 'playing') return this.#exactSeconds(nowMs);
    if (this.#clock !== null) return this.#clock.read(this.#anchor.atMs, nowMs);
    if (nowMs - this.#report.atMs >= reportEveryMs) {
      const errorSeconds = this.#random.between(-reportErrorMs, reportErrorMs) / 1000;
      this.#report = { atMs: nowMs, errorSeconds };
    }
    return Math.max(0, this.#exactSeconds(nowMs) + this.#report.errorSeconds);
  }

  #enter(phase: PlayerPhase, lagMs = this.#character.phaseLagMs): void {
    this.#setAnchor(this.#exactSeconds(this.#time.nowMs));
    this.#phase = phase;
    this.#endCheck();
    if (phase === 'playing') {
      this.#isWarm = true;
      this.#expectEnd();
    }
    const report = (): void => {
      if (this.#phase === 'loading' && phase !== 'loading') return;
      if (lagMs > this.#character.phaseLagMs && this.#phase !== phase) return;
      this.#reportedPhase = phase;
      this.#emit({ type: phase === 'ended' ? 'ended' : 'changed' });
    };
    // An event never arrives inside the command that caused it.
    if (lagMs === 0 || phase === 'loading') this.#reportedPhase = phase;
    this.#time.after(lagMs, report);
  }

  #expectEnd(): void {
    this.#endCheck();
    const leftSeconds = (this.#durationSeconds - this.truePositionSeconds) / (this.#rate * (1 + this.#skew));
    this.#endCheck = this.#time.after(leftSeconds * 1000 + 1, () => {
      if (this.#phase === 'playing') this.#enter('ended');
    });
  }

  #anchorAt(positionSeconds: number): void {
    this.#anchor = { atMs: this.#time.nowMs, positionSeconds };
  }

  #setAnchor(positionSeconds: number): void {
    this.#anchorAt(positionSeconds);
    this.#clock?.reset();
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

/** The clock keeps no looks from before this. */
const rememberedLooksMs = 600;

/** A simulated clock that moves in steps, read as by a page: every few milliseconds, a little late each time. */
class SimStepClock extends MediaClock {
  readonly #stepSeconds: number;
  readonly #random: SimRandom;
  readonly #exactSeconds: (atMs: number) => number;
  #lookedAtMs = 0;

  /** `exactSeconds` is the position on a clock without steps. */
  constructor(stepMs: number, random: SimRandom, exactSeconds: (atMs: number) => number) {
    super(new BrowserClock());
    this.#stepSeconds = stepMs / 1000;
    this.#random = random;
    this.#exactSeconds = exactSeconds;
  }

  /** The position as a page that has looked since `fromMs` knows it. */
  read(fromMs: number, nowMs: number): number {
    let atMs = Math.max(this.#lookedAtMs, fromMs, nowMs - rememberedLooksMs);
    for (let count = 0; atMs < nowMs; count += 1) {
      this.look(atMs, this.#step(atMs));
      atMs += (clockLooksMs[count % clockLooksMs.length] ?? 7) + this.#random.exponential(1.5);
    }
    this.look(nowMs, this.#step(nowMs));
    this.#lookedAtMs = nowMs;
    return this.positionAt(nowMs, this.#step(nowMs));
  }

  #step(atMs: number): number {
    return Math.floor(this.#exactSeconds(atMs) / this.#stepSeconds) * this.#stepSeconds;
  }
}
