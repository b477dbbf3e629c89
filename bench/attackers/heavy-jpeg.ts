/**
 * A picture that is small to send and slow to decode: a plain grey progressive JPEG whose coefficients come one bit at a
 * time, each in a scan of its own over the whole picture. Everything in it is allowed by the format.
 */
const side = 6320;
const blocks = (side / 8) ** 2;
const longestRun = 32_767;
const components = [1, 2, 3];
const highestBit = 13;

function segment(marker: number, bytes: readonly number[]): Buffer {
  const length = bytes.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...bytes]);
}

/** Code lengths 1 to 16, then the symbols in their order. */
const huffman = (table: number, lengths: readonly number[], symbols: readonly number[]): Buffer =>
  segment(0xc4, [table, ...Array.from({ length: 16 }, (_, index) => lengths[index] ?? 0), ...symbols]);

/** Bits to bytes as scans hold them: filled up with ones, a zero byte behind each 0xff. */
function scanBytes(bits: string): Buffer {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes = (padded.match(/.{8}/g) ?? []).flatMap((byte) => {
    const value = Number.parseInt(byte, 2);
    return value === 0xff ? [value, 0] : [value];
  });
  return Buffer.from(bytes);
}

/** "Nothing in any block" in as few symbols as there can be: runs of 32,767 blocks, then one of the rest. */
function nothing(): Buffer {
  const runs = Math.floor(blocks / longestRun);
  const rest = blocks - runs * longestRun - 1024;
  return scanBytes(`${`00${'1'.repeat(14)}`.repeat(runs)}01${rest.toString(2).padStart(10, '0')}`);
}

/** `scans` are those beside the first; 2,646 is each bit of each coefficient. */
export function heavyJpeg(scans = components.length * 63 * (highestBit + 1)): Buffer {
  const size = [side >> 8, side & 0xff];
  const head = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(0xc2, [8, ...size, ...size, components.length, ...components.flatMap((id) => [id, 0x11, 0])]),
    huffman(0x00, [1], [0]),
    huffman(0x10, [0, 2], [0xe0, 0xa0]),
    segment(0xda, [components.length, ...components.flatMap((id) => [id, 0]), 0, 0, 0]),
    scanBytes('0'.repeat(components.length * blocks)),
  ];
  const empty = nothing();
  const parts: Buffer[] = [];
  for (const id of components) {
    for (let coefficient = 1; coefficient < 64; coefficient += 1) {
      for (let bit = highestBit; bit >= 0; bit -= 1) {
        const before = bit === highestBit ? 0 : bit + 1;
        parts.push(Buffer.concat([segment(0xda, [1, id, 0, coefficient, coefficient, (before << 4) | bit]), empty]));
      }
    }
  }
  return Buffer.concat([...head, ...parts.slice(0, scans), Buffer.from([0xff, 0xd9])]);
}

/** The same, cut off in the middle: decoded up to there and then refused. */
export function brokenJpeg(): Buffer {
  const whole = heavyJpeg();
  return whole.subarray(0, Math.floor(whole.length * 0.8));
}
