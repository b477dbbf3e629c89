/**
 * Struck and keyed voices: electric piano, piano, vibraphone, marimba, kalimba.
 * All are additive or two-operator FM, decaying on their own as the real ones do.
 */
import { noise } from '../random.ts';
import { lowPass } from './filters.ts';
import { held, hertz, sampleRate, silence } from './voice.ts';
import type { Voice } from './voice.ts';

const turn = 2 * Math.PI;

/** Electric piano: FM whose brightness falls with time and rises with velocity, plus a short tine. */
export const electricPiano: Voice = ({ midi, seconds, velocity }) => {
  const out = silence(seconds + 0.9);
  const f = hertz(midi);
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    const bark = (0.25 + 1.5 * velocity) * Math.exp(-t * 2.6);
    const body = Math.sin(turn * f * t + bark * Math.sin(turn * f * t));
    const tine = 0.07 * velocity * Math.exp(-t * 16) * Math.sin(turn * f * 7 * t);
    const tremolo = 1 - 0.12 * Math.sin(turn * 4.6 * t);
    out[i] = (body * Math.exp(-t * (0.7 + f / 900)) + tine) * tremolo * held(t, 0.004, seconds, 0.14) * velocity;
  }
  return out;
};

/** Felt-like piano: ten slightly stretched partials on two strings, and the thud of the hammer. */
export const feltPiano: Voice = ({ midi, seconds, velocity }, random) => {
  const out = silence(seconds + 1.2);
  const f = hertz(midi);
  const felt = lowPass(900);
  for (let partial = 1; partial <= 10; partial += 1) {
    const stretched = partial * f * Math.sqrt(1 + 0.0004 * partial * partial);
    if (stretched > 9000) break;
    const level = (0.55 + 0.45 * velocity) ** partial / partial ** 1.15;
    const decay = (0.5 + 0.42 * partial) * Math.sqrt(f / 260);
    const phase = random() * turn;
    for (let i = 0; i < out.length; i += 1) {
      const t = i / sampleRate;
      const strings = Math.sin(turn * stretched * t + phase) + 0.7 * Math.sin(turn * stretched * 1.0006 * t);
      const fall = 0.75 * Math.exp(-t * decay * 2.2) + 0.25 * Math.exp(-t * decay * 0.55);
      out[i] = (out[i] ?? 0) + 0.56 * level * strings * fall;
    }
  }
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    const thud = t < 0.05 ? 0.5 * felt(noise(random)) * Math.exp(-t * 90) : 0;
    out[i] = ((out[i] ?? 0) + thud) * held(t, 0.003, seconds, 0.16) * velocity;
  }
  return out;
};

/** A bar or tongue: partials given as [ratio, level, decay per second], with a soft mallet. */
function bar(partials: readonly (readonly [number, number, number])[], tremoloHertz: number, tail: number): Voice {
  return ({ midi, seconds, velocity }, random) => {
    const out = silence(Math.max(seconds, tail * 0.6) + tail);
    const f = hertz(midi);
    const mallet = lowPass(2400);
    for (let i = 0; i < out.length; i += 1) {
      const t = i / sampleRate;
      let sum = t < 0.02 ? 0.25 * mallet(noise(random)) * Math.exp(-t * 220) : 0;
      for (const [ratio, level, decay] of partials) {
        if (f * ratio < 12_000) sum += level * Math.exp(-t * decay) * Math.sin(turn * f * ratio * t);
      }
      const tremolo = tremoloHertz === 0 ? 1 : 0.86 + 0.14 * Math.cos(turn * tremoloHertz * t);
      const end = Math.min(1, (out.length - i) / (0.05 * sampleRate));
      out[i] = sum * tremolo * end * Math.min(1, t / 0.0015) * velocity;
    }
    return out;
  };
}

/** Vibraphone with a slow fan. */
export const vibraphone: Voice = bar(
  [
    [1, 0.9, 1.5],
    [4, 0.16, 6],
    [10.1, 0.04, 22],
  ],
  4.2,
  1.6,
);

/** Marimba: warm and short. */
export const marimba: Voice = bar(
  [
    [1, 1, 5.5],
    [3.93, 0.2, 17],
    [9.6, 0.06, 45],
  ],
  0,
  0.7,
);

/** Kalimba: a long fundamental under a quick metal glint. */
export const kalimba: Voice = bar(
  [
    [1, 1, 3.2],
    [2, 0.1, 6],
    [5.42, 0.14, 24],
  ],
  0,
  1.1,
);
