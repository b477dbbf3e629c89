/** The object store of S3_URL, as a real one, and as one that fails in each way. */
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { serve } from '@tunemate/testkit/network/serve';
import { freePort } from '@tunemate/testkit/services/free-port';
import { startS3, type TestS3 } from '@tunemate/testkit/services/programs/s3';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { adviceOn } from '../outside.ts';
import { startFailureLine } from '../start-failure.ts';
import { type ObjectStore, objectStore, openObjectStore, prove } from './object-store.ts';

/** A wait in each test of a store that hangs; a busy machine may take longer to answer. */
const hasty = { answerMs: 1500, partMs: 1500, bytesPerMs: 2000 };
let s3: TestS3;
let store: ObjectStore;
let dir: TempDir;
beforeEach(async () => {
  [s3, dir] = [await startS3(), await makeTempDir('objects')];
  store = objectStore(s3.account);
});
afterEach(async () => {
  await s3.stop();
  await dir.remove();
});

const failure = (fault: string) => ({ name: 'StoreFailure', message: `object-store.${fault}` });
const read = async (key: string, part?: { first: number; last: number }) => {
  const found = await store.get(key, part);
  return found && (await buffer(found.stream)).toString();
};
const listed = async (folder: string) => {
  const names: string[] = [];
  for await (const page of store.list(folder)) names.push(...page.map(({ name }) => name));
  return names;
};

describe('objects', () => {
  test('are written, read whole and in part, listed and removed; of what is not there is none', async () => {
    await store.put('images/one.m4a', Buffer.from('a sound'));
    await writeFile(join(dir.path, 'file'), 'of a file');
    await store.putFile('images/two.m4a', join(dir.path, 'file'));
    await store.put('exact-copies/three.m4a', Buffer.from(''));
    expect(await read('images/one.m4a')).toBe('a sound');
    expect(await read('images/one.m4a', { first: 2, last: 4 })).toBe('sou');
    expect(await read('images/two.m4a')).toBe('of a file');
    expect(await read('exact-copies/three.m4a')).toBe('');
    expect(await store.sizeOf('images/one.m4a')).toBe(7);
    expect(await listed('images')).toEqual(['one.m4a', 'two.m4a']);
    expect(await store.getFile('images/one.m4a', join(dir.path, 'copy'))).toBe(true);
    expect(await readFile(join(dir.path, 'copy'), 'utf8')).toBe('a sound');
    await store.remove('images/one.m4a');
    await store.remove('images/one.m4a');
    expect([await read('images/one.m4a'), await store.sizeOf('images/one.m4a')]).toEqual([null, null]);
    expect(await store.getFile('images/one.m4a', join(dir.path, 'none'))).toBe(false);
  });

  test('of a bucket with a folder of its own in S3_URL stay in that folder', async () => {
    const within = objectStore({ ...s3.account, url: `${s3.account.url}/club/night` });
    await within.put('images/one.m4a', Buffer.from('ours'));
    await store.put('images/other.m4a', Buffer.from('theirs'));
    expect(await readdir(join(s3.folder, 'club', 'night', 'images'))).toContain('one.m4a._S3rver_object');
    const names: string[] = [];
    for await (const page of within.list('images')) names.push(...page.map(({ name }) => name));
    expect(names).toEqual(['one.m4a']);
  });

  test('are listed by pages to the end, and what other programs put there is left out', async () => {
    for (let n = 0; n < 501; n += 1) await store.put(`images/i${String(n)}.m4a`, Buffer.from('x'));
    await writeFile(join(s3.folder, 'images', 'a b&c._S3rver_object'), 'theirs');
    const pages: number[] = [];
    for await (const page of store.list('images')) pages.push(page.length);
    expect(pages.reduce((sum, each) => sum + each, 0)).toBe(501);
    expect(pages.length).toBeGreaterThan(1);
  });

  test.each(['../other/x', 'images/../../x', 'images/..', '/etc/passwd', 'images/a/b', 'images/', 'images/a?acl', 'a'])(
    'a key that could leave its folder is never asked for: %s',
    async (key) => {
      s3.asked.length = 0;
      for (const work of [() => store.put(key, Buffer.from('x')), () => store.get(key), () => store.remove(key)]) {
        await expect(work()).rejects.toMatchObject(failure('address'));
      }
      expect(s3.asked).toEqual([]);
    },
  );
});

describe('a start', () => {
  test('writes, reads and removes one object', async () => {
    expect(await openObjectStore(null)).toBeNull();
    await (await openObjectStore(s3.account))?.put('images/one.m4a', Buffer.from('x'));
    expect(s3.asked.map((line) => line.split(/[ ?]/)[0])).toEqual(['PUT', 'GET', 'GET', 'GET', 'DELETE', 'PUT']);
    expect(await listed('probes')).toEqual([]);
  });

  const wrongs: readonly [string, Partial<TestS3['account']>][] = [
    ['key', { secretKey: 'not the secret' }],
    ['key', { accessKey: 'NOBODY' }],
    ['bucket', { url: '/nothing-here' }],
    ['reserved', { url: 'http://127.0.0.1:9/pictures' }],
    ['name', { url: 'http://pictures.invalid/pictures' }],
  ];
  test.each(wrongs)('says %s for %o, and nothing of the keys', async (fault, wrong) => {
    const url = wrong.url === undefined ? s3.account.url : new URL(wrong.url, s3.account.url).href;
    const error = await openObjectStore({ ...s3.account, ...wrong, url }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(failure(fault));
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toMatch(/not the secret|NOBODY|S3RVER/);
  });

  test('says why it can not be reached: nothing listens, or no TLS is spoken there', async () => {
    for (const [fault, origin] of [
      ['port', `http://127.0.0.1:${String(await freePort())}`],
      ['tls', new URL(s3.account.url).origin.replace('http:', 'https:')],
    ] as const) {
      const error = await openObjectStore({ ...s3.account, url: `${origin}/pictures` }).catch((e: unknown) => e);
      expect(error).toMatchObject(failure(fault));
      expect(startFailureLine(error, readConfig({}))).toContain(adviceOn[fault]);
    }
  });

  test('says so when another program answers, and when it leads elsewhere', async () => {
    s3.fail('stranger');
    await expect(prove(store)).rejects.toMatchObject(failure('address'));
    s3.fail('moved');
    await expect(prove(store)).rejects.toMatchObject(failure('address'));
  });

  test('refuses a bucket that strangers can read', async () => {
    s3.publish();
    await expect(prove(store)).rejects.toMatchObject(failure('public'));
    expect(await listed('probes')).toEqual([]);
  });
});

describe('a store that fails', () => {
  beforeEach(async () => {
    await store.put('images/one.m4a', Buffer.alloc(200_000, 'x'));
    s3.asked.length = 0;
  });

  test.each([500, 503, 429])('with %i is asked twice more, and then it is away', async (status) => {
    s3.fail(status);
    await expect(store.get('images/one.m4a')).rejects.toMatchObject(failure('away'));
    expect(s3.asked).toHaveLength(3);
    s3.fail(status, /./, 2);
    await store.put('images/two.m4a', Buffer.from('kept'));
    s3.fail(status, /./, 2);
    expect(await read('images/two.m4a')).toBe('kept');
  });

  test('by hanging is waited for once, within its time', async () => {
    s3.fail('hang');
    const waiting = objectStore(s3.account, hasty);
    await expect(waiting.put('images/two.m4a', Buffer.from('x'))).rejects.toMatchObject(failure('away'));
    await expect(waiting.get('images/one.m4a')).rejects.toMatchObject(failure('away'));
    expect(s3.asked).toHaveLength(2);
    const ended = new AbortController();
    const work = waiting.getFile('images/one.m4a', join(dir.path, 'copy'), { signal: ended.signal });
    ended.abort();
    await expect(work).rejects.toMatchObject(failure('away'));
  });

  test('in the middle of a body fails the reader, who never takes a part for the whole', async () => {
    s3.fail('cut');
    const found = await store.get('images/one.m4a');
    expect(found?.bytes).toBe(200_000);
    await expect(buffer(found!.stream)).rejects.toMatchObject({ name: 'StoreFailure' });
    await expect(store.getFile('images/one.m4a', join(dir.path, 'copy'))).rejects.toMatchObject({
      name: 'StoreFailure',
    });
  });

  test('by another length or part than was asked for is not read, nor is a body without an end', async () => {
    s3.fail('longer');
    await expect(store.get('images/one.m4a', { first: 5, last: 9 })).rejects.toMatchObject(failure('answer'));
    await expect(store.get('images/one.m4a')).rejects.toMatchObject(failure('answer'));
    s3.fail('endless');
    await expect(store.get('images/one.m4a')).rejects.toMatchObject(failure('answer'));
    await expect(listed('images')).rejects.toMatchObject({ name: 'StoreFailure' });
    s3.fail(null);
    const most = { mostBytes: 199_999 };
    await expect(store.getFile('images/one.m4a', join(dir.path, 'copy'), most)).rejects.toMatchObject(
      failure('answer'),
    );
  });

  test('by losing its bucket is not taken for one without the object', async () => {
    s3.fail(404);
    for (const work of [
      () => store.get('images/one.m4a'),
      () => store.remove('images/one.m4a'),
      () => listed('images'),
    ]) {
      await expect(work()).rejects.toMatchObject(failure('bucket'));
    }
  });

  test.each(['away', 'hanging'])('%s, keeps no file open that was to be written', async (how) => {
    const path = join(dir.path, 'large');
    await writeFile(path, Buffer.alloc(2_000_000));
    if (how === 'hanging') s3.fail('hang');
    const url = how === 'away' ? 'http://127.0.0.1:9/pictures' : s3.account.url;
    const failing = objectStore({ ...s3.account, url }, hasty);
    const fault = how === 'away' ? 'reserved' : 'away';
    await expect(failing.putFile('exact-copies/one.m4a', path)).rejects.toMatchObject(failure(fault));
    await expect.poll(() => timesOpen(path)).toBe(0);
  });

  test('to be read is not asked any longer for what is not read', async () => {
    let [asked, ended] = [0, 0];
    const size = 50_000_000;
    const large = await serve((_request, response) => {
      asked += 1;
      response.once('close', () => (ended += 1));
      response.writeHead(200, { 'content-length': size }).write(Buffer.alloc(size / 10));
    });
    const giving = objectStore({ ...s3.account, url: `${large.url}/pictures` });
    for (let n = 0; n < 5; n += 1) (await giving.get('images/one.m4a'))?.stream.destroy();
    await expect.poll(() => [asked, ended]).toEqual([5, 5]);
    await expect(giving.getFile('images/one.m4a', join(dir.path, 'copy'), { mostBytes: 9 })).rejects.toThrow();
    await expect.poll(() => ended).toBe(6);
    await large.close();
  });
});

/** How often this process has the file open, where the system says it. */
async function timesOpen(path: string): Promise<number> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
  return paths.filter((each) => each === path).length;
}
