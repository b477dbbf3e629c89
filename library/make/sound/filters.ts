/**
 * The filters the voices and the mixer share. Each call makes one filter with its own memory.
 */
import { sampleRate } from './voice.ts';

/** One sample in, one sample out. */
export type Filter = (sample: number) => number;

/** First-order low-pass; `cutoff` in hertz. */
export function lowPass(cutoff: number): Filter {
  const amount = 1 - Math.exp((-2 * Math.PI * cutoff) / sampleRate);
  let memory = 0;
  return (sample) => (memory += amount * (sample - memory));
}

/** First-order high-pass; `cutoff` in hertz. */
export function highPass(cutoff: number): Filter {
  const low = lowPass(cutoff);
  return (sample) => sample - low(sample);
}

/** Second-order low-pass (Chamberlin state variable) whose cutoff in hertz may move with every sample. */
export function sweepLowPass(resonance: number): (sample: number, cutoff: number) => number {
  let low = 0;
  let band = 0;
  return (sample, cutoff) => {
    const f = 2 * Math.sin((Math.PI * Math.min(cutoff, sampleRate / 6)) / sampleRate);
    low += f * band;
    band += f * (sample - low - resonance * band);
    return low;
  };
}

/** Band between two first-order edges, in hertz. */
export function bandPass(from: number, to: number): Filter {
  const high = highPass(from);
  const low = lowPass(to);
  return (sample) => low(high(sample));
}
