/**
 * Plucked strings, basses and the pad.
 */
import { noise } from '../random.ts';
import { lowPass, sweepLowPass } from './filters.ts';
import { held, hertz, sampleRate, silence } from './voice.ts';
import type { Voice } from './voice.ts';

const turn = 2 * Math.PI;

/**
 * Plucked string after Karplus and Strong (1983): a burst of noise circulating in a delay line,
 * tuned between samples by a first-order all-pass. `brightness` in hertz colours the pluck, `ring` is seconds to -60 dB.
 */
export function pluckedString(brightness: number, ring: number): Voice {
  return ({ midi, seconds, velocity }, random) => {
    const f = hertz(midi);
    const out = silence(Math.min(seconds + 0.5, ring));
    const period = sampleRate / f - 0.5;
    const whole = Math.floor(period - 0.1);
    const fraction = period - whole;
    const tune = (1 - fraction) / (1 + fraction);
    const loss = 10 ** (-3 / (f * ring));
    const pick = lowPass(brightness * (0.35 + 0.65 * velocity));
    const line = Float64Array.from({ length: whole }, () => pick(noise(random)) * 1.6);
    let last = 0;
    let before = 0;
    let tuned = 0;
    for (let i = 0; i < out.length; i += 1) {
      const at = i % whole;
      const now = line[at] ?? 0;
      const averaged = loss * 0.5 * (now + last);
      last = now;
      tuned = tune * (averaged - tuned) + before;
      before = averaged;
      line[at] = tuned;
      const end = Math.min(1, (out.length - i) / (0.08 * sampleRate));
      out[i] = 1.6 * now * held(i / sampleRate, 0.001, seconds, 0.12) * end * velocity;
    }
    return out;
  };
}

/** Nylon-like pluck for accompaniment and arpeggios. */
export const nylon: Voice = pluckedString(2600, 3.2);

/** Brighter, shorter pluck for leads. */
export const harpPluck: Voice = pluckedString(5200, 2.4);

/** Round electric bass: three partials, gently saturated. */
export const roundBass: Voice = ({ midi, seconds, velocity }) => {
  const out = silence(seconds + 0.25);
  const f = hertz(midi);
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    const body = Math.sin(turn * f * t) + 0.42 * Math.exp(-t * 3) * Math.sin(turn * 2 * f * t);
    const edge = 0.22 * Math.exp(-t * 9) * Math.sin(turn * 3 * f * t);
    out[i] = 0.68 * Math.tanh(1.3 * (body + edge) * Math.exp(-t * 0.7)) * held(t, 0.006, seconds, 0.05) * velocity;
  }
  return out;
};

/** Upright bass: a finger's noise, a pitch that settles, wood that dies away. */
export const uprightBass: Voice = ({ midi, seconds, velocity }, random) => {
  const out = silence(seconds + 0.25);
  const f = hertz(midi);
  const finger = lowPass(700);
  let phase = 0;
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    phase += (turn * f * (1 + 0.012 * Math.exp(-t * 40))) / sampleRate;
    const wood =
      Math.sin(phase) * Math.exp(-t * 1.9) +
      0.5 * Math.sin(2 * phase) * Math.exp(-t * 4.2) +
      0.26 * Math.sin(3 * phase) * Math.exp(-t * 7) +
      0.12 * Math.sin(5 * phase) * Math.exp(-t * 14);
    const touch = t < 0.03 ? 0.6 * finger(noise(random)) * Math.exp(-t * 120) : 0;
    out[i] = 0.72 * (wood + touch) * held(t, 0.005, seconds, 0.06) * velocity;
  }
  return out;
};

/** Band-limited step correction for a saw (polynomial BLEP). */
function sawCorrection(phase: number, step: number): number {
  if (phase < step) return 2 * (phase / step) - (phase / step) ** 2 - 1;
  if (phase > 1 - step) return ((phase - 1) / step) ** 2 + 2 * ((phase - 1) / step) + 1;
  return 0;
}

/** Slow pad: three saws a few cents apart under a filter that breathes. */
export const warmPad: Voice = ({ midi, seconds, velocity }, random) => {
  const out = silence(seconds + 2.4);
  const saws = [-6, 0.5, 7].map((cents) => ({
    step: (hertz(midi) * 2 ** (cents / 1200)) / sampleRate,
    phase: random(),
  }));
  const filter = sweepLowPass(1.3);
  const breath = random() * turn;
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    let sum = 0;
    for (const saw of saws) {
      sum += 2 * saw.phase - 1 - sawCorrection(saw.phase, saw.step);
      saw.phase = (saw.phase + saw.step) % 1;
    }
    const cutoff = 520 + 700 * velocity + 260 * Math.sin(turn * 0.11 * t + breath);
    out[i] = 0.3 * filter(sum, cutoff) * held(t, 0.7, seconds, 0.6) * velocity;
  }
  return out;
};
