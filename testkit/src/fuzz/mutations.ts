/** Changes real files in places, as the dice say: cut, repeated, overwritten, mixed with another one. Knows no format. */
import type { Dice } from './fuzz-payloads.ts';

const mostChanges = 8;
/** What decides about a file stands mostly at its head. */
const headBytes = 4096;
const edges = [0, 1, 0x7f, 0x80, 0xfe, 0xff];
/** Lengths and counts that are larger than the file, negative, or nothing. */
const lengths = [0, 1, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff, 0xff_ff_ff_fe, 0x10_00_00];
const words = [
  ...['\0', '\n', '\r', '\u{FEFF}', '\u{202E}', '\u{1F4A5}', '99:99:99.999', ' --> ', '00:00:00,000 --> 00:00:01,000'],
  ...[
    '[00:00.00]',
    '[99999:99.99]',
    '<',
    '</',
    '<!--',
    '&#x10FFFF;',
    '&amp;',
    '{\\an8}',
    '#EXTM3U',
    '#EXTINF:-1,',
    '%00',
    '%zz',
  ],
  ...[
    'WEBVTT\n\n',
    '[Events]\nFormat: ',
    ';',
    ',',
    '"',
    "'",
    '\\',
    '1e999',
    '-0',
    ' '.repeat(5000),
    '<b>'.repeat(3000),
    '['.repeat(5000),
  ],
];
const values = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  0.1,
  '',
  'x',
  'x'.repeat(10_000),
  '\0',
  '__proto__',
  [],
  {},
  [[]],
  [null],
];

/** `seeds` are real files of the kind, one of which it changes. */
export function mutated(dice: Dice, seeds: readonly Buffer[]): Buffer {
  const below = (most: number) => Math.floor(dice() * most);
  const seed = seeds[below(seeds.length)] ?? Buffer.alloc(0);
  if (dice() < 0.05) return seed;
  if (seed.subarray(0, 2).toString() === '{"' && dice() < 0.7)
    return Buffer.from(JSON.stringify(mutatedValue(dice, JSON.parse(seed.toString()))));
  let bytes = Buffer.from(seed);
  for (let change = 1 + below(mostChanges); change > 0; change -= 1) {
    const at = below(dice() < 0.6 ? Math.min(bytes.length, headBytes) : bytes.length);
    const end = Math.min(bytes.length, at + 1 + below(dice() < 0.8 ? 64 : bytes.length));
    const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
    const way = below(8);
    if (way === 0) bytes = Buffer.concat([before, after]);
    else if (way === 1) bytes = Buffer.concat([before, middle, middle, middle, after]);
    else if (way === 2) bytes = Buffer.concat([before, Buffer.from(words[below(words.length)] ?? ''), after]);
    else if (way === 3) bytes = Buffer.concat([before, (seeds[below(seeds.length)] ?? seed).subarray(at)]);
    else if (way === 4 && dice() < 0.3) bytes = Buffer.from(before);
    else if (way === 5 && at + 4 <= bytes.length) bytes.writeUInt32BE(lengths[below(lengths.length)] ?? 0, at);
    else if (way === 6 && at + 4 <= bytes.length) bytes.writeUInt32LE(lengths[below(lengths.length)] ?? 0, at);
    else if (bytes.length > 0) bytes[at] = dice() < 0.5 ? (edges[below(edges.length)] ?? 0) : below(256);
  }
  return bytes;
}

/** One value somewhere in it is another one, is gone, or is there many times. */
function mutatedValue(dice: Dice, value: unknown): unknown {
  const other = () => values[Math.floor(dice() * values.length)];
  if (typeof value !== 'object' || value === null || dice() < 0.05) return other();
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const at = Math.floor(dice() * items.length);
    if (dice() < 0.1) return items.flatMap((item) => [item, item]);
    return items.map((item, index) => (index === at ? mutatedValue(dice, item) : item));
  }
  const entries = Object.entries(value);
  const at = Math.floor(dice() * entries.length);
  const isGone = dice() < 0.1;
  return Object.fromEntries(
    entries.flatMap(([name, item], index) =>
      index === at ? (isGone ? [] : [[name, mutatedValue(dice, item)]]) : [[name, item]],
    ),
  );
}
