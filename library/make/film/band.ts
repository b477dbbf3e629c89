/**
 * The band every film wears: a running clock, and the frame's number in binary as punched squares
 * (twelve bits, highest first, two rows of six), so that a camera or a test can read the exact frame.
 */
import { clockText, numeralsAt } from '../pictures/numerals.ts';
import { rect } from '../pictures/shapes.ts';

/** Frames per second of every film. */
export const frameRate = 30;

/** Frame size in pixels. */
export const frameWidth = 640;
export const frameHeight = 360;

/** The band's height in pixels. */
export const bandHeight = 56;

const bits = 12;

/** The band for one frame. */
export function bandAt(frame: number, fill: string, print: string): string {
  const top = frameHeight - bandHeight;
  let punched = '';
  for (let bit = 0; bit < bits; bit += 1) {
    const on = (frame >> (bits - 1 - bit)) & 1;
    const x = 520 + (bit % 6) * 17;
    const y = top + 12 + Math.floor(bit / 6) * 19;
    punched += on === 1 ? rect(x, y, 13, 13, print) : rect(x + 4.5, y + 4.5, 4, 4, print);
  }
  return (
    rect(0, top, frameWidth, bandHeight, fill) +
    numeralsAt(clockText(frame / frameRate), 24, top + 13, 30, print) +
    punched
  );
}
