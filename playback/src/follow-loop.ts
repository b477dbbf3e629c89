/** Placeholder for the first push: the signature that the web builds against. */
import type { ClockOffset } from './clock-offset.ts';
import type { LeaderIntent } from './leader.ts';
import type { Player, PlayerErrorCode } from './player.ts';
import type { Schedule } from './schedule.ts';
import type { Timeline } from './timeline.ts';

export type FollowState =
  | 'idle'
  | 'waiting-for-clock'
  | 'loading'
  | 'cued'
  | 'playing'
  | 'correcting'
  | 'buffering'
  | 'paused'
  | 'blocked'
  | 'ended'
  | 'failed';
export type FollowStatus = {
  readonly state: FollowState;
  readonly revision: number;
  readonly driftMs: number | null;
  readonly uncertaintyMs: number;
  readonly seeks: number;
  readonly rateChanges: number;
  readonly errorCode: PlayerErrorCode | null;
};
export type FollowLoopPorts = {
  readonly player: Player;
  readonly clock: ClockOffset;
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  readonly seekToleranceSeconds: number;
  readonly onStatus: (status: FollowStatus) => void;
  readonly onIntent?: (intent: LeaderIntent) => void;
};
export type FollowLoop = {
  setTimeline(timeline: Timeline): void;
  setLeading(isLeading: boolean): void;
  setDeviceOffsetMs(deviceOffsetMs: number): void;
  resync(): void;
  tapToListen(): void;
  wake(): void;
  status(): FollowStatus;
  stop(): void;
};
