/** Serving files over HTTP: ranges, conditions, covers, and access. */
import {
  type FileHandle,
  open,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
  copyFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Uid } from '@tunemate/protocol';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { createLimits } from '../../access/limits.ts';
import type { SentFile } from './exact-copies.ts';
import { libraryId } from '../library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from '../library/media-library.ts';
import { mediaRoutes, begunFiles } from './media-routes.ts';
import { createLog } from '../../system/logging.ts';
import { readConfig } from '../../config.ts';
import { createHttpServer } from '../../http/http-server.ts';
import { createOrigins } from '../../http/address.ts';
import { accept, refuse } from '../../system/ports.ts';
import { createCovers } from '../library/covers.ts';

describe('media routes', () => {
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
    const copies = { of: () => copyOf, forget: (copy: SentFile) => void forgotten.push(copy) };
    read = await openMediaLibrary({ folder: dir.path, log: quiet, made: { copies } });
    http = Fastify();
    await http.register(
      mediaRoutes({
        library: read,
        limits: createLimits({ clock: createFakeClock(), scale: 0 }),
        makeSmaller: () => Promise.resolve(null),
        log: quiet,
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
    test('is looked through for its picture once, however many ranges are asked for, and again once it has changed', async () => {
      await using handle = await open(join(dir.path, 'film.mp4'));
      const reads = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'read');
      const range = async (from: number) => await ask(url, { range: `bytes=${String(from)}-${String(from + 99)}` });
      expect((await range(0)).rawPayload.equals(bytes.subarray(0, 100))).toBe(true);
      const first = reads.mock.calls.length;
      expect(first).toBeGreaterThan(2);
      // What is sent takes one of them.
      for (let n = 1; n <= 10; n += 1) await range(100 * n);
      expect(reads).toHaveBeenCalledTimes(first + 10);
      await utimes(join(dir.path, 'song.mp3'), 1, 1);
      await range(0);
      expect(reads).toHaveBeenCalledTimes(2 * first + 10);
      reads.mockRestore();
    });

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
});

/** Which file a player gets that goes on with what it began to load. */
describe('begun files', () => {
  const file = (path: string) => ({ path, mime: 'audio/mp4' });

  test('a player gets the rest of the file that it began, and the newest from the first byte on', () => {
    const begun = begunFiles();
    const [old, copy] = [file('old'), file('copy')];
    expect(begun.of('ada', 'song', old, undefined)).toBe(old);
    expect(begun.of('ada', 'song', copy, 'bytes=500-')).toBe(old);
    expect(begun.of('ivo', 'song', copy, 'bytes=500-')).toBe(copy);
    expect(begun.of('ada', 'song', copy, 'bytes=0-')).toBe(copy);
  });

  test('ten thousand loads are remembered, and of more the latest', () => {
    const begun = begunFiles();
    const [old, copy] = [file('old'), file('copy')];
    for (let n = 0; n <= 10_000; n += 1) begun.of(`person ${String(n)}`, 'song', old, undefined);
    expect(begun.of('person 1', 'song', copy, 'bytes=500-')).toBe(old);
    expect(begun.of('person 0', 'song', copy, 'bytes=500-')).toBe(copy);
  });
});

/** What one person may ask of the library's files at once, over HTTP as the whole server answers it. */
describe('media limits', () => {
  const media = join(import.meta.dirname, '../../../../testkit/media');
  const song = `/media/${libraryId('song.mp3')}`;
  const silent = createLog('silent');

  let dir: TempDir;
  beforeEach(async () => {
    dir = await makeTempDir('media');
    await copyFile(join(media, 'tagged.mp3'), join(dir.path, 'song.mp3'));
  });
  afterEach(() => dir.remove());

  describe('files of the library for one person', () => {
    let world: SocketWorld;
    beforeEach(async () => {
      world = await openSocketWorld({ env: { MEDIA_DIR: dir.path } });
      await truncate(join(dir.path, 'song.mp3'), 64 * 1024 * 1024);
    });
    afterEach(() => world.close());

    const ask = (person: Person, headers: Record<string, string> = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const url = `http://127.0.0.1:${String(world.app.app.port)}${song}`;
        get(url, { agent: false, headers: { cookie: person.cookie, ...headers } }, resolve).on('error', reject);
      });

    test('eight come at once, by range or whole; a ninth waits until one of them is over', async () => {
      const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
      const open: IncomingMessage[] = [];
      for (let count = 0; count < 8; count += 1) {
        open.push(await ask(mara, count % 2 === 0 ? { range: 'bytes=1000-' } : {}));
      }
      expect(open.map(({ statusCode }) => statusCode)).toEqual([206, 200, 206, 200, 206, 200, 206, 200]);
      const ninth = await ask(mara);
      expect([ninth.statusCode, ninth.headers['retry-after']]).toEqual([429, '2']);
      const other = await ask(ivo);
      expect(other.statusCode).toBe(200);
      open[0]?.destroy();
      await expect.poll(async () => (await ask(mara, { range: 'bytes=0-9' })).statusCode).toBe(206);
      for (const each of [...open, other]) each.destroy();
    });

    test('requests one after another are not limited', async () => {
      const mara = await world.person('Mara');
      for (let count = 0; count < 30; count += 1) {
        const part = await ask(mara, { range: `bytes=${String(count * 100)}-${String(count * 100 + 99)}` });
        expect(part.statusCode).toBe(206);
        part.resume();
        await once(part, 'end');
      }
    });
  });

  describe('covers inside media files', () => {
    test('are looked for once, also when asked for at once, and again when the file changed', async () => {
      const library = await openMediaLibrary({ folder: dir.path, log: silent });
      const item = library.byId(libraryId('song.mp3'));
      if (item === null) throw new Error('no song');
      const covers = createCovers();
      let looks = 0;
      const look = () =>
        covers.of(item, () => {
          looks += 1;
          return Promise.resolve(accept({}));
        });
      const first = await look();
      expect(first).toMatchObject({ ok: true, value: { mime: 'image/png' } });
      const [second, third] = await Promise.all([look(), look()]);
      expect([second, third]).toEqual([first, first]);
      expect(looks).toBe(1);
      expect(first.ok && second.ok && second.value.bytes === first.value.bytes).toBe(true);
      await utimes(item.path, new Date(0), new Date(1000));
      await look();
      expect(looks).toBe(2);
      await rm(item.path);
      expect(await look()).toEqual(refuse('access/not-found'));
    });

    test('are forgotten when there is no room, the one not asked for longest first', async () => {
      await copyFile(join(media, 'tagged.mp3'), join(dir.path, 'other.mp3'));
      const library = await openMediaLibrary({ folder: dir.path, log: silent });
      const looks: string[] = [];
      const covers = createCovers(1);
      for (const name of ['song.mp3', 'other.mp3', 'song.mp3']) {
        const item = library.byId(libraryId(name));
        if (item === null) throw new Error(name);
        await covers.of(item, () => {
          looks.push(name);
          return Promise.resolve(accept({}));
        });
      }
      expect(looks).toEqual(['song.mp3', 'other.mp3', 'song.mp3']);
    });

    test('a person over the limit is refused new covers, and still gets those in the cache', async () => {
      const library = await openMediaLibrary({ folder: dir.path, log: silent });
      const item = library.byId(libraryId('song.mp3'));
      if (item === null) throw new Error('no song');
      const covers = createCovers();
      const tooMany = () => Promise.resolve(refuse('limit/too-many', { retryAfterMs: 500 }));
      expect(await covers.of(item, tooMany)).toEqual(refuse('limit/too-many', { retryAfterMs: 500 }));
      await covers.of(item, () => Promise.resolve(accept({})));
      expect(await covers.of(item, tooMany)).toMatchObject({ ok: true });
    });
  });

  describe('an answer that is not read', () => {
    test('ends its connection after a while', async () => {
      const origins = createOrigins(readConfig({}));
      const http = createHttpServer({ log: silent, origins, connectTo: [], stalledMs: 300 });
      const long = Buffer.alloc(64 * 1024 * 1024);
      http.get('/long', (_request, reply) => reply.send(long));
      await http.listen({ port: 0, host: '127.0.0.1' });
      const { port } = new URL(http.listeningOrigin);
      const stalled = connect({ port: Number(port), host: '127.0.0.1' });
      stalled.on('error', () => undefined);
      stalled.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n');
      const connections = () =>
        new Promise<number>((resolve) => void http.server.getConnections((_error, count) => resolve(count)));
      await expect.poll(connections).toBe(1);
      await expect.poll(connections).toBe(0);
      stalled.destroy();
      await http.close();
    });
  });
});
