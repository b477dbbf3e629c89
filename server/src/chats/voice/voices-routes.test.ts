/** Voice messages over HTTP: uploading, hearing them whole and in parts, refusals, the export and bounds. */
import { execFile } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { limits } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const address = '/api/chats/voices';
interface Uploaded {
  ok: true;
  value: { voiceId: string; durationMs: number };
}

let recording: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  const tone = [
    '-v',
    'error',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440:duration=2',
    '-c:a',
    'libopus',
    '-f',
    'webm',
    '-',
  ];
  const { stdout } = await promisify(execFile)(ffmpegPath(), tone, { encoding: 'buffer' });
  recording = new Uint8Array(stdout);
});

function visitorOf(world: SocketWorld, person: Person | null) {
  const visitor = world.app.visitor();
  if (person) visitor.setCookie(person.cookie);
  return visitor;
}

async function post(world: SocketWorld, from: Person | null, to: string, headers: object = {}, body = recording) {
  const own = { 'content-type': 'audio/webm', origin: world.app.url };
  const answer = await visitorOf(world, from).fetch(`${address}?with=${to}`, {
    method: 'POST',
    headers: { ...own, ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

const refused = (status: number, code: string) => ({ status, body: { ok: false, error: { code } } });

describe('voice messages over HTTP', () => {
  let world: SocketWorld;
  beforeAll(async () => {
    world = await openSocketWorld();
  });
  afterAll(() => world.close());

  const uploaded = async (from: Person, to: Person) => valueOf((await post(world, from, to.uid)).body as Uploaded);
  const get = (who: Person | null, path: string, headers = {}) => visitorOf(world, who).fetch(path, { headers });

  test('a recording is sent in a message, heard whole and in parts by both, and exported', async () => {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    const { voiceId, durationMs } = await uploaded(mara, ivo);
    const sent = await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: '', voiceId });
    expect(valueOf(sent).message.voice).toMatchObject({ voiceId, durationMs });
    const whole = await get(ivo, `${address}/${voiceId}`);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=86400, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      vary: 'cookie',
    });
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = await get(mara, `${address}/${voiceId}`, { range: 'bytes=4-7' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      'ftyp',
      `bytes 4-7/${String(bytes.length)}`,
    ]);
    expect((await get(mara, `${address}/${voiceId}`, { range: 'bytes=9999999-' })).status).toBe(416);
    const mine = (await (await get(mara, '/api/accounts/export')).json()) as Record<string, unknown>;
    const at = `${world.app.url}${address}/${voiceId}`;
    expect(mine).toMatchObject({
      photos: [],
      voiceMessages: [{ voiceId, to: ivo.uid, isSent: true, durationMs, address: at }],
      chats: [{ messages: [{ text: '', image: null, voice: { voiceId, address: at } }] }],
    });
    expect((await get(mara, `/api/chats/images/${voiceId}`)).status).toBe(404);
  });

  test('a third person gets the same answer for a recording as for one that does not exist', async () => {
    const [mara, ivo, eve] = [await world.person('Mara'), await world.person('Ivo'), await world.person('Eve')];
    const { voiceId } = await uploaded(mara, ivo);
    const [theirs, none] = [await get(eve, `${address}/${voiceId}`), await get(eve, `${address}/none`)];
    expect([theirs.status, await theirs.text()]).toEqual([404, await none.text()]);
    expect((await get(mara, `${address}/${encodeURIComponent('../../tunemate.sqlite')}`)).status).toBe(404);
    expect((await get(null, `${address}/${voiceId}`)).status).toBe(401);
    const folder = join(world.app.dataDir, 'images');
    for (const name of await readdir(folder)) if (name.startsWith(voiceId)) await rm(join(folder, name));
    expect((await get(mara, `${address}/${voiceId}`)).status, 'its file is lost').toBe(404);
  });

  test('an upload from another site, of another type, or of more than 4 MB is refused', async () => {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    expect(await post(world, mara, ivo.uid, { origin: 'https://evil.example' })).toEqual(
      refused(403, 'access/cross-site'),
    );
    for (const type of ['image/png', 'video/webm', 'application/octet-stream', 'text/html'])
      expect(await post(world, mara, ivo.uid, { 'content-type': type })).toEqual(refused(415, 'input/unsupported'));
    const tooLarge = new Uint8Array(limits.voiceBytes + 1);
    expect(await post(world, mara, ivo.uid, {}, tooLarge)).toEqual(refused(413, 'input/too-large'));
    const script = new TextEncoder().encode('<script>alert(1)</script>');
    expect(await post(world, mara, ivo.uid, {}, script)).toEqual(refused(415, 'input/unsupported'));
  });

  test('the configuration says whether the server can decode recordings', async () => {
    const { result } = await world.app.visitor().call('GET /api/config', {});
    expect(result).toMatchObject({ ok: true, value: { voiceMessages: true } });
  });
});

test('the eleventh recording in a moment is refused with the time to wait', async () => {
  const world = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
  try {
    const [mara, ivo] = [await world.person('Mara'), await world.person('Ivo')];
    const nothing = new TextEncoder().encode('nothing');
    for (let count = 0; count < 10; count += 1) await post(world, mara, ivo.uid, {}, nothing);
    expect(await post(world, mara, ivo.uid, {}, nothing)).toMatchObject({
      status: 429,
      body: { error: { code: 'limit/too-many', retryAfterMs: expect.any(Number) as number } },
    });
  } finally {
    await world.close();
  }
});

test('recordings count to what a person may store', async () => {
  const world = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1', STORED_MB_PER_PERSON: '1' } });
  try {
    const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
    valueOf((await post(world, mara, ivo.uid)).body as Uploaded);
    await world.db
      .updateTable('images')
      .set({ bytes: 1024 * 1024 })
      .execute();
    // What is known of a person is read again after ten minutes.
    world.clock.advance(11 * 60_000);
    expect((await post(world, mara, ivo.uid)).body).toMatchObject({ error: { code: 'limit/stored-in-all' } });
  } finally {
    await world.close();
  }
});
