/** What one person may ask of the library's files at once, over HTTP as the whole server answers it. */
import { copyFile, rm, truncate, utimes } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { readConfig } from '../../config.ts';
import { createHttpServer } from '../../http/http-server.ts';
import { createOrigins } from '../../http/address.ts';
import { accept, refuse } from '../../system/ports.ts';
import { createCovers } from '../library/covers.ts';
import { libraryId } from '../library/library-item.ts';
import { openMediaLibrary } from '../library/media-library.ts';
import { createLog } from '../../system/logging.ts';

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
