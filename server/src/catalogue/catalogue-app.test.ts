/** The bundled library and a folder of the operator, served by the whole server. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emailOf, goodPassword, startTestApp } from '../../../testkit/src/test-app.ts';
import { readConfig } from '../config.ts';
import { startFailureLine } from '../start-failure.ts';
import { libraryId } from './library-item.ts';

const track = `/media/${libraryId('media/sunday-kitchen.mp3')}`;

test('LIB-40 the bundled tracks play for verified people only', async () => {
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
  expect(part.headers.get('content-type')).toBe('audio/mpeg');
  expect(part.headers.get('cache-control')).toContain('private');
  expect(part.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await part.arrayBuffer()).byteLength).toBe(1024);
  const cover = await member.fetch(`${track}/cover`);
  expect(cover.headers.get('content-type')).toBe('image/png');
  expect((await cover.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  expect((await member.fetch('/media/lib_0000000000000000')).status).toBe(404);
  await world.close();
});

test('LIB-41 MEDIA_DIR replaces the bundled library', async () => {
  const world = await startTestApp({ env: { MEDIA_DIR: join(import.meta.dirname, '../../../testkit/media') } });
  const member = await world.member('Mara');
  expect((await member.fetch(track)).status).toBe(404);
  expect((await member.fetch(`/media/${libraryId('film.webm')}`)).headers.get('content-type')).toBe('video/webm');
  await world.close();
});

test('LIB-42 a MEDIA_DIR that can not be read stops the start with a line that names it', async () => {
  const env = { MEDIA_DIR: '/nowhere/at/all' };
  const failure: unknown = await startTestApp({ env }).catch((error: unknown) => error);
  expect(startFailureLine(failure, readConfig(env))).toContain('MEDIA_DIR');
});
