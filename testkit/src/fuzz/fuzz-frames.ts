/**
 * Frames for a fuzzer: packets of Socket.IO that are right, and the same broken in their type, their text or their
 * nesting. The dice decide everything. Knows no server.
 */
import type { Dice } from './fuzz-payloads.ts';

const packetTypes = [
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '',
  '40',
  '41',
  '42',
  '43',
  '44',
  '45',
  '451-',
  '42/other,',
  '9',
];
const pieces = [
  '"',
  '[',
  ']',
  '{',
  '}',
  ',',
  ':',
  '\\',
  '\\u0000',
  '\u{1F4A5}',
  'null',
  '-',
  '1e999',
  '__proto__',
  '\uFFFF',
];

/** Broken or whole frames made of `[name, payload]`. */
export function frameMaker(dice: Dice): (name: string, payload: unknown) => string | Buffer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(dice() * from.length)] as T;
  const at = (text: string) => Math.floor(dice() * (text.length + 1));

  function broken(text: string): string {
    const way = Math.floor(dice() * 6);
    const place = at(text);
    if (way === 0) return text.slice(0, place);
    if (way === 1) return text.slice(0, place) + pick(pieces) + text.slice(place);
    if (way === 2) return text.slice(0, place) + text.slice(at(text));
    if (way === 3) return text.replace(/^\d*/, pick(packetTypes));
    if (way === 4) return `42${'['.repeat(1 + Math.floor(dice() * 6000))}`;
    return text + text;
  }

  return (name, payload) => {
    const id = String(Math.floor(dice() * 1e6));
    let frame = `42${id}${JSON.stringify([name, payload])}`;
    if (dice() < 0.15) return frame;
    const times = 1 + Math.floor(dice() * 3);
    for (let n = 0; n < times; n += 1) frame = broken(frame);
    return dice() < 0.1 ? Buffer.from(frame, dice() < 0.5 ? 'utf8' : 'latin1') : frame;
  };
}
