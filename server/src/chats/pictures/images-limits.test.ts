/** What one person may ask of the server with pictures, over HTTP and within all other limits. */
import { type ClientRequest, request } from 'node:http';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jpegOfScans } from '@tunemate/testkit/fuzz/hostile-images';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';

const address = '/api/chats/images';

describe('many and costly pictures', () => {
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
