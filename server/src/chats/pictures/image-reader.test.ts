/** Decoding in a process of its own: what it takes, and what becomes of a picture that breaks it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jpegOfScans } from '@tunemate/testkit/fuzz/hostile-images';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { imageReader, type ImageReader, type ImageReaderOptions } from './image-reader.ts';

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
/** Seconds of work in some kilobytes; what weighs pictures would refuse it. */
const slow = () => jpegOfScans(2500, 6320);

let readers: ImageReader[] = [];
afterEach(async () => {
  await Promise.all(readers.map((reader) => reader.close()));
  readers = [];
});

function open(options: Partial<ImageReaderOptions> = {}) {
  const events: { event: string; pid: number }[] = [];
  const note = (fields: object, event: string) =>
    void events.push({ event, pid: 'pid' in fields && typeof fields.pid === 'number' ? fields.pid : 0 });
  const reader = imageReader({ log: { debug: note, info: note, warn: note, error: note }, ...options });
  readers.push(reader);
  const pids = () => events.filter(({ event }) => event === 'image.worker-started').map(({ pid }) => pid);
  return { reader, events, pids };
}

describe('reading pictures', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('takes %s and keeps nothing but pixels', async (format) => {
    const exif = { IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitudeRef: 'N' } };
    const bytes = await blank(3000, 1500).withExif(exif).toFormat(format).toBuffer();
    expect(bytes.includes('SECRET-OWNER')).toBe(true);
    const read = await open().reader.read(bytes);
    if (typeof read === 'string') throw new Error(read);
    const { full, preview, width, height } = read;
    expect([width, height]).toEqual([2048, 1024]);
    for (const kept of [full, preview]) {
      const metadata = await sharp(kept).metadata();
      expect(metadata).toMatchObject({ format: 'webp' });
      expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect((await sharp(preview).metadata()).width).toBe(480);
  });

  test('turns a picture upright', async () => {
    const bytes = await blank(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await open().reader.read(bytes)).toMatchObject({ width: 20, height: 40 });
  });

  test('refuses what is not one of the three, or is damaged', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>');
    const gif = await blank(9, 9).gif().toBuffer();
    const png = await blank(90, 90).png().toBuffer();
    const { reader } = open();
    for (const bytes of [svg, gif, png.subarray(0, png.length / 2), Buffer.from('hello'), Buffer.alloc(0)]) {
      expect(await reader.read(bytes)).toBe('unreadable');
    }
  });

  /** How long a small picture takes once the process runs. */
  async function usualMs(): Promise<number> {
    const { reader } = open();
    const small = await blank(9, 9).png().toBuffer();
    await reader.read(small);
    const startMs = performance.now();
    await reader.read(small);
    return performance.now() - startMs;
  }

  test.each([
    ['processor time', () => ({ killAfterCpuMs: 1000 })],
    // The next one has to be read in it, on a busy machine too.
    ['time', async () => ({ killAfterCpuMs: 60_000, killAfterMs: Math.max(1000, 20 * (await usualMs())) })],
  ])('a picture that takes too much %s is refused, and the next one is read', async (_what, bounds) => {
    const { reader, events, pids } = open(await bounds());
    const [first, second] = await Promise.all([reader.read(slow()), reader.read(await blank(9, 9).png().toBuffer())]);
    expect(first).toBe('too-costly');
    expect(second).toMatchObject({ width: 9 });
    expect(new Set(pids()).size).toBe(2);
    expect(events.map(({ event }) => event)).toContain('image.worker-lost');
  });

  test('a picture is not refused because others keep the processor', async () => {
    const { reader, pids } = open();
    const small = await blank(9, 9).png().toBuffer();
    await reader.read(small);
    const worker = pids()[0] ?? 0;
    process.kill(worker, 'SIGSTOP');
    const reading = reader.read(small);
    // Longer than it may decode.
    await pause(6000);
    process.kill(worker, 'SIGCONT');
    expect(await reading).toMatchObject({ width: 9 });
  });

  test('a picture that takes too much memory is refused, and the next one is read', async () => {
    // Interlaced: kept in memory as a whole.
    const heavy = await blank(8000, 4900).png({ progressive: true }).toBuffer();
    const { reader, pids } = open({ killAfterCpuMs: 60_000, killOverMb: 160 });
    expect(await reader.read(heavy)).toBe('too-costly');
    expect(await reader.read(await blank(9, 9).png().toBuffer())).toMatchObject({ width: 9 });
    expect(new Set(pids()).size).toBe(2);
  });

  test('a picture that breaks the decoder is refused, and the next one is read', async () => {
    const { reader, pids } = open({ killAfterCpuMs: 60_000 });
    const reading = reader.read(slow());
    await expect.poll(pids).toHaveLength(1);
    process.kill(pids()[0] ?? 0, 'SIGSEGV');
    expect(await reading).toBe('broke-decoder');
    expect(await reader.read(await blank(9, 9).png().toBuffer())).toMatchObject({ width: 9 });
  });

  test('the process is started by the first picture, and ended when none comes any more or the server ends', async () => {
    const { reader, pids, events } = open({ endIdleAfterMs: 50 });
    const ended = () => events.filter(({ event }) => event === 'image.worker-ended').length;
    expect(pids()).toEqual([]);
    await reader.read(await blank(9, 9).png().toBuffer());
    await expect.poll(ended).toBe(1);
    const reading = reader.read(slow()).catch((error: unknown) => error);
    await expect.poll(pids).toHaveLength(2);
    await reader.close();
    expect(await reading).toMatchObject({ code: 'server/unavailable' });
    expect(ended()).toBe(2);
  });

  test('the serving process does not load the decoder', async () => {
    const app = join(import.meta.dirname, '../../app/app.ts');
    const look = 'process.report.getReport().sharedObjects.filter((path) => /sharp|vips/.test(path))';
    const script = (module: string) => `await import(${JSON.stringify(module)}); console.log(JSON.stringify(${look}))`;
    const loadedBy = async (module: string) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script(module)], {
        cwd: import.meta.dirname,
      });
      return JSON.parse(stdout) as string[];
    };
    expect(await loadedBy(app)).toEqual([]);
    expect(await loadedBy('sharp')).not.toEqual([]);
  });
});

test('pictures of different networks are decoded in turn, however many one of them sent', async () => {
  const { reader } = open();
  const bytes = await blank(40, 20).jpeg().toBuffer();
  const done: string[] = [];
  const read = async (network: string) => {
    await reader.read(bytes, network);
    done.push(network);
  };
  const many = Array.from({ length: 20 }, () => read('a'));
  await Promise.all([read('b'), read('c'), ...many]);
  expect(Math.max(done.indexOf('b'), done.indexOf('c'))).toBeLessThanOrEqual(3);
});
