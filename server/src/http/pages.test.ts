import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { startTestApp, type TestApp } from '@tunemate/testkit/worlds/test-app';
import fs from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

describe('pages', () => {
  let app: TestApp;
  let web: TempDir;
  beforeAll(async () => {
    web = await makeTempDir('web');
    await mkdir(join(web.path, 'assets'));
    await mkdir(join(web.path, '.vite'));
    const files = [
      'index.html',
      'room.html',
      'home.html',
      'chat.html',
      'assets/main-B4x9_k2Q.js',
      'favicon.svg',
      'worker.js',
      'worker.de.js',
      'de/index.html',
      'de/room.html',
      'ar/index.html',
    ];
    await writeFile(join(web.path, '.vite/served.json'), JSON.stringify(files));
    // What no build lists.
    for (const stray of ['.vite/manifest.json', '.env', 'notes.txt', 'assets/main-B4x9_k2Q.js.map', 'favicon.svg~']) {
      await writeFile(join(web.path, stray), 'not for visitors');
    }
    await writeFile(join(web.path, 'index.html'), '<!doctype html><title>Tunemate</title>');
    for (const screen of ['room', 'home', 'chat']) {
      await writeFile(
        join(web.path, `${screen}.html`),
        `<!doctype html><title>Tunemate</title><!-- of a ${screen} -->`,
      );
    }
    await writeFile(join(web.path, 'home.html.br'), brotliCompressSync(await readFile(join(web.path, 'home.html'))));
    await writeFile(join(web.path, 'home.html.gz'), gzipSync(await readFile(join(web.path, 'home.html'))));
    await writeFile(join(web.path, 'assets/main-B4x9_k2Q.js'), 'export {}');
    await writeFile(join(web.path, 'assets/main-B4x9_k2Q.js.br'), brotliCompressSync('export {}'));
    await writeFile(join(web.path, 'assets/main-B4x9_k2Q.js.gz'), gzipSync('export {}'));
    await writeFile(join(web.path, 'worker.js'), 'export {}');
    await writeFile(join(web.path, 'worker.de.js'), 'export {}');
    for (const page of ['de/index.html', 'de/room.html', 'ar/index.html']) {
      await mkdir(join(web.path, page.slice(0, 2)), { recursive: true });
      await writeFile(join(web.path, page), `<!doctype html><html lang="${page.slice(0, 2)}"><!-- ${page} -->`);
    }
    await writeFile(join(web.path, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const media = { MEDIA_URL: 'https://media.example/files', MEDIA_SECRET: 'a-secret-of-media-1' };
    const env = { TOKEN_SYNC_URL: 'https://sync.example/hook', ...media };
    app = await startTestApp({ webDir: web.path, env });
  });
  afterAll(async () => {
    await app.close();
    await web.remove();
  });

  test('an address that can’t be decoded is a page that says so, of this site alone', async () => {
    for (const path of ['/%E0%A4%A', '/nowhere/%zz', '/%c3%28?next=%2F']) {
      const answer = await fetch(app.url + path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
    }
    for (const path of ['//evil.example/%zz', '/\\evil.example/%zz']) {
      const { headers } = await fetch(app.url + path, { redirect: 'manual' });
      expect(headers.get('location')).toBe('/evil.example/%25zz');
    }
    const asked = await fetch(`${app.url}/api/%zz`);
    expect([asked.status, asked.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });
  const get = (path: string) => app.visitor().fetch(path);
  /** The address as it is written; nothing is followed. */
  const raw = (path: string) => fetch(`http://127.0.0.1:${String(app.app.port)}${path}`, { redirect: 'manual' });

  test.each([
    '/',
    '/login',
    '/signup',
    '/join',
    '/create',
    '/tunemate/ABC123',
    '/soulmate',
    '/notifications',
    '/chat/abcdef',
    '/create-audio-room',
    '/join-audio-room',
    '/audio-room/ABC123',
    '/chats',
    '/chats/search',
    '/auth/action?mode=verifyEmail&oobCode=x',
  ])('serve the application at %s, not cached', async (path) => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>Tunemate</title>');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  const english = '<title>Tunemate</title>';
  test.each([
    ['the browser’s first', { 'accept-language': 'de-AT,en;q=0.5' }, '/login', 'de/index.html'],
    ['the first of them that there is', { 'accept-language': 'fr, ar;q=0.8, de;q=0.7' }, '/login', 'ar/index.html'],
    ['the weightier one', { 'accept-language': 'en;q=0.5, de;q=0.9' }, '/tunemate/ABC123', 'de/room.html'],
    ['the one chosen here', { 'accept-language': 'en', cookie: 'a=b; language=de' }, '/login', 'de/index.html'],
    ['English, chosen here', { 'accept-language': 'de', cookie: 'language=en; c=d' }, '/login', english],
    ['that of an unknown address', { 'accept-language': 'de' }, '/nowhere', 'de/index.html'],
    ['English without any', {}, '/login', english],
    ['English for one that is not built', { 'accept-language': 'hi' }, '/login', english],
    ['English where the page is not built in it', { 'accept-language': 'ar' }, '/tunemate/ABC123', 'of a room'],
    ['English for what is no language', { cookie: 'language=../../etc/passwd' }, '/login', english],
    ['English for a path', { 'accept-language': '../ar, ..%2fde, /etc' }, '/login', english],
    ['English for a cookie of another name', { cookie: 'xlanguage=de' }, '/login', english],
    ['English for a header beyond measure', { 'accept-language': `de,${'x-y;q=0.1,'.repeat(800)}` }, '/login', english],
  ])('serve the page in %s', async (_what, headers, path, page) => {
    const answer = await app.visitor().fetch(path, { headers });
    expect(await answer.text()).toContain(page);
    expect(answer.headers.get('vary')).toContain('accept-language, cookie');
  });

  test('serve no page of a language at an address of its own', async () => {
    expect((await raw('/de/index.html')).status).toBe(404);
  });

  test.each([
    ['/tunemate/ABC123', 'of a room'],
    ['/audio-room/ABC123', 'of a room'],
    ['/', 'of a home'],
    ['/chat/abcdef', 'of a chat'],
  ])('serve %s with the code of its screen', async (path, page) => {
    expect(await (await get(path)).text()).toContain(page);
    expect(await (await get('/join')).text()).not.toContain(page);
  });

  test.each([
    ['/login/', '/login'],
    ['/Login', '/login'],
    ['/join%3Fcode%3DA1B2C3', '/join?code=A1B2C3'],
    ['/login%3Fnext%3D%2Fjoin%3Fcode%3DA1B2C3%26x%3D%0D%0Aa%23b', '/login?next=/join?code=A1B2C3&x=%0D%0Aa%23b'],
    ['//login', '/login'],
    ['/JOIN/?code=ABC123', '/join?code=ABC123'],
    ['/join)', '/join'],
    ['/login).', '/login'],
    ['/login%29', '/login'],
    ['/join%E3%80%82', '/join'],
    ['/create-audio-room%E2%80%8B', '/create-audio-room'],
    ['/signup**', '/signup'],
    ['/tunemate/ABC123/', '/tunemate/ABC123'],
    ['/Audio-Room/abc123).', '/audio-room/abc123'],
    ['//chat//abcDEF', '/chat/abcDEF'],
    ['/auth//action/?mode=verifyEmail&oobCode=x', '/auth/action?mode=verifyEmail&oobCode=x'],
    ['/join/A1B2C3', '/join?code=A1B2C3'],
    ['/join/a1b-2c3/', '/join?code=a1b-2c3'],
    ['/Join-Audio-Room/a1b%202c3).', '/join-audio-room?code=a1b%202c3'],
    ['/join/A1B2C3?utm_source=x', '/join?code=A1B2C3&utm_source=x'],
    ['/join/A1%26next%3Dx%3Fy%23', '/join?code=A1%26next%3Dx'],
    ['/join?Code=A1B2C3', '/join?code=A1B2C3'],
    ['/join?CODE=a1b%202c3&x=1', '/join?code=a1b%202c3&x=1'],
    ['/JOIN/?Code=A1B2C3', '/join?code=A1B2C3'],
    ['/join%3FCODE%3DA1B2C3', '/join?code=A1B2C3'],
    ['/auth/action?MODE=verifyEmail&oobcode=x', '/auth/action?mode=verifyEmail&oobCode=x'],
    ['/auth/action?Mode=verifyEmail&amp;OobCode=x', '/auth/action?mode=verifyEmail&amp;oobCode=x'],
    ['/signup?Invitation=ab_c-1', '/signup?invitation=ab_c-1'],
    ['/login?Next=/join?code=A1B2C3', '/login?next=/join?code=A1B2C3'],
    ['/chat/abcdef?Message=m1', '/chat/abcdef?message=m1'],
    ['/share?TEXT=Hello&Url', '/share?text=Hello&url'],
  ])('send a visitor of %s to %s', async (typed, proper) => {
    const answer = await raw(typed);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, proper]);
    expect((await get(proper)).status).toBe(200);
  });

  test.each([
    '//evil.example',
    '//evil.example/login',
    '/\\evil.example',
    '/%2F%2Fevil.example',
    '/login/evil',
    '/api/Login/',
    '/join/a/b',
    '/join/A1%26next=%2F%2Fevil.example',
    '/join?code=A1B2C3&Code=D4E5F6',
    '/join?other=Code&coder=1&',
    '/join?',
    '/join?%43ode=A1B2C3',
    '/api/config?Code=A1B2C3',
    '/favicon.svg?Code=A1B2C3',
    '/tunemate/ABC123',
  ])('send a visitor of %s nowhere', async (typed) => {
    const answer = await raw(typed);
    expect([300, 301, 302, 303, 307, 308]).not.toContain(answer.status);
  });

  test('serve the application with status 404 at any other address', async () => {
    for (const path of ['/nowhere', '/tunemate', '/../../etc/passwd', '/assets/gone-12345678.js']) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('<title>Tunemate</title>');
    }
    expect((await app.visitor().fetch('/login', { method: 'POST' })).status).toBe(404);
  });

  test.each([
    ...['/.vite/manifest.json', '/.vite/served.json', '/.env', '/notes.txt', '/favicon.svg~', '/home.html'],
    ...['/assets/main-B4x9_k2Q.js.map', '/assets/main-B4x9_k2Q.js.br', '/assets/', '/assets/../.env', '/%2e%65nv'],
    ...['/.vite%2fmanifest.json', '/assets/..%2f.env', '/index.html', '//.env', '/FAVICON.svg'],
  ])('do not serve %s, which the build does not list (HTTP-45)', async (path) => {
    const answer = await raw(path);
    expect(answer.status).not.toBe(200);
    expect(await answer.text()).not.toContain('not for visitors');
  });

  test('let a page use the microphone, and nothing else; the page that a browser kept stays so (HTTP-6)', async () => {
    const policyOf = ({ headers }: Response): string | null => headers.get('permissions-policy');
    const page = await get('/chat/abc');
    expect(policyOf(page)).toContain('microphone=(self),');
    expect(policyOf(await get('/favicon.svg'))).toContain('microphone=(),');
    const headers = { 'if-none-match': page.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const again = await app.visitor().fetch('/chat/abc', { headers });
    expect([again.status, policyOf(again)]).toEqual([304, null]);
  });

  test('let browsers cache hashed assets for ever and revalidate the rest', async () => {
    const asset = await get('/assets/main-B4x9_k2Q.js');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const icon = await get('/favicon.svg');
    expect(icon.headers.get('cache-control')).toBe('no-cache');
    expect(icon.headers.get('etag')).not.toBeNull();
    // Otherwise fetch would ask for a fresh copy despite the tag.
    const headers = { 'if-none-match': icon.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const again = await app.visitor().fetch('/favicon.svg', { headers });
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'no-cache']);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('send the encoding of a file that a browser with %s accepts', async (accepted, sent) => {
    const answer = await app.visitor().fetch('/assets/main-B4x9_k2Q.js', { headers: { 'accept-encoding': accepted } });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([sent, 'export {}']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
  });

  test('read no file for a page, known or unknown, once the server runs', async () => {
    const reads = [
      ...(['stat', 'lstat', 'open', 'readFile', 'createReadStream'] as const).map((name) => vi.spyOn(fs, name)),
      ...(['stat', 'open', 'readFile'] as const).map((name) => vi.spyOn(fs.promises, name)),
    ];
    const count = () => reads.reduce((sum, each) => sum + each.mock.calls.length, 0);
    for (const path of ['/', '/login', '/tunemate/ABC123', '/chat/abcdef', '/nowhere']) await (await get(path)).text();
    expect(count()).toBe(0);
    await (await get('/favicon.svg')).text();
    expect(count()).toBeGreaterThan(0);
    for (const each of reads) each.mockRestore();
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['deflate', null],
  ])('send a page as a browser with %s reads it, and not again while it is the same', async (accepted, sent) => {
    const headers = { 'accept-encoding': accepted };
    const first = await app.visitor().fetch('/', { headers });
    expect([first.headers.get('content-encoding'), first.headers.get('vary')]).toEqual([
      sent,
      'accept-encoding, accept-language, cookie',
    ]);
    expect(await first.text()).toContain('of a home');
    const tag = first.headers.get('etag') ?? '';
    const again = (tags: string, path = '/') =>
      app.visitor().fetch(path, { headers: { ...headers, 'if-none-match': tags, 'cache-control': 'max-age=0' } });
    for (const tags of [tag, `"other", ${tag}`, tag.replace('W/', ''), '*'])
      expect((await again(tags)).status).toBe(304);
    expect([(await again('"other"')).status, (await again(tag, '/login')).status]).toEqual([200, 200]);
    const head = await app.visitor().fetch('/', { method: 'HEAD', headers });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
  });

  test('send pages with a policy that allows YouTube and nothing else from outside (HTTP-23)', async () => {
    const { headers } = await get('/');
    const { port } = app.app;
    // Without [::1]: a policy can't name an IPv6 address.
    const sockets = ['localhost', '127.0.0.1'].map((host) => `ws://${host}:${String(port)}`).join(' ');
    expect(headers.get('content-security-policy')).toBe(
      [
        "default-src 'none'",
        "script-src 'self' https://www.youtube.com/iframe_api https://www.youtube.com/s/player/",
        "style-src 'self'",
        "img-src 'self' https://i.ytimg.com https://media.example",
        "font-src 'self'",
        `connect-src 'self' ${sockets} https://sync.example`,
        'frame-src https://www.youtube.com',
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self' https://media.example",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        'report-uri /csp-report',
      ].join('; '),
    );
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect((await get('/auth/action?oobCode=x')).headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('play films from the hosts that MEDIA_HOSTS names, and from no other (HTTP-23)', async () => {
    const other = await startTestApp({ webDir: web.path, env: { MEDIA_HOSTS: 'films.example, media.example' } });
    onTestFinished(() => other.close());
    const policy = (await other.visitor().fetch('/')).headers.get('content-security-policy')?.split('; ') ?? [];
    const hosts = 'https://films.example https://media.example';
    expect(policy).toContain(`media-src 'self' blob: ${hosts}`);
    expect(policy.filter((each) => each.includes('.example')).map((each) => each.split(' ')[0])).toEqual([
      'connect-src',
      'media-src',
    ]);
  });

  test('let the worker fetch from this origin, and nothing else', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy');
    expect(await policyOf('/worker.de.js')).toBe(await policyOf('/worker.js'));
    expect(await policyOf('/worker.js')).toBe("default-src 'none'; connect-src 'self'; frame-ancestors 'none'");
    expect(await policyOf('/assets/main-B4x9_k2Q.js')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  test('upgrade to https and wss with an https address (HTTP-23)', async () => {
    const secure = await startTestApp({ webDir: web.path, env: { PUBLIC_URL: 'https://tunes.example' } });
    const policy = (await secure.visitor().fetch('/')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("connect-src 'self' wss://tunes.example;");
    expect(policy).toMatch(/; upgrade-insecure-requests$/);
  });
});
