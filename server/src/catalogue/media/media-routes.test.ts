/** Serving files over HTTP: ranges, conditions, covers, and access. */
import { cp, mkdir, readdir, readFile, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Uid } from '@tunemate/protocol';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { createLimits } from '../../access/limits.ts';
import type { SentFile } from './exact-copies.ts';
import { libraryId } from '../library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from '../library/media-library.ts';
import { mediaRoutes } from './media-routes.ts';
import { createLog } from '../../system/logging.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const visit = {
  session: { status: 'signed-in', uid: 'A'.repeat(22) as Uid, sessionId: 's' },
  address: '',
  network: '',
  userAgent: '',
  language: 'en',
  isFromThisMachine: false,
  isAtForeignAddress: false,
  device: null,
  waiting: null,
  keepWaiting: () => undefined,
  dropWaiting: () => undefined,
  keepDevice: () => undefined,
  keepSession: () => undefined,
  dropSession: () => undefined,
} as const;
const quiet = createLog('silent');

let dir: TempDir;
let http: FastifyInstance;
let read: MediaLibrary;
let bytes: Buffer;
/** The exact copy of every item, once there is one. */
let copyOf: SentFile | null;
let forgotten: SentFile[];
const url = `/media/${libraryId('song.mp3')}`;

/** What is to be sent of a file: its picture under a name that players skip. */
async function asSent(name: string, picture: string, skipped: string): Promise<Buffer> {
  const file = await readFile(join(media, name));
  file.write(skipped, file.indexOf(picture), 'latin1');
  return file;
}

beforeEach(async () => {
  dir = await makeTempDir('media');
  await cp(join(media, 'tagged.mp3'), join(dir.path, 'song.mp3'));
  await cp(join(media, 'film.mp4'), join(dir.path, 'film.mp4'));
  [copyOf, forgotten] = [null, []];
  bytes = await asSent('tagged.mp3', 'APIC', 'XPIC');
  read = await openMediaLibrary({ folder: dir.path, log: quiet });
  http = Fastify();
  await http.register(
    mediaRoutes({
      library: read,
      copies: { fileOf: (item) => copyOf ?? item, forget: (copy) => void forgotten.push(copy) },
      limits: createLimits({ clock: createFakeClock(), scale: 0 }),
      makeSmaller: () => Promise.resolve(null),
      admitFile: () => ({
        onRequest: async (request, reply) => {
          if (request.headers.cookie !== 'sid=good') await reply.code(401).send({ ok: false });
        },
        inTurn: (_request, work) => work(),
        callerOf: () => visit,
      }),
    }),
  );
});
afterEach(async () => {
  await http.close();
  await dir.remove();
});

const ask = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  http.inject({ method, url: path, headers: { cookie: 'sid=good', ...headers } });

describe('a media file', () => {
  test('comes whole, named and typed, to keep privately', async () => {
    const answer = await ask(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.etag).toMatch(/^"[\w-]+"$/);
    expect((await ask(`/media/${libraryId('film.mp4')}`)).headers['content-type']).toBe('video/mp4');
  });

  test('the copy is sent with its own type and ETag once it is there; a player that began with the original continues with it', async () => {
    const [copy, before] = [await asSent('tagged.m4a', 'covr', 'free'), await ask(url, { range: 'bytes=0-' })];
    copyOf = { path: join(media, 'tagged.m4a'), mime: 'audio/mp4' };
    const rest = await ask(url, { range: 'bytes=100-' });
    expect([rest.headers.etag, rest.headers['content-type']]).toEqual([before.headers.etag, 'audio/mpeg']);
    expect(rest.rawPayload.equals(bytes.subarray(100))).toBe(true);
    const anew = await ask(url, { range: 'bytes=0-' });
    expect(anew.headers['content-type']).toBe('audio/mp4');
    expect(anew.headers.etag).not.toBe(before.headers.etag);
    expect(anew.rawPayload.equals(copy)).toBe(true);
    expect((await ask(url, { range: 'bytes=100-' })).rawPayload.equals(copy.subarray(100))).toBe(true);
  });

  test('the original is sent in place of a copy that is gone by now', async () => {
    copyOf = { path: join(dir.path, 'copies', 'gone.m4a'), mime: 'audio/mp4' };
    const answer = await ask(url);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'audio/mpeg']);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(forgotten).toEqual([copyOf]);
    // A player that began with the original continues with it, though the copy is made again.
    await mkdir(join(dir.path, 'copies'));
    await cp(join(media, 'tagged.m4a'), copyOf.path);
    const rest = await ask(url, { range: 'bytes=100-' });
    expect([rest.statusCode, rest.headers['content-type']]).toEqual([206, 'audio/mpeg']);
    expect((await ask(url)).headers['content-type']).toBe('audio/mp4');
    await rm(copyOf.path);
    // Whose original is gone too is not found.
    await rm(join(dir.path, 'song.mp3'));
    expect((await ask(url)).statusCode).toBe(404);
  });

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, -1],
    ['bytes=-50', -50, -1],
    ['bytes=10-999999', 10, -1],
  ])('%s comes as 206 with its place in the whole', async (range, from, to) => {
    const answer = await ask(url, { range });
    const first = from < 0 ? bytes.length + from : from;
    const last = to < 0 ? bytes.length - 1 : to;
    expect(answer.statusCode).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${String(first)}-${String(last)}/${String(bytes.length)}`);
    expect(answer.headers['content-length']).toBe(String(last - first + 1));
    expect(answer.rawPayload.equals(bytes.subarray(first, last + 1))).toBe(true);
  });

  test('a range past the end is 416 and says how long the file is', async () => {
    const answer = await ask(url, { range: `bytes=${String(bytes.length)}-` });
    expect(answer.statusCode).toBe(416);
    expect(answer.headers['content-range']).toBe(`bytes */${String(bytes.length)}`);
    expect(answer.rawPayload).toHaveLength(0);
  });

  test('several ranges, or nonsense, bring the whole', async () => {
    for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=9-1']) {
      const answer = await ask(url, { range });
      expect(answer.statusCode).toBe(200);
      expect(answer.rawPayload).toHaveLength(bytes.length);
    }
  });

  test('an unchanged copy is 304 without a body', async () => {
    const { headers } = await ask(url);
    const etag = headers.etag as string;
    const conditions = [
      { 'if-none-match': etag },
      { 'if-none-match': `"other", W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-modified-since': headers['last-modified'] as string },
    ];
    for (const condition of conditions) {
      const again = await ask(url, condition);
      expect(again.statusCode).toBe(304);
      expect(again.rawPayload).toHaveLength(0);
      expect(again.headers.etag).toBe(etag);
    }
    const tagWins = { 'if-none-match': '"other"', 'if-modified-since': headers['last-modified'] as string };
    expect((await ask(url, tagWins)).statusCode).toBe(200);
  });

  test('a part is joined only to the same version', async () => {
    const { headers } = await ask(url);
    const etag = headers.etag as string;
    const range = 'bytes=0-9';
    expect((await ask(url, { range, 'if-range': etag })).statusCode).toBe(206);
    expect((await ask(url, { range, 'if-range': headers['last-modified'] as string })).statusCode).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      expect((await ask(url, { range, 'if-range': other })).statusCode).toBe(200);
    }
    await utimes(join(dir.path, 'song.mp3'), new Date(0), new Date(1000));
    expect((await ask(url, { range, 'if-range': etag })).statusCode).toBe(200);
  });

  test('HEAD says all that GET would, and sends nothing', async () => {
    const [whole, head] = [await ask(url), await ask(url, { range: 'bytes=0-9' }, 'HEAD')];
    expect(head.statusCode).toBe(200);
    expect(head.rawPayload).toHaveLength(0);
    for (const name of ['content-length', 'content-type', 'etag', 'accept-ranges', 'last-modified'] as const) {
      expect(head.headers[name]).toBe(whole.headers[name]);
    }
  });

  test('only callers that the guard admits may read files and covers', async () => {
    for (const path of [url, `${url}/cover`, '/media/lib_0000000000000000']) {
      for (const method of ['GET', 'HEAD'] as const) {
        expect((await http.inject({ method, url: path })).statusCode).toBe(401);
      }
    }
    expect((await ask(url, {}, 'POST')).statusCode).toBe(404);
  });

  test.each([
    '/media/lib_0000000000000000',
    '/media/song.mp3',
    '/media/..%2fsong.mp3',
    '/media/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/media/__proto__',
    '/media/lib_0000000000000000/cover',
  ])('%s is not found', async (path) => {
    expect((await ask(path)).statusCode).toBe(404);
  });

  test('a file deleted after the scan is not found', async () => {
    await rm(join(dir.path, 'song.mp3'));
    expect((await ask(url)).statusCode).toBe(404);
    expect((await ask(`${url}/cover`)).statusCode).toBe(404);
  });

  test.each([true, false])(
    'files of a disk that is away are tried again by players (mount point left: %s)',
    async (isLeft) => {
      await rename(dir.path, `${dir.path}-away`);
      if (isLeft) await mkdir(dir.path);
      expect((await ask(url)).statusCode).toBe(503);
      if (isLeft) await read.refresh();
      expect((await ask(url, {}, 'HEAD')).statusCode).toBe(503);
      await rm(dir.path, { recursive: true, force: true });
      await rename(`${dir.path}-away`, dir.path);
      expect((await ask(url)).statusCode).toBe(200);
    },
  );

  test('a listener who disconnects during an answer leaves no file open', async () => {
    const openFiles = async (): Promise<number> => (await readdir('/dev/fd')).length;
    await truncate(join(dir.path, 'song.mp3'), 64 * 1024 * 1024);
    await http.listen({ port: 0, host: '127.0.0.1' });
    const before = await openFiles();
    const leaving = new AbortController();
    const response = await fetch(`${http.listeningOrigin}${url}`, {
      headers: { cookie: 'sid=good', connection: 'close' },
      signal: leaving.signal,
    });
    expect(response.status).toBe(200);
    expect(await openFiles()).toBeGreaterThan(before);
    leaving.abort();
    await expect.poll(openFiles).toBeLessThanOrEqual(before);
  });
});

describe('a cover', () => {
  test('comes out of the file with its own type and tag', async () => {
    const cover = await ask(`${url}/cover`);
    expect(cover.statusCode).toBe(200);
    expect(cover.headers['content-type']).toBe('image/png');
    expect(cover.rawPayload.subarray(1, 4).toString()).toBe('PNG');
    expect((await ask(`${url}/cover`, { 'if-none-match': cover.headers.etag as string })).statusCode).toBe(304);
    const head = await ask(`${url}/cover`, {}, 'HEAD');
    expect(head.headers['content-length']).toBe(String(cover.rawPayload.length));
    expect(head.rawPayload).toHaveLength(0);
  });

  test('is not found where there is none', async () => {
    expect((await ask(`/media/${libraryId('film.mp4')}/cover`)).statusCode).toBe(404);
  });
});

describe('a link that leads out of the folder, made since the folder was read', () => {
  let outside: TempDir;
  let library: string;
  beforeEach(async () => {
    outside = await makeTempDir('outside');
    library = dir.path;
    for (const name of ['song.mp3', 'film.mp4']) await cp(join(media, 'tagged.mp3'), join(outside.path, name));
    await writeFile(join(outside.path, 'film.en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nA secret\n');
  });
  afterEach(() => outside.remove());

  test.each(['', '/cover'])('is not found in place of a file: /media/:id%s', async (what) => {
    await rm(join(library, 'song.mp3'));
    await symlink(join(outside.path, 'song.mp3'), join(library, 'song.mp3'));
    expect((await ask(`${url}${what}`)).statusCode).toBe(404);
  });

  test('is not found in place of a folder, for files and for subtitles', async () => {
    const [inside, kept] = [join(library, 'films'), join(library, 'kept')];
    await mkdir(inside);
    await cp(join(media, 'film.mp4'), join(inside, 'film.mp4'));
    await writeFile(join(inside, 'film.en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nGood evening\n');
    await read.refresh();
    const film = read.byId(libraryId('films/film.mp4'));
    const paths = [`/media/${film?.id ?? ''}`, `/media/${film?.id ?? ''}/subtitles/${film?.subtitles[0]?.id ?? ''}`];
    for (const path of paths) expect((await ask(path)).statusCode).toBe(200);
    await rename(inside, kept);
    await symlink(outside.path, inside);
    for (const path of paths) expect((await ask(path)).statusCode).toBe(404);
  });
});
