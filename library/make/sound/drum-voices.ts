/**
 * Soft drums. The note's pitch is ignored; its velocity is not.
 */
import { noise } from '../random.ts';
import { bandPass, highPass, lowPass } from './filters.ts';
import { sampleRate, silence } from './voice.ts';
import type { Voice } from './voice.ts';

const turn = 2 * Math.PI;

/** Soft bass drum: a sine that falls from about 130 Hz to 48 Hz. */
export const kick: Voice = ({ velocity }, random) => {
  const out = silence(0.5);
  const beater = lowPass(1800);
  let phase = 0;
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    phase += (turn * (48 + 84 * Math.exp(-t * 34))) / sampleRate;
    const click = t < 0.01 ? 0.3 * beater(noise(random)) : 0;
    out[i] = (Math.sin(phase) * Math.exp(-t * 8.5) + click) * Math.min(1, t / 0.002) * velocity;
  }
  return out;
};

/** Noise through a band, with an attack and a decay: the core of everything that is not a drum skin. */
function wash(fromHertz: number, toHertz: number, attack: number, decayPerSecond: number): Voice {
  return ({ velocity }, random) => {
    const out = silence(attack + 6 / decayPerSecond);
    const band = bandPass(fromHertz, toHertz);
    for (let i = 0; i < out.length; i += 1) {
      const t = i / sampleRate;
      const level = t < attack ? t / attack : Math.exp((attack - t) * decayPerSecond);
      out[i] = 2.4 * band(noise(random)) * level * velocity;
    }
    return out;
  };
}

/** Closed hat, open hat, shaker and brush sweep. */
export const hat: Voice = wash(7000, 15_000, 0.001, 70);
export const openHat: Voice = wash(6500, 15_000, 0.002, 14);
export const shaker: Voice = wash(4200, 11_000, 0.018, 48);
export const brush: Voice = wash(900, 6500, 0.03, 17);

/** Snare, half skin and half wires. */
export const snare: Voice = ({ velocity }, random) => {
  const out = silence(0.4);
  const wires = bandPass(1200, 7800);
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    const skin = 0.55 * Math.exp(-t * 24) * (Math.sin(turn * 186 * t) + 0.5 * Math.sin(turn * 331 * t));
    out[i] = (skin + 1.7 * wires(noise(random)) * Math.exp(-t * 17)) * velocity * Math.min(1, t / 0.001);
  }
  return out;
};

/** Cross-stick: a short wooden knock. */
export const rim: Voice = ({ velocity }, random) => {
  const out = silence(0.15);
  const wood = highPass(900);
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    const knock = Math.sin(turn * 1680 * t) + 0.6 * Math.sin(turn * 820 * t);
    out[i] = (knock * Math.exp(-t * 75) + (t < 0.004 ? 0.5 * wood(noise(random)) : 0)) * 0.9 * velocity;
  }
  return out;
};

/** Ride cymbal: a stick's ping over a quiet shimmer. */
export const ride: Voice = ({ velocity }, random) => {
  const out = silence(1.3);
  const metal = highPass(5200);
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    const ping = Math.sin(turn * 3170 * t) + Math.sin(turn * 4430 * t + 1) + 0.7 * Math.sin(turn * 6210 * t + 2);
    const shimmer = metal(noise(random)) * (0.5 * Math.exp(-t * 26) + 0.28 * Math.exp(-t * 3.6));
    out[i] = 1.5 * (0.12 * ping * Math.exp(-t * 20) + shimmer) * velocity * Math.min(1, t / 0.0012);
  }
  return out;
};

/** A few hands, not quite together. */
export const clap: Voice = ({ velocity }, random) => {
  const out = silence(0.4);
  const hands = bandPass(900, 5200);
  const starts = [0, 0.011 + 0.003 * random(), 0.024];
  for (let i = 0; i < out.length; i += 1) {
    const t = i / sampleRate;
    let level = 0;
    for (const start of starts) if (t >= start) level = Math.max(level, Math.exp((start - t) * 95));
    if (t > 0.024) level = Math.max(level, 0.6 * Math.exp((0.024 - t) * 18));
    out[i] = 1.6 * hands(noise(random)) * level * velocity;
  }
  return out;
};

/** Held noise for its whole length: rain (bright) and the surface of a record (sparse ticks). */
export const rain: Voice = ({ seconds, velocity }, random) => {
  const out = silence(seconds);
  const air = bandPass(900, 5200);
  const drop = bandPass(2200, 7000);
  let drops = 0;
  for (let i = 0; i < out.length; i += 1) {
    if (random() < 26 / sampleRate) drops = 0.4 + random();
    drops *= 0.993;
    const edge = Math.min(1, i / (3 * sampleRate), (out.length - i) / (4 * sampleRate));
    out[i] = (0.16 * air(noise(random)) + 0.5 * drops * drop(noise(random))) * edge * velocity;
  }
  return out;
};

export const recordSurface: Voice = ({ seconds, velocity }, random) => {
  const out = silence(seconds);
  const hiss = bandPass(500, 4200);
  const tick = bandPass(1200, 6000);
  let ticks = 0;
  for (let i = 0; i < out.length; i += 1) {
    if (random() < 5 / sampleRate) ticks = random() ** 3;
    ticks *= 0.9;
    const edge = Math.min(1, i / sampleRate, (out.length - i) / (2 * sampleRate));
    out[i] = (0.07 * hiss(noise(random)) + 1.4 * ticks * tick(noise(random))) * edge * velocity;
  }
  return out;
};
