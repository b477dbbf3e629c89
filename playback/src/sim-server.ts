/**
 * The simulated server: keeps the timeline, stamps commands with its own time, tells everybody, answers probes. How far
 * ahead a command takes effect, whom a new track waits for and when it starts is the real server's own room schedule,
 * fed with nothing but what tabs report.
 */
import { type LeaderIntent, holdTimeline } from './leader.ts';
import type { ProbeAnswer } from './probe-loop.ts';
import {
  type LoadWait,
  noLoadWait,
  canStart,
  isNewRoundTrip,
  roomLeadMs,
  startEarly,
  trackChanged,
  trackLoaded,
} from './room-schedule.ts';
import type { SimListener } from './sim-listener.ts';
import type { SimTime } from './sim-time.ts';
import {
  type Timeline,
  anchorTo,
  changeTrack,
  emptyTimeline,
  pause,
  play,
  republish,
  rewind,
  seek,
} from './timeline.ts';
import { loadBarrierMs } from './timings.ts';

/** What the host may ask for. */
export type SimCommand =
  | { readonly type: 'track'; readonly trackKey: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly positionSeconds: number };

/** Any moment will do; it is nowhere near the listeners' own clocks. */
const epochMs = 1_900_000_000_000;

/** The server of one room. */
export class SimServer {
  timeline: Timeline;
  readonly listeners: SimListener[] = [];
  readonly #time: SimTime;
  readonly #roundTripsMs = new Map<SimListener, number>();
  #wait: LoadWait = noLoadWait;
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(time: SimTime) {
    this.#time = time;
    this.timeline = emptyTimeline(this.nowMs);
  }

  get nowMs(): number {
    return epochMs + this.#time.nowMs;
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
    const { timeline, nowMs } = this;
    if (intent.type === 'hold') this.#publish(holdTimeline(timeline, intent.positionSeconds, nowMs));
    if (intent.type === 'reanchor') {
      this.#publish(anchorTo(timeline, intent, timeline.isPlaying ? nowMs + this.#leadMs() : nowMs));
    }
    if (intent.type === 'republish') this.#publish(republish(timeline, nowMs) ?? timeline);
    if (intent.type === 'rewind') this.#publish(rewind(timeline, nowMs));
    if (intent.type === 'next' || intent.type === 'skip-failed') this.#changeTrack(`${timeline.trackKey}+`);
  }

  /** A probe has arrived, with what the tab knows of its own line. */
  probe(listener: SimListener, roundTripMs: number | null): ProbeAnswer {
    const knownMs = this.#roundTripsMs.get(listener) ?? null;
    if (roundTripMs !== null && isNewRoundTrip(knownMs, roundTripMs)) this.#roundTripsMs.set(listener, roundTripMs);
    return { serverReceivedMs: this.nowMs };
  }

  /** A listener has loaded what this revision plays. */
  ready(listener: SimListener, revision: number): void {
    this.#wait = trackLoaded(this.#wait, revision, listener.name);
    if (!canStart(this.#wait)) return;
    this.#wait = noLoadWait;
    const started = startEarly(this.timeline, this.#heldUntilMs, this.nowMs, this.#leadMs());
    if (started !== null) this.#publish(started);
  }

  #changeTrack(trackKey: string): void {
    this.#publish(changeTrack(this.timeline, trackKey, this.nowMs, loadBarrierMs));
    const { revision, atServerMs } = this.timeline;
    this.#heldUntilMs = atServerMs;
    const members = this.listeners.map(({ name }) => name);
    this.#wait = trackChanged(this.#wait, revision, members);
  }

  #leadMs(): number {
    return roomLeadMs(this.#roundTripsMs.values());
  }

  #publish(timeline: Timeline): void {
    this.timeline = timeline;
    for (const listener of this.listeners) listener.receive(timeline);
  }
}
