/**
 * Where the player should be, and how far behind it is: the arithmetic that every correction rests on.
 * A single reading is never trusted alone; the median of several, brought to the same moment, is.
 */
import type { FollowInput, FollowerState, Reading } from './follower-state.ts';

/** The straight line of a playing timeline at a moment of server time: before its start it lies before its position. */
export function lineAt(input: FollowInput, serverMs: number): number {
  const { timeline, deviceOffsetSeconds } = input;
  return timeline.positionSeconds + (serverMs - timeline.atServerMs) / 1000 + deviceOffsetSeconds;
}

/** Milliseconds until a playing timeline starts; zero or less once it has, or when it only continues another. */
export function startsInMs(state: FollowerState, input: FollowInput): number {
  return state.isContinuation ? 0 : input.timeline.atServerMs - input.serverMs;
}

/** The same for this device's player alone, which starts as much earlier as it is heard late. */
export function ownStartInMs(state: FollowerState, input: FollowInput): number {
  return state.isContinuation ? 0 : startsInMs(state, input) - input.deviceOffsetSeconds * 1000;
}

/** How far the player is behind a playing timeline, in seconds; negative when it is ahead. */
export function behindSeconds(input: FollowInput): number {
  return lineAt(input, input.serverMs) - input.player.positionSeconds;
}

/** Adds a reading, keeping the newest `keep`. */
export function withReading(readings: readonly Reading[], reading: Reading, keep: number): readonly Reading[] {
  return [...readings, reading].slice(-keep);
}

/**
 * The drift at `atMs`: the median of the readings, each carried forward by what the player's speed changes per
 * second (`closingPerSecond`: positive while it catches up).
 */
export function smoothed(readings: readonly Reading[], atMs: number, closingPerSecond = 0): number {
  const values = readings
    .map((reading) => reading.behindSeconds - (closingPerSecond * (atMs - reading.atMs)) / 1000)
    .sort((a, b) => a - b);
  const middle = values.length >> 1;
  const upper = values[middle] ?? 0;
  return values.length % 2 === 1 ? upper : (upper + (values[middle - 1] ?? upper)) / 2;
}
