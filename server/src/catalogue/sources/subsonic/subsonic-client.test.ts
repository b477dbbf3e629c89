/** Signing in to music servers of every kind, what stops the start, and where the secrets go. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { valueOf } from '@tunemate/testkit/answers';
import {
  fakeAccount,
  type FakeSubsonic,
  fakeSong,
  type FakeSubsonicOptions,
  sendSubsonic,
  sendSubsonicError,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { freePort } from '@tunemate/testkit/services/free-port';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { openSocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { readConfig } from '../../../config.ts';
import { startFailureLine } from '../../../system/start-failure.ts';
import { subsonicClient, type SubsonicFault } from './subsonic-client.ts';

let fake: FakeSubsonic;
afterEach(() => fake.close());
const { user, password, key } = fakeAccount;

async function start(options: FakeSubsonicOptions = {}) {
  fake = await startFakeSubsonic(options);
  return {
    named: subsonicClient({ url: fake.url, user, password, token: null }),
    keyed: subsonicClient({ url: fake.url, user: null, password: null, token: key }),
  };
}

test('a server with keys gets the key and no name', async () => {
  const { keyed } = await start({ accepts: 'key' });
  expect(await keyed.signIn()).toBe('navidrome');
  expect(fake.calls.at(-1)?.parameters).toMatchObject({ apiKey: key, f: 'json' });
  expect(fake.calls.at(-1)?.parameters).not.toHaveProperty('u');
});

test('others get the password salted, with another salt in each call, and never the password (SONIC-3)', async () => {
  const { named } = await start();
  await named.signIn();
  await named.ask('ping');
  const salts = new Set(fake.calls.map(({ parameters }) => parameters['s']));
  expect(salts.size).toBe(2);
  expect(JSON.stringify(fake.calls)).not.toMatch(/open.?sesame|6f70656e/i);
});

test.each([10, 41])(
  'a server that answers error %i gets the password in the body of a POST, and in no address (SONIC-3)',
  async (code) => {
    const { named } = await start();
    fake.answer = ({ parameters }, response) => {
      if (parameters['p'] === undefined) sendSubsonicError(response, code);
      else sendSubsonic(response, {});
      return true;
    };
    await named.signIn();
    await named.ask('getScanStatus');
    const call = fake.calls.at(-1);
    expect(call).toMatchObject({ http: 'POST', address: '/rest/getScanStatus.view' });
    expect(call?.parameters['p']).toBe(`enc:${Buffer.from(password).toString('hex')}`);
  },
);

test('a wrong password is not sent again in another way (SONIC-3)', async () => {
  await start();
  const wrong = subsonicClient({ url: fake.url, user, password: 'not this', token: null });
  await expect(wrong.signIn()).rejects.toMatchObject({ fault: 'password' });
  expect(fake.calls).toHaveLength(1);
});

test('an older server, and one that asks for an older client, is too old (SONIC-3)', async () => {
  const { named } = await start({ version: '1.7.0' });
  await expect(named.signIn()).rejects.toMatchObject({ fault: 'protocol' });
  fake.answer = (_call, response) => {
    sendSubsonicError(response, 30);
    return true;
  };
  await expect(named.signIn()).rejects.toMatchObject({ fault: 'protocol' });
  const env = { SUBSONIC_URL: fake.url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password };
  const failure: unknown = await openSocketWorld({ env }).catch((error: unknown) => error);
  expect(startFailureLine(failure, readConfig(env))).toMatch(/too old/);
});

const failed = (code: number) => JSON.stringify({ 'subsonic-response': { status: 'failed', error: { code } } });
test.each<[string, number, Record<string, string>, string, SubsonicFault]>([
  ['a proxy that asks for a password (nginx, Caddy)', 401, { 'www-authenticate': 'Basic' }, '<h1>No', 'proxy'],
  ['a page to sign in (Authelia, Authentik)', 302, { location: 'https://auth.invalid/' }, '', 'redirect'],
  ['a limit of calls (Funkwhale)', 429, { 'retry-after': '60' }, '{"detail":"throttled"}', 'busy'],
  ['a proxy whose server is not running', 502, {}, '<h1>Bad Gateway', 'away'],
  ['another program (Jellyfin without its plug-in)', 404, {}, '', 'address'],
  ['the page of an app at every address', 200, {}, '<!doctype html><title>Music', 'address'],
  ['a refusal with its status (Nextcloud Music)', 401, {}, failed(40), 'password'],
  ['a right that is missing (Ampache)', 403, {}, failed(50), 'rights'],
])('%s is told apart', async (_what, status, headers, body, fault) => {
  const { named } = await start();
  fake.answer = (_call, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };
  await expect(named.signIn()).rejects.toMatchObject({ fault });
});

test('a sign-in of what stands before the server stops the start, and the way out is said', async () => {
  await start();
  fake.answer = (_call, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="house"' }).end();
    return true;
  };
  const env = { SUBSONIC_URL: fake.url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password };
  const failure: unknown = await openSocketWorld({ env }).catch((error: unknown) => error);
  expect(startFailureLine(failure, readConfig(env))).toMatch(/sign-in of its own.*\/rest\//u);
});

test('a server that is not there stops nothing: its tracks may come, and are listed once it answers (SONIC-4)', async () => {
  fake = await startFakeSubsonic();
  const url = `http://127.0.0.1:${String(await freePort())}`;
  const world = await openSocketWorld({ env: { SUBSONIC_URL: url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password } });
  expect(world.app.log).toContainEqual(
    expect.objectContaining({
      event: 'catalogue.subsonic-failed',
      fields: expect.objectContaining({
        fault: 'port',
        advice: expect.stringMatching(/port right/u) as string,
      }) as object,
    }),
  );
  const visitor = await world.app.member('Ada');
  expect((await visitor.fetch('/media/lib_0123456789abcdef')).status).toBe(503);
  expect(JSON.stringify(world.app.log)).not.toContain(password);
});

test('a certificate that no authority signed stops the start and says the way out, and a name that leads nowhere is said', async () => {
  fake = await startFakeSubsonic();
  await using house = await makeTempDir('tls');
  const [key, cert] = [join(house.path, 'key.pem'), join(house.path, 'cert.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
  ]);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end(),
  );
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  const at = (url: string) => ({ SUBSONIC_URL: url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password });
  const env = at(`https://127.0.0.1:${String(port)}`);
  const failure: unknown = await openSocketWorld({ env }).catch((error: unknown) => error);
  expect(startFailureLine(failure, readConfig(env))).toMatch(/signed by no authority.*NODE_EXTRA_CA_CERTS/u);
  const plain = at(`https://127.0.0.1:${new URL(fake.url).port}`);
  const noTls: unknown = await openSocketWorld({ env: plain }).catch((error: unknown) => error);
  expect(startFailureLine(noTls, readConfig(plain))).toMatch(/speaks no TLS/u);
  const nowhere = subsonicClient({ url: 'http://music.invalid', user, password, token: null });
  await expect(nowhere.ask('ping')).rejects.toMatchObject({ fault: 'name' });
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test.each([
  ['/app/#/album/all?order=ASC', ''],
  ['/#/', ''],
  ['/music/app/#/album', '/music'],
  ['/music/rest/', '/music'],
])('the address in the bar of a browser, with %j behind it, leads to the server', (behind, base) => {
  const env = { SUBSONIC_URL: `http://house:4533${behind}`, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password };
  expect(readConfig(env).subsonic?.url).toBe(`http://house:4533${base}`);
});

test('a server that finds nothing without a word is read album by album, and its tracks name it (SONIC-1)', async () => {
  fake = await startFakeSubsonic({ count: 0 });
  const albums = ['al-1', 'al-2'];
  fake.answer = ({ method, parameters }, response) => {
    const isFirst = parameters['offset'] === '0';
    if (method === 'getAlbumList2')
      sendSubsonic(response, { albumList2: { album: isFirst ? albums.map((id) => ({ id })) : [] } });
    else if (method === 'getAlbum')
      sendSubsonic(response, { album: { song: [fakeSong(Number(parameters['id']?.slice(3)))] } });
    else return false;
    return true;
  };
  const world = await openSocketWorld({
    env: { SUBSONIC_URL: fake.url, SUBSONIC_USER: user, SUBSONIC_PASSWORD: password },
  });
  const guest = await world.arrive('Mara');
  const room = await world.room(guest, 'audio');
  const view = { type: 'search', words: 'song number' } as const;
  const { tracks } = valueOf(await guest.ask('library/tracks', { ...room, view, from: 0 }));
  expect(tracks.map(({ name, server }) => [name, server])).toEqual([
    ['Song number 1', 'navidrome'],
    ['Song number 2', 'navidrome'],
  ]);
  // Nothing of the account or the address reaches a page.
  const seen = JSON.stringify([tracks, guest.snapshot, guest.received]);
  for (const secret of [fake.url, password, 'al-1', 'tr-1']) expect(seen).not.toContain(secret);
});
