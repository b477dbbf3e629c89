/** Which files are the subtitles of which film, and what browsers get of them. */
import { cp, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { startTestApp } from '@tunemate/testkit/worlds/test-app';
import { expect, test } from 'vitest';
import { libraryBrowsing } from './library-browsing.ts';
import { libraryId } from './library-item.ts';
import { openMediaLibrary } from './media-library.ts';
import { webVttOf } from './web-vtt.ts';
import { createLog } from '../../system/logging.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
const quiet = createLog('silent');

/** A folder of these files; films and tracks are real ones. */
async function folderOf(paths: readonly string[]) {
  const dir = await makeTempDir('films');
  for (const path of paths) {
    const place = join(dir.path, path);
    await mkdir(join(place, '..'), { recursive: true });
    if (path.endsWith('.mp4')) await cp(join(media, 'film.mp4'), place);
    else if (path.endsWith('.mp3')) await cp(join(media, 'tagged.mp3'), place);
    else await writeFile(place, '1\n00:00:01,000 --> 00:00:02,500\nHello\n');
  }
  return dir;
}

test('the files beside a film name its subtitles by language or label', async () => {
  await using dir = await folderOf([
    'film.mp4',
    'film.srt',
    'film.en.vtt',
    'film.pt_br.srt',
    'film.Directors notes.srt',
    'filmstrip.en.srt',
    'other/film.de.srt',
  ]);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const { subtitles } = libraryBrowsing(library).subtitles(libraryId('film.mp4'));
  expect(subtitles.map(({ language, label }) => [language, label])).toEqual([
    [null, 'Directors notes'],
    ['en', null],
    ['pt-BR', null],
    [null, null],
  ]);
});

test.each([
  ['film.en.forced.srt', 'en', 'Forced'],
  ['film.eng.srt', 'en', null],
  ['film.en.sdh.srt', 'en', 'SDH'],
  ['film.en.hi.srt', 'en', 'SDH'],
  ['film.hi.srt', 'hi', null],
  ['film.English.srt', 'en', null],
  ['film.German (forced).srt', 'de', 'Forced'],
  ['film.forced.srt', null, 'Forced'],
  ['film.Brazilian Portuguese.srt', 'pt-BR', null],
  ['film.pt_br.srt', 'pt-BR', null],
  ['FILM.fr.SRT', 'fr', null],
  ['film.ger.default.ass', 'de', null],
  ['Subs/film.it.srt', 'it', null],
  ['Subs/English.srt', 'en', null],
  ['Subs/film/2_Deutsch.srt', 'de', null],
  ['subtitles/3_English SDH.vtt', 'en', 'SDH'],
] as const)('%s is of the film, in %s: %s', async (path, language, label) => {
  await using dir = await folderOf(['film.mp4', path]);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const { subtitles } = libraryBrowsing(library).subtitles(libraryId('film.mp4'));
  expect(subtitles.map((each) => [each.language, each.label])).toEqual([[language, label]]);
});

test('a folder of subtitles beside two films gives each only those that name it', async () => {
  await using dir = await folderOf(['one.mp4', 'two.mp4', 'Subs/English.srt', 'Subs/two.en.srt', 'Other/one.en.srt']);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const of = (path: string) => libraryBrowsing(library).subtitles(libraryId(path)).subtitles.length;
  expect([of('one.mp4'), of('two.mp4')]).toEqual([0, 1]);
});

test('of two films whose names fit the longer one has them, and tracks have none', async () => {
  await using dir = await folderOf(['saga.mp4', 'saga.two.mp4', 'saga.two.en.srt', 'song.mp3', 'song.en.srt']);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const of = (path: string) => libraryBrowsing(library).subtitles(libraryId(path)).subtitles.length;
  expect([of('saga.mp4'), of('saga.two.mp4'), of('song.mp3'), of('nowhere.mp4')]).toEqual([0, 1, 0, 0]);
});

test('subtitles that are added later are found when the folder is read again', async () => {
  await using dir = await folderOf(['film.mp4']);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const count = () => libraryBrowsing(library).subtitles(libraryId('film.mp4')).subtitles.length;
  expect(count()).toBe(0);
  await writeFile(join(dir.path, 'film.fr.srt'), '1\n00:00:01,000 --> 00:00:02,500\nHello\n');
  await library.refresh();
  expect(count()).toBe(1);
});

test('SubRip becomes WebVTT', () => {
  const srt =
    '\uFEFF1\r\n00:00:01,5 --> 01:02:03,250\r\nTwo\r\nlines --> here\r\n\r\nno time\r\n\r\n2\r\n1:02,000 --> 1:03,000 X1:40\r\nEnd';
  expect(webVttOf(Buffer.from(srt))).toBe(
    'WEBVTT\n\n00:00:01.500 --> 01:02:03.250\nTwo\nlines → here\nno time\n\n00:01:02.000 --> 00:01:03.000\nEnd\n',
  );
});

test('WebVTT loses its notes and styles, and keeps its cues and where they are placed', () => {
  const vtt =
    'WEBVTT - a film\n\nNOTE\n00:01.000 --> 00:02.000\nhidden\n\nSTYLE\n::cue { color: red }\n\nname\n00:01.000 --> 00:02.000 align:left\nShown';
  expect(webVttOf(Buffer.from(vtt))).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000 align:left\nShown\n');
});

test.each([
  ['UTF-16', Buffer.from('\uFEFF1\n00:00:01,000 --> 00:00:02,000\nÇa va', 'utf16le')],
  ['UTF-16, big-endian', Buffer.from('\uFEFF1\n00:00:01,000 --> 00:00:02,000\nÇa va', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nÇa va', 'latin1')],
])('%s is read', (_name, bytes) => {
  expect(webVttOf(bytes)).toContain('\nÇa va\n');
});

test('verified people read subtitles by id, and nothing larger than a text', async () => {
  await using dir = await folderOf(['film.mp4', 'film.en.srt', 'film.de.srt', 'secret.txt']);
  const world = await startTestApp({ env: { MEDIA_DIR: dir.path } });
  const member = await world.member('Mara');
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  await truncate(join(dir.path, 'film.de.srt'), 3 * 1024 * 1024);
  const film = libraryId('film.mp4');
  const { subtitles } = libraryBrowsing(library).subtitles(film);
  const ask = (id: string, headers: Record<string, string> = {}) =>
    member.fetch(`/media/${film}/subtitles/${id}`, { headers });
  const [german, english] = subtitles;
  const answer = await ask(english?.id ?? '');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8']);
  expect(await answer.text()).toContain('00:00:01.000 --> 00:00:02.500\nHello');
  const again = await ask(english?.id ?? '', { 'if-none-match': answer.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  const statuses = [german?.id ?? '', '0'.repeat(16), '..%2F..%2Fsecret.txt'].map(async (id) => (await ask(id)).status);
  expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  const stranger = await world.visitor().fetch(`/media/${film}/subtitles/${english?.id ?? ''}`);
  expect(stranger.status).toBe(401);
});

test('a person gets thirty files of subtitles at once, and then one every two seconds', async () => {
  await using dir = await folderOf(['film.mp4', 'film.en.srt']);
  const world = await startTestApp({ env: { MEDIA_DIR: dir.path, RATE_LIMIT_SCALE: '1' } });
  const member = await world.member('Mara');
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const film = libraryId('film.mp4');
  const [english] = libraryBrowsing(library).subtitles(film).subtitles;
  const ask = async () => (await member.fetch(`/media/${film}/subtitles/${english?.id ?? ''}`)).status;
  const statuses: number[] = [];
  for (let n = 0; n < 31; n += 1) statuses.push(await ask());
  expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  world.clock.advance(2000);
  expect([await ask(), await ask()]).toEqual([200, 429]);
});

test('a file that is too large for a text, as pictures of subtitles are, is left out and counted', async () => {
  await using dir = await folderOf(['film.mp4', 'film.en.sub', 'film.sub']);
  await truncate(join(dir.path, 'film.sub'), 3 * 1024 * 1024);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  const { subtitles } = libraryBrowsing(library).subtitles(libraryId('film.mp4'));
  expect([subtitles.map(({ language }) => language), library.skipped()]).toEqual([['en'], { 'too-large': 1 }]);
});

test('subtitles and lyrics in which nothing can be read are named in the log, counted, and not offered', async () => {
  await using dir = await folderOf(['film.mp4', 'film.en.srt', 'song.mp3', 'other.mp3']);
  const none = {
    'film.de.srt': '',
    'film.fr.srt': '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}\n\n',
    'film.es.vtt': 'WEBVTT\n\nNOTE nothing yet\n',
    'film.hi.ass': '[Script Info]\nTitle: Film\n\n[Events]\n',
    // Pictures of subtitles, as DVDs have them.
    'film.ar.sub': Buffer.from([0, 0, 1, 0xba, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xc3, 0xf8, 0, 0, 1, 0xbd]),
    'film.it.srt': '<!doctype html><title>404 Not Found</title>',
    'song.lrc': '[ti: Song]\n[00:10.00]\n',
  };
  for (const [name, text] of Object.entries(none)) await writeFile(join(dir.path, name), text);
  await writeFile(join(dir.path, 'other.lrc'), '[00:10.00] Hello');
  const lines: object[] = [];
  const note = (fields: object, event: string) => void lines.push({ ...fields, event });
  const library = await openMediaLibrary({ folder: dir.path, log: { info: note, warn: note } });
  expect(
    libraryBrowsing(library)
      .subtitles(libraryId('film.mp4'))
      .subtitles.map(({ language }) => language),
  ).toEqual(['en']);
  expect(library.skipped()).toEqual({ 'no-entries': Object.keys(none).length });
  const named = Object.keys(none).map((file) => ({ file, reason: 'no-entries', event: 'catalogue.file-skipped' }));
  expect(lines).toEqual(expect.arrayContaining(named));
  expect(library.byId(libraryId('song.mp3'))?.lyrics).toEqual({ in: 'nowhere' });
  expect(library.byId(libraryId('other.mp3'))?.lyrics).toMatchObject({ in: 'file' });
  // Each is named once, and offered as soon as something can be read.
  lines.length = 0;
  await writeFile(join(dir.path, 'film.de.srt'), '1\n00:00:01,000 --> 00:00:02,500\nHallo\n');
  await library.refresh();
  expect(library.skipped()).toEqual({ 'no-entries': Object.keys(none).length - 1 });
  expect(lines.filter((line) => 'reason' in line)).toEqual([]);
  expect(libraryBrowsing(library).subtitles(libraryId('film.mp4')).subtitles).toHaveLength(2);
});

test('a film has fifty subtitles at most', async () => {
  await using dir = await folderOf(['film.mp4', ...Array.from({ length: 51 }, (_, n) => `film.part ${String(n)}.srt`)]);
  const library = await openMediaLibrary({ folder: dir.path, log: quiet });
  expect(libraryBrowsing(library).subtitles(libraryId('film.mp4')).subtitles).toHaveLength(50);
});

test('a time without a text shows nothing', () => {
  const srt = '1\n00:00:01,000 --> 00:00:02,000\n \n\n2\n00:00:03,000 --> 00:00:04,000\nEnd';
  expect(webVttOf(Buffer.from(srt))).toBe('WEBVTT\n\n00:00:03.000 --> 00:00:04.000\nEnd\n');
});
