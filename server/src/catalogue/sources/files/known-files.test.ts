/** What a restart reads again of the folder: only files that have changed. On SQLite and PostgreSQL. */
import { cp, link, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLimits } from '../../../access/limits.ts';
import { migrate, openDatabase } from '../../../storage/database.ts';
import { openCatalogue } from '../../open-catalogue.ts';
import { storedFiles } from './known-files.ts';
import { libraryId } from '../../library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from '../../library/media-library.ts';

const media = join(import.meta.dirname, '../../../../../testkit/media');
const picture = join(import.meta.dirname, '../../../../../library/covers/walking-home.png');
const damaged: object[] = [];
const keep = (fields: object, event: string) => void (event === 'catalogue.index-damaged' && damaged.push(fields));
const log = { debug: keep, info: keep, warn: keep, error: keep };

describeEachDialect('a restart', (makeDatabaseUrl) => {
  let dir: Awaited<ReturnType<typeof makeTempDir>>;
  let url: string;
  beforeEach(async () => {
    dir = await makeTempDir('known');
    await mkdir(join(dir.path, 'music/Album'), { recursive: true });
    url = await makeDatabaseUrl();
  });
  afterEach(() => dir.remove());

  const place = (name: string) => join(dir.path, 'music', name);

  /** With a time that can be set again: no part of a second. */
  async function put(source: string, name: string): Promise<void> {
    await cp(join(media, source), place(name));
    await utimes(place(name), 1_700_000_000, 1_700_000_000);
  }

  /** Starts, reads the folder to its end and stops; answers what was listed, and what was left out. */
  async function start(
    folder = 'music',
  ): Promise<{ titles: (string | null)[]; skipped: object; covers: string[]; ids: string[] }> {
    const database = openDatabase(url);
    await migrate(database);
    const clock = createFakeClock();
    const catalogue = await openCatalogue({
      ...{
        mediaDir: join(dir.path, folder),
        dataDir: dir.path,
        youtubeApiKey: null,
        youtubeApiUrl: '',
      },
      ...{ limitScale: 1, limits: createLimits({ clock, scale: 1 }), db: database.db, clock, log },
    });
    await catalogue.library.firstReading;
    const items = catalogue.library.list();
    for (const { path } of items) await stat(path);
    const read = {
      titles: items.map(({ title, artist }) => (artist === null ? title : `${title} – ${artist}`)),
      skipped: catalogue.library.skipped(),
      covers: items.map(({ cover }) => cover.in),
      ids: items.map(({ id }) => id),
    };
    await catalogue.close();
    await database.close();
    return read;
  }

  /** Puts other bytes of the same length in place of a file, which keeps its time: who reads it sees the difference. */
  async function swapUnseen(name: string, from: string, to: string): Promise<void> {
    const { atime, mtime } = await stat(place(name));
    const bytes = await readFile(place(name));
    const at = bytes.indexOf(from, 0, 'utf8');
    expect(at).toBeGreaterThan(0);
    bytes.write(to, at, 'utf8');
    await writeFile(place(name), bytes);
    await utimes(place(name), atime, mtime);
  }

  test('reads what has changed and nothing else', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await put('tagged.ogg', 'Album/b.ogg');
    await put('tagged.opus', 'Album/c.opus');
    await writeFile(place('Album/broken.mp3'), 'this is no music');
    const first = await start();
    expect(first.titles).toEqual(['Lossless Song', 'Vorbis Song', 'Opus Song']);
    await swapUnseen('Album/a.flac', 'Lossless Song', 'Modified Song');
    await swapUnseen('Album/b.ogg', 'Vorbis Song', 'Edited Song');
    await utimes(place('Album/b.ogg'), 1, 2);
    expect(await start()).toEqual({ ...first, titles: ['Lossless Song', 'Edited Song', 'Opus Song'] });
    await rename(place('Album/a.flac'), place('Album/z.flac'));
    await rm(place('Album/c.opus'));
    expect((await start()).titles).toEqual(['Edited Song', 'Modified Song']);
  });

  test.each([
    ['an empty folder', []],
    ['a folder with a note', ['NOT MOUNTED.txt', 'cover.jpg']],
  ])('after %s, as an unmounted disk leaves it, reads nothing twice', async (_, notes) => {
    await put('tagged.flac', 'a.flac');
    await start();
    await rename(join(dir.path, 'music'), join(dir.path, 'away'));
    await mkdir(join(dir.path, 'music'));
    for (const note of notes) await writeFile(place(note), '');
    expect((await start()).titles).toEqual([]);
    await rm(join(dir.path, 'music'), { recursive: true });
    await rename(join(dir.path, 'away'), join(dir.path, 'music'));
    await swapUnseen('a.flac', 'Lossless Song', 'Modified Song');
    expect((await start()).titles).toEqual(['Lossless Song']);
  });

  test('from a folder that is mounted at another place reads nothing again, and plays from there', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await put('tagged.ogg', 'b.ogg');
    const first = await start();
    await swapUnseen('Album/a.flac', 'Lossless Song', 'Modified Song');
    await rename(join(dir.path, 'music'), join(dir.path, 'elsewhere'));
    expect(await start('elsewhere')).toEqual(first);
  });

  test('reads nothing again of a folder that was renamed, moved or linked, and lists it at its new place', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await put('tagged.ogg', 'Album/b.ogg');
    await writeFile(place('Album/broken.mp3'), 'this is no music');
    const { titles, skipped } = await start();
    await swapUnseen('Album/a.flac', 'Lossless Song', 'Modified Song');
    await swapUnseen('Album/b.ogg', 'Vorbis Song', 'Edited Song');
    await rename(place('Album'), place('Other'));
    expect(await start()).toMatchObject({
      titles,
      skipped,
      ids: [libraryId('Other/a.flac'), libraryId('Other/b.ogg')],
    });
    await mkdir(place('Artist'));
    await rename(place('Other'), place('Artist/Disc 1'));
    expect(await start()).toMatchObject({ titles, skipped });
    // Two names of one file.
    await link(place('Artist/Disc 1/a.flac'), place('a.flac'));
    expect((await start()).titles).toEqual([...titles, 'Lossless Song']);
    expect((await start()).titles).toEqual([...titles, 'Lossless Song']);
  });

  test('reads another file that has the size, the time and the name of one that is gone', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await start();
    await mkdir(place('Copy'));
    await put('tagged.flac', 'Copy/a.flac');
    await swapUnseen('Copy/a.flac', 'Lossless Song', 'Modified Song');
    await rm(place('Album/a.flac'));
    expect((await start()).titles).toEqual(['Modified Song']);
    // Under another name its title may be another.
    await rename(place('Copy/a.flac'), place('Copy/z.flac'));
    await swapUnseen('Copy/z.flac', 'Modified Song', 'Lossless Song');
    expect((await start()).titles).toEqual(['Lossless Song']);
    // Changed in the same place, and moved.
    await mkdir(place('Third'));
    await rename(place('Copy/z.flac'), place('Third/z.flac'));
    await swapUnseen('Third/z.flac', 'Lossless Song', 'Modified Song');
    await utimes(place('Third/z.flac'), 1, 2);
    expect((await start()).titles).toEqual(['Modified Song']);
  });

  test('lists a link that was moved under the id of its new place', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await mkdir(place('Mix'));
    await symlink('../Album/a.flac', place('Mix/a.flac'));
    await start();
    await rename(place('Mix'), place('Best'));
    await swapUnseen('Album/a.flac', 'Lossless Song', 'Modified Song');
    const { titles, ids } = await start();
    expect(titles).toEqual(['Lossless Song', 'Lossless Song']);
    expect(ids).toEqual([libraryId('Album/a.flac'), libraryId('Best/a.flac')]);
  });

  test('knows a moved file too that an older version stored, after one start', async () => {
    await put('tagged.flac', 'Album/a.flac');
    const { titles } = await start();
    const { db, close } = openDatabase(url);
    const { version } = await db.selectFrom('library_files').select('version').executeTakeFirstOrThrow();
    await db
      .updateTable('library_files')
      .set({ version: version.split(' ', 3).join(' ') })
      .execute();
    await close();
    await swapUnseen('Album/a.flac', 'Lossless Song', 'Modified Song');
    expect((await start()).titles).toEqual(titles);
    await rename(place('Album'), place('Other'));
    expect((await start()).titles).toEqual(titles);
  });

  test('reads files again of which the index is damaged, says so, and takes the rest from the index', async () => {
    const damages = ['{', 'null', '5', '{}', '{"title":"A"}'];
    for (const n of damages.keys()) await put('tagged.flac', `a${String(n)}.flac`);
    await put('tagged.ogg', 'b.ogg');
    const first = await start();
    const { db, close } = openDatabase(url);
    for (const [n, found] of damages.entries())
      await db
        .updateTable('library_files')
        .set({ found })
        .where('place', '=', `a${String(n)}.flac`)
        .execute();
    await close();
    await swapUnseen('b.ogg', 'Vorbis Song', 'Edited Song');
    damaged.length = 0;
    expect(await start()).toEqual(first);
    expect(damaged).toMatchObject([{ files: damages.length }]);
    expect(await start()).toEqual(first);
    expect(damaged).toHaveLength(1);
  });

  test('reads everything once more where an older version stored the index', async () => {
    await put('tagged.flac', 'a.flac');
    await start();
    const { db, close } = openDatabase(url);
    await db.updateTable('library_files').set({ version: '1 2 3 a.flac' }).execute();
    await close();
    await swapUnseen('a.flac', 'Lossless Song', 'Modified Song');
    expect((await start()).titles).toEqual(['Modified Song']);
  });

  test('reads no subtitles again, with or without entries', async () => {
    await put('film.mp4', 'film.mp4');
    await writeFile(place('film.de.srt'), '00:00:01,000 --> 00:00:02,000\nHallo');
    await writeFile(place('film.en.srt'), '00:00:01,000 +++ 00:00:02,000\nHello');
    for (const name of ['film.de.srt', 'film.en.srt']) await utimes(place(name), 1_700_000_000, 1_700_000_000);
    const first = await start();
    expect(first.skipped).toEqual({ 'no-entries': 1 });
    await swapUnseen('film.de.srt', '-->', '+++');
    await swapUnseen('film.en.srt', '+++', '-->');
    expect(await start()).toEqual(first);
    await utimes(place('film.en.srt'), 1, 2);
    expect((await start()).skipped).toEqual({});
  });

  /** Opens the folder while no file of it can be looked up: what is listed was known. */
  async function openUnread<T>(folder: string, look: (library: MediaLibrary) => T): Promise<T> {
    const database = openDatabase(url);
    const asked = Promise.withResolvers<void>();
    const at = () => {
      asked.resolve();
      return new Promise<never>(() => undefined);
    };
    const files = { ...storedFiles(database.db), at };
    const library = await openMediaLibrary({ folder: join(dir.path, folder), log, files, patienceMs: 0 });
    await asked.promise;
    const found = look(library);
    await database.close();
    return found;
  }

  test('lists at once all that was known, with its pictures, words and subtitles', async () => {
    for (const name of ['Album b', 'Album/Disc 2']) await mkdir(place(name));
    for (const name of ['Album/a.opus', 'Album b/b.opus', 'Album/Disc 2/c.opus']) await put('tagged.opus', name);
    await put('film.mp4', 'film.mp4');
    await cp(picture, place('Album/cover.png'));
    await writeFile(place('Album/a.lrc'), '[00:01.00]Hello');
    await writeFile(place('film.de.srt'), '00:00:01,000 --> 00:00:02,000\nHallo');
    const database = openDatabase(url);
    await migrate(database);
    const open = () => openMediaLibrary({ folder: join(dir.path, 'music'), log, files: storedFiles(database.db) });
    const first = (await open()).list();
    expect(first.map(({ cover, lyrics, subtitles }) => [cover.in, lyrics.in, subtitles.length])).toEqual([
      ['file', 'nowhere', 0],
      ['file', 'file', 0],
      ['nowhere', 'nowhere', 0],
      ['nowhere', 'nowhere', 1],
    ]);
    expect(await openUnread('music', ({ list }) => list())).toEqual(first);
    // What lay beside a file is gone.
    await rm(place('Album/cover.png'));
    const second = (await open()).list();
    await database.close();
    expect(second.map(({ cover }) => cover.in)).toEqual(['nowhere', 'nowhere', 'nowhere', 'nowhere']);
    expect(await openUnread('music', ({ list }) => list())).toEqual(second);
  });

  test('does not keep a start waiting for a large list: what has come of it is listed and found meanwhile', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await start();
    const database = openDatabase(url);
    const files = storedFiles(database.db);
    const [row] = await files.at([join('Album', 'a.flac')]);
    if (!row) throw new Error('not stored');
    const others = Array.from({ length: 1500 }, (_, n) => {
      const of = join('Album', `b${String(n)}.flac`);
      const track = {
        ...(JSON.parse(row.found) as object),
        id: libraryId(of),
        title: `Known ${String(n)}`,
        path: place(of),
      };
      return { place: of, version: row.version, found: JSON.stringify(track), file: null };
    });
    await files.keep(others);
    const [rest, unread] = [Promise.withResolvers<void>(), new Promise<never>(() => undefined)];
    async function* recall() {
      let count = 0;
      for await (const each of files.recall()) {
        count += 1;
        if (count > 1200) await rest.promise;
        yield each;
      }
    }
    const held = { ...files, recall, at: () => unread };
    const library = await openMediaLibrary({ folder: join(dir.path, 'music'), log, files: held, patienceMs: 60_000 });
    await expect.poll(() => library.progress()).toEqual({ read: 1200, of: 1501 });
    expect([library.isListed(), library.list().length]).toEqual([false, 1000]);
    const [first] = await library.search('known 0', 1);
    expect(first?.title).toBe('Known 0');
    expect(library.byId(first?.id ?? '')).toBe(first);
    rest.resolve();
    await expect.poll(() => library.isListed()).toBe(true);
    expect(library.list()).toHaveLength(1501);
    expect((await library.search('known 1499')).map(({ title }) => title)).toEqual(['Known 1499']);
    await database.close();
  });

  test('lists nothing of what was known of another folder', async () => {
    await put('tagged.flac', 'Album/a.flac');
    await start();
    await mkdir(join(dir.path, 'other/Album'), { recursive: true });
    await cp(join(media, 'tagged.opus'), join(dir.path, 'other/Album/a.flac'));
    expect(await openUnread('other', ({ list }) => list())).toEqual([]);
    expect(await openUnread('music', ({ list }) => list().length)).toBe(1);
  });

  test('deletes what is known of files that are gone', async () => {
    await put('tagged.flac', 'a.flac');
    await put('tagged.ogg', 'b.ogg');
    await start();
    await rm(place('a.flac'));
    await start();
    const { db, close } = openDatabase(url);
    const rows = await db.selectFrom('library_files').select('place').execute();
    await close();
    expect(rows.map((row) => row.place)).toEqual(['b.ogg']);
  });
});
