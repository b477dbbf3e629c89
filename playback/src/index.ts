/** Synchronised playback: everything that server and web may import from it. */
export * from './timings.ts';
export * from './room/timeline.ts';
export { ClockOffset, type Schedule, startProbeLoop } from './clock/server-clock.ts';
export * from './follow/player.ts';
export type { PlayerMemory } from './follow/learned.ts';
export * from './clock/media-clock.ts';
export * from './room/room-playback.ts';
export { holdTimeline, type LeaderIntent } from './room/leader.ts';
export { clampDeviceOffsetMs, type FollowLoop, startFollowLoop } from './follow/follow-loop.ts';
export type { FollowStatus } from './follow/follower-state.ts';
export * from './room/room-schedule.ts';
