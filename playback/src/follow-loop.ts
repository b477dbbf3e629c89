/**
 * Ties a player to the room's timeline: reads, lets the pure follower decide, carries it out, and looks again in time.
 * The only part of this folder that acts. Even so its player, clock and timers are arguments, and the simulation
 * drives exactly this code.
 */
import type { ClockOffset } from './clock-offset.ts';
import { clampDeviceOffsetMs } from './device-offset.ts';
import { type FollowStatus, describe } from './follow-status.ts';
import {
  type FollowAction,
  type FollowDecision,
  type FollowInput,
  type FollowerState,
  initialFollower,
} from './follower-state.ts';
import { allowJump, follow, startByTap } from './follower.ts';
import { fromMemory, toMemory } from './learned.ts';
import { type EndOfTrack, initialLeader, type LeaderIntent, lead } from './leader.ts';
import type { Player, PlayerErrorCode, PlayerEvent } from './player.ts';
import { retryNow } from './retry.ts';
import type { Schedule } from './schedule.ts';
import { type Timeline, emptyTimeline, isNewer } from './timeline.ts';
import { usualTickMs } from './timings.ts';

/** What a follow loop needs from outside. */
export interface FollowLoopPorts {
  readonly player: Player;
  readonly clock: Pick<ClockOffset, 'serverNow' | 'uncertaintyMs' | 'isSynced'>;
  /** Local monotonic milliseconds (`performance.now()`). */
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  /** Beyond this the player is moved by a seek, in seconds; each kind of room has its own. */
  readonly seekToleranceSeconds: number;
  /** Called after every look, several times a second; show it no more often than a person can read. */
  readonly onStatus?: (status: FollowStatus) => void;
  /** Called on the host's controlling tab with what it should publish. */
  readonly onIntent?: (intent: LeaderIntent) => void;
  /** What the end of a track leads to in this kind of room. */
  readonly endOfTrack?: EndOfTrack;
  /** How long the room knows the current track to be, for a player that could not fetch it; null for unknown. */
  readonly roomDurationSeconds?: () => number | null;
  /** Where this device remembers how soon its players obey; without it each visit learns that anew. */
  readonly memory?: PlayerMemory;
}

/** What a device remembers of its players. Plain data; what is read may be anything. */
export interface PlayerMemory {
  read(): unknown;
  write(memory: unknown): void;
}

/** A running follow loop. */
export interface FollowLoop {
  /** Hands over the room's timeline; revisions that were passed are ignored. */
  setTimeline(timeline: Timeline): void;
  /** Whether this tab holds the host's control. */
  setLeading(isLeading: boolean): void;
  /** How much later than others this device is heard, in milliseconds. */
  setDeviceOffsetMs(deviceOffsetMs: number): void;
  /** Judges the drift anew, and loads a track that failed; a listener's 'Resync'. On the host's tab it also publishes the position once more. */
  resync(): void;
  /** Starts a blocked player. Must be called inside the tap itself. */
  tapToListen(): void;
  /** Looks at once: the tab became visible, or the device woke up. */
  wake(): void;
  status(): FollowStatus;
  /** Ends following; the player is left as it is. */
  stop(): void;
}

const noTimeline = emptyTimeline(0);
/** How often the host's player is looked at while it is left alone. */
const leaderTickMs = 100;
/** Never spins, however eager the decisions. */
const leastWakeMs = 4;
/** How much of a timer's lateness is remembered from one wake-up to the next. */
const latenessMemory = 0.8;

/** Starts following. Nothing happens to the player before the first timeline. */
export function startFollowLoop(ports: FollowLoopPorts): FollowLoop {
  const { player, clock, nowMs, schedule } = ports;
  let timeline: Timeline | null = null;
  let follower: FollowerState = { ...initialFollower, learned: fromMemory(ports.memory?.read()) };
  let leader = initialLeader;
  let isLeading = false;
  let isBlocked = false;
  let isStopped = false;
  let isLooking = false;
  let mustLookAgain = false;
  let deviceOffsetMs = 0;
  let wakeLatenessMs = 0;
  let errorCode: PlayerErrorCode | null = null;
  let counters = { seeks: 0, rateChanges: 0 };
  let cancel = (): void => undefined;
  let shown: FollowStatus = describe(read(), follower, counters, Number.POSITIVE_INFINITY, null);

  function read(): FollowInput {
    const now = nowMs();
    const current = timeline ?? noTimeline;
    return {
      nowMs: now,
      serverMs: clock.serverNow(now),
      isClockSynced: clock.isSynced,
      timeline: current,
      player: player.snapshot(),
      capabilities: player.capabilitiesFor(current.trackKey),
      seekToleranceSeconds: ports.seekToleranceSeconds,
      deviceOffsetSeconds: deviceOffsetMs / 1000,
      isBlocked,
      errorCode,
      wakeLatenessMs,
    };
  }

  /** Never nested: what a command or an intent sets off is looked at right afterwards. */
  function look(): void {
    if (isStopped || timeline === null) return;
    mustLookAgain = isLooking;
    if (isLooking) return;
    isLooking = true;
    let wakeInMs = usualTickMs;
    try {
      wakeInMs = lookOnce();
    } finally {
      // A player that threw is looked at again all the same.
      isLooking = false;
      lookAgainIn(mustLookAgain ? 0 : wakeInMs);
      mustLookAgain = false;
    }
  }

  function lookOnce(): number {
    const { phase } = player.snapshot();
    if (phase === 'playing') isBlocked = false;
    if (phase === 'playing' || phase === 'paused') errorCode = null;
    const input = read();
    const mayCorrect = !isLeading || consultLeader(input);
    const decision = mayCorrect ? follow(follower, { ...input, isBlocked }) : null;
    if (decision !== null) carryOut(decision);
    report(input);
    return decision?.wakeInMs ?? leaderTickMs;
  }

  /** True if the follower may act on the host's own player. */
  function consultLeader(input: FollowInput): boolean {
    const { nowMs: now, serverMs } = input;
    const endOfTrack = ports.endOfTrack ?? 'rewind';
    const isFollowed = follower.loadedKey === input.timeline.trackKey;
    if (!isFollowed || !input.isClockSynced) return true;
    const decision = lead(leader, {
      nowMs: now,
      serverMs,
      timeline: input.timeline,
      player: input.player,
      errorCode,
      endOfTrack,
      roomDurationSeconds: ports.roomDurationSeconds?.() ?? null,
    });
    leader = decision.state;
    if (decision.intent !== null) ports.onIntent?.(decision.intent);
    return decision.isCorrecting;
  }

  function lookAgainIn(delayMs: number): void {
    cancel();
    if (isStopped) return;
    const waitMs = Math.max(leastWakeMs, delayMs);
    const dueAtMs = nowMs() + waitMs;
    cancel = schedule(() => {
      wakeLatenessMs = Math.max(nowMs() - dueAtMs, wakeLatenessMs * latenessMemory);
      look();
    }, waitMs);
  }

  function carryOut(decision: FollowDecision): void {
    const hasLearned = decision.state.learned !== follower.learned;
    follower = decision.state;
    if (hasLearned) ports.memory?.write(toMemory(follower.learned));
    for (const action of decision.actions) perform(action);
  }

  function perform(action: FollowAction): void {
    switch (action.type) {
      case 'load':
        // One that could not be fetched goes on saying so while it is tried again.
        if (follower.unfetched?.trackKey !== action.trackKey) errorCode = null;
        return player.load(action.trackKey, action.startSeconds);
      case 'unload':
        return player.unload();
      case 'play':
        return player.play();
      case 'pause':
        return player.pause();
      case 'seek':
        counters = { ...counters, seeks: counters.seeks + 1 };
        return player.seek(action.positionSeconds);
      case 'set-rate':
        counters = { ...counters, rateChanges: counters.rateChanges + 1 };
        return player.setRate(action.rate);
    }
  }

  function report(input: FollowInput): void {
    shown = describe(input, follower, counters, clock.uncertaintyMs(input.nowMs), errorCode);
    ports.onStatus?.(shown);
  }

  function onPlayerEvent(event: PlayerEvent): void {
    if (event.type === 'blocked') isBlocked = true;
    if (event.type === 'failed') errorCode = event.code;
    look();
  }

  const unsubscribe = player.subscribe(onPlayerEvent);

  return {
    setTimeline: (incoming) => {
      if (!isNewer(incoming, timeline)) return;
      timeline = incoming;
      look();
    },
    setLeading: (leading) => {
      if (leading === isLeading) return;
      isLeading = leading;
      leader = initialLeader;
      look();
    },
    setDeviceOffsetMs: (offsetMs) => {
      const wantedMs = clampDeviceOffsetMs(offsetMs);
      if (wantedMs === deviceOffsetMs) return;
      deviceOffsetMs = wantedMs;
      follower = allowJump(follower, nowMs());
      look();
    },
    resync: () => {
      follower = retryNow(allowJump(follower, nowMs()));
      look();
      if (isLeading && timeline?.isPlaying === true) ports.onIntent?.({ type: 'republish' });
    },
    tapToListen: () => {
      if (isStopped) return;
      isBlocked = false;
      carryOut(startByTap(follower, read()));
      look();
    },
    wake: () => {
      follower = retryNow(follower);
      look();
    },
    status: () => shown,
    stop: () => {
      isStopped = true;
      cancel();
      unsubscribe();
    },
  };
}
