/** The server as a production install runs it: built, with no source of it beside. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForMail } from '@tunemate/testkit/services/outbox';
import { startServerProcess } from '@tunemate/testkit/services/process';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const built = join(root, 'server/dist');

beforeAll(() => {
  // Other tests of the run start servers of that build.
  if (process.env['SERVER_PROGRAM'] !== undefined) return;
  execFileSync(process.execPath, [join(root, 'scripts/toolchain/write-server.mjs')], { stdio: 'inherit' });
});

test('the built server takes a sign-up and mails the link, and keeps what Node compiled of it', async () => {
  const env = { NODE_COMPILE_CACHE: undefined };
  const server = await startServerProcess({ program: ['server/dist/main.js'], env });
  try {
    const account = { name: 'Ada', email: 'ada@example.test', password: 'a quiet harbour at four' };
    const answer = await fetch(`${server.url}/api/accounts/sign-up`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify(account),
    });
    expect(await answer.json()).toMatchObject({ ok: true });
    const mail = await waitForMail(join(server.dataDir, 'outbox'), account.email);
    expect(mail.links[0]).toContain(server.url);
    expect(await server.stop()).toBe(0);
    expect(readdirSync(join(built, 'compiled'), { recursive: true }).length).toBeGreaterThan(5);
  } finally {
    await server.dispose();
  }
});

test('its process for pictures decodes one', async () => {
  const child = fork(join(built, 'chats/pictures/image-worker.js'), ['512'], { serialization: 'advanced' });
  expect(await once(child, 'message')).toContain('ready');
  const background = { r: 200, g: 80, b: 40 };
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background } });
  child.send(await picture.png().toBuffer());
  const [image] = (await once(child, 'message')) as [unknown];
  child.kill('SIGKILL');
  expect(image).toMatchObject({ width: 64, height: 48 });
});

test('the licences of the packages in it come with it', () => {
  const licences = readFileSync(join(built, 'LICENSES.txt'), 'utf8');
  for (const name of ['fastify', 'ws', 'pg', 'zod']) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
});
