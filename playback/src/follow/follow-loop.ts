/**
 * Connects a player to the room's timeline: reads it, lets the pure follower decide, carries the decision out, and
 * schedules the next look. Player, clock and timers are arguments, so that the simulation runs exactly this code.
 */
import type { ClockOffset, Schedule } from '../clock/server-clock.ts';
import type { EndOfTrack, lead, LeaderIntent, LeaderState } from '../room/leader.ts';
import { clampPosition, emptyTimeline, isNewer, positionAt, type Timeline } from '../room/timeline.ts';
import { deviceOffsetLimitMs, usualTickMs } from '../timings.ts';
import {
  type Counters,
  describe,
  type FollowAction,
  type FollowDecision,
  type FollowerState,
  type FollowInput,
  type FollowStatus,
  initialFollower,
} from './follower-state.ts';
import { allowJump, follow, retryNow, startByTap } from './follower.ts';
import { fromMemory, type PlayerMemory, toMemory } from './learned.ts';
import type { Player, PlayerErrorCode, PlayerEvent } from './player.ts';

export interface FollowLoopPorts {
  readonly player: Player;
  readonly clock: Pick<ClockOffset, 'serverNow' | 'uncertaintyMs' | 'isSynced'>;
  /** Local monotonic milliseconds (`performance.now()`). */
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  /** The drift beyond which the player seeks, in seconds; differs per kind of room. */
  readonly seekToleranceSeconds: number;
  /** Called after every look, several times a second. */
  readonly onStatus?: (status: FollowStatus) => void;
  /** Called with what the host's controlling tab should publish, and with what a listener with the remote presses in the player. */
  readonly onIntent?: (intent: LeaderIntent) => void;
  /** The effect of the end of a track in this kind of room. */
  readonly endOfTrack?: EndOfTrack;
  /** The length of the current track in the room's queue, for a player that could not fetch it; null for unknown. */
  readonly roomDurationSeconds?: () => number | null;
  /** Stores the learned latencies on this device; without it each visit learns them again. */
  readonly memory?: PlayerMemory;
}

export interface FollowLoop {
  /** Older revisions are ignored. */
  setTimeline(timeline: Timeline): void;
  /** With the decisions of the host's controlling tab this player leads; with null it follows. */
  setLeading(decide: typeof lead | null): void;
  /** Whether the listener presses for the room without leading: what they do in the player's own controls counts too. */
  setHoldingRemote(isHolding: boolean): void;
  /** How much later than others this device is heard, in milliseconds. */
  setDeviceOffsetMs(deviceOffsetMs: number): void;
  /**
   * A listener's 'Resync': discards earlier readings and retries a failed track. On the host's tab it also republishes
   * the position.
   */
  resync(): void;
  /** Pauses this player only, until `tapToListen` or until a control on the device starts it. */
  hold(): void;
  /** Starts a blocked or held player. Must be called inside the tap handler. */
  tapToListen(): void;
  /** Looks at once: the tab became visible, or the device woke up. */
  wake(): void;
  status(): FollowStatus;
  /** Ends following; does not touch the player. */
  stop(): void;
}

const noTimeline = emptyTimeline(0);
/** How often the host's player is read while it is not corrected. */
const leaderTickMs = 100;
/** The shortest time between two looks, whatever the decisions ask for. */
const leastWakeMs = 4;
/** The share of a timer's lateness that carries over to the next wake-up. */
const latenessMemory = 0.8;

/** Does nothing to the player before the first timeline. */
export function startFollowLoop(ports: FollowLoopPorts): FollowLoop {
  return new RunningLoop(ports);
}

class RunningLoop implements FollowLoop {
  readonly #ports: FollowLoopPorts;
  readonly #unsubscribe: () => void;
  #timeline: Timeline | null = null;
  #follower: FollowerState;
  #leader: LeaderState | null = null;
  #lead: typeof lead | null = null;
  #holdsRemote = false;
  /** Why the player is not started: the browser refuses, or this device holds it. */
  #silenced: 'blocked' | 'held' | null = null;
  /** After a press in this player's own controls it stays there until the room reacts, or for this long. */
  #uncorrectedUntilMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #isLooking = false;
  #mustLookAgain = false;
  #deviceOffsetMs = 0;
  #wakeLatenessMs = 0;
  #errorCode: PlayerErrorCode | null = null;
  #counters: Counters = { seeks: 0, rateChanges: 0 };
  #cancel = (): void => undefined;
  #status: FollowStatus;

  constructor(ports: FollowLoopPorts) {
    this.#ports = ports;
    this.#follower = { ...initialFollower, learned: fromMemory(ports.memory?.read()) };
    this.#status = describe(this.#read(), this.#follower, this.#counters, Number.POSITIVE_INFINITY, null);
    this.#unsubscribe = ports.player.subscribe((event) => this.#onPlayerEvent(event));
  }

  setTimeline(incoming: Timeline): void {
    if (!isNewer(incoming, this.#timeline)) return;
    this.#timeline = incoming;
    this.#uncorrectedUntilMs = Number.NEGATIVE_INFINITY;
    // The room has reacted to the pause.
    if (this.#presses() && this.#silenced === 'held') this.#silenced = null;
    this.#look();
  }

  setLeading(decide: typeof lead | null): void {
    if (decide === this.#lead) return;
    this.#lead = decide;
    this.#leader = null;
    this.#look();
  }

  setHoldingRemote(isHolding: boolean): void {
    if (isHolding === this.#holdsRemote) return;
    this.#holdsRemote = isHolding;
    this.#uncorrectedUntilMs = Number.NEGATIVE_INFINITY;
    this.#look();
  }

  setDeviceOffsetMs(offsetMs: number): void {
    const wantedMs = clampDeviceOffsetMs(offsetMs);
    if (wantedMs === this.#deviceOffsetMs) return;
    this.#deviceOffsetMs = wantedMs;
    this.#follower = allowJump(this.#follower, this.#ports.nowMs());
    this.#look();
  }

  resync(): void {
    this.#follower = retryNow(allowJump(this.#follower, this.#ports.nowMs()));
    this.#look();
    if (this.#lead !== null && this.#timeline?.isPlaying === true) this.#ports.onIntent?.({ type: 'republish' });
  }

  hold(): void {
    if (this.#isStopped) return;
    this.#silenced = 'held';
    this.#ports.player.pause();
    this.#look();
  }

  tapToListen(): void {
    if (this.#isStopped) return;
    this.#silenced = null;
    this.#carryOut(startByTap(this.#follower, this.#read()));
    this.#look();
  }

  wake(): void {
    this.#follower = retryNow(this.#follower);
    this.#look();
  }

  status(): FollowStatus {
    return this.#status;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    this.#unsubscribe();
  }

  #read(): FollowInput {
    const now = this.#ports.nowMs();
    const current = this.#timeline ?? noTimeline;
    return {
      nowMs: now,
      serverMs: this.#ports.clock.serverNow(now),
      isClockSynced: this.#ports.clock.isSynced,
      timeline: current,
      player: this.#ports.player.snapshot(),
      capabilities: this.#ports.player.capabilitiesFor(current.trackKey),
      seekToleranceSeconds: this.#ports.seekToleranceSeconds,
      deviceOffsetSeconds: this.#deviceOffsetMs / 1000,
      isBlocked: this.#silenced !== null,
      errorCode: this.#errorCode,
      wakeLatenessMs: this.#wakeLatenessMs,
    };
  }

  /** Looks are never nested: when a command or an intent causes another look, it runs right afterwards. */
  #look(): void {
    if (this.#isStopped || this.#timeline === null) return;
    this.#mustLookAgain = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    let wakeInMs = usualTickMs;
    try {
      wakeInMs = this.#lookOnce();
    } finally {
      // After an exception of the player the loop continues.
      this.#isLooking = false;
      this.#lookAgainIn(this.#mustLookAgain ? 0 : wakeInMs);
      this.#mustLookAgain = false;
    }
  }

  #lookOnce(): number {
    const { phase } = this.#ports.player.snapshot();
    if (phase === 'playing') this.#silenced = null;
    if (phase === 'playing' || phase === 'paused') this.#errorCode = null;
    const input = this.#read();
    const mayCorrect =
      input.nowMs >= this.#uncorrectedUntilMs && (this.#lead === null || this.#consultLeader(input, this.#lead));
    const decision = mayCorrect ? follow(this.#follower, input) : null;
    if (decision !== null) this.#carryOut(decision);
    this.#report(input);
    return decision?.wakeInMs ?? leaderTickMs;
  }

  #presses(): boolean {
    return this.#lead !== null || this.#holdsRemote;
  }

  /** True if the follower may act on the host's own player. */
  #consultLeader(input: FollowInput, decide: typeof lead): boolean {
    const { nowMs: now, serverMs, player, deviceOffsetSeconds } = input;
    const endOfTrack = this.#ports.endOfTrack ?? 'rewind';
    const isFollowed = this.#follower.loadedKey === input.timeline.trackKey;
    if (!isFollowed || !input.isClockSynced) return true;
    const decision = decide(this.#leader, {
      nowMs: now,
      serverMs,
      timeline: input.timeline,
      player: { ...player, positionSeconds: roomPosition(player.positionSeconds, deviceOffsetSeconds) },
      errorCode: this.#errorCode,
      endOfTrack,
      roomDurationSeconds: this.#ports.roomDurationSeconds?.() ?? null,
    });
    this.#leader = decision.state;
    if (decision.intent !== null) this.#ports.onIntent?.(decision.intent);
    return decision.isCorrecting;
  }

  #lookAgainIn(delayMs: number): void {
    this.#cancel();
    if (this.#isStopped) return;
    const waitMs = Math.max(leastWakeMs, delayMs);
    const dueAtMs = this.#ports.nowMs() + waitMs;
    this.#cancel = this.#ports.schedule(() => {
      this.#wakeLatenessMs = Math.max(this.#ports.nowMs() - dueAtMs, this.#wakeLatenessMs * latenessMemory);
      this.#look();
    }, waitMs);
  }

  #carryOut(decision: FollowDecision): void {
    const hasLearned = decision.state.learned !== this.#follower.learned;
    this.#follower = decision.state;
    if (hasLearned) this.#ports.memory?.write(toMemory(this.#follower.learned));
    for (const action of decision.actions) this.#perform(action);
  }

  #perform(action: FollowAction): void {
    switch (action.type) {
      case 'load':
        // A track that could not be fetched keeps its error during retries.
        if (this.#follower.unfetched?.trackKey !== action.trackKey) this.#errorCode = null;
        return this.#ports.player.load(action.trackKey, action.startSeconds, action.followsOn);
      case 'unload':
        return this.#ports.player.unload();
      case 'play':
        return this.#ports.player.play();
      case 'pause':
        return this.#ports.player.pause();
      case 'seek':
        this.#counters = { ...this.#counters, seeks: this.#counters.seeks + 1 };
        return this.#ports.player.seek(action.positionSeconds);
      case 'set-rate':
        this.#counters = { ...this.#counters, rateChanges: this.#counters.rateChanges + 1 };
        return this.#ports.player.setRate(action.rate);
    }
  }

  #report(input: FollowInput): void {
    this.#status = describe(
      input,
      this.#follower,
      this.#counters,
      this.#ports.clock.uncertaintyMs(input.nowMs),
      this.#errorCode,
    );
    if (this.#silenced === 'held' && this.#status.status === 'blocked')
      this.#status = { ...this.#status, status: 'held' };
    this.#ports.onStatus?.(this.#status);
  }

  #onPlayerEvent(event: PlayerEvent): void {
    if (event.type === 'blocked' || event.type === 'held') this.#silenced = event.type;
    if (event.type === 'failed') this.#errorCode = event.code;
    const nowMs = this.#ports.nowMs();
    const serverMs = this.#ports.clock.serverNow(nowMs);
    const intent = this.#presses() ? touchIntent(event, this.#timeline, serverMs, this.#deviceOffsetMs / 1000) : null;
    if (intent !== null) {
      this.#uncorrectedUntilMs = nowMs + touchAnswerMs;
      this.#ports.onIntent?.(intent);
    }
    this.#look();
  }
}

/** A smaller distance from the music is not a seek by a person. */
const movedSeconds = 1.5;
/** How long a player stays where a press in it has moved it, for the room to react. */
export const touchAnswerMs = 2000;

export function touchIntent(
  event: PlayerEvent,
  timeline: Timeline | null,
  serverMs: number,
  deviceOffsetSeconds = 0,
): LeaderIntent | null {
  if (timeline === null || timeline.trackKey === null) return null;
  switch (event.type) {
    case 'held':
      return { type: 'pause' };
    case 'started':
      return timeline.isPlaying ? null : { type: 'play' };
    case 'sought': {
      const positionSeconds = roomPosition(event.positionSeconds, deviceOffsetSeconds);
      const isMoved = Math.abs(positionSeconds - positionAt(timeline, serverMs)) > movedSeconds;
      return isMoved ? { type: 'seek', positionSeconds } : null;
    }
    case 'changed':
    case 'ended':
    case 'blocked':
    case 'failed':
      return null;
  }
}

/**
 * Limits the listener's setting of how much later than others this device is heard (Bluetooth, slow speakers).
 * A browser's reported output latency is never added: `currentTime` of a media element includes it already.
 */
export function clampDeviceOffsetMs(offsetMs: number): number {
  if (!Number.isFinite(offsetMs)) return 0;
  return Math.min(deviceOffsetLimitMs, Math.max(-deviceOffsetLimitMs, offsetMs));
}

/** The room's position while the player of a device with this offset is at a position. */
export function roomPosition(positionSeconds: number, deviceOffsetSeconds: number): number {
  return clampPosition(positionSeconds - deviceOffsetSeconds);
}
