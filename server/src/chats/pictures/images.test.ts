import { existsSync } from 'node:fs';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId } from '@tunemate/testkit/answers';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { jpegOfScans } from '@tunemate/testkit/fuzz/hostile-images';
import { seededIds } from '@tunemate/testkit/seeded-ids';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyBytes } from '../kept-bytes.ts';
import { createLimits } from '../../access/limits.ts';
import { uploadFiles, type UploadFiles } from '../uploads/upload-files.ts';
import { uploadsService } from '../uploads/uploads.ts';
import { imagesService } from './images.ts';
import { imageReader, type ImageReader } from './image-reader.ts';
import { createLog } from '../../system/logging.ts';

const refused = (code: string) => ({ ok: false, error: { code } });
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
const log = createLog('silent');
type Reader = Pick<ImageReader, 'read'>;

describeEachDialect('images in private chats', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  let images: ReturnType<typeof serve>;
  let files: ReturnType<typeof uploadFiles>;
  let reader: ImageReader;
  let image: Buffer;
  let removeFolder: () => Promise<void>;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
    const folder = await makeTempDir('images');
    removeFolder = () => folder.remove();
    files = uploadFiles(join(folder.path, 'images'));
    reader = imageReader({ log });
    images = serve(1);
    image = await blank(64, 48).png().toBuffer();
  });
  afterAll(async () => {
    await reader.close();
    await world.close();
    await removeFolder();
  });

  /** As another process of the installation would, with limits of its own. */
  function serve(seed: number, deps: Partial<Parameters<typeof uploadsService>[0] & { reader: Reader }> = {}) {
    const { record, clock } = world;
    const uploads = uploadsService({ kept: anyBytes, record, clock, ids: seededIds(seed), files, log, ...deps });
    const limits = createLimits({ clock, scale: 1 });
    return { ...uploads, ...imagesService({ uploads, reader, limits, ...deps }) };
  }

  const upload = async (from: Uid, to: Uid) => {
    const outcome = await images.upload(from, to, image);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.imageId;
  };
  const send = (from: Uid, to: Uid, imageId: string, clientId = newClientId()) =>
    world.handlers['chats/send'](callerOf(from), { uid: to, text: '', imageId, clientId });

  test('the files of a deleted message are removed, and can’t be read from its deletion on (CHAT-25)', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const imageId = await upload(ada, bob);
    const sent = await send(ada, bob, imageId);
    if (!sent.ok) throw new Error(sent.error.code);
    const { pairId, number } = sent.value.message;
    const path = files.pathOf(imageId, 'full');
    expect(await world.handlers['chats/delete'](callerOf(ada), { pairId, number })).toMatchObject({ ok: true });
    for (const uid of [ada, bob])
      expect(await images.locate(uid, imageId, 'full')).toEqual(refused('access/not-found'));
    expect(existsSync(path)).toBe(true);
    await images.removeGoing();
    expect(existsSync(path)).toBe(false);
  });

  test('a picture is not sent by its address to the one of the two who has deleted its message for themselves', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const imageId = await upload(ada, bob);
    const sent = await send(ada, bob, imageId);
    if (!sent.ok) throw new Error(sent.error.code);
    const { pairId, number } = sent.value.message;
    const isSent = async () =>
      await Promise.all([ada, bob].map(async (uid) => (await images.locate(uid, imageId, 'full')).ok));
    await world.handlers['chats/hide'](callerOf(bob), { pairId, number, isHidden: true });
    expect(await isSent()).toEqual([true, false]);
    await world.handlers['chats/hide'](callerOf(bob), { pairId, number, isHidden: false });
    await world.handlers['chats/clear'](callerOf(ada), { pairId, upTo: number });
    expect(await isSent()).toEqual([false, true]);
  });

  test('an image is sent without text and is readable only by the two people of the chat (CHAT-22)', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    const imageId = await upload(ada, bob);
    const clientId = newClientId();
    const sent = await send(ada, bob, imageId, clientId);
    expect(sent).toMatchObject({
      ok: true,
      value: { message: { text: '', image: { imageId, width: 64, height: 48 } } },
    });
    expect(await send(ada, bob, imageId, clientId)).toEqual(sent);
    for (const uid of [ada, bob]) {
      const located = await images.locate(uid, imageId, 'preview');
      if (!located.ok) throw new Error(located.error.code);
      const file = await located.value();
      expect((await buffer(file?.bytes ?? Readable.from([]))).subarray(8, 12).toString()).toBe('WEBP');
    }
    const notFound = refused('access/not-found');
    expect(await images.locate(eve, imageId, 'full')).toEqual(notFound);
    expect(await images.locate(ada, '../../etc/passwd', 'full')).toEqual(notFound);
    expect(await images.locate(ada, 'a\0b', 'full')).toEqual(notFound);
  });

  test('sends each image once, by its uploader, in its chat (CHAT-22)', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    const imageId = await upload(ada, bob);
    const notFound = refused('access/not-found');
    expect(await send(bob, ada, imageId)).toEqual(notFound);
    expect(await send(ada, eve, imageId)).toEqual(notFound);
    expect(await send(ada, bob, 'no-such-image')).toEqual(notFound);
    expect(await send(ada, bob, imageId)).toMatchObject({ ok: true });
    expect(await send(ada, bob, imageId)).toEqual(notFound);
  });

  test('refuses the client id of one image with another image (CHAT-8)', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const clientId = newClientId();
    const [one, other] = [await upload(ada, bob), await upload(ada, bob)];
    expect(await send(ada, bob, one, clientId)).toMatchObject({ ok: true });
    expect(await send(ada, bob, other, clientId)).toEqual(refused('input/conflict'));
  });

  test('an upload for oneself, for an unknown person, or despite a block is refused (CHAT-22)', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    expect(await images.upload(ada, ada, image)).toEqual(refused('input/invalid'));
    expect(await images.upload(ada, 'z'.repeat(22) as Uid, image)).toEqual(refused('access/not-found'));
    await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
    expect(await images.upload(ada, bob, image)).toEqual(refused('access/forbidden'));
  });

  test('keeps at most ten unsent uploads, and those for a day', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push(await upload(ada, bob));
    expect(await images.upload(ada, bob, image)).toEqual(refused('limit/too-many'));
    const [sentId = '', unsentId = ''] = ids;
    await send(ada, bob, sentId);
    const located = await images.locate(ada, unsentId, 'full');
    world.clock.advance(24 * 60 * 60 * 1000 + 1);
    await images.sweep();
    expect(await images.locate(ada, unsentId, 'full')).toEqual(refused('access/not-found'));
    expect(located.ok && (await located.value())).toBeNull();
    expect(await images.locate(bob, sentId, 'full')).toMatchObject({ ok: true });
    expect(await images.upload(ada, bob, image)).toMatchObject({ ok: true });
  });

  test('what was left unsent the longest gives way to what comes, and what was uploaded a moment ago does not', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const left = await upload(ada, bob);
    world.clock.advance(1);
    const next = await upload(ada, bob);
    world.clock.advance(60_000);
    for (let count = 2; count < 10; count += 1) await upload(ada, bob);
    await upload(ada, bob);
    expect(await images.locate(ada, left, 'full')).toEqual(refused('access/not-found'));
    expect(await send(ada, bob, next)).toMatchObject({ ok: true });
    await upload(ada, bob);
    expect(await images.upload(ada, bob, image)).toEqual(refused('limit/too-many'));
  });

  test('keeps ten unsent uploads also when twelve come at once', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => images.upload(ada, bob, image)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([refused('limit/too-many'), refused('limit/too-many')]);
  });
  test('refuses more than 5 MB, a small file that claims to be enormous, and one that is decoded over and over', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    expect(await images.upload(ada, bob, Buffer.alloc(5 * 1024 * 1024 + 1))).toEqual(refused('input/too-large'));
    const enormous = await blank(8000, 6000).png({ compressionLevel: 9 }).toBuffer();
    expect(enormous.length).toBeLessThan(1_000_000);
    expect(await images.upload(ada, bob, enormous)).toEqual(refused('input/too-large'));
    expect(await images.upload(ada, bob, jpegOfScans(51))).toEqual(refused('input/unsupported'));
    expect(await images.upload(ada, bob, jpegOfScans(50))).toMatchObject({ ok: true });
  });

  test.each([
    ['interlaced', (width: number) => blank(width, 3000).png({ progressive: true })],
    ['16 bits deep', (width: number) => blank(width, 3000).toColourspace('rgb16').png()],
  ])('a PNG that is %s has 12 megapixels at most', async (_name, make) => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    expect(await images.upload(ada, bob, await make(4001).toBuffer())).toEqual(refused('input/too-large'));
    expect(await images.upload(ada, bob, await make(4000).toBuffer())).toMatchObject({ ok: true });
  });

  test('the pixels of a person’s uploads are counted, refused and damaged ones too, separately for each person', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const whole = await blank(6000, 5000).png({ compressionLevel: 9 }).toBuffer();
    const damaged = whole.subarray(0, 100);
    const codes: string[] = [];
    for (let count = 0; count < 21; count += 1) {
      const outcome = await images.upload(ada, bob, damaged);
      codes.push(outcome.ok ? 'ok' : outcome.error.code);
    }
    // 20 of 30 megapixels are what may come at once.
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 'input/unsupported'), 'limit/too-many']);
    expect(await images.upload(bob, ada, image)).toMatchObject({ ok: true });
    const small = await images.upload(ada, bob, image);
    expect(small).toMatchObject({ ok: false, error: { code: 'limit/too-many' } });
    world.clock.advance(small.ok ? 0 : (small.error.retryAfterMs ?? 0));
    expect(await images.upload(ada, bob, image)).toMatchObject({ ok: true });
  });

  test('after three uploads that had to be ended by force a person waits before the next', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const impatient = imageReader({ log, killAfterMs: 1 });
    const there = serve(3, { reader: impatient });
    const slow = await blank(4000, 3000).jpeg().toBuffer();
    for (let count = 0; count < 3; count += 1) {
      expect(await there.upload(ada, bob, slow)).toEqual(refused('input/too-large'));
    }
    expect(await there.upload(ada, bob, slow)).toMatchObject({ ok: false, error: { code: 'limit/too-many' } });
    await impatient.close();
  });

  test('an upload that fails gives its place back and leaves no file', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const broken: UploadFiles = { ...files, save: () => Promise.reject(new Error('no disk')) };
    const there = serve(4, { files: broken });
    for (let count = 0; count < 11; count += 1) {
      await expect(there.upload(ada, bob, image)).rejects.toThrow('no disk');
    }
    for (let count = 0; count < 10; count += 1) await upload(ada, bob);
    expect(await images.upload(ada, bob, image)).toEqual(refused('limit/too-many'));
  });

  test('a place whose process ended is free again, and a deletion that was cut short is finished', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const ids = [await upload(ada, bob), await upload(ada, bob)];
    // As if the process had ended while it read the first, and between the files and the row of the second.
    const { db } = world.record;
    await db
      .updateTable('images')
      .set({ state: 'reserved' })
      .where('image_id', '=', ids[0] ?? '')
      .execute();
    await db
      .updateTable('images')
      .set({ state: 'going' })
      .where('image_id', '=', ids[1] ?? '')
      .execute();
    expect(await images.locate(ada, ids[0] ?? '', 'full')).toEqual(refused('access/not-found'));
    expect(await images.locate(ada, ids[1] ?? '', 'full')).toEqual(refused('access/not-found'));
    expect(await send(ada, bob, ids[1] ?? '')).toEqual(refused('access/not-found'));
    world.clock.advance(15 * 60 * 1000 + 1);
    await images.sweep();
    for (const imageId of ids) await expect(readFile(files.pathOf(imageId, 'full'))).rejects.toThrow('ENOENT');
    const left = await db.selectFrom('images').select('image_id').where('image_id', 'in', ids).execute();
    expect(left).toEqual([]);
  });

  test('deletes the files before the row: one that can’t be deleted is tried again', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const imageId = await upload(ada, bob);
    world.clock.advance(24 * 60 * 60 * 1000 + 1);
    const stuck: UploadFiles = { ...files, remove: () => Promise.reject(new Error('stuck')) };
    await expect(serve(5, { files: stuck }).sweep()).rejects.toThrow('stuck');
    expect((await readFile(files.pathOf(imageId, 'full'))).length).toBeGreaterThan(0);
    await images.sweep();
    await expect(readFile(files.pathOf(imageId, 'full'))).rejects.toThrow('ENOENT');
  });

  test('a file of no image is deleted after an hour', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const kept = files.pathOf(await upload(ada, bob), 'full');
    const [old, young] = [files.pathOf('a'.repeat(22), 'full'), files.pathOf('b'.repeat(22), 'preview')];
    for (const path of [old, young]) await writeFile(path, 'stray');
    const seconds = world.clock.now() / 1000;
    for (const path of [old, kept]) await utimes(path, seconds - 3601, seconds - 3601);
    await utimes(young, seconds, seconds);
    await images.sweep();
    await expect(readFile(old)).rejects.toThrow('ENOENT');
    expect((await readFile(young)).toString()).toBe('stray');
    expect((await readFile(kept)).length).toBeGreaterThan(0);
  });
});
