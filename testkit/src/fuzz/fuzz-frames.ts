/**
 * Frames for a fuzzer: requests and words that are right, and the same broken in their number, their text or their
 * nesting. The dice decide everything. Knows no server.
 */
import { byeWord, pingWord, pongWord, writeRequest } from '@tunemate/protocol';
import type { Dice } from './fuzz-payloads.ts';

const words = [pongWord, pingWord, byeWord, '', 'ping ', 'PONG', '2', '40', '42["x"]', '[', '[]', '{}', 'null', '0'];
const heads = ['-1', '1.5', '1e999', '9007199254740993', 'null', '"1"', '[1]', '{}', '', 'true', '00'];
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
    if (way === 3) return text.replace(/^\[\d+/, `[${pick(heads)}`);
    if (way === 4) return `[1,"chats/list",${'['.repeat(1 + Math.floor(dice() * 6000))}`;
    return text + text;
  }

  return (name, payload) => {
    let frame = writeRequest(Math.floor(dice() * 1e6), name, payload);
    if (dice() < 0.15) return frame;
    if (dice() < 0.1) return pick(words);
    const times = 1 + Math.floor(dice() * 3);
    for (let n = 0; n < times; n += 1) frame = broken(frame);
    return dice() < 0.1 ? Buffer.from(frame, dice() < 0.5 ? 'utf8' : 'latin1') : frame;
  };
}
