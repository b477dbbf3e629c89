/**
 * Decides whether the length that a file says of itself may be false: files that were joined keep the length of one of
 * their parts, and files that were cut keep that of the whole. It reads the first and the last bytes only.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { FoundFile } from './library-item.ts';

/** Tags behind the music, and other rounding. */
const tolerance = 0.03;
const toleratedBytes = 4096;
const headBytes = 4096;
/** The largest page of an Ogg. */
const oggPageBytes = 27 + 255 * 256;
/** Several frames of a FLAC. */
const tailBytes = 192 * 1024;

const tests: Readonly<Record<string, (file: FileHandle, size: number) => Promise<boolean>>> = {
  '.mp3': isMp3Doubtful,
  '.flac': isFlacDoubtful,
  '.webm': isWebMDoubtful,
  '.weba': isWebMDoubtful,
  '.ogg': isOggDoubtful,
  '.oga': isOggDoubtful,
  '.opus': isOggDoubtful,
};

/** True where the length must be counted. Throws where nothing is behind the head. False for other formats, whose end only a player learns. */
export async function isLengthDoubtful({ path, size }: Pick<FoundFile, 'path' | 'size'>): Promise<boolean> {
  const isDoubtful = tests[extname(path).toLowerCase()];
  if (isDoubtful === undefined) return false;
  const file = await open(path);
  try {
    return await isDoubtful(file, size);
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Where the music begins, behind a tag. */
async function tagEnd(file: FileHandle): Promise<number> {
  const head = await read(file, 0, 10);
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0;
  return 10 + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
}

/** The header that some encoders write into the first frame says how many bytes the music has. */
async function isMp3Doubtful(file: FileHandle, size: number): Promise<boolean> {
  const begin = await tagEnd(file);
  const head = await read(file, begin, headBytes);
  const at = Math.max(head.indexOf('Xing'), head.indexOf('Info'));
  if (at < 0 || at + 16 > head.length) return false;
  const [hasFrames, hasBytes] = [(head.readUInt32BE(at + 4) & 1) !== 0, (head.readUInt32BE(at + 4) & 2) !== 0];
  if (!hasFrames || !hasBytes) return false;
  const said = head.readUInt32BE(at + 12);
  return Math.abs(size - begin - said) > toleratedBytes + said * tolerance;
}

/** Each frame of a FLAC says which it is: the last one says the length. */
async function isFlacDoubtful(file: FileHandle, size: number): Promise<boolean> {
  const head = await read(file, await tagEnd(file), 26);
  if (head.length < 26 || head.toString('latin1', 0, 4) !== 'fLaC') return false;
  const block = head.readUInt16BE(10);
  const rate = head.readUIntBE(18, 3) >> 4;
  const samples = ((head[21] ?? 0) & 15) * 2 ** 32 + head.readUInt32BE(22);
  if (samples === 0) return false;
  const tail = await read(file, Math.max(0, size - tailBytes), tailBytes);
  for (let at = tail.lastIndexOf(0xff); at > 0; at = tail.lastIndexOf(0xff, at - 1)) {
    const number = flacFrame(tail.subarray(at, at + 16));
    if (number === null) continue;
    const isVariable = ((tail[at + 1] ?? 0) & 1) === 1;
    return Math.abs(samples - number * (isVariable ? 1 : block)) > block + rate;
  }
  if (size <= tailBytes) throw new Error('no frame of sound');
  return true;
}

/** The number in the head of a frame; null for bytes that are none. */
function flacFrame(bytes: Buffer): number | null {
  const [, second = 0, third = 0, fourth = 0] = bytes;
  if ((second & 0xfe) !== 0xf8 || third >> 4 === 0 || (third & 15) === 15 || fourth >> 4 > 10 || (fourth & 1) === 1) {
    return null;
  }
  // Coded as UTF-8 codes characters, up to seven bytes.
  const first = bytes[4] ?? 0;
  const coded = Math.clz32(~(first << 24));
  const length = Math.max(1, coded);
  if (coded === 1 || coded > 7) return null;
  let number = coded === 0 ? first : first & (0x7f >> coded);
  for (const byte of bytes.subarray(5, 4 + length)) number = number * 64 + (byte & 0x3f);
  const sizeOfBlock = third >> 4 === 6 ? 1 : third >> 4 === 7 ? 2 : 0;
  const sizeOfRate = (third & 15) === 12 ? 1 : (third & 15) > 12 ? 2 : 0;
  const end = 4 + length + sizeOfBlock + sizeOfRate;
  return end < bytes.length && checksum(bytes.subarray(0, end)) === bytes[end] ? number : null;
}

const [ebml, segment] = [0x1a45dfa3, 0x18538067];

/** The part of a WebM that holds everything says how many bytes it has. */
async function isWebMDoubtful(file: FileHandle, size: number): Promise<boolean> {
  const head = await read(file, 0, headBytes);
  if (head.length < 64 || head.readUInt32BE(0) !== ebml) return false;
  const { value, next } = sizeAt(head, 4);
  const begin = next + value;
  if (begin + 12 > head.length || head.readUInt32BE(begin) !== segment) return false;
  const { value: bytes, next: inside, isUnknown } = sizeAt(head, begin + 4);
  return !isUnknown && size < inside + bytes - toleratedBytes;
}

/** A number whose first bits say how many bytes it takes. All ones stand for an unknown one. */
function sizeAt(bytes: Buffer, at: number): { value: number; next: number; isUnknown: boolean } {
  const length = Math.clz32((bytes[at] ?? 0) << 24) + 1;
  let value = (bytes[at] ?? 0) & (0xff >> length);
  for (const byte of bytes.subarray(at + 1, at + length)) value = value * 256 + byte;
  return { value, next: at + length, isUnknown: value === 2 ** (7 * length) - 1 };
}

/** Each page of an Ogg names its stream: the last one of a joined file belongs to another one than the first. */
async function isOggDoubtful(file: FileHandle, size: number): Promise<boolean> {
  const head = await read(file, 0, 27);
  const tail = await read(file, Math.max(0, size - oggPageBytes), oggPageBytes);
  const last = tail.lastIndexOf('OggS');
  if (head.length < 27 || last < 0 || last + 18 > tail.length) return false;
  return head.readUInt32LE(14) !== tail.readUInt32LE(last + 14);
}

/** CRC-8 with the polynomial 7. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x80) === 0 ? sum << 1 : ((sum << 1) ^ 7) & 0xff;
  }
  return sum;
}
