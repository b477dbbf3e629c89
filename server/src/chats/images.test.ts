import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/dialects';
import { callerOf, newClientId, openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/people-world';
import { seededIds } from '@tunemate/testkit/seeded-ids';
import { makeTempDir } from '@tunemate/testkit/temp-dir';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageFiles } from './image-files.ts';
import { type ImagesService, imagesService } from './images-service.ts';
import { readPicture } from './picture.ts';

const refused = (code: string) => ({ ok: false, error: { code } });
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } });
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('pictures', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('CHAT-20 takes %s and keeps nothing but pixels', async (format) => {
    const exif = { IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitudeRef: 'N' } };
    const bytes = await blank(3000, 1500).withExif(exif).toFormat(format).toBuffer();
    expect(bytes.includes('SECRET-OWNER')).toBe(true);
    const read = await readPicture(bytes);
    if (!read.ok) throw new Error(read.error.code);
    const { full, preview, width, height } = read.value;
    expect([width, height]).toEqual([2048, 1024]);
    for (const kept of [full, preview]) {
      const metadata = await sharp(kept).metadata();
      expect(metadata).toMatchObject({ format: 'webp' });
      expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect((await sharp(preview).metadata()).width).toBe(480);
  });

  it('CHAT-20 turns a picture upright', async () => {
    const bytes = await blank(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await readPicture(bytes)).toMatchObject({ ok: true, value: { width: 20, height: 40 } });
  });

  it('CHAT-21 refuses what is not one of the three, or is damaged', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>');
    const gif = await blank(9, 9).gif().toBuffer();
    const png = await blank(90, 90).png().toBuffer();
    for (const bytes of [svg, gif, png.subarray(0, png.length / 2), Buffer.from('hello'), Buffer.alloc(0)]) {
      expect(await readPicture(bytes)).toEqual(refused('input/unsupported'));
    }
  });

  it('CHAT-21 refuses more than 5 MB, and a small file that claims to be enormous', async () => {
    expect(await readPicture(Buffer.alloc(5 * 1024 * 1024 + 1))).toEqual(refused('input/too-large'));
    const enormous = await blank(8000, 6000).png({ compressionLevel: 9 }).toBuffer();
    expect(enormous.length).toBeLessThan(1_000_000);
    expect(await readPicture(enormous)).toEqual(refused('input/too-large'));
  });
});

describeEachDialect('images in private chats', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  let images: ImagesService;
  let picture: Buffer;
  let removeFolder: () => Promise<void>;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect);
    const folder = await makeTempDir('images');
    removeFolder = () => folder.remove();
    const files = imageFiles(join(folder.path, 'images'));
    images = imagesService({ record: world.record, clock: world.clock, ids: seededIds(9), files, log });
    picture = await blank(64, 48).png().toBuffer();
  });
  afterAll(async () => {
    await world.close();
    await removeFolder();
  });

  const upload = async (from: Uid, to: Uid) => {
    const outcome = await images.upload(from, to, picture);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.imageId;
  };
  const send = (from: Uid, to: Uid, imageId: string, clientId = newClientId()) =>
    world.handlers['chats/send'](callerOf(from), { uid: to, text: '', imageId, clientId });

  it('CHAT-22 sends an image without text, readable by the two and by nobody else', async () => {
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
      expect((await readFile(located.value.path)).subarray(8, 12).toString()).toBe('WEBP');
    }
    const notFound = refused('access/not-found');
    expect(await images.locate(eve, imageId, 'full')).toEqual(notFound);
    expect(await images.locate(ada, '../../etc/passwd', 'full')).toEqual(notFound);
  });

  it('CHAT-22 sends each image once, by its uploader, in its chat', async () => {
    const [ada, bob, eve] = [await world.addPerson(), await world.addPerson(), await world.addPerson()];
    const imageId = await upload(ada, bob);
    const notFound = refused('access/not-found');
    expect(await send(bob, ada, imageId)).toEqual(notFound);
    expect(await send(ada, eve, imageId)).toEqual(notFound);
    expect(await send(ada, bob, 'no-such-image')).toEqual(notFound);
    expect(await send(ada, bob, imageId)).toMatchObject({ ok: true });
    expect(await send(ada, bob, imageId)).toEqual(notFound);
  });

  it('CHAT-22 takes no image for oneself, for nobody, or past a block', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    expect(await images.upload(ada, ada, picture)).toEqual(refused('input/invalid'));
    expect(await images.upload(ada, 'z'.repeat(22) as Uid, picture)).toEqual(refused('access/not-found'));
    await world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked: true });
    expect(await images.upload(ada, bob, picture)).toEqual(refused('access/forbidden'));
  });

  it('CHAT-23 keeps at most ten unsent uploads, and those for a day', async () => {
    const [ada, bob] = [await world.addPerson(), await world.addPerson()];
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push(await upload(ada, bob));
    expect(await images.upload(ada, bob, picture)).toEqual(refused('limit/too-many'));
    const [sentId = '', unsentId = ''] = ids;
    await send(ada, bob, sentId);
    const located = await images.locate(ada, unsentId, 'full');
    world.clock.advance(24 * 60 * 60 * 1000 + 1);
    await images.sweep();
    expect(await images.locate(ada, unsentId, 'full')).toEqual(refused('access/not-found'));
    await expect(readFile(located.ok ? located.value.path : '')).rejects.toThrow('ENOENT');
    expect(await images.locate(bob, sentId, 'full')).toMatchObject({ ok: true });
    expect(await images.upload(ada, bob, picture)).toMatchObject({ ok: true });
  });
});
