/** How loud tracks are: by their tags, and as measured, once, one at a time and for a limited time. */
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { evenLufs, loudnessFactor } from '@tunemate/domain';
import { limits } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { describeWithService } from '@tunemate/testkit/services/request-service';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Database, migrate, openDatabase } from '../../storage/database.ts';
import { bundledLibrary } from '../../paths.ts';
import { createLog } from '../../system/logging.ts';
import { libraryId, type LibraryItem, plainItem } from '../library/library-item.ts';
import { type MediaLibrary, openMediaLibrary } from '../library/media-library.ts';
import { measuredTrack, peaksOf } from './measured.ts';
import { trackLoudness } from './loudness.ts';
import { mediaWork } from './media-work.ts';

const run = promisify(execFile);
const media = join(import.meta.dirname, '../../../../testkit/media');
const never = new AbortController().signal;
const measuredLufs = async (path: string, signal: AbortSignal) => (await measuredTrack(path, signal)).lufs;

let music: TempDir;
beforeEach(async () => {
  music = await makeTempDir('loudness');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await music.remove();
});

const open = (): Promise<MediaLibrary> => openMediaLibrary({ folder: music.path, log: createLog('silent') });

describeEachDialect('measuring', (makeDatabaseUrl) => {
  let database: Database;
  let events: string[];
  beforeEach(async () => {
    database = openDatabase(await makeDatabaseUrl());
    await migrate(database);
    events = [];
  });
  afterEach(() => database.close());

  const note = (_fields: object, event: string) => void events.push(event);
  const workOf = () => mediaWork({ dataDir: music.path, log: { info: note, warn: note } });
  function loudnessOf(library: MediaLibrary, longestMs?: number) {
    const work = workOf();
    const parts = { db: database.db, work, list: () => library.list() };
    return { ...trackLoudness({ ...parts, ...(longestMs !== undefined && { longestMs }) }), close: work.close };
  }

  /** A program in place of ffmpeg, which notes what it is started with. */
  async function standIn(script: string): Promise<() => Promise<string[]>> {
    const folder = join(music.path, '.bin');
    await mkdir(folder);
    const log = join(folder, 'started');
    await writeFile(log, '');
    const lines = ['#!/bin/sh', `case "$*" in *-version*) exit 0;; esac`, `echo "begun $*" >> ${log}`, script];
    await writeFile(join(folder, 'ffmpeg'), `${lines.join('\n')}\necho "ended" >> ${log}\n`);
    await chmod(join(folder, 'ffmpeg'), 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
    return async () => (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
  }
  const says = (lufs: string) => `printf 'Summary:\\n\\n  Integrated loudness:\\n    I:         ${lufs} LUFS\\n' >&2`;

  test('happens once for each track, one after another, and is kept over a restart', async () => {
    for (const name of ['a.mp3', 'b.mp3', 'c.mp3']) await cp(join(media, 'tagged.mp3'), join(music.path, name));
    const started = await standIn(`sleep 0.1\n${says('-9.5')}`);
    const library = await open();
    const first = loudnessOf(library);
    await Promise.all([first.keepUp(), first.keepUp()]);
    const lines = await started();
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['begun', 'ended', 'begun', 'ended', 'begun', 'ended']);
    expect((await first.of(library.byId(libraryId('a.mp3'))!)).track).toBe(-9.5);
    const second = loudnessOf(library);
    await second.keepUp();
    expect(await started()).toHaveLength(6);
    expect((await second.of(library.byId(libraryId('c.mp3'))!)).track).toBe(-9.5);
  });

  test('is not begun for the library that comes with Tunemate, whose list says all of it', async () => {
    const started = await standIn(says('-9.5'));
    const library = await openMediaLibrary({ folder: bundledLibrary, log: createLog('silent') });
    const loudness = loudnessOf(library);
    await loudness.keepUp();
    expect(await started()).toEqual([]);
    const track = library.byId(libraryId('media/paper-lanterns.m4a'))!;
    const peaks = expect.stringMatching(/^aeff[0-9a-z]+$/u) as string;
    expect(await loudness.of(track)).toMatchObject({ track: -15.6, peaks });
    expect(loudness.soundOf(track)).toEqual({ lufs: -15.6, tempo: 110 });
  });

  test('begins with the track that a page asks for', async () => {
    for (const name of ['a.mp3', 'b.mp3', 'z.mp3']) await cp(join(media, 'tagged.mp3'), join(music.path, name));
    const started = await standIn(says('-9.5'));
    const library = await open();
    const loudness = loudnessOf(library);
    expect((await loudness.of(library.byId(libraryId('z.mp3'))!)).track).toBeNull();
    await loudness.keepUp();
    expect((await started())[0]).toContain('z.mp3');
  });

  test('of a file on which ffmpeg hangs is ended after a while, and not tried again', async () => {
    await cp(join(media, 'tagged.mp3'), join(music.path, 'hangs.mp3'));
    await cp(join(media, 'tagged.mp3'), join(music.path, 'sound.mp3'));
    const started = await standIn(`case "$*" in *hangs*) exec sleep 1000;; esac\n${says('-12')}`);
    const library = await open();
    const loudness = loudnessOf(library, 500);
    await loudness.keepUp();
    expect((await loudness.of(library.byId(libraryId('hangs.mp3'))!)).track).toBeNull();
    expect((await loudness.of(library.byId(libraryId('sound.mp3'))!)).track).toBe(-12);
    expect(events).toContain('catalogue.loudness-failed');
    const count = (await started()).length;
    await loudnessOf(library, 500).keepUp();
    expect(await started()).toHaveLength(count);
  });

  test('of files whose disk goes away meanwhile is done once it is back', async () => {
    const disk = join(music.path, 'disk');
    await mkdir(disk);
    for (const name of ['a.mp3', 'b.mp3']) await cp(join(media, 'tagged.mp3'), join(disk, name));
    const once = join(music.path, '.went-away');
    const goesAway = `if [ ! -e ${once} ]; then touch ${once}; mv ${disk} ${disk}-away; exit 1; fi`;
    const started = await standIn(`${goesAway}\n${says('-12')}`);
    const library = await open();
    const loudness = loudnessOf(library);
    await loudness.keepUp();
    expect(await started()).toHaveLength(1);
    expect(events).not.toContain('catalogue.loudness-failed');
    await rename(`${disk}-away`, disk);
    await loudness.keepUp();
    for (const { id } of library.list()) expect((await loudness.of(library.byId(id)!)).track).toBe(-12);
  });

  test('that is interrupted leaves nothing behind and is done after the next start', async () => {
    await cp(join(media, 'tagged.mp3'), join(music.path, 'long.mp3'));
    const started = await standIn(`sleep 1000`);
    const library = await open();
    const loudness = loudnessOf(library);
    const working = loudness.keepUp();
    await expect.poll(started).toHaveLength(1);
    await loudness.close();
    await working;
    expect(await database.db.selectFrom('measured_loudness').selectAll().execute()).toEqual([]);
  });

  test.each([
    { peaks: null, tempo: 0 },
    { peaks: '', tempo: null },
  ])('gives what an earlier version did not measure of a track whose tags say how loud it is: %j', async (earlier) => {
    await openWith('tagged.mp3');
    await standIn(`printf '@%.0s' $(seq 4000)\n${says('-9.5')}`);
    const [tagged] = (await open()).list() as [LibraryItem];
    const item: LibraryItem = { ...plainItem(tagged), loudness: { track: -20, album: null } };
    const before = { item_id: item.id, version: String(item.modifiedMs), lufs: -9.5, ...earlier };
    await database.db.insertInto('measured_loudness').values(before).execute();
    const parts = { db: database.db, list: () => [item] };
    const loudness = trackLoudness({ ...parts, work: workOf() });
    await loudness.keepUp();
    expect(await loudness.of(item)).toMatchObject({ track: -20, peaks: 'z'.repeat(limits.trackParts) });
    const again = trackLoudness({ ...parts, work: workOf() });
    await again.keepUp();
    expect((await again.of(item)).peaks).toHaveLength(limits.trackParts);
  });

  test.each(['nan', '-inf', '-70.0', '999', 'LUFS', ''])('of %j gives no loudness', async (said) => {
    await cp(join(media, 'tagged.mp3'), join(music.path, 'odd.mp3'));
    await standIn(says(said));
    const library = await open();
    const loudness = loudnessOf(library);
    await loudness.keepUp();
    expect((await loudness.of(library.byId(libraryId('odd.mp3'))!)).track).toBeNull();
  });

  test('of a track of the music server is done with the bytes that are here, and kept though no folder lists it', async () => {
    const [file] = (await openWith('tagged.mp3')).list() as [LibraryItem];
    const started = await standIn(says('-11'));
    const item: LibraryItem = {
      ...plainItem(file),
      id: libraryId('remote'),
      path: '',
      at: { source: 'subsonic', id: '7', bytes: 9 },
    };
    const first = loudnessOf(await open());
    expect([(await first.of(item)).track, first.needsMeasure(item)]).toEqual([null, true]);
    await first.measure(item, file.path, never);
    expect([(await first.of(item)).track, first.needsMeasure(item)]).toEqual([-11, false]);
    const second = loudnessOf(await open());
    await second.keepUp();
    expect((await second.of(item)).track).toBe(-11);
    const third = loudnessOf(await open());
    await third.keepUp();
    expect((await third.of(item)).track).toBe(-11);
    // That of the server, and that of the folder.
    expect(await started()).toHaveLength(4);
  });

  test('an album is as loud as its tags say, else as all of its tracks together', async () => {
    const library = { list: () => items, byId: () => null };
    const base = (await openWith('tagged.mp3')).list()[0]!;
    const track = (letter: string, lufs: number | null, album: number | null): LibraryItem => ({
      ...plainItem(base),
      id: libraryId(letter),
      album: { name: 'Record', artist: 'Ines', year: null, place: 0 },
      durationSeconds: 100,
      loudness: { track: lufs, album },
    });
    let items = [track('a', -10, -11), track('b', -20, -11)];
    const loudness = trackLoudness({ db: database.db, work: workOf(), list: library.list });
    expect(await loudness.of(items[0]!)).toEqual({
      track: -10,
      peaks: null,
      album: { lufs: -11, tracks: items.map(({ id }) => id) },
    });
    items = [track('a', -10, null), track('b', -20, null)];
    expect((await loudness.of(items[1]!)).album?.lufs).toBeCloseTo(-12.6, 1);
    items = [track('a', -10, null), track('b', null, null)];
    expect(await loudness.of(items[0]!)).toMatchObject({ track: -10, album: { lufs: null } });
    items = [track('a', -10, null)];
    expect((await loudness.of(items[0]!)).album).toBeNull();
  });

  async function openWith(name: string): Promise<MediaLibrary> {
    await cp(join(media, name), join(music.path, name));
    return await open();
  }
});

test('silence, a moment, and what may go on beyond the hour that is heard have no peaks', () => {
  expect(peaksOf(new Int8Array(5000))).toBe('');
  expect(peaksOf(new Int8Array(100).fill(64))).toBe('');
  expect(peaksOf(new Int8Array(3600 * 2000).fill(64))).toBe('');
});

describeWithService(
  'with ffmpeg',
  async () => ({ path: ffmpegPath() }),
  () => {
    const make = (path: string, db: number, tags: readonly string[] = []) => {
      const sine = 'sine=frequency=997:duration=4,aformat=channel_layouts=stereo';
      return run('ffmpeg', ['-y', '-f', 'lavfi', '-i', `${sine},volume=${db.toFixed(3)}dB`, ...tags, path]);
    };
    /** How loud the tone is as it is made. */
    let made: Promise<number> | undefined;
    /** Two tones in stereo, as loud as said. */
    async function tone(name: string, lufs: number, tags: readonly string[] = []): Promise<string> {
      const path = join(music.path, name);
      made ??= make(path, 0).then(async () => (await measuredLufs(path, never)) ?? Number.NaN);
      await make(path, lufs - (await made), tags);
      return path;
    }
    test('the peaks of a track whose second half is quiet have its shape', async () => {
      const path = join(music.path, 'halves.flac');
      const quiet = "volume='if(lt(t,2),1,0.09)':eval=frame";
      await run('ffmpeg', ['-y', '-f', 'lavfi', '-i', `sine=frequency=440:duration=4,${quiet}`, path]);
      const { peaks } = await measuredTrack(path, never);
      expect(peaks).toMatch(/^[x-z]{98,100}.{0,4}[9-b]{96,100}$/u);
    });
    test('the list of the library that comes with Tunemate says what is measured of its tracks', async () => {
      const library = await openMediaLibrary({ folder: bundledLibrary, log: createLog('silent') });
      const tracks = library.list().filter(({ kind }) => kind === 'audio');
      const digits = (peaks = '') => Array.from(peaks, (digit) => Number.parseInt(digit, 36));
      for (const { path, loudness } of tracks) {
        const { lufs, peaks, tempo } = await measuredTrack(path, never);
        expect(loudness.track).toBeCloseTo(lufs ?? Number.NaN, 0);
        expect(loudness.measured?.tempo).toBeCloseTo(tempo, 0);
        // Versions of ffmpeg round a part differently.
        const said = digits(loudness.measured?.peaks);
        expect(said).toHaveLength(peaks.length);
        expect(digits(peaks).filter((digit, at) => Math.abs(digit - (said[at] ?? Number.NaN)) > 1)).toEqual([]);
      }
      expect(tracks).toHaveLength(4);
    });

    const after = async (path: string, factor: number, name: string) => {
      const to = join(music.path, name);
      await run('ffmpeg', ['-y', '-i', path, '-af', `volume=${String(factor)}`, to]);
      return (await measuredLufs(to, never)) ?? Number.NaN;
    };

    test('ten tracks recorded at -8 to -23 LUFS are within 1.5 LU of each other at full volume', async () => {
      const recorded = Array.from({ length: 10 }, (_, at) => -8 - (15 * at) / 9);
      const playedAt = async (lufs: number, at: number): Promise<number> => {
        const path = await tone(`track-${String(at)}.flac`, lufs);
        const measured = await measuredLufs(path, never);
        expect(measured).toBeCloseTo(lufs, 0);
        const factor = Math.min(1, loudnessFactor({ track: measured, album: null }, []) ?? 1);
        return await after(path, factor, `.heard-${String(at)}.flac`);
      };
      const heard = await Promise.all(recorded.map(playedAt));
      const spread = Math.max(...heard) - Math.min(...heard);
      expect(spread).toBeLessThanOrEqual(1.5);
      expect(Math.max(...heard)).toBeLessThanOrEqual(evenLufs + 0.5);
    });

    test.each<[string, string[], { track: number | null; album: number | null }, ending?: string]>([
      [
        'ReplayGain',
        ['REPLAYGAIN_TRACK_GAIN=-8.00 dB', 'REPLAYGAIN_ALBUM_GAIN=-6.50 dB'],
        { track: -10, album: -11.5 },
      ],
      [
        'ReplayGain with its reference in dB',
        ['REPLAYGAIN_TRACK_GAIN=-14.21 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=83.0 dB'],
        { track: -9.79, album: null },
      ],
      [
        'ReplayGain with its reference in LUFS',
        ['REPLAYGAIN_TRACK_GAIN=-4.00 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=-14.00 LUFS'],
        { track: -10, album: null },
      ],
      [
        'ReplayGain with a comma',
        ['REPLAYGAIN_TRACK_GAIN=-8,50 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=89,0 dB'],
        { track: -9.5, album: null },
      ],
      ['R128', ['R128_TRACK_GAIN=-2560', 'R128_ALBUM_GAIN=256'], { track: -13, album: -24 }],
      ['+60 dB', ['REPLAYGAIN_TRACK_GAIN=+60.00 dB', 'REPLAYGAIN_ALBUM_GAIN=-60 dB'], { track: null, album: null }],
      ['NaN', ['REPLAYGAIN_TRACK_GAIN=NaN dB', 'R128_ALBUM_GAIN=NaN'], { track: null, album: null }],
      ['nonsense', ['REPLAYGAIN_TRACK_GAIN=loud', 'R128_TRACK_GAIN=99999999'], { track: null, album: null }],
      ['infinite', ['REPLAYGAIN_TRACK_GAIN=1e999 dB', 'R128_TRACK_GAIN='], { track: null, album: null }],
      [
        'ReplayGain with many decimals',
        ['REPLAYGAIN_TRACK_GAIN=-14.2100000000 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=83.0000000000 dB'],
        { track: -9.79, album: null },
      ],
      [
        'ReplayGain with its reference in dB SPL',
        ['REPLAYGAIN_TRACK_GAIN=-14.21 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=83 dB SPL'],
        { track: -9.79, album: null },
      ],
      [
        'ReplayGain with its reference in LKFS',
        ['REPLAYGAIN_TRACK_GAIN=-4.00 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=-14 LKFS'],
        { track: -10, album: null },
      ],
      [
        'ReplayGain with a reference that is no figure',
        ['REPLAYGAIN_TRACK_GAIN=-14.21 dB', 'REPLAYGAIN_REFERENCE_LOUDNESS=as usual'],
        { track: null, album: null },
      ],
      ['a blank behind the sign', ['REPLAYGAIN_TRACK_GAIN=- 8.5 dB'], { track: -9.5, album: null }],
      ['the minus of typographers', ['REPLAYGAIN_TRACK_GAIN=−8,5 dB'], { track: -9.5, album: null }],
      ['small letters in an MP3', ['replaygain_track_gain=-8.00 dB'], { track: -10, album: null }, 'mp3'],
      ['a WebM', ['REPLAYGAIN_TRACK_GAIN=-8.00 dB'], { track: -10, album: null }, 'webm'],
      [
        'an Opus, whose copied ReplayGain',
        ['R128_TRACK_GAIN=-2560', 'REPLAYGAIN_TRACK_GAIN=-2 dB'],
        { track: -13, album: null },
        'opus',
      ],
    ] as const)(
      '%s in tags is read, and what no recording can have is none',
      async (_name, tags, loudness, ending = 'flac') => {
        await tone(
          `tagged.${ending}`,
          -14,
          tags.flatMap((tag) => ['-metadata', tag]),
        );
        const [item] = (await open()).list();
        expect(item?.loudness).toEqual({
          track: loudness.track === null ? null : expect.closeTo(loudness.track, 5),
          album: loudness.album === null ? null : expect.closeTo(loudness.album, 5),
        });
      },
    );
  },
);
