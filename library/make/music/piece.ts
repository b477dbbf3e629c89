/**
 * A piece as data: parts that hold notes counted in beats. Nothing here makes a sound;
 * render-piece does, and the films read the same notes so that pictures move with the music.
 */
import type { Voice } from '../sound/voice.ts';
import { midiOf } from './chords.ts';

/** `beat` counts from 0 at the start of the piece; `velocity` is 0..1. */
export interface ScoreNote {
  readonly beat: number;
  readonly beats: number;
  readonly midi: number;
  readonly velocity: number;
}

/** One instrument. `pan` is -1 (left) .. 1 (right), `width` spreads chords around it; sends are 0..1. */
export interface Part {
  readonly name: string;
  readonly voice: Voice;
  readonly notes: readonly ScoreNote[];
  readonly level: number;
  readonly pan?: number;
  readonly width?: number;
  readonly reverb?: number;
  readonly echo?: number;
  /** How far each kick pushes this part down, 0..1. */
  readonly duck?: number;
}

/** `swing` is where the second half of `swingBeats` falls: 0.5 is straight, 0.66 is triplets. */
export interface Piece {
  readonly id: string;
  readonly title: string;
  readonly mood: string;
  readonly seed: number;
  readonly beatsPerMinute: number;
  readonly beatsPerBar: number;
  readonly bars: number;
  readonly swing: number;
  readonly swingBeats: number;
  readonly reverbSeconds: number;
  readonly echoBeats: number;
  readonly parts: readonly Part[];
}

/** Seconds after the last bar for everything to ring out. */
export const tailSeconds = 2;

/** When a beat sounds, swing included. */
export function secondsAt(piece: Piece, beat: number): number {
  const unit = piece.swingBeats;
  const whole = Math.floor(beat / unit) * unit;
  const part = (beat - whole) / unit;
  const swung = part < 0.5 ? part * 2 * piece.swing : piece.swing + (part - 0.5) * 2 * (1 - piece.swing);
  return ((whole + swung * unit) * 60) / piece.beatsPerMinute;
}

/** The whole piece with its tail. */
export function pieceSeconds(piece: Piece): number {
  return (piece.bars * piece.beatsPerBar * 60) / piece.beatsPerMinute + tailSeconds;
}

/** Reads a line such as `C5 1, r .5, A4 .5 | …`; bar lines are for the eye. */
export function line(text: string, startBeat: number, velocity: number): ScoreNote[] {
  let beat = startBeat;
  return text
    .split(/[,|]/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
    .flatMap((word) => {
      const [name = '', length = ''] = word.split(' ');
      const beats = Number(length);
      if (!(beats > 0)) throw new Error(`no length in '${word}'`);
      const start = beat;
      beat += beats;
      return name === 'r' ? [] : [{ beat: start, beats, midi: midiOf(name), velocity }];
    });
}

/** A drum pattern for one bar: one character per step, `x` loud, `o` soft, `.` nothing. */
export function pattern(steps: string, barBeats: number, startBeat: number, loudness = 1): ScoreNote[] {
  const step = barBeats / steps.length;
  return Array.from(steps).flatMap((mark, index) =>
    mark === '.'
      ? []
      : [{ beat: startBeat + index * step, beats: step, midi: 60, velocity: (mark === 'x' ? 0.95 : 0.5) * loudness }],
  );
}

/** Runs `write` for each bar from `from` up to, not including, `to`. */
export function overBars(
  from: number,
  to: number,
  barBeats: number,
  write: (bar: number, beat: number) => ScoreNote[],
): ScoreNote[] {
  const notes: ScoreNote[] = [];
  for (let bar = from; bar < to; bar += 1) notes.push(...write(bar, bar * barBeats));
  return notes;
}

/** A chord of equal notes, upper ones a little softer. */
export function chordAt(midis: readonly number[], beat: number, beats: number, velocity: number): ScoreNote[] {
  return midis.map((midi, index) => ({ beat, beats, midi, velocity: velocity * (1 - 0.05 * index) }));
}
