/**
 * The simulated server: keeps the timeline, stamps commands with its own time, schedules them a little ahead, waits
 * for those who load, and tells everybody. Answers probes. Uses the same pure functions as the real one.
 */
import { type LeaderIntent, holdTimeline } from './leader.ts';
import { type LoadStatus, loadBarrier } from './load-barrier.ts';
import type { SimListener } from './sim-listener.ts';
import type { SimTime } from './sim-time.ts';
import { type Timeline, changeTrack, emptyTimeline, leadFor, pause, play, reanchor, rewind, seek } from './timeline.ts';
import { LOAD_BARRIER_MS } from './timings.ts';

/** What the host may ask for. */
export type SimCommand =
  | { readonly type: 'track'; readonly trackKey: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly positionSeconds: number };

/** Any moment will do; it is nowhere near the listeners' own clocks. */
const EPOCH_MS = 1_900_000_000_000;

/** The server of one room. */
export class SimServer {
  timeline: Timeline;
  readonly listeners: SimListener[] = [];
  readonly #time: SimTime;
  readonly #loads = new Map<SimListener, LoadStatus>();
  #barrierSinceMs: number | null = null;

  constructor(time: SimTime) {
    this.#time = time;
    this.timeline = emptyTimeline(this.nowMs);
  }

  get nowMs(): number {
    return EPOCH_MS + this.#time.nowMs;
  }

  join(listener: SimListener): void {
    this.listeners.push(listener);
    listener.receive(this.timeline);
  }

  /** What a reconnected listener gets. */
  catchUp(listener: SimListener): void {
    listener.receive(this.timeline);
  }

  command(command: SimCommand): void {
    const leadMs = this.#leadMs();
    if (command.type === 'track') return this.#changeTrack(command.trackKey);
    if (command.type === 'play') return this.#publish(play(this.timeline, this.nowMs, leadMs));
    if (command.type === 'pause') return this.#publish(pause(this.timeline, this.nowMs, leadMs));
    this.#publish(seek(this.timeline, command.positionSeconds, this.nowMs, leadMs));
  }

  intent(intent: LeaderIntent): void {
    const { timeline } = this;
    if (intent.type === 'hold') this.#publish(holdTimeline(timeline, intent.positionSeconds, this.nowMs));
    if (intent.type === 'reanchor') this.#publish(reanchor(timeline, intent.positionSeconds, intent.atServerMs));
    if (intent.type === 'rewind') this.#publish(rewind(timeline, this.nowMs));
    if (intent.type === 'next' || intent.type === 'skip-failed') this.#changeTrack(`${timeline.trackKey}+`);
  }

  /** A listener has loaded the track. */
  ready(listener: SimListener): void {
    if (this.#loads.has(listener)) this.#loads.set(listener, 'ready');
    this.#passBarrier();
  }

  #changeTrack(trackKey: string): void {
    this.#loads.clear();
    for (const listener of this.listeners) this.#loads.set(listener, 'loading');
    this.#barrierSinceMs = this.#time.nowMs;
    this.#time.after(LOAD_BARRIER_MS, () => this.#passBarrier());
    this.#publish(changeTrack(this.timeline, trackKey, this.nowMs, LOAD_BARRIER_MS));
  }

  #passBarrier(): void {
    if (this.#barrierSinceMs === null) return;
    const decision = loadBarrier(this.#loads.values(), this.#barrierSinceMs, this.#time.nowMs);
    if (decision.type === 'wait') return;
    this.#barrierSinceMs = null;
    const startMs = this.nowMs + this.#leadMs();
    if (startMs < this.timeline.atServerMs)
      this.#publish(reanchor(this.timeline, this.timeline.positionSeconds, startMs));
  }

  #leadMs(): number {
    return leadFor(Math.max(...this.listeners.map(({ line: { quality } }) => quality.upMs + quality.downMs)));
  }

  #publish(timeline: Timeline): void {
    this.timeline = timeline;
    for (const listener of this.listeners) listener.receive(timeline);
  }
}
