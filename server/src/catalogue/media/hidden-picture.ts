/**
 * Hides the picture inside a media file from players. Chromium treats it as a film and waits for frames that never come:
 * measured, it starts a track of 98 kbit/s after 62 s of it have arrived, and after 3 s without the picture. Covers have
 * an address of their own, so a file is sent with its picture renamed to something that players skip. No other byte
 * changes or moves. For MP4 and ID3; in other formats players do not wait.
 */
import { putLatest } from '@tunemate/domain';
import { pipeline, type Readable, Transform } from 'node:stream';

/** Bytes to send instead of those of the file, from the position `at` on. */
export interface Patch {
  readonly at: number;
  readonly bytes: Buffer;
}

/** A file, or what stands for one. */
export interface ReadsAt {
  read(into: Buffer, offset: number, length: number, at: number): Promise<{ buffer: Buffer; bytesRead: number }>;
}

/** A file with more boxes or frames before its picture is sent unchanged. */
const mostSteps = 300;
/** The boxes around an MP4's picture, and the name of a box that players skip. */
const wayToPicture = ['moov', 'udta', 'meta', 'ilst', 'covr'];
const boxToSkip = Buffer.from('free');
/** `meta` begins with a version before its boxes. */
const versionBytes = 4;
/** ID3 keeps names that begin with X for experiments: players skip those that they do not know. */
const frameToSkip = Buffer.from('X');

/** The patches that hide the pictures of a file of `size` bytes; empty when no picture is found. */
export async function hidePicture(file: ReadsAt, size: number): Promise<readonly Patch[]> {
  const read = reader(file);
  const start = await read(0, 10);
  if (start.length < 10) return [];
  if (start.toString('latin1', 4, 8) === 'ftyp') return await hideInMp4(read, 0, size, wayToPicture);
  return start.toString('latin1', 0, 3) === 'ID3' ? await hideInId3(read, start) : [];
}

const rememberedFiles = 2000;

/**
 * As `hidePicture`, once for each version of a file: players ask for dozens of ranges of a track, and each would be looked
 * through anew. `version` names a file and its state.
 */
export function rememberedPictures() {
  const known = new Map<string, Promise<readonly Patch[]>>();
  return (version: string, file: ReadsAt, size: number): Promise<readonly Patch[]> => {
    const found =
      known.get(version) ??
      hidePicture(file, size).catch((error: unknown) => {
        known.delete(version);
        throw error;
      });
    return putLatest(known, version, found, rememberedFiles);
  };
}

export type PicturesOf = ReturnType<typeof rememberedPictures>;

type Read = (at: number, length: number) => Promise<Buffer>;

/** Reads nothing after `mostSteps` reads. */
function reader(file: ReadsAt): Read {
  let steps = 0;
  return async (at, length) => {
    steps += 1;
    if (steps > mostSteps) return Buffer.alloc(0);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
}

/** A box is length, name, contents. Length 1: a 64-bit length follows; length 0: up to the end. */
async function hideInMp4(read: Read, from: number, to: number, way: readonly string[]): Promise<readonly Patch[]> {
  const [wanted, ...rest] = way;
  for (let at = from; at + 8 <= to;) {
    const head = await read(at, 16);
    if (head.length < 8) return [];
    const short = head.readUInt32BE(0);
    const headBytes = short === 1 ? 16 : 8;
    if (head.length < headBytes) return [];
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    if (length < headBytes) return [];
    if (head.toString('latin1', 4, 8) === wanted) {
      if (rest.length === 0) return [{ at: at + 4, bytes: boxToSkip }];
      const inside = at + headBytes + (wanted === 'meta' ? versionBytes : 0);
      return await hideInMp4(read, inside, Math.min(to, at + length), rest);
    }
    at += length;
  }
  return [];
}

/** A frame is name, length and, from version 3 on, two flags. Version 4 has lengths with 7 bits per byte. */
async function hideInId3(read: Read, head: Buffer): Promise<readonly Patch[]> {
  const [version = 0, flags = 0] = [head[3], head[5]];
  // Escaped bytes would shift all that follows; extended headers hardly occur.
  if (version < 2 || version > 4 || (flags & 0xc0) !== 0) return [];
  const isShort = version === 2;
  const [nameBytes, headBytes] = isShort ? [3, 6] : [4, 10];
  const end = head.length + sevenBits(head.subarray(6, 10));
  const patches: Patch[] = [];
  for (let at = head.length; at + headBytes <= end;) {
    const frame = await read(at, headBytes);
    const name = frame.toString('latin1', 0, nameBytes);
    if (frame.length < headBytes || !/^[A-Z][A-Z0-9]+$/.test(name)) return patches;
    if (name === (isShort ? 'PIC' : 'APIC')) patches.push({ at, bytes: frameToSkip });
    const size = frame.subarray(nameBytes, isShort ? 6 : 8);
    at += headBytes + (version === 4 ? sevenBits(size) : size.readUIntBE(0, size.length));
  }
  return patches;
}

const sevenBits = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);

/** Applies the patches that fall between `first` and `last`. */
export function patched(bytes: Readable, { first, last }: { first: number; last: number }, patches: readonly Patch[]) {
  const inside = patches.filter((patch) => patch.at <= last && patch.at + patch.bytes.length > first);
  if (inside.length === 0) return bytes;
  let at = first;
  const overlay = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const patch of inside) {
        const from = Math.max(patch.at, at);
        const until = Math.min(patch.at + patch.bytes.length, at + chunk.length);
        if (from < until) patch.bytes.copy(chunk, from - at, from - patch.at, until - patch.at);
      }
      at += chunk.length;
      done(null, chunk);
    },
  });
  // Ending one of the two streams ends both.
  return pipeline(bytes, overlay, () => undefined);
}
