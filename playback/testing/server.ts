/**
 * The simulated server: keeps the timeline, stamps commands with its own time, broadcasts, answers probes. Leads, load
 * waits and starts come from the real server's room schedule, which gets only the tabs' reports.
 */
import { type LeaderIntent, holdTimeline } from '../src/room/leader.ts';
import type { ProbeAnswer } from '../src/clock/server-clock.ts';
import {
  canStart,
  changeDueMs,
  endsAtMs,
  isNewRoundTrip,
  isNextLoaded,
  type LoadWait,
  noLoadWait,
  updateUpNext,
  roomLeadMs,
  startEarly,
  trackChanged,
  trackLoaded,
  type UpNext,
} from '../src/room/room-schedule.ts';
import type { SimListener } from './listener.ts';
import type { SimTime } from './time.ts';
import {
  type Asks,
  type Timeline,
  anchorTo,
  changeTrack,
  emptyTimeline,
  pause,
  play,
  republish,
  rewind,
  seek,
} from '../src/room/timeline.ts';
import { loadBarrierMs } from '../src/timings.ts';

export type SimCommand =
  | { readonly type: 'track'; readonly trackKey: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'seek'; readonly positionSeconds: number }
  /** Changes which track comes next. */
  | { readonly type: 'reorder' };

/** Any time far from the listeners' own clocks. */
const epochMs = 1_900_000_000_000;

export class SimServer {
  timeline: Timeline;
  readonly listeners: SimListener[] = [];
  readonly #time: SimTime;
  readonly #roundTripsMs = new Map<SimListener, number>();
  #wait: LoadWait = noLoadWait;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  readonly #trackSeconds: number | null;
  #reorders = 0;
  #upNext: UpNext | null = null;
  #cancelEnd = (): void => undefined;

  /** With a length of its tracks the server changes them at their ends, one after another. */
  constructor(time: SimTime, trackSeconds: number | null = null) {
    this.#time = time;
    this.#trackSeconds = trackSeconds;
    this.timeline = emptyTimeline(this.nowMs);
  }

  get nowMs(): number {
    return epochMs + this.#time.nowMs;
  }

  join(listener: SimListener): void {
    this.listeners.push(listener);
    listener.receive(this.timeline);
  }

  /** Sends the timeline to a reconnected listener. */
  catchUp(listener: SimListener): void {
    listener.receive(this.timeline);
  }

  /** The track after the playing one. */
  get nextKey(): string {
    return `${this.timeline.trackKey ?? ''}+${this.#reorders === 0 ? '' : String(this.#reorders)}`;
  }

  command(command: SimCommand): void {
    if (command.type === 'reorder') return this.#reorder();
    const leadMs = this.#leadMs(command.type === 'pause' ? 'stop' : 'start');
    if (command.type === 'track') return this.#changeTrack(command.trackKey);
    if (command.type === 'play' && this.timeline.isPlaying) return;
    if (command.type === 'play') return this.#publish(play(this.timeline, this.nowMs, leadMs));
    if (command.type === 'pause') return this.#publish(pause(this.timeline, this.nowMs, leadMs));
    this.#publish(seek(this.timeline, command.positionSeconds, this.nowMs, leadMs));
  }

  /** An intent of the host's tab, which knew the room as of this revision. */
  intent(intent: LeaderIntent, revision: number): void {
    const { timeline, nowMs } = this;
    if (revision !== timeline.revision) return;
    if (intent.type === 'hold') this.#publish(holdTimeline(timeline, intent.positionSeconds, nowMs));
    if (intent.type === 'reanchor') {
      this.#publish(anchorTo(timeline, intent, timeline.isPlaying ? nowMs + this.#leadMs() : nowMs));
    }
    if (intent.type === 'republish') this.#publish(republish(timeline, nowMs) ?? timeline);
    if (intent.type === 'rewind') this.#publish(rewind(timeline, nowMs));
    if (intent.type === 'next' || intent.type === 'skip-failed') this.#changeTrack(this.nextKey);
  }

  /** Answers a probe, which reports the tab's round trip. */
  probe(listener: SimListener, roundTripMs: number | null): ProbeAnswer {
    const knownMs = this.#roundTripsMs.get(listener) ?? null;
    if (roundTripMs !== null && isNewRoundTrip(knownMs, roundTripMs)) this.#roundTripsMs.set(listener, roundTripMs);
    return { serverReceivedMs: this.nowMs };
  }

  /** A listener has loaded the track of this revision. */
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

  #reorder(): void {
    this.#reorders += 1;
    this.#publish({ ...this.timeline, revision: this.timeline.revision + 1 });
  }

  /** Like the real server: at the end, or early enough for all listeners. */
  #watchEnd(): void {
    this.#cancelEnd();
    const { timeline, nextKey, nowMs } = this;
    const endMs = endsAtMs(timeline, this.#trackSeconds);
    if (endMs === null || timeline.trackKey === null) return;
    this.#upNext = updateUpNext(this.#upNext, { trackKey: timeline.trackKey, nextKey }, nowMs);
    const isLoaded = isNextLoaded(this.#upNext, endMs);
    const dueMs = changeDueMs(timeline, endMs, isLoaded);
    this.#cancelEnd = this.#time.after(Math.max(0, dueMs - nowMs), () => {
      if (!isLoaded) return this.#changeTrack(nextKey);
      this.#publish(changeTrack(this.timeline, nextKey, Math.max(endMs, this.nowMs + this.#leadMs()), 0));
    });
  }

  #leadMs(asks: Asks = 'start'): number {
    return roomLeadMs(this.#roundTripsMs.values(), asks);
  }

  #publish(timeline: Timeline): void {
    this.timeline = timeline;
    this.#watchEnd();
    for (const listener of this.listeners) listener.receive(timeline);
  }
}
