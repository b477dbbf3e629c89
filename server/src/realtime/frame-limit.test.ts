/** The frames in what a client sends, counted wherever the network cuts it. */
import { expect, test } from 'vitest';
import { frameGate } from './frame-limit.ts';

/** As a client writes it: masked, with the shortest form of its length. */
function frame(content: number): Buffer {
  const head = content < 126 ? Buffer.from([0x81, 0x80 | content]) : Buffer.alloc(content < 65_536 ? 4 : 10);
  if (head.length === 4) head.writeUInt16BE(content, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(content), 2);
  if (head.length > 2) head.set([0x81, head.length === 4 ? 0xfe : 0xff]);
  // What it holds looks like more frames.
  return Buffer.concat([head, Buffer.alloc(4), Buffer.alloc(content, 0x81)]);
}

const sizes = [0, 1, 125, 126, 0, 5000, 65_535, 65_536, 3];
const frames = sizes.map(frame);
const all = Buffer.concat(frames);

test.each([1, 2, 3, 5, 7, 4096, 65_536, all.length])(
  'frames that arrive in pieces of %i bytes are counted once each, by their headers',
  (pieceBytes) => {
    let begun = 0;
    let allowed = 0;
    const allowedOf = frameGate(() => (begun += 1) > 0);
    for (let from = 0; from < all.length; from += pieceBytes)
      allowed += allowedOf(all.subarray(from, from + pieceBytes));
    expect(allowed).toBe(all.length);
    expect(begun).toBe(sizes.length);
  },
);

test.each([1, 11, all.length])(
  'what stands before a frame too many is let through, in pieces of %i bytes',
  (pieceBytes) => {
    let left = 4;
    const allowedOf = frameGate(() => (left -= 1) >= 0);
    let allowed = 0;
    for (let from = 0; from < all.length; from += pieceBytes) {
      const piece = all.subarray(from, from + pieceBytes);
      const passed = allowedOf(piece);
      allowed += passed;
      if (passed < piece.length) break;
    }
    expect(allowed).toBe(Buffer.concat(frames.slice(0, 4)).length);
  },
);
