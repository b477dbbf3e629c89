/**
 * Ten numerals, a colon and a point cut from one stroke width: no font file is needed to print a clock.
 */
import { px } from './shapes.ts';

/** Centre lines on a field 20 wide and 28 high, for a pen 6.4 wide. */
const numerals: Record<string, string> = {
  '0': 'M10 3.2a6.8 6.8 0 0 1 6.8 6.8v8a6.8 6.8 0 0 1-13.6 0v-8a6.8 6.8 0 0 1 6.8-6.8z',
  '1': 'M4.5 3.2h7.3V28',
  '2': 'M3.2 10.4v-.4a6.8 6.8 0 0 1 13.6 0c0 3.6-2.4 5.3-5.2 7.4-3 2.2-6.2 4-7.4 7.4h13.6',
  '3': 'M3.4 8.6c.4-3.4 3-5.4 6.4-5.4 3.7 0 6.3 2 6.3 5.2 0 3.2-2.5 5.1-6.3 5.1 4.2 0 7 2 7 5.6 0 3.6-2.9 5.7-7 5.7-3.9 0-6.6-2.3-7-5.9',
  '4': 'M14 28V3.2L3.4 20.4H20',
  '5': 'M17.2 3.2H5.2L4.4 13.2c1.5-1.1 3.3-1.7 5.4-1.7 4.2 0 7 2.7 7 6.6 0 4-2.9 6.7-7 6.7-3.5 0-6.2-1.8-6.9-5',
  '6': 'M14.8 3.2C7.5 4.2 3.2 10.2 3.2 18a6.8 6.8 0 1 0 6.8-6.8A6.8 6.8 0 0 0 3.2 18',
  '7': 'M2.5 3.2H16.2L7.8 28',
  '8': 'M10 3.2a5.9 5.1 0 1 0 0 10.2 5.9 5.1 0 1 0 0-10.2zM10 13.4a6.8 5.7 0 1 0 0 11.4 6.8 5.7 0 1 0 0-11.4z',
  '9': 'M5.2 24.8C12.5 23.8 16.8 17.8 16.8 10a6.8 6.8 0 1 0-6.8 6.8A6.8 6.8 0 0 0 16.8 10',
};

/** Prints digits, `:` and `.` with their top left at (x, y); every digit is equally wide. */
export function numeralsAt(text: string, x: number, y: number, height: number, colour: string): string {
  const scale = height / 28;
  let at = 0;
  let marks = '';
  for (const character of text) {
    const d = numerals[character];
    if (d === undefined) {
      const dots = character === ':' ? [8, 20] : [24.6];
      marks += dots.map((cy) => `<circle cx="${px(at + 4.5)}" cy="${cy}" r="3.5" fill="${colour}"/>`).join('');
      at += 12;
    } else {
      marks += `<path transform="translate(${px(at)} 0)" d="${d}" fill="none" stroke="${colour}" stroke-width="6.4" stroke-miterlimit="2.2"/>`;
      at += 24;
    }
  }
  return `<g transform="translate(${px(x)} ${px(y)}) scale(${scale.toFixed(4)})">${marks}</g>`;
}

/** `HH:MM:SS.mmm` for a number of seconds. */
export function clockText(seconds: number): string {
  const ms = Math.floor(seconds * 1000 + 1e-6);
  const pad = (value: number, width: number): string => String(value).padStart(width, '0');
  return `${pad(Math.floor(ms / 3_600_000), 2)}:${pad(Math.floor(ms / 60_000) % 60, 2)}:${pad(Math.floor(ms / 1000) % 60, 2)}.${pad(ms % 1000, 3)}`;
}
