/**
 * Pictures that cost far more to decode than their size says, built in memory for tests.
 */

/** Marker, length and what follows, as it stands in a JPEG. */
function segment(marker: number, body: readonly number[]): number[] {
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 0xff, ...body];
}

/** A code table with one code, of one bit. */
const codeTable = (tableClass: 0 | 1, symbol: number) =>
  segment(0xc4, [tableClass << 4, 1, ...Array.from({ length: 15 }, () => 0), symbol]);

/**
 * A square grey progressive JPEG that says the same scan over and over until there are `scans`: each makes the decoder
 * pass over the whole picture, and takes a few bytes. `before` stands in front of its first segment.
 */
export function jpegOfScans(scans: number, side = 64, before: Uint8Array = new Uint8Array()): Buffer {
  const quantisation = segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]);
  const frame = segment(0xc2, [8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0]);
  const blocks = Math.ceil(side / 8) ** 2;
  // A zero bit for each block: no difference from the one before.
  const first = [...segment(0xda, [1, 1, 0, 0, 0, 0]), ...Array.from({ length: Math.ceil(blocks / 8) }, () => 0)];
  // A zero bit and 14 more end 16,384 blocks at once.
  const runs = Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8);
  const again = Buffer.from([...segment(0xda, [1, 1, 0, 1, 63, 0]), ...Array.from({ length: runs }, () => 0)]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    before,
    Buffer.from([...quantisation, ...frame, ...codeTable(0, 0), ...codeTable(1, 0xe0), ...first]),
    ...Array.from({ length: scans - 1 }, () => again),
    Buffer.from([0xff, 0xd9]),
  ]);
}
