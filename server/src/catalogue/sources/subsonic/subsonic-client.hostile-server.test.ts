/** A music server that lies, never ends and leads elsewhere, and people who use ours to bother it. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serve } from '@tunemate/testkit/network/serve';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  fakeAccount,
  type FakeSubsonic,
  fakeSong,
  type FakeSubsonicOptions,
  sendSubsonic,
  sendSubsonicError,
  startFakeSubsonic,
} from '@tunemate/testkit/fakes/fake-subsonic';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { accept, Failure } from '../../../system/ports.ts';
import { createCovers } from '../../library/covers.ts';
import { type LibraryItem, plainItem } from '../../library/library-item.ts';
import { NotYet } from '../../media/still-there.ts';
import type { Source } from '../source.ts';
import { subsonicClient, SubsonicFailure } from './subsonic-client.ts';
import { download } from './subsonic-download.ts';
import { subsonicLibrary } from './subsonic-library.ts';
import { subsonicMedia } from './subsonic-media.ts';

let fake: FakeSubsonic;
let listed: readonly LibraryItem[];
let log: { event: string; fields: object }[];
let nowMs = 0;
let patience = { answerMs: 5000, partMs: 5000, wholeMs: 60_000, refusedMs: 5000 };

async function open(options: FakeSubsonicOptions = {}) {
  fake = await startFakeSubsonic(options);
  const note = (fields: object, event: string) => void log.push({ event, fields });
  const { user, password } = fakeAccount;
  const client = subsonicClient({ url: fake.url, user, password, token: null }, patience);
  const show = ({ items }: { items: readonly LibraryItem[] }) => (listed = items);
  const library = subsonicLibrary({ client, log: { info: note, warn: note }, nowMs: () => nowMs, show });
  const media = subsonicMedia({ client, library, wantCopy: () => undefined });
  return { client, library, media };
}

beforeEach(() => {
  nowMs = 0;
  [listed, log, patience] = [[], [], { answerMs: 5000, partMs: 5000, wholeMs: 60_000, refusedMs: 5000 }];
});
afterEach(() => fake.close());

const first = (): LibraryItem => listed[0] as LibraryItem;

async function cover(media: Pick<Source, 'cover'>, id: string) {
  return await (await media.cover({ ...plainItem(first()), cover: { in: 'source', id } }))?.read();
}

/** What is sent of a track; `range` is the header. */
async function part(media: Pick<Source, 'open'>, item: LibraryItem, range: string | undefined) {
  const opened = await media.open(item);
  if (!opened.ok) return opened;
  if ('file' in opened.value) throw new Error('a file of this machine');
  return await opened.value.part(range);
}

describe('a hostile music server', () => {
  test.each([
    ['of songs', []],
    ['with a song that is none', [{ title: 'No id' }]],
  ])('that sends the same page for ever, %s, is read to its end all the same (SONIC-5)', async (_what, more) => {
    const { library } = await open();
    fake.answer = ({ method }, response) => {
      const song = [fakeSong(1), fakeSong(2), ...more];
      if (method === 'search3') sendSubsonic(response, { searchResult3: { song } });
      return method === 'search3';
    };
    await library.refresh();
    expect(listed).toHaveLength(2);
    expect(fake.calls.filter(({ method }) => method === 'search3').length).toBeLessThan(4);
  });

  test('whose answer does not end is given up at 8 MB (SONIC-5)', async () => {
    const { library } = await open();
    let sent = 0;
    fake.answer = ({ method }, response) => {
      if (method !== 'search3') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed) {
          sent += 65_536;
          if (!response.write(' '.repeat(65_536))) break;
        }
      };
      response.on('drain', more);
      more();
      return true;
    };
    await library.refresh();
    expect(log).toEqual([
      { event: 'catalogue.subsonic-failed', fields: expect.objectContaining({ fault: 'answer' }) as object },
    ]);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('that says nothing is given up in time (SONIC-4)', async () => {
    const { library, media } = await open({ file: randomBytes(100_000) });
    await library.refresh();
    // Not before the list is read, which can take a while on a busy machine.
    Object.assign(patience, { answerMs: 100, partMs: 100 });
    fake.answer = () => true;
    expect(await part(media, first(), undefined)).toMatchObject({
      ok: false,
      error: { code: 'server/unavailable' },
    });
    // That it begins can take a while on a busy machine.
    patience.answerMs = 60_000;
    fake.answer = (_call, response) => {
      response.writeHead(200, { 'content-length': 100_000 }).write('begun');
      return true;
    };
    const begun = await part(media, first(), undefined);
    expect(begun.ok).toBe(true);
    const read = async () => {
      if (!begun.ok) return;
      for await (const _ of begun.value.bytes ?? []);
    };
    await expect(read()).rejects.toBeInstanceOf(SubsonicFailure);
  });

  test('that sends in drops holds up no list, no cover and no beginning of a track (SONIC-4)', async () => {
    const songAt = (at: number) => ({ ...fakeSong(at), suffix: 'mp3', contentType: 'audio/mpeg', size: 100_000 });
    const { client, library, media } = await open({ file: randomBytes(100_000), songAt });
    await library.refresh();
    patience.wholeMs = 200;
    fake.answer = ({ method, headers }, response) => {
      if (method === 'stream' && headers.range === undefined) return false;
      response.writeHead(200, { 'content-type': method === 'ping' ? 'application/json' : 'image/png' });
      const drops = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(drops));
      return true;
    };
    await expect(client.ask('ping')).rejects.toThrow('music server: away');
    // More than are asked for at once.
    const covers = Promise.allSettled(Array.from({ length: 6 }, (_, at) => cover(media, `al-${String(at)}`)));
    expect((await covers).map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    // The picture inside is looked for in parts, and the track is sent with it.
    const opened = await part(media, first(), undefined);
    expect(opened.ok).toBe(true);
    if (opened.ok) opened.value.bytes?.destroy();
  });

  test('that sends a track in drops holds up no copy of another (SONIC-4)', async () => {
    const { client, library } = await open({ file: randomBytes(1000) });
    await library.refresh();
    fake.answer = (_call, response) => {
      response.writeHead(200, { 'content-type': 'audio/flac' });
      const drops = setInterval(() => response.write(' '), 10);
      response.once('close', () => clearInterval(drops));
      return true;
    };
    const folder = await makeTempDir('drops');
    const fetched = download(client, first(), join(folder.path, 'raw'), new AbortController().signal, 200);
    await expect(fetched).rejects.toBeInstanceOf(NotYet);
    await folder.remove();
  });

  test('that redirects into the network makes this server ask nothing there (SONIC-2)', async () => {
    const { client, library, media } = await open({ file: randomBytes(1000) });
    await library.refresh();
    let asked = 0;
    const inside = await serve((_request, response) => {
      asked += 1;
      response.end('{"secret":true}');
    });
    const location = `${inside.url}/admin`;
    for (const status of [301, 302, 307, 308]) {
      fake.answer = (_call, response) => {
        response.writeHead(status, { location }).end();
        return true;
      };
      await expect(client.ask('ping')).rejects.toBeInstanceOf(SubsonicFailure);
      expect((await part(media, first(), undefined)).ok).toBe(false);
      await expect(cover(media, 'al-0')).rejects.toThrow(Failure);
    }
    expect(asked).toBe(0);
    await inside.close();
  });

  test('whose names are markup, endless or control a terminal is listed as plain short text (SONIC-5)', async () => {
    const title = `<img src=x onerror=alert(1)>\u001b[2J\u202e${'a'.repeat(4000)}`;
    const { library } = await open({
      count: 1,
      songAt: (index) => ({ ...fakeSong(index), title, path: `../../etc/${title}/x.flac` }),
    });
    await library.refresh();
    expect(first().title.length).toBeLessThan(400);
    expect(first().title).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(first().folder).not.toContain('..');
  });

  test('cannot choose the id or the file of a track: what it calls its own is only sent back to it (SONIC-2)', async () => {
    const { library, media } = await open({
      count: 1,
      songAt: (index) => ({
        ...fakeSong(index),
        id: '../../../etc/passwd?x=1&u=admin',
        coverArt: 'http://127.0.0.1:1/x',
      }),
      file: randomBytes(1000),
    });
    await library.refresh();
    expect(first()).toMatchObject({ id: expect.stringMatching(/^lib_[0-9a-f]{16}$/) as string, path: '' });
    await part(media, first(), undefined);
    const call = fake.calls.at(-1);
    expect(call?.method).toBe('stream');
    expect(call?.parameters).toMatchObject({ id: '../../../etc/passwd?x=1&u=admin', u: fakeAccount.user });
  });

  test.each<[string, string, Buffer | string]>([
    ['a page', 'image/png', '<html><script>alert(1)</script></html>'],
    ['a drawing with a script', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['random bytes', 'image/jpeg', randomBytes(5000)],
    ['nothing', 'image/png', ''],
    ['the head of a picture alone', 'image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
    ['an error of the protocol', 'application/json', '{"subsonic-response":{"status":"failed","error":{"code":70}}}'],
  ])('whose cover is %s has none (SONIC-2)', async (_what, type, sent) => {
    const { library, media } = await open();
    await library.refresh();
    fake.answer = ({ method }, response) => {
      if (method === 'getCoverArt') response.writeHead(200, { 'content-type': type }).end(sent);
      return method === 'getCoverArt';
    };
    const covers = createCovers(undefined, null, media.cover);
    const answer = await covers.of(first(), () => Promise.resolve(accept({}))).catch((error: unknown) => error);
    expect(answer).not.toMatchObject({ ok: true });
  });

  test('whose cover does not end is given up at 32 MB (SONIC-5)', async () => {
    const { library, media } = await open();
    await library.refresh();
    let sent = 0;
    fake.answer = ({ method }, response) => {
      if (method !== 'getCoverArt') return false;
      response.writeHead(200, { 'content-type': 'image/png' });
      const more = (): void => {
        while (!response.destroyed) {
          sent += 1_000_000;
          if (!response.write(Buffer.alloc(1_000_000))) break;
        }
      };
      response.on('drain', more);
      more();
      return true;
    };
    await expect(cover(media, 'al-0')).rejects.toThrow(Failure);
    expect(sent).toBeLessThan(128 * 1024 * 1024);
  });

  test('that sends other bytes than were asked for is believed nothing (SONIC-2)', async () => {
    const { library, media } = await open({ file: randomBytes(1000) });
    await library.refresh();
    for (const range of ['bytes 5-20/1000', 'bytes 0-9/5', 'bytes 10-5/1000', 'lines 1-2/3', '']) {
      fake.answer = (_call, response) => {
        response.writeHead(206, { 'content-range': range }).end('x'.repeat(11));
        return true;
      };
      expect((await part(media, first(), 'bytes=10-20')).ok, range).toBe(false);
    }
    fake.answer = (_call, response) => {
      response.writeHead(206, { 'content-range': 'bytes 10-20/1000' }).end('x'.repeat(5000));
      return true;
    };
    const opened = await part(media, first(), 'bytes=10-20');
    let size = 0;
    if (opened.ok) for await (const part of opened.value.bytes ?? []) size += (part as Buffer).length;
    expect(size).toBe(11);
  });
});

test.each([
  ['tagged.mp3', 'mp3', 'APIC', 'XPIC'],
  ['tagged.m4a', 'm4a', 'covr', 'free'],
])('the picture inside %s is hidden from players, as that of a file is', async (name, suffix, picture, skipped) => {
  const file = await readFile(join(import.meta.dirname, '../../../../../testkit/media', name));
  const songAt = (index: number) => ({ ...fakeSong(index), suffix, size: file.length });
  const { library, media } = await open({ count: 1, songAt, file });
  await library.refresh();
  for (const [range, from] of [
    [undefined, 0],
    ['bytes=50-', 50],
  ] as const) {
    const opened = await part(media, first(), range);
    const parts: Buffer[] = [];
    if (opened.ok) for await (const part of opened.value.bytes ?? []) parts.push(part as Buffer);
    const expected = Buffer.from(file);
    expected.write(skipped, file.indexOf(picture), 'latin1');
    expect(Buffer.concat(parts).equals(expected.subarray(from))).toBe(true);
  }
});

test('the gains that a server says become the loudness of a track, where they are those of a recording', async () => {
  const gains = [{ trackGain: -6, albumGain: -5.5 }, { trackGain: 900 }, undefined];
  const { library } = await open({ count: 3, songAt: (index) => ({ ...fakeSong(index), replayGain: gains[index] }) });
  await library.refresh();
  expect(listed.map(({ loudness }) => loudness)).toEqual([
    { track: -12, album: -12.5 },
    { track: null, album: null },
    { track: null, album: null },
  ]);
});

describe('people who bother the music server', () => {
  test('do not make it refuse its account again and again (SONIC-5)', async () => {
    const { library } = await open();
    fake.answer = (_call, response) => {
      sendSubsonicError(response, 40);
      return true;
    };
    for (let look = 0; look < 50; look += 1) await library.refresh();
    expect(fake.calls).toHaveLength(1);
    nowMs += 11 * 60_000;
    await library.refresh();
    expect(fake.calls).toHaveLength(2);
    expect(log).toHaveLength(1);
    // The clock was ahead when the server was away.
    nowMs -= 24 * 60 * 60_000;
    fake.answer = () => false;
    await library.refresh();
    expect(log.map(({ event }) => event)).toContain('catalogue.subsonic-back');
  });

  test('do not have our account locked out: once it was refused, no player and no cover asks with it for a while (SONIC-5)', async () => {
    const { library, media } = await open({ file: randomBytes(1000), cover: randomBytes(100) });
    await library.refresh();
    // A while goes by when the test says so.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    fake.calls.length = 0;
    fake.answer = (_call, response) => {
      sendSubsonicError(response, 40);
      return true;
    };
    for (let press = 0; press < 20; press += 1) {
      expect((await part(media, first(), undefined)).ok).toBe(false);
      await expect(cover(media, 'al-0')).rejects.toThrow(Failure);
    }
    expect(fake.calls).toHaveLength(1);
    fake.answer = () => false;
    vi.advanceTimersByTime(patience.refusedMs);
    expect((await part(media, first(), 'bytes=0-0')).ok).toBe(true);
    // One song that the account may not have says nothing of the others.
    fake.answer = ({ parameters }, response) => {
      const isForbidden = parameters['id'] === 'tr-1';
      if (isForbidden) sendSubsonicError(response, 50);
      return isForbidden;
    };
    const second = listed[1] as Required<LibraryItem>;
    expect((await part(media, second, undefined)).ok).toBe(false);
    expect((await part(media, first(), 'bytes=0-0')).ok).toBe(true);
  });

  test('do not make ours list everything anew for each track that is gone (SONIC-5)', async () => {
    const { library, media } = await open({ count: 20 });
    await library.refresh();
    const all = listed;
    let shown = 0;
    let before = listed;
    for (const item of all) {
      expect(await part(media, item, undefined)).toMatchObject({
        error: { code: 'access/not-found' },
      });
      if (listed !== before) shown += 1;
      before = listed;
    }
    expect(shown).toBe(1);
    expect(listed).toHaveLength(19);
    library.close();
  });

  test('play a hundred tracks at once at most (SONIC-5)', async () => {
    const { library, media } = await open({ file: randomBytes(2_000_000) });
    await library.refresh();
    const opened = await Promise.all(Array.from({ length: 110 }, () => part(media, first(), undefined)));
    expect(opened.filter(({ ok }) => ok)).toHaveLength(100);
    for (const each of opened) if (each.ok) each.value.bytes?.destroy();
    await expect.poll(async () => (await part(media, first(), 'bytes=0-0')).ok).toBe(true);
  });

  test('do not make it work by looking: the list is read once, by one request at a time (SONIC-5)', async () => {
    const { library } = await open({ count: 1200 });
    await Promise.all(Array.from({ length: 50 }, () => library.refresh()));
    await library.refresh();
    expect(listed).toHaveLength(1200);
    expect(fake.calls.filter(({ method }) => method === 'search3')).toHaveLength(4);
    expect(fake.mostAtOnce()).toBe(1);
  });

  test('ask for covers four at a time, and for no range that is no range (SONIC-5)', async () => {
    const { library, media } = await open({ file: randomBytes(1000), cover: randomBytes(100) });
    await library.refresh();
    fake.answer = (_call, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end('x'), 10);
      return true;
    };
    await Promise.all(Array.from({ length: 40 }, (_, at) => cover(media, `al-${String(at)}`)));
    expect(fake.mostAtOnce()).toBe(4);
    fake.answer = () => false;
    const range = 'bytes=0-1,5-6,8-9';
    const opened = await part(media, first(), range);
    expect(fake.calls.at(-1)?.headers.range).toBeUndefined();
    if (opened.ok) opened.value.bytes?.destroy();
  });
});
