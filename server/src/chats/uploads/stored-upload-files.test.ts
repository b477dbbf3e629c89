/** Files of chats in a folder and in an object store: the same to everything above, also where one of them fails. */
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { seededIds } from '@tunemate/testkit/seeded-ids';
import { startS3, type TestS3 } from '@tunemate/testkit/services/programs/s3';
import { m4aBytes, webpBytes } from '@tunemate/testkit/media-bytes';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import sharp from 'sharp';
import { anyBytes } from '../kept-bytes.ts';
import { createLog } from '../../system/logging.ts';
import { objectStore } from '../../system/store/object-store.ts';
import { storedUploadFiles } from './stored-upload-files.ts';
import { uploadFiles, type UploadFiles } from './upload-files.ts';
import { uploadsService } from './uploads.ts';

describe('stored upload files', () => {
  const picture = { full: webpBytes('the full one'), preview: webpBytes('small') };
  const [full, preview] = [picture.full.toString(), picture.preview.toString()];
  const voice = m4aBytes('a sound');
  const sound = voice.toString();
  const aMinuteOn = () => Date.now() + 60_000;
  let dir: TempDir;
  let s3: TestS3;
  let stored: UploadFiles;
  beforeEach(async () => {
    [dir, s3] = [await makeTempDir('uploads'), await startS3()];
    stored = storedUploadFiles(objectStore(s3.account), uploadFiles(join(dir.path, 'images')));
  });
  afterEach(async () => {
    await s3.stop();
    await dir.remove();
  });

  async function read(files: UploadFiles, ...asked: Parameters<UploadFiles['open']>) {
    const file = await files.open(...asked);
    return file && { ...file, bytes: file.bytes && (await buffer(file.bytes)).toString() };
  }

  async function untouched(files: UploadFiles, beforeMs: number): Promise<string[]> {
    const found: string[] = [];
    for await (const page of files.untouchedSince(beforeMs)) found.push(...page);
    return [...new Set(found)].toSorted();
  }

  describe.each(['a folder', 'an object store'])('%s', (kind) => {
    let files: UploadFiles;
    beforeEach(() => {
      files = kind === 'a folder' ? uploadFiles(join(dir.path, 'images')) : stored;
    });

    test('gives back what it was given, and nothing where there is nothing', async () => {
      await files.save('one', picture);
      await files.save('two', { voice });
      expect(await read(files, 'one', 'full')).toEqual({ size: full.length, part: null, bytes: full });
      expect(await read(files, 'one', 'preview')).toMatchObject({ bytes: preview });
      for (const [id, what] of [
        ['one', 'voice'],
        ['two', 'full'],
        ['three', 'full'],
      ] as const) {
        expect(await read(files, id, what)).toBeNull();
      }
    });

    test.each([
      ['bytes=0-', { part: { first: 0, last: 26 }, bytes: sound }],
      ['bytes=22-24', { part: { first: 22, last: 24 }, bytes: 'sou' }],
      ['bytes=25-99', { part: { first: 25, last: 26 }, bytes: 'nd' }],
      ['bytes=-2', { part: { first: 25, last: 26 }, bytes: 'nd' }],
      ['bytes=27-', { part: null, bytes: null }],
      ['bytes=-0', { part: null, bytes: null }],
      ['bytes=4-2', { part: null, bytes: sound }],
      ['bytes=0-1,3-4', { part: null, bytes: sound }],
      ['lines=1-2', { part: null, bytes: sound }],
    ])('answers the range %s', async (range, expected) => {
      await files.save('one', { voice });
      expect(await read(files, 'one', 'voice', range)).toEqual({ size: 27, ...expected });
      expect(await read(files, 'none', 'voice', range)).toBeNull();
    });

    test('removes all of an upload and nothing else, twice too, and lists what is left', async () => {
      for (const id of ['one', 'two', 'three']) await files.save(id, picture);
      await files.save('four', { voice });
      await files.remove(['one', 'four', 'never-there']);
      await files.remove(['one']);
      expect(await read(files, 'one', 'full')).toBeNull();
      expect(await untouched(files, aMinuteOn())).toEqual(['three', 'two']);
      expect(await untouched(files, Date.now() - 60_000)).toEqual([]);
    });

    test('takes many uploads side by side', async () => {
      await files.save('one', picture);
      await Promise.all(Array.from({ length: 20 }, (_, n) => files.save(`n${String(n)}`, picture)));
      expect(await read(files, 'one', 'full')).toMatchObject({ bytes: full });
      expect(await untouched(files, aMinuteOn())).toHaveLength(21);
    });
  });

  describe('beside an object store, the folder of this machine', () => {
    test('serves what it had before, and loses it with the upload', async () => {
      await uploadFiles(join(dir.path, 'images')).save('old', picture);
      s3.asked.length = 0;
      expect(await read(stored, 'old', 'full')).toMatchObject({ bytes: full });
      expect(s3.asked).toEqual([]);
      await stored.remove(['old']);
      expect(await readdir(join(dir.path, 'images'))).toEqual([]);
    });

    test('gets nothing new but recordings that are decoded, whose rests are found', async () => {
      await stored.save('one', picture);
      const work = await stored.workFile('left');
      await writeFile(work, 'recorded');
      await utimes(work, 0, 1000);
      expect(await readdir(join(dir.path, 'images'))).toEqual(['left.recorded']);
      expect(await untouched(stored, Date.now() - 60_000)).toEqual(['left']);
    });
  });

  describe('a store that fails', () => {
    const anyFault = [500, 403, 404, 'stranger', 'moved'] as const;
    test.each([
      ['save', 'upload.not-saved', () => stored.save('two', picture), anyFault],
      ['open', 'upload.not-read', () => stored.open('one', 'full'), [...anyFault, 'endless' as const]],
      ['open a part', 'upload.not-read', () => stored.open('one', 'full', 'bytes=0-3'), anyFault],
      ['remove', 'upload.not-removed', () => stored.remove(['one']), anyFault],
      ['list', 'upload.not-listed', () => untouched(stored, aMinuteOn()), [...anyFault, 'endless' as const]],
    ])('to %s is unavailable, with a named cause that holds no key', async (_what, event, work, faults) => {
      await stored.save('one', picture);
      // A busy machine may take longer to answer; from here on no answer is a failure as well.
      const hasty = { answerMs: 1500, partMs: 1500, bytesPerMs: 2000 };
      stored = storedUploadFiles(objectStore(s3.account, hasty), uploadFiles(join(dir.path, 'images')));
      for (const fault of faults) {
        s3.fail(fault);
        const error = await work().catch((thrown: unknown) => thrown);
        const expected = { code: 'server/unavailable', message: event, cause: { name: 'StoreFailure' } };
        expect(error, String(fault)).toMatchObject(expected);
        expect(JSON.stringify(error)).not.toContain('S3RVER');
      }
    });

    test('by being full has its own error', async () => {
      s3.fail(507);
      await expect(stored.save('one', picture)).rejects.toMatchObject({ code: 'server/storage-full' });
    });
  });

  describe('uploads in a store', () => {
    let world: PeopleWorld;
    beforeEach(async () => {
      world = await openPeopleWorld(() => Promise.resolve(`sqlite:${join(dir.path, 'uploads.sqlite')}`), 'sqlite');
    });
    afterEach(() => world.close());

    const serve = () =>
      uploadsService({ kept: anyBytes, ...world, ids: seededIds(7), files: stored, log: createLog('silent') });
    const decode = () =>
      Promise.resolve({
        ok: true as const,
        value: { contents: picture, row: { width: 4, height: 3, voice: null }, value: 'kept' },
      });
    const rows = () => world.record.db.selectFrom('images').select(['image_id', 'state']).execute();
    const objects = async () =>
      (await readdir(join(s3.folder, 'images')).catch(() => [])).filter((name) => name.endsWith('_object'));

    test('nothing is acknowledged whose second file was not stored, and what is left of it goes', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      const uploads = serve();
      s3.fail(500, /^(?:PUT .*preview|DELETE)/);
      await expect(uploads.store({ ok: true, value: null }, { uid: ada, other: bob, decode })).rejects.toMatchObject({
        message: 'upload.not-saved',
      });
      // The store does not take the first one back either: the place stays reserved until the rounds give it up.
      expect(await rows()).toMatchObject([{ state: 'reserved' }]);
      expect(await objects()).toHaveLength(1);
      s3.fail(null);
      world.clock.advance(16 * 60_000);
      await uploads.sweep();
      expect([await rows(), await objects()]).toEqual([[], []]);
    });

    test('what was deleted for both while the store is away goes with a later round', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      const uploads = serve();
      valueOf(await uploads.store({ ok: true, value: null }, { uid: ada, other: bob, decode }));
      const [{ image_id: imageId } = { image_id: '' }] = await rows();
      const request = { uid: bob, text: '', imageId, clientId: newClientId() };
      const { pairId, number } = valueOf(await world.handlers['chats/send'](callerOf(ada), request)).message;
      valueOf(await world.handlers['chats/delete'](callerOf(ada), { pairId, number }));
      s3.fail(500, /^DELETE/);
      await expect(uploads.removeGoing()).rejects.toMatchObject({ message: 'upload.not-removed' });
      expect(await rows()).toMatchObject([{ state: 'going' }]);
      s3.fail(null);
      await uploads.removeGoing();
      expect([await rows(), await objects()]).toEqual([[], []]);
    });

    test('an object of no row goes after an hour, and one of a row stays', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      const uploads = serve();
      valueOf(await uploads.store({ ok: true, value: null }, { uid: ada, other: bob, decode }));
      await stored.save('orphan', picture);
      world.clock.advance(Date.now() - world.clock.now() + 30 * 60_000);
      await uploads.sweep();
      expect(await read(stored, 'orphan', 'full')).not.toBeNull();
      world.clock.advance(60 * 60_000);
      await uploads.sweep();
      expect(await read(stored, 'orphan', 'full')).toBeNull();
      expect(await objects()).toHaveLength(2);
      expect(await readFile(join(s3.folder, 'images', (await objects())[0] ?? ''), 'utf8')).toBe(full);
    });

    test.each(['a folder', 'an object store'])('to another database nothing in %s is left over', async (kind) => {
      const files = kind === 'a folder' ? uploadFiles(join(dir.path, 'images')) : stored;
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      const parts = { kept: anyBytes, ...world, ids: seededIds(7), files, log: createLog('silent') };
      valueOf(await uploadsService(parts).store({ ok: true, value: null }, { uid: ada, other: bob, decode }));
      world.clock.advance(Date.now() - world.clock.now() + 90 * 60_000);
      await using elsewhere = await makeTempDir('uploads');
      const url = Promise.resolve(`sqlite:${join(elsewhere.path, 'empty.sqlite')}`);
      const another = await openPeopleWorld(() => url, 'sqlite');
      const sweepByAnother = uploadsService({ ...parts, record: another.record }).sweep;
      // Also where no earlier version has noted whose they are.
      await sweepByAnother();
      await uploadsService(parts).sweep();
      await sweepByAnother();
      const [{ image_id: imageId } = { image_id: '' }] = await rows();
      expect(await read(files, imageId, 'full')).not.toBeNull();
      await files.save('orphan', picture);
      world.clock.advance(90 * 60_000);
      await uploadsService(parts).sweep();
      await another.close();
      expect(await read(files, 'orphan', 'full')).toBeNull();
    });
  });
});

/** The whole server with an object store: browsers see our own address and nothing of the store. */
describe('whole server', () => {
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
});
