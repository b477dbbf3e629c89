/** What opening the catalogue begins: copies of tracks in a folder that takes longer to read than the start waits. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { describe, expect, test } from 'vitest';
import { sendJson, startFakeDataApi } from '@tunemate/testkit/fakes/fake-data-api';
import { valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { emailOf, goodPassword, startTestApp } from '@tunemate/testkit/worlds/test-app';
import { createLimits } from '../access/limits.ts';
import { createLog } from '../system/logging.ts';
import { migrate, openDatabase } from '../storage/database.ts';
import { exactCopies } from './media/exact-copies.ts';
import { mediaWork } from './media/media-work.ts';
import { openMediaLibrary } from './library/media-library.ts';
import { type CatalogueParts, openCatalogue } from './open-catalogue.ts';
import { readConfig } from '../config.ts';
import { startFailureLine } from '../system/start-failure.ts';
import { libraryId, plainItem } from './library/library-item.ts';

const media = join(import.meta.dirname, '../../../testkit/media');
const log = createLog('silent');

async function opened(
  dataDir: string,
  mediaDir: string | null,
  subsonic: NonNullable<CatalogueParts['subsonic']> | null = null,
) {
  const database = openDatabase(`sqlite:${join(dataDir, 'tunemate.sqlite')}`);
  await migrate(database);
  const clock = createFakeClock();
  const catalogue = await openCatalogue({
    ...{ mediaDir, dataDir, subsonic, youtubeApiKey: null, youtubeApiUrl: '', limitScale: 1 },
    ...{ limits: createLimits({ clock, scale: 1 }), db: database.db, clock, log, patienceMs: 0 },
  });
  return {
    catalogue,
    async close() {
      await catalogue.close();
      await database.close();
    },
  };
}

test('a library that is read for longer than the start waits keeps its copies, and has them once it is read', async () => {
  await using music = await makeTempDir('music');
  await using data = await makeTempDir('data');
  // More than are published while the folder is being read.
  for (let n = 0; n < 120; n += 1) await cp(join(media, 'tagged.mp3'), join(music.path, `${String(n)}.mp3`));
  const folder = join(data.path, 'exact-copies');
  const before = await openMediaLibrary({ folder: music.path, log });
  const rewrite = (_from: string, to: string) => cp(join(media, 'tagged.m4a'), to);
  const tracks = before.list().map((item) => ({ ...plainItem(item), durationSeconds: null }));
  await exactCopies(mediaWork({ dataDir: data.path, log }), { findRewrite: async () => rewrite }).keepUp(tracks);
  const names = await readdir(folder);
  expect(names).toHaveLength(120);
  for (const name of names) await writeFile(join(folder, name), 'of an earlier start');

  const { catalogue, close } = await opened(data.path, music.path);
  expect(catalogue.library.list().length).toBeLessThan(120);
  for (const track of tracks)
    await expect.poll(() => catalogue.library.sourceOf(track).copies.of(track)?.mime).toBe('audio/mp4');
  await close();
  expect(await readdir(folder)).toEqual(names);
  for (const name of names) expect(await readFile(join(folder, name), 'utf8')).toBe('of an earlier start');
});

test('while a music server was never read, what is not listed may be one of its tracks', async () => {
  await using data = await makeTempDir('data');
  const away = { url: 'http://127.0.0.1:1', user: 'ada', password: 'secret', token: null };
  const { catalogue, close } = await opened(data.path, null, away);
  await catalogue.library.firstReading;
  expect(catalogue.library.isListed()).toBe(false);
  await close();
});

/** The bundled library and a folder of the operator, served by the whole server. */
describe('whole server', () => {
  const film = `/media/${libraryId('media/two-reels.mp4')}`;
  const track = `/media/${libraryId('media/sunday-kitchen.mp3')}`;

  test('the bundled tracks play for verified people only', async () => {
    const world = await startTestApp();
    const stranger = world.visitor();
    expect((await stranger.fetch(track)).status).toBe(401);
    expect((await stranger.fetch(`${track}/cover`)).status).toBe(401);

    const unverified = world.visitor();
    await unverified.call('POST /api/accounts/sign-up', { name: 'Ivo', email: emailOf('Ivo'), password: goodPassword });
    await unverified.call('POST /api/accounts/sign-in', { email: emailOf('Ivo'), password: goodPassword });
    expect((await unverified.fetch(track)).status).toBe(403);

    const member = await world.member('Mara');
    const part = await member.fetch(track, { headers: { range: 'bytes=0-1023' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-type')).toBe('audio/mp4');
    expect(part.headers.get('cache-control')).toContain('private');
    expect(part.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await part.arrayBuffer()).byteLength).toBe(1024);
    const cover = await member.fetch(`${track}/cover`);
    expect(cover.headers.get('content-type')).toBe('image/png');
    expect((await cover.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    expect((await member.fetch('/media/lib_0000000000000000')).status).toBe(404);
  });

  test('MEDIA_DIR replaces the bundled library, but for the two sample tracks of a failed search', async () => {
    const world = await startTestApp({ env: { MEDIA_DIR: join(import.meta.dirname, '../../../testkit/media') } });
    const member = await world.member('Mara');
    expect((await member.fetch(film)).status).toBe(404);
    expect((await member.fetch(`/media/${libraryId('film.webm')}`)).headers.get('content-type')).toBe('video/webm');
    expect((await member.fetch(track)).headers.get('content-type')).toBe('audio/mp4');
  });

  test('a failed search in an audio room offers two tracks that play, also beside a folder of films', async () => {
    const films = await makeTempDir('films');
    const api = await startFakeDataApi();
    api.answer = (_call, response) => sendJson(response, {}, 500);
    const world = await openSocketWorld({
      env: { MEDIA_DIR: films.path, YOUTUBE_API_KEY: 'a-key', YOUTUBE_API_URL: api.url },
    });
    const host = await world.arrive('Mara');
    const room = await world.room(host, 'audio');
    const found = valueOf(await host.ask('catalogue/search', { ...room, query: 'night bus' }));
    expect(found.status).toBe('samples');
    expect(found.items).toHaveLength(2);
    for (const { videoId } of found.items) {
      const answer = await fetch(`http://127.0.0.1:${String(world.app.app.port)}/media/${videoId}`, {
        headers: { cookie: host.cookie, 'sec-fetch-site': 'same-origin' },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^audio\//);
      await answer.body?.cancel();
    }
    await world.close();
    await api.close();
    await films.remove();
  });

  test('a MEDIA_DIR that can not be read stops the start with a line that names it', async () => {
    const env = { MEDIA_DIR: '/nowhere/at/all' };
    const failure: unknown = await startTestApp({ env }).catch((error: unknown) => error);
    expect(startFailureLine(failure, readConfig(env))).toContain('MEDIA_DIR');
  });
});
