/**
 * How much later than others one device is heard (Bluetooth, slow speakers): what the listener set, plus what the
 * browser reports when that is believable.
 */
import { DEVICE_OFFSET_LIMIT_MS, OUTPUT_LATENCY_SANE_MS } from './timings.ts';

/** A listener's own setting in milliseconds, brought into the range that makes sense. */
export function clampDeviceOffsetMs(offsetMs: number): number {
  if (!Number.isFinite(offsetMs)) return 0;
  return Math.min(DEVICE_OFFSET_LIMIT_MS, Math.max(-DEVICE_OFFSET_LIMIT_MS, offsetMs));
}

/** A browser's `outputLatency` (seconds) in milliseconds, or 0 when it is missing or not believable. */
export function saneOutputLatencyMs(outputLatencySeconds: number | undefined): number {
  const latencyMs = (outputLatencySeconds ?? 0) * 1000;
  return latencyMs > 0 && latencyMs <= OUTPUT_LATENCY_SANE_MS ? latencyMs : 0;
}
