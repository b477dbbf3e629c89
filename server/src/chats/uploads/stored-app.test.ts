/** The whole server with an object store: browsers see our own address and nothing of the store. */
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { startS3, type TestS3 } from '@tunemate/testkit/services/s3';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';

let s3: TestS3;
let world: SocketWorld;
let picture: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  s3 = await startS3();
  world = await openSocketWorld({ env: { ...s3.env, METRICS_TOKEN: 'a-token-for-metrics' } });
  const create = { width: 64, height: 32, channels: 3, background: { r: 10, g: 90, b: 160 } } as const;
  picture = new Uint8Array(await sharp({ create }).png().toBuffer());
});
afterAll(async () => {
  await world.close();
  await s3.stop();
});

const as = (person: { cookie: string }) => {
  const visitor = world.app.visitor();
  visitor.setCookie(person.cookie);
  return visitor;
};
async function post(from: Tab, to: Tab) {
  const headers = { 'content-type': 'image/png', origin: world.app.url };
  const answer = await as(from).fetch(`/api/chats/images?with=${to.uid}`, { method: 'POST', headers, body: picture });
  return { status: answer.status, body: (await answer.json()) as unknown };
}
const stored = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith('PUT') && line.includes('/images/'));

test('a picture is stored, shown from our own address, and deleted for both', async () => {
  const [mara, ivo, eve] = [await world.arrive('Mara'), await world.arrive('Ivo'), await world.arrive('Eve')];
  const { imageId } = valueOf((await post(mara, ivo)).body as { ok: true; value: { imageId: string } });
  expect(stored(s3.asked)).toHaveLength(2);
  const request = { clientId: newClientId(), uid: ivo.uid, text: '', imageId };
  const { pairId, number } = valueOf(await mara.ask('chats/send', request)).message;
  for (const path of [`/api/chats/images/${imageId}`, `/api/chats/images/${imageId}/preview`]) {
    const answer = await as(ivo).fetch(path);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, bytes.subarray(8, 12).toString()]).toEqual([200, 'WEBP']);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
    expect(JSON.stringify([...answer.headers])).not.toContain(new URL(s3.account.url).host);
    expect((await as(eve).fetch(path)).status).toBe(404);
  }
  // Nor does an address that is known by chance lead to the object.
  expect((await fetch(`${s3.account.url}/images/${imageId}.full.webp`)).status).toBe(403);
  valueOf(await mara.ask('chats/delete', { pairId, number }));
  await world.app.app.runBackground();
  expect((await as(ivo).fetch(`/api/chats/images/${imageId}`)).status).toBe(404);
  expect(s3.asked.filter((line) => line.startsWith('DELETE') && line.includes(imageId))).toHaveLength(3);
});

test('a store that is away is said as such, in the answer and once in the log, without a key', async () => {
  const [mara, ivo] = [await world.arrive('Mara'), await world.arrive('Ivo')];
  const { imageId } = valueOf((await post(mara, ivo)).body as { ok: true; value: { imageId: string } });
  s3.fail(503, /images/);
  const before = world.app.log.length;
  const refused = { ok: false, error: { code: 'server/unavailable' } };
  expect(await post(mara, ivo)).toEqual({ status: 503, body: refused });
  const shown = await as(ivo).fetch(`/api/chats/images/${imageId}`);
  expect([shown.status, await shown.json()]).toEqual([503, refused]);
  expect(shown.headers.get('cache-control')).not.toContain('immutable');
  const warned = world.app.log.slice(before).filter(({ level }) => level === 'warn' || level === 'error');
  expect(warned.map(({ event }) => event).toSorted()).toEqual([
    'chat.upload-left',
    'request.upload.not-read',
    'request.upload.not-saved',
  ]);
  s3.fail(null);
  expect((await as(ivo).fetch(`/api/chats/images/${imageId}`)).status).toBe(200);
  const headers = { authorization: 'Bearer a-token-for-metrics' };
  const printed = [
    JSON.stringify(world.app.log, (_name, value: unknown) =>
      value instanceof Error ? [value.message, value.stack, value.cause] : value,
    ),
    await (await world.app.visitor().fetch('/metrics', { headers })).text(),
    await (await world.app.visitor().fetch('/status', { headers })).text(),
  ].join('\n');
  expect(printed).not.toContain('S3RVER');
});
