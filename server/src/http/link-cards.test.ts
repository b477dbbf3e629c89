import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let app: TestApp;
let web: TempDir;
beforeAll(async () => {
  web = await makeTempDir('web');
  await mkdir(join(web.path, '.vite'));
  await mkdir(join(web.path, 'de'));
  const files = ['index.html', 'home.html', 'room.html', 'de/index.html'];
  await writeFile(join(web.path, '.vite/served.json'), JSON.stringify(files));
  for (const file of files) {
    await writeFile(
      join(web.path, file),
      '<!doctype html><html><head><title>Tunemate</title></head><body></body></html>',
    );
  }
  app = await startTestApp({ webDir: web.path });
});
afterAll(async () => {
  await app.close();
  await web.remove();
});

const page = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.visitor().fetch(path, { headers });
  return { html: await answer.text(), headers: answer.headers };
};
const propertyIn = (html: string, name: string) =>
  new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(html)?.[1];

describe('the head of a page', () => {
  test.each([
    ['/', 'Listen together on Tunemate', '/card/house.png'],
    ['/signup', 'Listen together on Tunemate', '/card/house.png'],
    ['/join?code=7f3a9c', 'Join a video room on Tunemate', '/card/video-7F3A9C.png'],
    ['/join', 'Join a video room on Tunemate', '/card/video.png'],
    ['/join?code=%22%3E%3Cscript%3E', 'Join a video room on Tunemate', '/card/video.png'],
    ['/tunemate/ABC123', 'Join a video room on Tunemate', '/card/video-ABC123.png'],
    ['/join-audio-room?code=ABC123', 'Join an audio room on Tunemate', '/card/audio-ABC123.png'],
    ['/audio-room/abc123', 'Join an audio room on Tunemate', '/card/audio-ABC123.png'],
  ])('names at %s what the link is', async (path, title, picture) => {
    const { html } = await page(path);
    expect(propertyIn(html, 'title')).toBe(title);
    expect(propertyIn(html, 'description')).toBe('Everybody hears the same second.');
    expect(propertyIn(html, 'image')).toBe(`http://127.0.0.1:${String(app.app.port)}${picture}`);
    expect(html).not.toContain('<script>');
  });

  test('is in the language of the request', async () => {
    const { html } = await page('/join?code=ABC123', { 'accept-language': 'de' });
    expect(propertyIn(html, 'title')).toBe('Komm in einen Videoraum auf Tunemate');
  });

  test('names the public address, not one that a Host header makes up', async () => {
    const { html } = await page('/join?code=ABC123', { host: 'evil.example' });
    expect(propertyIn(html, 'image')).not.toContain('evil');
  });

  test('has no card on pages that only members open, and no page is for search engines', async () => {
    for (const path of ['/chats', '/account', '/auth/action?mode=verifyEmail&oobCode=x']) {
      expect((await page(path)).html).not.toContain('og:');
    }
  });

  test.each([
    ...[
      '/',
      '/join?code=ABC123',
      '/chats',
      '/nowhere',
      '/Join?code=ABC123',
      '/%E0%A4%A',
      '/api/nothing',
      '/media/nothing',
    ],
    ...['/api/session', '/metrics', '/status', '/sitemap.xml', '/assets/none-12345678.js', '/csp-report', '/socket'],
  ])('search engines and archives are told at %s that it is not for them', async (path) => {
    const { headers } = await fetch(app.url + path, { redirect: 'manual' });
    expect(headers.get('x-robots-tag')).toBe('noindex, noarchive');
  });

  test('is kept by the browser as any other page', async () => {
    const tag = (await page('/join?code=ABC123')).headers.get('etag') ?? '';
    const again = await app.visitor().fetch('/join?code=ABC123', { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
    expect((await page('/join?code=ABC124')).headers.get('etag')).not.toBe(tag);
  });
});

describe('the picture of a link', () => {
  const picture = async (name: string) => {
    const answer = await app.visitor().fetch(`/card/${name}`);
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const pixel = async (bytes: Buffer, left: number, top: number) => {
    const { data } = await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer({
      resolveWithObject: true,
    });
    return [...data];
  };
  const near = (colour: readonly number[]) => colour.map((each) => expect.closeTo(each, -1) as unknown);
  const ink = [0x1c, 0x11, 0x0e];

  test('is the kind’s ink with the tiles of the code', async () => {
    // The first tile of 7 is a half square, of 1 a pillar in the middle.
    const seven = await picture('audio-7F3A9C.png');
    expect(seven.answer.headers.get('content-type')).toBe('image/png');
    expect(await sharp(seven.bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(await pixel(seven.bytes, 1190, 620)).toEqual(near([0xff, 0xb9, 0x38]));
    expect(await pixel(seven.bytes, 5, 5)).toEqual(near([0xff, 0xb9, 0x38]));
    expect(await pixel(seven.bytes, 200, 200)).toEqual(near(ink));
    const one = await picture('video-1F3A9C.png');
    expect(await pixel(one.bytes, 5, 5)).toEqual(near(ink));
    expect(await pixel(one.bytes, 105, 105)).toEqual(near([0xff, 0x6b, 0x3d]));
    expect(seven.answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(seven.bytes.length).toBeLessThan(200_000);
  });

  test.each(['video-7F3A9.png', 'video-7f3a9c.png', 'cinema.png', 'video-7F3A9C.svg', '..%2f..%2fpackage.json'])(
    'is not found by the name %s',
    async (name) => {
      expect((await picture(name)).answer.status).toBe(404);
    },
  );

  test('is drawn for so many codes at a pace, and beyond it is the picture of the kind', async () => {
    const flooded = await startTestApp({ webDir: web.path, env: { RATE_LIMIT_SCALE: '1' } });
    const visitor = flooded.visitor();
    const kind = Buffer.from(await (await visitor.fetch('/card/video.png')).arrayBuffer());
    const answers: { own: boolean; status: number }[] = [];
    for (let at = 0; at < 65; at += 1) {
      const code = (0xa00000 + at).toString(16).toUpperCase();
      const answer = await visitor.fetch(`/card/video-${code}.png`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      answers.push({ own: answer.status === 200 && !bytes.equals(kind), status: answer.status });
    }
    const shown = answers.filter(({ status }) => status === 200);
    expect(shown.some(({ own }) => !own)).toBe(true);
    expect(answers.at(-1)?.status).toBe(429);
  });
});
