/** Chat images over HTTP: uploading, sending over the socket, reading them, and refusals. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { type ClientRequest, request } from 'node:http';
import { jpegOfScans } from '@tunemate/testkit/fuzz/hostile-images';

const address = '/api/chats/images';

describe('chat images over HTTP', () => {
  let world: SocketWorld;
  let image: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    world = await openSocketWorld();
    const create = { width: 640, height: 320, channels: 3, background: { r: 10, g: 90, b: 160 } } as const;
    image = new Uint8Array(await sharp({ create }).png().toBuffer());
  });
  afterAll(() => world.close());

  function asVisitor(person: Person | null) {
    const visitor = world.app.visitor();
    if (person) visitor.setCookie(person.cookie);
    return visitor;
  }
  const post = async (from: Person | null, to: string, headers: Record<string, string> = {}, body = image) => {
    const own = { 'content-type': 'image/png', origin: world.app.url };
    const answer = await asVisitor(from).fetch(`${address}?with=${to}`, {
      method: 'POST',
      headers: { ...own, ...headers },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const get = (who: Person | null, path: string) => asVisitor(who).fetch(path);
  const refused = (status: number, code: string) => ({ status, body: { ok: false, error: { code } } });
  async function uploaded(from: Person, to: Person): Promise<string> {
    const { body } = await post(from, to.uid);
    return valueOf(body as { ok: true; value: { imageId: string } }).imageId;
  }

  test('an upload without a body is refused', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    const headers = { origin: world.app.url };
    const answer = await asVisitor(mara).fetch(`${address}?with=${ivo.uid}`, { method: 'POST', headers });
    expect({ status: answer.status, body: await answer.json() }).toEqual(refused(422, 'input/invalid'));
  });

  test('an uploaded picture is sent in a message and shown, whole and as preview, to both of the chat', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    const { status, body } = await post(mara, ivo.uid);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, value: { width: 640, height: 320 } });
    const { imageId } = valueOf(body as { ok: true; value: { imageId: string } });
    const sent = await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: '', imageId });
    expect(valueOf(sent).message.image).toEqual({ imageId, width: 640, height: 320 });
    for (const who of [mara, ivo]) {
      for (const [path, width] of [
        [`${address}/${imageId}`, 640],
        [`${address}/${imageId}/preview`, 480],
      ] as const) {
        const answer = await get(who, path);
        expect(answer.status).toBe(200);
        expect((await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width).toBe(width);
      }
    }
  });

  test('an image is answered as WebP that browsers take for nothing else, keep privately and show to no other site', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const answer = await get(ivo, `${address}/${await uploaded(mara, ivo)}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400, immutable',
      vary: 'cookie',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
  });

  test('a third person gets the same answer for an image as for one that does not exist', async () => {
    const [mara, ivo, eve] = [await world.person('Mara'), await world.person('Ivo'), await world.person('Eve')];
    const imageId = await uploaded(mara, ivo);
    for (const rest of ['', '/preview']) {
      const [theirs, none] = [await get(eve, `${address}/${imageId}${rest}`), await get(eve, `${address}/none${rest}`)];
      expect([theirs.status, await theirs.text()]).toEqual([404, await none.text()]);
      expect(none.status).toBe(404);
    }
    const outside = await get(mara, `${address}/${encodeURIComponent('../../tunemate.sqlite')}`);
    expect(outside.status).toBe(404);
  });

  test('an image whose file is lost is answered as one that does not exist', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const imageId = await uploaded(mara, ivo);
    const folder = join(world.app.dataDir, 'images');
    const lost = (await readdir(folder)).filter((name) => name.startsWith(imageId));
    expect(lost).toHaveLength(2);
    for (const name of lost) await rm(join(folder, name));
    for (const rest of ['', '/preview']) expect((await get(mara, `${address}/${imageId}${rest}`)).status).toBe(404);
  });

  test('an image whose file is empty, cut or damaged is not sent as if it were whole, and is named once', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const imageId = await uploaded(mara, ivo);
    const file = join(world.app.dataDir, 'images', `${imageId}.full.webp`);
    const whole = await readFile(file);
    for (const broken of [Buffer.alloc(0), whole.subarray(0, whole.length / 2), Buffer.alloc(whole.length)]) {
      await writeFile(file, broken);
      const answer = await get(mara, `${address}/${imageId}`);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    }
    expect((await get(mara, `${address}/${imageId}/preview`)).status).toBe(200);
    const isNamed = ({ event }: { event: string }) => event === 'chat.upload-damaged';
    expect(world.app.log.filter(isNamed)).toMatchObject([{ fields: { file: `${imageId}.full.webp` } }]);
    await writeFile(file, whole);
    expect((await get(mara, `${address}/${imageId}`)).status).toBe(200);
  });

  test('signed-out and unverified visitors neither upload nor see any image', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const pending = await world.person('Uma', { isVerified: false });
    const imageId = await uploaded(mara, ivo);
    expect(await post(null, ivo.uid)).toEqual(refused(401, 'auth/required'));
    expect(await post(pending, ivo.uid)).toEqual(refused(403, 'auth/email-unverified'));
    expect((await get(null, `${address}/${imageId}`)).status).toBe(401);
    expect((await get(pending, `${address}/${imageId}/preview`)).status).toBe(403);
  });

  test('an upload from another site is refused before its body is read', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const crossSite = refused(403, 'access/cross-site');
    expect(await post(mara, ivo.uid, { origin: 'https://evil.example' })).toEqual(crossSite);
    expect(await post(mara, ivo.uid, { 'sec-fetch-site': 'cross-site' })).toEqual(crossSite);
  });

  test('what is not a JPEG, PNG or WebP of at most 5 MB is refused and leaves no file', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const kept = async () => await readdir(join(world.app.dataDir, 'images')).catch(() => []);
    const before = await kept();
    const unsupported = refused(415, 'input/unsupported');
    for (const type of ['image/gif', 'image/svg+xml', 'application/json', 'text/plain']) {
      expect(await post(mara, ivo.uid, { 'content-type': type })).toEqual(unsupported);
    }
    expect(await post(mara, ivo.uid, {}, new Uint8Array(Buffer.from('<svg/>')))).toEqual(unsupported);
    const tooLarge = await post(mara, ivo.uid, {}, new Uint8Array(5 * 1024 * 1024 + 1));
    expect(tooLarge).toEqual(refused(413, 'input/too-large'));
    expect((await post(mara, mara.uid)).status).toBe(422);
    for (const to of ['z'.repeat(22), '', 'none', `${ivo.uid}&with=${ivo.uid}`])
      expect(await post(mara, to), to).toEqual(refused(404, 'access/not-found'));
    expect(await kept()).toEqual(before);
  });

  test('an upload that was not sent within a day is swept away, file and all', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const imageId = await uploaded(mara, ivo);
    await world.pass(24 * 60 * 60 * 1000 + 1);
    expect((await get(mara, `${address}/${imageId}`)).status).toBe(404);
    const files = await readdir(join(world.app.dataDir, 'images'));
    expect(files.filter((name) => name.startsWith(imageId))).toEqual([]);
  });
});

describe('the limit of uploads', () => {
  test('the eleventh upload in a second is refused with the time to wait', async () => {
    const world = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const visitor = world.app.visitor();
    visitor.setCookie(mara.cookie);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const headers = { 'content-type': 'image/png', origin: world.app.url };
      const body = new Uint8Array(Buffer.from('no picture'));
      statuses.push((await visitor.fetch(`${address}?with=${ivo.uid}`, { method: 'POST', headers, body })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 415), 429]);
  });
});

/** What one person may ask of the server with pictures, over HTTP and within all other limits. */
describe('many and costly pictures', () => {
  const address = '/api/chats/images';

  let world: SocketWorld;
  let open: ClientRequest[];
  beforeEach(async () => {
    world = await openSocketWorld();
    open = [];
  });
  afterEach(async () => {
    for (const each of open) each.destroy();
    await world.close();
  });

  async function post(from: Person, to: Person, body: Uint8Array): Promise<{ status: number; code: string }> {
    const visitor = world.app.visitor();
    visitor.setCookie(from.cookie);
    const answer = await visitor.fetch(`${address}?with=${to.uid}`, {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg', origin: world.app.url },
      body: new Uint8Array(body),
    });
    const result = (await answer.json()) as { ok: boolean; error?: { code: string } };
    return { status: answer.status, code: result.error?.code ?? 'ok' };
  }

  /** An upload of 5 MB of which nothing comes but its headers. */
  function begin(from: Person, to: Person): ClientRequest {
    const begun = request(`http://127.0.0.1:${String(world.app.app.port)}${address}?with=${to.uid}`, {
      method: 'POST',
      headers: {
        'content-type': 'image/jpeg',
        'content-length': String(5 * 1024 * 1024),
        origin: world.app.url,
        cookie: from.cookie,
      },
    });
    begun.on('error', () => undefined);
    begun.flushHeaders();
    open.push(begun);
    return begun;
  }
  const answerTo = (begun: ClientRequest) =>
    new Promise<{ status: number | undefined; wait: string | undefined }>((resolve) => {
      begun.once('response', ({ statusCode, headers }) =>
        resolve({ status: statusCode, wait: headers['retry-after'] }),
      );
    });
  const nothing = Buffer.from('no picture');

  test('a JPEG that is decoded thousands of times over is refused, and so is a PNG that takes hundreds of megabytes', async () => {
    const [eve, ivo] = [await world.person('Eve'), await world.person('Ivo')];
    expect(await post(eve, ivo, jpegOfScans(51, 6320))).toEqual({ status: 415, code: 'input/unsupported' });
    const create = { width: 6320, height: 6320, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 1 } } as const;
    const deep = await sharp({ create }).toColourspace('rgb16').png({ progressive: true }).toBuffer();
    expect(await post(eve, ivo, deep)).toEqual({ status: 413, code: 'input/too-large' });
  });

  test('a third upload at once is refused before its body is read, with a time to wait', async () => {
    const [eve, ivo] = [await world.person('Eve'), await world.person('Ivo')];
    const three = Array.from({ length: 3 }, () => begin(eve, ivo));
    // Fast enough not to be cut, and slow enough not to be over while a busy machine looks.
    const arriving = setInterval(() => three.forEach((each) => each.write(Buffer.alloc(4 * 1024))), 50);
    // Whichever comes last.
    const refused = await Promise.race(three.map(async (each) => ({ each, ...(await answerTo(each)) })));
    expect(refused).toMatchObject({ status: 429, wait: '2' });
    expect((await post(eve, ivo, nothing)).code).toBe('limit/too-many');
    expect((await post(ivo, eve, nothing)).code).toBe('input/unsupported');
    three.find((each) => each !== refused.each)?.destroy();
    clearInterval(arriving);
    await expect.poll(async () => (await post(eve, ivo, nothing)).code).toBe('input/unsupported');
  });

  test('uploads that have not arrived take no place of others, however many of one network begin', async () => {
    const ivo = await world.person('Ivo');
    for (let count = 0; count < 12; count += 1) {
      const each = await world.person(`Eve ${String(count)}`);
      for (const begun of [begin(each, ivo), begin(each, ivo)]) begun.write('x');
    }
    const late = await world.person('Late');
    expect(await post(late, ivo, nothing)).toEqual({ status: 415, code: 'input/unsupported' });
    const photo = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect((await post(late, ivo, photo)).code).toBe('ok');
  });
});
