/** The library over real folders and real files of every format. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { libraryId, plainItem } from './library-item.ts';
import { filesSource } from '../sources/files/files-source.ts';
import { keptList } from './kept-list.ts';
import { openMediaLibrary } from './media-library.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const bundled = join(import.meta.dirname, '../../../../library');

function recordingLog() {
  const lines: { event: string; fields: object }[] = [];
  const add = (fields: object, event: string): void => void lines.push({ event, fields });
  return { lines, info: add, warn: add };
}

async function open(folder: string) {
  const log = recordingLog();
  return { library: await openMediaLibrary({ folder, log }), log };
}

describe('a folder of the operator', () => {
  test('lists every format with its tags, kind and type', async () => {
    const { library } = await open(media);
    const seen = library.list().map(({ title, artist, kind, mime, cover }) => [title, artist, kind, mime, cover.in]);
    expect(seen).toEqual([
      ['A Film', null, 'video', 'video/mp4', 'nowhere'],
      ['Web Film', null, 'video', 'video/webm', 'nowhere'],
      ['Sound Only', null, 'audio', 'audio/mp4', 'nowhere'],
      ['Lossless Song', null, 'audio', 'audio/flac', 'nowhere'],
      ['Second Take', 'Señora Gül', 'audio', 'audio/mp4', 'media'],
      ['Déjà Vu', 'Señora Gül', 'audio', 'audio/mpeg', 'media'],
      ['Vorbis Song', null, 'audio', 'audio/ogg', 'nowhere'],
      ['Opus Song', null, 'audio', 'audio/ogg', 'nowhere'],
      ['untagged wave', null, 'audio', 'audio/wav', 'nowhere'],
    ]);
    for (const { durationSeconds, mime } of library.list()) {
      expect(durationSeconds).toBeCloseTo(mime === 'audio/wav' ? 0.3 : 1.2, 1);
    }
  });

  test('other names of the same formats are listed too', async () => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'tagged.m4a'), join(dir.path, 'book.m4b'));
    await cp(join(media, 'film.mp4'), join(dir.path, 'film.m4v'));
    await cp(join(media, 'film.webm'), join(dir.path, 'voice.weba'));
    const { library } = await open(dir.path);
    const types = library.list().map(({ mime, seeksExactly }) => [mime, seeksExactly]);
    expect(types).toEqual([
      ['audio/mp4', true],
      ['video/mp4', true],
      ['audio/webm', true],
    ]);
  });

  test('an id follows the place in the folder, not the folder', async () => {
    await using dir = await makeTempDir('library');
    await mkdir(join(dir.path, 'a/deep/er'), { recursive: true });
    await cp(join(media, 'tagged.mp3'), join(dir.path, 'a/deep/er/Song One.mp3'));
    const { library } = await open(dir.path);
    const [item] = library.list();
    expect(item?.id).toBe(libraryId('a/deep/er/Song One.mp3'));
    expect(item?.id).toMatch(/^lib_[0-9a-f]{16}$/);
    expect(library.byId(item?.id ?? '')).toBe(item);
    await rename(dir.path, `${dir.path}-moved`);
    const moved = await open(`${dir.path}-moved`);
    expect(moved.library.list()[0]?.id).toBe(item?.id);
    await rm(`${dir.path}-moved`, { recursive: true });
  });

  test('broken and unsupported files are skipped with one log line each, and images without one', async () => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'tagged.ogg'), join(dir.path, 'good.ogg'));
    await writeFile(join(dir.path, 'broken.mp3'), 'this is no music');
    await writeFile(join(dir.path, 'empty.flac'), '');
    await writeFile(join(dir.path, 'torn.m4a'), Buffer.alloc(2000, 7));
    // What an interrupted copy leaves: its head says the length of the whole.
    await writeFile(join(dir.path, 'head.flac'), (await readFile(join(media, 'tagged.flac'))).subarray(0, 60));
    await writeFile(join(dir.path, 'notes.docx'), 'words');
    await writeFile(join(dir.path, 'back.jpg'), 'picture');
    await writeFile(join(dir.path, '.hidden.mp3'), 'hidden');
    const { library, log } = await open(dir.path);
    expect(library.list().map(({ title }) => title)).toEqual(['Vorbis Song']);
    const skipped = log.lines.filter(({ event }) => event === 'catalogue.file-skipped').map(({ fields }) => fields);
    expect(skipped).toMatchObject([
      { file: '.hidden.mp3', reason: 'broken' },
      { file: 'broken.mp3', reason: 'broken' },
      { file: 'empty.flac', reason: 'broken' },
      { file: 'head.flac', reason: 'broken' },
      { file: 'notes.docx', reason: 'unsupported' },
      { file: 'torn.m4a', reason: 'broken' },
    ]);
  });

  test('lists what begins with a dot, and counts and logs what systems leave beside it', async () => {
    await using dir = await makeTempDir('library');
    const places = ['...And Justice for All/One.wav', '.hack SIGN/.38 Special.wav', '...Baby One More Time.wav'];
    const left = ['.Trash-1000/gone.wav', '@eaDir/One.wav', '._One.wav', '.stversions/old.wav', '.DS_Store'];
    for (const place of [...places, ...left]) {
      await mkdir(join(dir.path, place, '..'), { recursive: true });
      await cp(join(media, 'untagged_wave.wav'), join(dir.path, place));
    }
    await writeFile(join(dir.path, 'notes.txt'), 'words');
    const { library, log } = await open(dir.path);
    expect(library.list().map(({ title }) => title)).toEqual(['One', '...Baby One More Time', '.38 Special']);
    expect(library.skipped()).toEqual({ system: 5, 'no-media': 1 });
    const sent = log.lines.filter(({ event }) => event === 'catalogue.file-skipped').map(({ fields }) => fields);
    expect(sent).toEqual(
      ['.DS_Store', '.Trash-1000', '._One.wav', '.stversions', '@eaDir'].map((file) => ({ file, reason: 'system' })),
    );
  });

  test('of two names that differ in the writing of accents only one is listed, and the other is counted', async () => {
    await using dir = await makeTempDir('library');
    for (const name of ['Déjà.wav'.normalize('NFC'), 'Déjà.wav'.normalize('NFD')]) {
      await cp(join(media, 'untagged_wave.wav'), join(dir.path, name));
    }
    const { library } = await open(dir.path);
    expect([library.list().length, library.skipped()]).toEqual([1, { 'same-name': 1 }]);
  });

  test('counts and logs what is no file, has a name of another encoding, or belongs to nothing', async () => {
    await using dir = await makeTempDir('library');
    const wave = join(media, 'untagged_wave.wav');
    await cp(wave, join(dir.path, 'a.wav'));
    execFileSync('mkfifo', [join(dir.path, 'pipe.mp3')]);
    await writeFile(Buffer.concat([Buffer.from(join(dir.path, 'caf')), Buffer.from([0xe9]), Buffer.from('.wav')]), '');
    await mkdir(Buffer.concat([Buffer.from(join(dir.path, 'disc')), Buffer.from([0xfc])]));
    await writeFile(join(dir.path, 'Lost.en.srt'), '1\n00:00:01,000 --> 00:00:02,500\nHello\n');
    await writeFile(join(dir.path, 'cover.jpg'), '<svg/>');
    const { library, log } = await open(dir.path);
    expect(library.list().map(({ title, folder }) => [title, folder])).toEqual([['a', '']]);
    expect(library.skipped()).toEqual({ special: 1, 'not-utf-8': 2, 'no-film': 1, 'no-picture': 1 });
    await library.refresh();
    const noted = log.lines.filter(({ event }) => event === 'catalogue.file-skipped').map(({ fields }) => fields);
    expect(noted).toEqual([
      { file: 'caf\uFFFD.wav', reason: 'not-utf-8' },
      { file: 'disc\uFFFD', reason: 'not-utf-8' },
      { file: 'pipe.mp3', reason: 'special' },
      { file: 'cover.jpg', reason: 'no-picture' },
      { file: 'Lost.en.srt', reason: 'no-film' },
    ]);
  });

  test('an empty folder, as without its disk, is counted and logged once each time', async () => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'untagged_wave.wav'), join(dir.path, 'a.wav'));
    const { library, log } = await open(dir.path);
    expect(library.skipped()).toEqual({});
    await rm(join(dir.path, 'a.wav'));
    await library.refresh();
    await library.refresh();
    expect([library.skipped(), library.list().length]).toEqual([{ empty: 1 }, 1]);
    await cp(join(media, 'untagged_wave.wav'), join(dir.path, 'b.wav'));
    await library.refresh();
    expect(library.list().map(({ title }) => title)).toEqual(['b']);
    expect(log.lines.filter(({ event }) => event === 'catalogue.file-skipped')).toMatchObject([
      { fields: { file: '.', reason: 'empty' } },
    ]);
  });

  test('a part of the folder that can’t be reached stays listed until it is back or is gone', async () => {
    await using dir = await makeTempDir('library');
    const album = join(dir.path, 'Album');
    await mkdir(album);
    await cp(join(media, 'tagged.flac'), join(album, 'a.flac'));
    for (const name of ['tagged.ogg', 'tagged.opus']) await cp(join(media, name), join(dir.path, name));
    const { library, log } = await open(dir.path);
    const whole = library.list();
    await rename(album, join(dir.path, '.zfs'));
    // Stands for a disk that fails: a link to itself can't be read either.
    await symlink('Album', album);
    await library.refresh();
    expect(library.list()).toEqual(whole);
    expect(log.lines).toContainEqual(expect.objectContaining({ fields: { file: 'Album', reason: 'unreadable' } }));
    await rm(album);
    await library.refresh();
    expect(library.list()).toEqual(whole.slice(1));
  });

  test('a second disk below the folder that is not mounted any more is said', async () => {
    await using dir = await makeTempDir('library');
    await mkdir(join(dir.path, 'Disk 2'));
    for (let at = 0; at < 12; at += 1)
      await cp(join(media, 'tagged.ogg'), join(dir.path, at < 2 ? `a${String(at)}.ogg` : `Disk 2/${String(at)}.ogg`));
    const { library, log } = await open(dir.path);
    await rm(join(dir.path, 'Disk 2'), { recursive: true });
    await mkdir(join(dir.path, 'Disk 2'));
    for (let times = 0; times < 2; times += 1) await library.refresh();
    const said = log.lines.filter(({ event }) => event === 'catalogue.library-fewer');
    expect(said).toMatchObject([{ fields: { before: 12, now: 2 } }]);
  });

  test('a folder with nothing but a note, as an unmounted disk may leave it, is named as empty', async () => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'untagged_wave.wav'), join(dir.path, 'a.wav'));
    const { library } = await open(dir.path);
    await rm(join(dir.path, 'a.wav'));
    await writeFile(join(dir.path, 'NOT MOUNTED.txt'), '');
    await library.refresh();
    expect(library.skipped()).toEqual({ empty: 1, 'no-media': 1 });
  });

  test('files beside the list of a folder are counted and logged', async () => {
    await using dir = await makeTempDir('library');
    const piece = { title: 'T', artist: 'A', kind: 'audio', durationSeconds: 3, cover: 'c.png', mime: 'audio/wav' };
    await writeFile(join(dir.path, 'library.json'), JSON.stringify({ items: [{ ...piece, file: 'a.wav' }] }));
    for (const name of ['a.wav', 'own.wav']) await cp(join(media, 'untagged_wave.wav'), join(dir.path, name));
    const { library, log } = await open(dir.path);
    await library.refresh();
    expect([library.list().length, library.skipped()]).toEqual([1, { 'not-in-list': 1 }]);
    expect(log.lines.filter(({ event }) => event === 'catalogue.file-skipped')).toMatchObject([
      { fields: { file: 'own.wav', reason: 'not-in-list' } },
    ]);
  });

  test('refuses links that lead outside, follows those that stay, and survives circles', async () => {
    await using outside = await makeTempDir('outside');
    await using dir = await makeTempDir('library');
    await cp(join(media, 'tagged.mp3'), join(outside.path, 'secret.mp3'));
    await mkdir(join(dir.path, 'inside'));
    await cp(join(media, 'tagged.opus'), join(dir.path, 'inside/own.opus'));
    await symlink(join(outside.path, 'secret.mp3'), join(dir.path, 'file.mp3'));
    await symlink(outside.path, join(dir.path, 'folder'));
    await symlink(join(dir.path, 'inside/own.opus'), join(dir.path, 'alias.opus'));
    await symlink(dir.path, join(dir.path, 'inside/circle'));
    await symlink(join(dir.path, 'nothing.mp3'), join(dir.path, 'nowhere.mp3'));
    const { library, log } = await open(dir.path);
    expect(library.list().map(({ title }) => title)).toEqual(['Opus Song', 'Opus Song']);
    expect(log.lines.filter(({ event }) => event === 'catalogue.file-skipped').map(({ fields }) => fields)).toEqual([
      { file: 'file.mp3', reason: 'outside' },
      { file: 'folder', reason: 'outside' },
      { file: 'inside/circle', reason: 'reached-before' },
      { file: 'nowhere.mp3', reason: 'unreadable' },
    ]);
  });

  test('another scan finds added and deleted files, without a second log line for broken ones', async () => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'tagged.ogg'), join(dir.path, 'a.ogg'));
    await writeFile(join(dir.path, 'broken.mp3'), 'no music');
    await symlink(media, join(dir.path, 'outside'));
    const { library, log } = await open(dir.path);
    await cp(join(media, 'tagged.opus'), join(dir.path, 'b.opus'));
    await rm(join(dir.path, 'a.ogg'));
    await library.refresh();
    expect(library.list().map(({ title }) => title)).toEqual(['Opus Song']);
    expect(log.lines.filter(({ event }) => event === 'catalogue.file-skipped')).toHaveLength(2);
  });

  test('opening need not wait for a large folder; what is found meanwhile plays', async () => {
    await using dir = await makeTempDir('library');
    for (let n = 0; n < 120; n += 1) await cp(join(media, 'untagged_wave.wav'), join(dir.path, `${String(n)}.wav`));
    const library = await openMediaLibrary({ folder: dir.path, log: recordingLog(), patienceMs: 0 });
    expect(library.list().length).toBeLessThan(120);
    await expect.poll(() => library.progress()).toMatchObject({ of: 120 });
    await expect.poll(() => library.list().length).toBeGreaterThanOrEqual(100);
    await library.refresh();
    expect(library.list()).toHaveLength(120);
    expect(library.progress()).toBeNull();
  });

  test('of a small folder the first files are listed while the others are read', async () => {
    await using dir = await makeTempDir('library');
    for (let n = 0; n < 40; n += 1) await cp(join(media, 'tagged.mp3'), join(dir.path, `${String(n)}.mp3`));
    const library = await openMediaLibrary({ folder: dir.path, log: recordingLog(), patienceMs: 0 });
    const lengths = new Set<number>();
    let isRead = false;
    void library.firstReading.then(() => (isRead = true));
    while (!isRead) {
      lengths.add(library.list().length);
      await setImmediate();
    }
    expect(lengths.size).toBeGreaterThan(4);
    expect((await library.search('deja'))[0]?.title).toBe('Déjà Vu');
    expect(library.list()).toHaveLength(40);
  });

  test('tells the operator once which files late joiners will hear out of step, and again when their number changes', async () => {
    await using dir = await makeTempDir('library');
    for (const name of ['tagged.flac', 'tagged.m4a', 'untagged_wave.wav', 'tagged.ogg', 'tagged.mp3']) {
      await cp(join(media, name), join(dir.path, name));
    }
    const { library, log } = await open(dir.path);
    const sent = () => log.lines.filter(({ event }) => event === 'catalogue.inexact-seeks').map(({ fields }) => fields);
    expect(sent()).toMatchObject([{ files: 2, examples: ['tagged.mp3', 'tagged.ogg'] }]);
    await library.refresh();
    expect(sent()).toHaveLength(1);
    await cp(join(media, 'tagged.opus'), join(dir.path, 'tagged.opus'));
    await library.refresh();
    expect(sent()).toMatchObject([{ files: 2 }, { files: 3 }]);
  });

  test('says nothing of a folder that seeks exactly throughout', async () => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'tagged.flac'), join(dir.path, 'tagged.flac'));
    const { log } = await open(dir.path);
    expect(log.lines.map(({ event }) => event)).toEqual(['catalogue.library-read']);
  });

  test('a bundled piece that is in another format than it first was keeps its id', async () => {
    await using dir = await makeTempDir('library');
    const piece = { title: 'T', artist: 'A', kind: 'audio', durationSeconds: 3, cover: 'c.png', mime: 'audio/mp4' };
    const items = [{ ...piece, file: 'song.m4a', firstFile: 'song.mp3' }];
    await writeFile(join(dir.path, 'library.json'), JSON.stringify({ items }));
    await writeFile(join(dir.path, 'song.m4a'), '');
    const { library } = await open(dir.path);
    expect(library.list().map(({ id }) => id)).toEqual([libraryId('song.mp3')]);
  });

  test('a list in the folder names neither a link that leads out of it nor a file that is no sound or film', async () => {
    await using dir = await makeTempDir('library');
    await using outside = await makeTempDir('outside');
    await writeFile(join(outside.path, 'secret.txt'), 'secret');
    await symlink(join(outside.path, 'secret.txt'), join(dir.path, 'song.m4a'));
    await writeFile(join(dir.path, 'page.m4a'), '<script></script>');
    const piece = { title: 'T', artist: 'A', kind: 'audio', durationSeconds: 3, cover: 'c.png' };
    for (const named of [
      { file: 'song.m4a', mime: 'audio/mp4' },
      { file: 'page.m4a', mime: 'text/html' },
    ]) {
      await writeFile(join(dir.path, 'library.json'), JSON.stringify({ items: [{ ...piece, ...named }] }));
      const { library, log } = await open(dir.path);
      expect(library.list()).toEqual([]);
      expect(log.lines.map(({ event }) => event)).toContain('catalogue.list-ignored');
    }
  });

  test.each([
    ['no JSON', '{"items": ['],
    ['the list of another program', '{"playlists":[{"name":"Evening"}]}'],
    ['a list of an older form', '{"items":[{"path":"tagged.flac"}]}'],
    ['nothing', ''],
    ['a list that names a file that is gone', null],
  ])('a library.json that is %s is left aside with a line, and the folder is read', async (_what, text) => {
    await using dir = await makeTempDir('library');
    await cp(join(media, 'tagged.flac'), join(dir.path, 'tagged.flac'));
    const piece = { title: 'T', artist: 'A', kind: 'audio', durationSeconds: 3, cover: 'c.png', mime: 'audio/mp4' };
    const gone = JSON.stringify({ items: [{ ...piece, file: 'gone.m4a' }] });
    await writeFile(join(dir.path, 'library.json'), text ?? gone);
    const { library, log } = await open(dir.path);
    expect(library.list().map(({ title }) => title)).toEqual(['Lossless Song']);
    expect(log.lines.map(({ event }) => event)).toContain('catalogue.list-ignored');
    await library.refresh();
    expect(log.lines.filter(({ event }) => event === 'catalogue.list-ignored')).toHaveLength(1);
  });

  test('a folder that is not there stops the start', async () => {
    await expect(open('/nowhere/at/all')).rejects.toThrow('ENOENT');
  });
});

describe('searching the library', () => {
  test('looks for the first twelve different words, so that no query costs more than that', async () => {
    const { library } = await open(media);
    const letters = ['d', 'e', 'j', 'a', 'v', 'u', 's', 'n', 'o', 'r', 'g', 'l'];
    const found = async (words: readonly string[]) => (await library.search(words.join(' '))).map(({ title }) => title);
    expect(await found(letters)).toEqual(['Déjà Vu']);
    expect(await found([...letters.slice(1), 'absent'])).toEqual([]);
    expect(await found([...letters, 'absent'])).toEqual(['Déjà Vu']);
    expect(await found(['deja', ...Array.from({ length: 200 }, () => 'vu'), 'absent'])).toEqual([]);
  });

  test.each([
    ['deja vu', ['Déjà Vu']],
    ['DÉJÀ', ['Déjà Vu']],
    ['gul', ['Déjà Vu', 'Second Take']],
    ['gül second', ['Second Take']],
    ['vu-déjà!', ['Déjà Vu']],
    ['song', ['Lossless Song', 'Opus Song', 'Vorbis Song']],
    ['opu', ['Opus Song']],
    ['deja nothing', []],
    ['', []],
    [' ?! ', []],
  ])('%j finds %j', async (query, titles) => {
    const { library } = await open(media);
    const found = await library.search(query);
    expect(found.map(({ title }) => title).sort()).toEqual(titles);
  });

  test('other work goes on while a large library is searched, of which the best are shown first', async () => {
    const { library } = await open(bundled);
    const [sample] = library.samples();
    if (!sample) throw new Error('no sample');
    const songs = keptList(
      Array.from({ length: 20_000 }, (_, n) => ({
        ...{ ...plainItem(sample), id: libraryId(`song ${String(n)}`), title: `Song ${String(n)}` },
        genres: [n % 5000 === 7 ? 'zither' : 'zithers and songs'],
      })),
    );
    library.add(filesSource({ list: () => songs }));
    let turns = 0;
    let isFound = false;
    const found = library.search('zither', 30_000).finally(() => (isFound = true));
    while (!isFound) {
      turns += 1;
      await setImmediate();
    }
    expect(turns).toBeGreaterThan(10);
    const titles = (await found).map(({ title }) => title);
    expect(titles).toHaveLength(20_000);
    expect(titles.slice(0, 5)).toEqual(['Song 7', 'Song 5007', 'Song 10007', 'Song 15007', 'Song 0']);
  });

  test('finds five at most, whole words and beginnings first', async () => {
    await using dir = await makeTempDir('library');
    for (const name of ['my raintree', 'the rain', 'rain', 'train', 'rainy day', 'brain rain']) {
      await cp(join(media, 'untagged_wave.wav'), join(dir.path, `${name}.wav`));
    }
    const { library } = await open(dir.path);
    const found = (await library.search('rain')).map(({ title }) => title);
    expect(found).toHaveLength(5);
    expect(found[0]).toBe('rain');
    expect(found).not.toContain('train');
  });
});

describe('the bundled library', () => {
  test('offers at least four tracks and three films, with covers, and samples two tracks', async () => {
    const { library } = await open(bundled);
    expect(library.list().filter(({ kind }) => kind === 'audio').length).toBeGreaterThanOrEqual(4);
    expect(library.list().filter(({ kind }) => kind === 'video').length).toBeGreaterThanOrEqual(3);
    expect(library.list().every(({ cover }) => cover.in === 'file')).toBe(true);
    expect(library.samples().map(({ kind }) => kind)).toEqual(['audio', 'audio']);
  });
});
