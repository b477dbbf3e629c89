/**
 * How much later than others one device is heard (Bluetooth, slow speakers), as the listener set it. What a browser
 * reports as its output latency is never added: a media element's `currentTime` contains it already.
 */
import { clampPosition } from '../room/timeline.ts';
import { deviceOffsetLimitMs } from '../timings.ts';

/** A listener's own setting in milliseconds, brought into the range that makes sense. */
export function clampDeviceOffsetMs(offsetMs: number): number {
  if (!Number.isFinite(offsetMs)) return 0;
  return Math.min(deviceOffsetLimitMs, Math.max(-deviceOffsetLimitMs, offsetMs));
}

/** Where the room is while the player of a device that is heard this late is at a position. */
export function roomPosition(positionSeconds: number, deviceOffsetSeconds: number): number {
  return clampPosition(positionSeconds - deviceOffsetSeconds);
}
