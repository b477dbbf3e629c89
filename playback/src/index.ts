/** How players stay together: everything that server and web may use of it. */
export * from './timings.ts';
export * from './timeline.ts';
export * from './clock-offset.ts';
export * from './probe-plan.ts';
export * from './probe-loop.ts';
export * from './schedule.ts';
export * from './player.ts';
export * from './media-clock.ts';
export { isCostless } from './nudge.ts';
export * from './queue.ts';
export * from './room-playback.ts';
export * from './leader.ts';
export * from './follow-loop.ts';
export * from './follow-status.ts';
export * from './write-debounce.ts';
export * from './room-schedule.ts';
export * from './load-report.ts';
export * from './device-offset.ts';
