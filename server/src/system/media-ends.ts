/**
 * Whether a file that the server has written is as long as its own head says: WebP pictures and MP4 sound. What a loss of
 * power or a failing disk has emptied, cut or filled with zeros is not.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { systemCode } from './ports.ts';

/** More parts than any file of ours has. */
const mostParts = 1000;

/** Of a file with one of these names; of others only whether they hold anything. */
export async function isWhole(file: FileHandle, name: string): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  if (name.endsWith('.webp')) return await isWholeWebp(file, size);
  if (name.endsWith('.m4a')) return await isWholeMp4(file, size);
  return true;
}

/** What is wrong with the file at this path; null for nothing. */
export async function damageOf(path: string): Promise<'missing' | 'damaged' | null> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? 'missing' : 'damaged';
  }
  try {
    return (await isWhole(file, path)) ? null : 'damaged';
  } catch {
    // The disk can't read it.
    return 'damaged';
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, position);
  return buffer.subarray(0, bytesRead);
}

/** `RIFF`, the length of the rest, `WEBP`. */
async function isWholeWebp(file: FileHandle, size: number): Promise<boolean> {
  const head = await read(file, 0, 12);
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP')
    return false;
  const wanted = 8 + head.readUInt32LE(4);
  return size === wanted || size === wanted + (wanted % 2);
}

/** One part after another, each with its length, the first of them `ftyp`; the last ends where the file ends. */
async function isWholeMp4(file: FileHandle, size: number): Promise<boolean> {
  let at = 0;
  for (let parts = 0; at < size && parts < mostParts; parts += 1) {
    const head = await read(file, at, 16);
    if (head.length < 8) return false;
    if (parts === 0 && head.toString('latin1', 4, 8) !== 'ftyp') return false;
    const short = head.readUInt32BE(0);
    // 0 reaches to the end; 1 says that a longer number follows.
    if (short === 0) return true;
    if (short === 1 && head.length < 16) return false;
    const bytes = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
    if (bytes < 8) return false;
    at += bytes;
  }
  return at === size;
}
