/**
 * Reads the cost of decoding a picture from its header, in at most one pass over the bytes.
 */

/** Decoded pixels of one picture; the decoder enforces the same limit. */
export const maxPixels = 40_000_000;

export interface ImageHead {
  width: number;
  height: number;
  /** How often a decoder passes over the whole picture. */
  scans: number;
  /** True when decoding needs the whole picture in memory, or twice the memory for each row. */
  isHeavy: boolean;
}

/** Null unless the bytes begin a JPEG, PNG or WebP. */
export function readHead(bytes: Uint8Array): ImageHead | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 30) return null;
  if (file.readUInt16BE(0) === 0xffd8) return readJpeg(file);
  if (file.readUInt32BE(0) === 0x89504e47 && file.readUInt32BE(4) === 0x0d0a1a0a) return readPng(file);
  if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP') return readWebp(file);
  return null;
}

function readPng(file: Buffer): ImageHead | null {
  if (file.toString('latin1', 12, 16) !== 'IHDR') return null;
  const [depth, interlace] = [file.readUInt8(24), file.readUInt8(28)];
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20), scans: 1, isHeavy: depth > 8 || interlace > 0 };
}

function readWebp(file: Buffer): ImageHead | null {
  const size = webpSize(file);
  return size && { ...size, scans: 1, isHeavy: false };
}

/** The size of the canvas in the extended format, of the picture in the two simple ones. */
function webpSize(file: Buffer): { width: number; height: number } | null {
  const kind = file.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ') return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (kind !== 'VP8L') return null;
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/**
 * Goes from marker to marker, as a decoder does: segments with a length are skipped, so that pictures inside them (a
 * camera's preview) are not counted, and bytes after the end of the picture are ignored.
 */
function readJpeg(file: Buffer): ImageHead | null {
  let head: ImageHead | null = null;
  let scans = 0;
  for (let at = nextMarker(file, 2); at + 4 <= file.length;) {
    const marker = file.readUInt8(at + 1);
    if (marker === endOfImage) break;
    if (isFrame(marker) && at + 9 <= file.length) {
      head ??= { height: file.readUInt16BE(at + 5), width: file.readUInt16BE(at + 7), scans: 0, isHeavy: false };
    }
    if (marker === startOfScan) scans += 1;
    at = nextMarker(file, at + 2 + Math.max(2, file.readUInt16BE(at + 2)));
  }
  return head && { ...head, scans };
}

/** The position of the next marker with a length, or of the picture's end. A scan by bytes, which is fast enough. */
function nextMarker(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at += 1) {
    if (file[at] !== 0xff) continue;
    const marker = file.readUInt8(at + 1);
    if (marker !== 0xff && !standsAlone(marker)) return at;
  }
  return file.length;
}

const endOfImage = 0xd9;
const startOfScan = 0xda;

/** An escaped 0xFF of the data, a restart or an unknown marker: no length follows. */
const standsAlone = (marker: number): boolean => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8);
/** The start of a frame; three markers of its range are other tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
