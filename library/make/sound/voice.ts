/**
 * What a voice is: it turns one note into mono samples. Voices know nothing of tempo, panning or rooms;
 * the mixer places them.
 */
import type { Random } from '../random.ts';

/** Samples per second of everything in library/make. */
export const sampleRate = 44_100;

/** One sounding note. `seconds` is how long it is held, `velocity` is 0..1. */
export interface Sound {
  readonly midi: number;
  readonly seconds: number;
  readonly velocity: number;
}

/** Renders a sound from its start to the end of its release. */
export type Voice = (sound: Sound, random: Random) => Float32Array;

/** Equal temperament, A4 = MIDI 69 = 440 Hz. */
export function hertz(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12);
}

/** A silent buffer long enough for `seconds`. */
export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.ceil(seconds * sampleRate));
}

/** Linear attack, then 1 while held, then an exponential release; all times in seconds. */
export function held(t: number, attack: number, holdSeconds: number, release: number): number {
  const rise = t < attack ? t / attack : 1;
  return t < holdSeconds ? rise : rise * Math.exp((holdSeconds - t) / release);
}
