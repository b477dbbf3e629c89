/**
 * The last step: rumble removed, level set, peaks held under a ceiling that leaves room for the encoders.
 */
import { highPass } from './filters.ts';
import type { Stereo } from './room.ts';
import { sampleRate } from './voice.ts';

/** -3.5 dBFS: lossy encoders at these bit rates overshoot by up to 2.5 dB. */
const ceiling = 0.67;

/** Root mean square over both channels, 0..1. */
export function rootMeanSquare({ left, right }: Stereo): number {
  let sum = 0;
  for (let i = 0; i < left.length; i += 1) sum += (left[i] ?? 0) ** 2 + (right[i] ?? 0) ** 2;
  return Math.sqrt(sum / (2 * left.length));
}

/** The smallest of the last `window` values, at every point (monotonic queue). */
function slidingMinimum(values: Float32Array, window: number): Float32Array {
  const out = new Float32Array(values.length);
  const queue = new Int32Array(values.length);
  let head = 0;
  let tail = 0;
  for (let i = 0; i < values.length; i += 1) {
    while (tail > head && (values[queue[tail - 1] ?? 0] ?? 0) >= (values[i] ?? 0)) tail -= 1;
    queue[tail] = i;
    tail += 1;
    if ((queue[head] ?? 0) <= i - window) head += 1;
    out[i] = values[queue[head] ?? 0] ?? 1;
  }
  return out;
}

/** Brings the mix to `targetRms` (0..1) and fades it; changes it in place. Times in seconds. */
export function master(mix: Stereo, targetRms: number, fadeInSeconds: number, fadeOutSeconds: number): void {
  const length = mix.left.length;
  for (const channel of [mix.left, mix.right]) {
    const rumble = highPass(30);
    const air = highPass(2400);
    for (let i = 0; i < length; i += 1) {
      const clean = rumble(channel[i] ?? 0);
      channel[i] = clean + 0.7 * air(clean);
    }
  }
  const gain = targetRms / rootMeanSquare(mix);
  const wanted = new Float32Array(length);
  for (let i = 0; i < length; i += 1) {
    const fadeIn = Math.min(1, i / (fadeInSeconds * sampleRate));
    const fadeOut = Math.min(1, (length - i) / (fadeOutSeconds * sampleRate));
    const level = gain * fadeIn * fadeOut * fadeOut;
    mix.left[i] = (mix.left[i] ?? 0) * level;
    mix.right[i] = (mix.right[i] ?? 0) * level;
    wanted[i] = Math.min(1, ceiling / Math.max(Math.abs(mix.left[i] ?? 0), Math.abs(mix.right[i] ?? 0), 1e-9));
  }
  // A window of minima averaged over the same window never lets a peak through, and never clicks.
  const window = Math.round(0.006 * sampleRate);
  const minima = slidingMinimum(wanted, 2 * window);
  let sum = window;
  for (let i = 0; i < length; i += 1) {
    const ahead = Math.min(length - 1, i + window);
    sum += (minima[ahead] ?? 1) - (i >= 1 ? (minima[Math.max(0, ahead - window)] ?? 1) : 1);
    const held = Math.min(1, sum / window, wanted[i] ?? 1);
    mix.left[i] = (mix.left[i] ?? 0) * held;
    mix.right[i] = (mix.right[i] ?? 0) * held;
  }
}

/** 16-bit little-endian interleaved PCM, as ffmpeg's `s16le`. */
export function toPcm16({ left, right }: Stereo): Buffer {
  const out = Buffer.alloc(left.length * 4);
  for (let i = 0; i < left.length; i += 1) {
    out.writeInt16LE(Math.round(Math.max(-1, Math.min(1, left[i] ?? 0)) * 32_767), i * 4);
    out.writeInt16LE(Math.round(Math.max(-1, Math.min(1, right[i] ?? 0)) * 32_767), i * 4 + 2);
  }
  return out;
}
