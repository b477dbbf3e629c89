/** Files of the library that Debian's nginx sends by deploy/nginx-media.conf, and attacks on its addresses. */
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { nginxPath, startNginx } from '@tunemate/testkit/services/programs/nginx';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { expect, onTestFinished, test } from 'vitest';
import { libraryId } from '../library/library-item.ts';
import { mediaAddressesOf } from './media-address.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const recipe = join(import.meta.dirname, '../../../../deploy/nginx-media.conf');
const secret = 'b2a8f5c09d1e4a7f';
const inFolder = 'Ä & b/50% #1?.flac';
const dayMs = 24 * 3_600_000;

async function place() {
  const dir = await makeTempDir('beside');
  const [mediaDir, dataDir] = [join(dir.path, 'music'), join(dir.path, 'data')];
  await mkdir(join(mediaDir, 'Ä & b'), { recursive: true });
  await mkdir(join(dataDir, 'exact-copies'), { recursive: true });
  await copyFile(join(media, 'tagged.flac'), join(mediaDir, inFolder));
  await copyFile(join(media, 'tagged.m4a'), join(mediaDir, 'pictured.m4a'));
  await copyFile(join(media, 'film.webm'), join(mediaDir, 'film.webm'));
  await writeFile(join(mediaDir, 'film.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  await writeFile(join(dataDir, 'tunemate.sqlite'), 'everything that people wrote');
  const written = await readFile(recipe, 'utf8');
  const lines = Object.entries({ MEDIA_DIR: mediaDir, DATA_DIR: dataDir, SECRET: secret, ORIGIN: 'http://localhost' });
  const nginx = await startNginx(
    lines.reduce(
      (text, [word, value]) => text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), value),
      // Not in the explanation.
      written.replaceAll(/^#.*\n/gm, ''),
    ),
  );
  const settings = { mediaHost: { url: `${nginx.url}/library-files`, secret }, mediaDir, dataDir };
  const addressOf = async (path: string, now = Date.now) =>
    (await mediaAddressesOf(settings, now)?.of(path)) ?? 'has none';
  return {
    ...{ dir, mediaDir, dataDir, nginx, addressOf },
    stop: async () => {
      await nginx.stop();
      await dir.remove();
    },
  };
}

/** The status for a target that is sent as it is written, which `fetch` would tidy. */
async function statusOf(origin: string, target: string, method = 'GET'): Promise<number | undefined> {
  const { hostname, port } = new URL(origin);
  return await new Promise((resolve, reject) => {
    request({ hostname, port, path: target, method, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describeWithService(
  'nginx beside the server',
  async () => {
    nginxPath();
    return await place();
  },
  (beside) => {
    const { mediaDir, dataDir, nginx, addressOf } = beside;

    test('a listener gets files, parts and covers without a byte through the server (MEDIA-1)', async () => {
      const env = { MEDIA_DIR: mediaDir, MEDIA_URL: `${nginx.url}/library-files`, MEDIA_SECRET: secret };
      const world = await openSocketWorld({ env });
      onTestFinished(() => world.close());
      const mara = await world.person('Mara');
      const origin = `http://127.0.0.1:${String(world.app.app.port)}`;
      let throughServer = 0;
      const listen = async (path: string, headers: Record<string, string> = {}) => {
        const answer = await fetch(`${origin}${path}`, {
          headers: { cookie: mara.cookie, 'sec-fetch-site': 'same-origin', ...headers },
          redirect: 'manual',
        });
        throughServer += (await answer.arrayBuffer()).byteLength;
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store']);
        return await fetch(answer.headers.get('location') ?? '', { headers });
      };
      const flac = await readFile(join(media, 'tagged.flac'));
      const track = `/media/${libraryId(inFolder)}`;
      const whole = await listen(track);
      expect([whole.status, whole.headers.get('content-type'), whole.headers.get('accept-ranges')]).toEqual([
        ...[200, 'audio/flac', 'bytes'],
      ]);
      expect(Buffer.from(await whole.arrayBuffer())).toEqual(flac);
      const part = await listen(track, { range: 'bytes=100-199' });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${String(flac.length)}`]);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(flac.subarray(100, 200));
      const film = await listen(`/media/${libraryId('film.webm')}`);
      expect([film.status, film.headers.get('content-type')]).toEqual([200, 'video/webm']);
      const headers = ['access-control-allow-origin', 'cross-origin-resource-policy', 'x-content-type-options'];
      expect(headers.map((name) => film.headers.get(name))).toEqual(['http://localhost', 'cross-origin', 'nosniff']);
      expect(throughServer).toBe(0);
    });

    test('what is not sent as it lies on the disk stays with the server, and needs a session (MEDIA-1)', async () => {
      const env = { MEDIA_DIR: mediaDir, MEDIA_URL: `${nginx.url}/library-files`, MEDIA_SECRET: secret };
      const world = await openSocketWorld({ env });
      onTestFinished(() => world.close());
      const mara = await world.person('Mara');
      const ask = (file: string, headers: Record<string, string>, method = 'GET') =>
        fetch(`http://127.0.0.1:${String(world.app.app.port)}/media/${libraryId(file)}`, {
          headers: { 'sec-fetch-site': 'same-origin', ...headers },
          redirect: 'manual',
          method,
        });
      const { cookie } = mara;
      expect((await ask('pictured.m4a', { cookie })).status).toBe(200);
      expect((await ask(inFolder, { cookie }, 'HEAD')).status).toBe(200);
      const refused = await ask(inFolder, {});
      expect([refused.status, refused.headers.get('location')]).toEqual([401, null]);
    });

    test('an address works for its file, until it expires (MEDIA-2)', async () => {
      const address = await addressOf(join(mediaDir, inFolder));
      expect((await fetch(address)).status).toBe(200);
      expect(await addressOf(join(mediaDir, inFolder))).toBe(address);
      const old = await addressOf(join(mediaDir, inFolder), () => Date.now() - dayMs);
      expect((await fetch(old)).status).toBe(410);
      const later = (text: string, expires: string) => text.replace(/expires=\d+/, `expires=${expires}`);
      const inAYear = String(Math.floor(Date.now() / 1000) + 365 * 86_400);
      for (const expires of [inAYear, `${inAYear}x`, '-1', '']) {
        expect((await fetch(later(old, expires))).status, expires).toBe(403);
        expect((await fetch(later(address, expires))).status, expires).toBe(403);
      }
    });

    test('no other address works: forged, of another file, or leading out of the folder (MEDIA-2)', async () => {
      const address = new URL(await addressOf(join(mediaDir, inFolder)));
      const { pathname, search } = address;
      const film = new URL(await addressOf(join(mediaDir, 'film.webm')));
      await mkdir(join(mediaDir, '..', 'music-of-others'));
      await writeFile(join(mediaDir, '..', 'music-of-others', 'a.flac'), 'not ours');
      await symlink(join(dataDir, 'tunemate.sqlite'), join(mediaDir, 'link.flac'));
      const attacks = [
        [pathname, ''],
        [pathname, `?md5=&expires=`],
        [pathname, search.replace(/md5=[^&]+/, `md5=${'A'.repeat(22)}`)],
        [pathname, search.replace(/expires=.*/, '')],
        [film.pathname, search],
        [pathname, film.search],
        ['/library-files/library/', search],
        ['/library-files/library/%C3%84%20%26%20b/', search],
        ['/library-files/', search],
        [`/library-files/exact-copies/${encodeURIComponent('../tunemate.sqlite')}`, search],
        ['/library-files/exact-copies/..%2ftunemate.sqlite', search],
        ['/library-files/library../data/tunemate.sqlite', search],
        ['/library-files/library/..%2f..%2fdata%2ftunemate.sqlite', search],
        [`${pathname}/../../../../data/tunemate.sqlite`, search],
        [`${pathname}%00.webm`, search],
        [`${pathname}%2f..%2f..%2ffilm.webm`, search],
        ['/library-files/music-of-others/a.flac', search],
        ['/LIBRARY-FILES/library/film.webm', film.search],
      ];
      const statuses = await Promise.all(attacks.map(([path, query]) => statusOf(nginx.url, `${path}${query}`)));
      expect(attacks.map(([path], index) => [path, [200, 206].includes(statuses[index] ?? 200)])).toEqual(
        attacks.map(([path]) => [path, false]),
      );
      // The same file by another spelling of its name is the same file.
      expect(await statusOf(nginx.url, `${pathname.replace('library/', 'library/./')}${search}`)).toBe(200);
      const link = new URL(await addressOf(join(mediaDir, 'link.flac')));
      expect(await statusOf(nginx.url, `${link.pathname}${link.search}`)).toBe(403);
      expect(await statusOf(nginx.url, `${pathname}${search}`, 'POST')).toBe(405);
      expect(await addressOf(join(dataDir, 'tunemate.sqlite'))).toBe('has none');
      expect(await addressOf(`${mediaDir}-of-others/a.flac`)).toBe('has none');
    });
  },
);
