/**
 * What a film may know of its music at one moment: the notes of a part, how far each has faded, and the progress.
 * Films draw from these alone, so that a picture depends only on its time.
 */
import { pieceSeconds, secondsAt } from '../music/piece.ts';
import type { Piece } from '../music/piece.ts';

/** A note's start in seconds, its key and its strength. */
export interface Cue {
  readonly atSeconds: number;
  readonly midi: number;
  readonly velocity: number;
}

/** The notes of a part in the order they sound. */
export function cuesOf(piece: Piece, partName: string): Cue[] {
  const part = piece.parts.find(({ name }) => name === partName);
  if (part === undefined) throw new Error(`${piece.id} has no part ${partName}`);
  return part.notes
    .map((note) => ({ atSeconds: secondsAt(piece, note.beat), midi: note.midi, velocity: note.velocity }))
    .sort((a, b) => a.atSeconds - b.atSeconds);
}

/** 1 at the latest cue, falling to about 0.05 after `fadeSeconds`; 0 before the first. */
export function pulse(cues: readonly Cue[], seconds: number, fadeSeconds: number): number {
  const last = cues.findLast((cue) => cue.atSeconds <= seconds);
  return last === undefined ? 0 : last.velocity * Math.exp((-3 * (seconds - last.atSeconds)) / fadeSeconds);
}

/** How much of the piece is over, 0..1. */
export function progress(piece: Piece, seconds: number): number {
  return Math.min(1, seconds / pieceSeconds(piece));
}

/** Eases 0..1 with a slight overshoot, as a paper shape that is pressed on. */
export function pressed(t: number): number {
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  const back = t - 1;
  return 1 + 2.4 * back ** 3 + 1.4 * back ** 2;
}

/** Eases 0..1 with no overshoot. */
export function eased(t: number): number {
  const clamped = Math.max(0, Math.min(1, t));
  return clamped * clamped * (3 - 2 * clamped);
}
