/** The words of tracks: what is read of `.lrc` files and tags, in real files, and what hostile ones do. */
import { appendFile, cp, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '@tunemate/protocol';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../system/logging.ts';
import { libraryBrowsing } from './library-browsing.ts';
import { libraryId } from './library-item.ts';
import { lyricsOfEntries, lyricsOfText } from './lrc.ts';
import { lyricsOfTags, maxLyricsBytes } from './lyrics.ts';
import { openMediaLibrary } from './media-library.ts';

const media = join(import.meta.dirname, '../../../../testkit/media');
let dir: TempDir;
beforeEach(async () => {
  dir = await makeTempDir('lyrics');
});
afterEach(() => dir.remove());

const timed = (...lines: [number, string][]) => ({
  type: 'timed',
  lines: lines.map(([atSeconds, text]) => ({ atSeconds, text })),
});

async function song(name: string, lrc?: string | Uint8Array): Promise<void> {
  const place = join(dir.path, name);
  await mkdir(join(place, '..'), { recursive: true });
  await cp(join(media, 'tagged.mp3'), place);
  if (lrc !== undefined) await writeFile(place.replace(/\.[^.]+$/u, '.lrc'), lrc);
}

async function lyricsOf(name: string) {
  const library = await openMediaLibrary({ folder: dir.path, log: createLog('silent') });
  return (await libraryBrowsing(library).lyrics(libraryId(name))).lyrics;
}

const syncSafe = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 128 + byte, 0);
const toSyncSafe = (size: number) => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f));

/** The MP3 with an ID3v2.4 tag of these frames. */
async function tagged(name: string, frames: readonly [id: string, body: Buffer][]): Promise<void> {
  const written = frames.map(([id, body]) =>
    Buffer.concat([Buffer.from(id), toSyncSafe(body.length), Buffer.from([0, 0]), body]),
  );
  const tag = Buffer.concat(written);
  const original = await readFile(join(media, 'tagged.mp3'));
  const sound = original.subarray(10 + syncSafe(original.subarray(6, 10)));
  const head = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0]), toSyncSafe(tag.length)]);
  await writeFile(join(dir.path, name), Buffer.concat([head, tag, sound]));
}

describe('the lines of a text', () => {
  test('with times come in the order of their times, each as often as it is sung', () => {
    const text = '[ti:A Song]\n[00:12.50][01:40.5]Refrain\n[00:01.00]First\n[00:20]\n[00:05:25]Second\r\n';
    expect(lyricsOfText(text)).toEqual(
      timed([1, 'First'], [5.25, 'Second'], [12.5, 'Refrain'], [20, ''], [100.5, 'Refrain']),
    );
  });

  test('are moved by the offset of the file, and never to before the beginning', () => {
    expect(lyricsOfText('[offset:+500]\n[00:00.20]One\n[00:02.00]Two')).toEqual(timed([0, 'One'], [1.5, 'Two']));
    expect(lyricsOfText('[offset:-500]\n[00:02.00]Two')).toEqual(timed([2.5, 'Two']));
  });

  test('of one time are one line with a row each, and a line without a time belongs to the one before', () => {
    expect(lyricsOfText('[00:01.00]Hallo\n[00:01.00]Hello\n[00:03.00]Over\nand over')).toEqual(
      timed([1, 'Hallo\nHello'], [3, 'Over\nand over']),
    );
  });

  test('lose the times of single words', () => {
    expect(lyricsOfText('[00:01.00]<00:01.00>Word <00:01.50>by word')).toEqual(timed([1, 'Word by word']));
    expect(lyricsOfText('[00:01.00]Word [00:01.50]by word')).toEqual(timed([1, 'Word by word']));
  });

  test('have times with hours, in digits of other scripts, and in full-width signs', () => {
    expect(lyricsOfText('[00:00:01.50]One\n[01:00:03,5]Late')).toEqual(timed([1.5, 'One'], [3603.5, 'Late']));
    expect(lyricsOfText('[٠٠:٠١.٥٠]مرحبا\n［００：０３．００］你好')).toEqual(timed([1.5, 'مرحبا'], [3, '你好']));
  });

  test('are read from subtitles too, as programs that listen to songs write them', () => {
    const one = '00:00:01,000 --> 00:00:02,000';
    const lines = timed([1, 'One'], [3, 'Two\nand three']);
    const srt = ['1', one, '<i>One</i>', '', '2', '00:00:03,000 --> 00:00:04,000', 'Two', 'and three', ''];
    expect(lyricsOfText(srt.join('\n'))).toEqual(lines);
    expect(lyricsOfText(['WEBVTT', '', ...srt].join('\r\n'))).toEqual(lines);
    expect(
      lyricsOfText(
        '<tt xmlns="http://www.w3.org/ns/ttml"><p begin="1s">One</p><p begin="3s">Two<br/>and three</p></tt>',
      ),
    ).toEqual(lines);
    expect(lyricsOfText('Over --> there\n[00:01.00]One')).toEqual(timed([0, 'Over --> there'], [1, 'One']));
  });

  test.each([
    [
      'Apple Music',
      '<tt><body><div><p begin="1.000" end="2.5"><span begin="1.0">O</span><span begin="1.4">ne</span></p>',
    ],
    ['the same in minutes', '<tt xmlns:ttm="x"><p begin="0:01.000">One</p>'],
    ['syllables alone', '<tt><body><p><span begin="00:01.000">On</span><span begin="1.4">e</span></p></body></tt>'],
    ['Aegisub', '[Script Info]\n\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\k20}On{\\k30}e'],
    ['SAMI', '<SAMI><BODY><SYNC Start=1000><P>One<SYNC Start=2000><P>&nbsp;</SAMI>'],
    ['SBV of YouTube', '0:00:01.000,0:00:02.000\nOne\n'],
    ['QQ Music', '[ti:One]\n[1000,2500]On(1000,500)e(1500,300)'],
    ['Kugou', '[id:$00000000]\n[1000,2500]<0,500,0>On<500,300,0>e'],
    ['NetEase', '[1000,2500](1000,500,0)On(1500,300,0)e'],
    ['LyricsX', '[00:01.000]One\n[00:01.000][tt]<0,0><500,1>'],
    ['an enhanced LRC without times of its lines', '<00:01.00>On<00:01.50>e\n<00:02.00>Two'],
    ['an enhanced LRC', '[00:01.00] <00:01.00> On<00:01.50>e'],
  ])('are read as %s writes them', (_program, text) => {
    const said = lyricsOfText(text);
    expect({ ...said, lines: said?.lines.slice(0, 1) }).toEqual(timed([1, 'One']));
  });

  test('have a row for each language, and keep numbers in brackets', () => {
    const both = timed([1, 'One\nEins']);
    expect(
      lyricsOfText('<tt><p begin="1.0">One<span ttm:role="x-translation" xml:lang="de">Eins</span></p></tt>'),
    ).toEqual(both);
    expect(lyricsOfText('[00:01.000]One\n[00:01.000][tr:de]Eins')).toEqual(both);
    expect(lyricsOfText('[0:01]A (10,000) <1,2>')).toEqual(timed([1, 'A (10,000) <1,2>']));
  });

  test('without any time are shown as such, and a text without words is none', () => {
    expect(lyricsOfText('\n[Verse 1: Ines]\nOne\n\nTwo\n\n')).toEqual({
      type: 'plain',
      lines: ['[Verse 1: Ines]', 'One', '', 'Two'],
    });
    expect(lyricsOfText('[ar:Ines]\n\n \u202e\u200b\n')).toBeNull();
    expect(lyricsOfText('[00:01.00]\n[00:02.00]')).toBeNull();
  });
});

describe('what programs write around words', () => {
  test('times that are all the same say nothing: every line is shown', () => {
    const words = Array.from({ length: 24 }, (_, at) => `Line ${String(at)} of a song with words`);
    const plain = { type: 'plain', lines: words };
    expect(lyricsOfText(words.map((word) => `[00:00.00]${word}`).join('\n'))).toEqual(plain);
    expect(lyricsOfText(['[ar:Ines]', ...words.map((word) => `[99:59.99] ${word}`)].join('\r\n'))).toEqual(plain);
    expect(lyricsOfEntries(words.map((text) => ({ ms: 0, text })))).toEqual(plain);
    // Beside lines with times of their own, none is lost.
    const some = [...words.slice(0, 9), ...words.slice(0, 10).map((word, at) => `[00:${String(at + 10)}]${word}`)];
    expect(JSON.stringify(lyricsOfText(some.join('\n')))).toContain('Line 8');
    const long = Array.from({ length: 4 }, (_, at) => `[00:05]${'word '.repeat(30)}${String(at)}`).join('\n');
    expect(
      lyricsOfText(`${long}\n[00:09]end`)?.lines.map((line) => (typeof line === 'string' ? 0 : line.atSeconds)),
    ).toEqual([5, 5, 5, 5, 9]);
  });

  test.each([
    ['[title:A Song]'],
    ['[kana:1あ1い]'],
    ['[total:215000]'],
    ['[ve:4.0.2]'],
    ['[hash:0f3c][sign:]'],
    [`[language:${'eyJ'.repeat(300)}]`],
    ['[歌手:周]'],
    ['{"t":0,"c":[{"tx":"作曲: "},{"tx":"Ines"}]}'],
    ['[00:00.00]作词 : Ines'],
    ['[00:00.00]작사 : 이네스\n[00:00.10]작곡 : 벤'],
    ['[00:00.00]Paroles : Ines\n[00:00.10]Musique : Ben'],
    ['[00:00.00]OP : A House\n[00:00.10]弦乐：Ines\n[00:00.20]Guitar: Ben'],
    ['[00:00.10]Lyrics by: Ines\n[00:00.20]Composed by：Ben'],
  ])('%j before the first line is none', (tag) => {
    expect(lyricsOfText(`${tag}\n[00:01.00]One\n[00:03.00]Two`)).toEqual(timed([1, 'One'], [3, 'Two']));
  });

  test('the page that words were copied from is no part of them', () => {
    expect(lyricsOfText('3 ContributorsNight Ferry Lyrics\n[Verse 1]\nOne\nTwo1.2KEmbed')).toEqual({
      type: 'plain',
      lines: ['[Verse 1]', 'One', 'Two'],
    });
    const own = 'Contributors of mine\nEmbed me';
    expect(lyricsOfText(own)).toEqual({ type: 'plain', lines: own.split('\n') });
  });

  test('what stands in brackets among words is a line', () => {
    expect(lyricsOfText('[Chorus: Ines]\nOne')).toEqual({ type: 'plain', lines: ['[Chorus: Ines]', 'One'] });
    expect(lyricsOfText('[title: A Song]\nOne')).toEqual({ type: 'plain', lines: ['One'] });
    expect(lyricsOfText('[00:01]One\n[00:02][Chorus: all]\n[00:03]Lyrics by: nobody')).toEqual(
      timed([1, 'One'], [2, '[Chorus: all]'], [3, 'Lyrics by: nobody']),
    );
  });

  test('references of a page are its characters, and its breaks are lines', () => {
    expect(lyricsOfText('I don&apos;t &amp; won&#39;t<br/>&quot;stay&quot;')).toEqual({
      type: 'plain',
      lines: ["I don't & won't", '"stay"'],
    });
  });

  test('marks of duets and of voices behind are left out', () => {
    expect(
      lyricsOfText(
        '[00:01.00]v1: <00:01.00>Hello\n[bg: <00:01.50>ooh]\n[00:03.00]F: Oh\n[00:04]D:Both\n[00:05]Re: you',
      ),
    ).toEqual(timed([1, 'Hello\n(ooh)'], [3, 'Oh'], [4, 'Both'], [5, 'Re: you']));
  });
});

describe('words beside a track', () => {
  const words = 'One\nTwo';
  test.each([
    ...[['Song.txt'], ['Song.elrc'], ['Song.mp3.lrc'], ['Song.en.lrc'], ['Lyrics/Song.lrc'], ['SONG.TXT']],
    ...[['Lyrics/Song.txt'], ['Song.mp3.txt'], ['lyrics/Song.en.txt'], ['Song.lrcx'], ['lrc/song.zh-Hans.lrc']],
  ])('are found in %s', async (name) => {
    await song('A/Song.mp3');
    await mkdir(join(dir.path, 'A', name, '..'), { recursive: true });
    await writeFile(join(dir.path, 'A', name), words);
    expect(await lyricsOf('A/Song.mp3')).toEqual({ type: 'plain', lines: ['One', 'Two'] });
  });

  test('are found in subtitles of its name, and those with times come before those without', async () => {
    await song('A/Song.mp3');
    await writeFile(join(dir.path, 'A/Song.txt'), words);
    await writeFile(join(dir.path, 'A/Song.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    expect(await lyricsOf('A/Song.mp3')).toEqual(timed([1, 'Hello']));
    await writeFile(join(dir.path, 'A/Song.lrc'), '[00:02.00]First');
    const library = await openMediaLibrary({ folder: dir.path, log: createLog('silent') });
    expect((await libraryBrowsing(library).lyrics(libraryId('A/Song.mp3'))).lyrics).toEqual(timed([2, 'First']));
  });

  test.each([
    ['MiniLyrics', '03 Walking.mp3', 'Ines - A Song.lrc'],
    ['Poweramp', '03 Walking.mp3', 'A Song.lrc'],
    ['MusicBee', '1-03. Walking Home.mp3', 'Walking Home.lrc'],
    ['foobar2000', '03 Walking.mp3', 'Ines - A Song.txt'],
    ['one that leaves out signs', "03 Don't go?.mp3", 'Don_t go.lrc'],
  ])('are found by what they are of, as %s names them', async (_program, track, name) => {
    await song(`A/${track}`);
    await tagged(`A/${track}`, [
      ['TIT2', Buffer.from('\x03A Song')],
      ['TPE1', Buffer.from('\x03Ines')],
    ]);
    await writeFile(join(dir.path, 'A', name), words);
    expect(await lyricsOf(`A/${track}`)).toEqual({ type: 'plain', lines: ['One', 'Two'] });
  });

  test('of a name that two tracks of a folder share are of neither, and its own name comes first', async () => {
    for (const name of ['01 Intro.mp3', '02 Intro.mp3', 'Intro.mp3']) await song(`A/${name}`);
    await writeFile(join(dir.path, 'A/Intro.lrc'), words);
    await writeFile(join(dir.path, 'A/Tagged Song.lrc'), words);
    expect(await lyricsOf('A/Intro.mp3')).toEqual({ type: 'plain', lines: ['One', 'Two'] });
    for (const name of ['01 Intro.mp3', '02 Intro.mp3']) expect(await lyricsOf(`A/${name}`)).toBeNull();
  });

  test('are not looked for in texts of other names, and nothing is counted that is shown', async () => {
    await song('A/Song.mp3');
    await song('A/Other.mp3');
    await writeFile(join(dir.path, 'A/readme.txt'), words);
    await writeFile(join(dir.path, 'A/Song.txt'), words);
    await writeFile(join(dir.path, 'A/Song.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    await writeFile(join(dir.path, 'A/Film.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n');
    const library = await openMediaLibrary({ folder: dir.path, log: createLog('silent') });
    expect((await libraryBrowsing(library).lyrics(libraryId('A/Other.mp3'))).lyrics).toBeNull();
    expect(library.skipped()).toEqual({ 'no-media': 1, 'no-film': 1 });
  });
});

describe('a hostile text', () => {
  test('of a million lines is read at once and cut to what a page shows', () => {
    const lyrics = lyricsOfText('[00:01.00][00:02.00]x\n'.repeat(1_000_000));
    expect(lyrics).toMatchObject({ type: 'timed' });
    expect(lyrics?.lines.length).toBeLessThanOrEqual(limits.lyricsLines);
    const many = Array.from(
      { length: 100_000 },
      (_, at) => `[${String(Math.floor(at / 60))}:${String(at % 60)}]${'y'.repeat(500)}`,
    );
    const long = lyricsOfText(many.join('\n'));
    expect(JSON.stringify(long).length).toBeLessThan(200_000);
    expect(long?.lines.length).toBeLessThanOrEqual(limits.lyricsLines);
    expect(lyricsOfText('\n'.repeat(1_000_000))).toBeNull();
    expect(lyricsOfText('['.repeat(1_000_000))).toMatchObject({ type: 'plain' });
    expect(lyricsOfText('[00:01.00]'.repeat(100_000))).toBeNull();
  });

  test('with times that go backwards, are negative or no numbers keeps its words and the order of time', () => {
    const text =
      '[00:09.00]nine\n[00:-5.00]minus\n[-00:03.00]before\n[NaN:NaN]none\n[99999:00.00]far\n[00:03.00]three\n[00:99.99]later';
    const lyrics = lyricsOfText(text);
    const times = lyrics?.type === 'timed' ? lyrics.lines.map(({ atSeconds }) => atSeconds) : [];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((seconds) => Number.isFinite(seconds) && seconds >= 0)).toBe(true);
    const words = JSON.stringify(lyrics);
    for (const word of ['nine', 'minus', 'before', 'none', 'far', 'three', 'later']) expect(words).toContain(word);
  });

  test('keeps markup as the characters it is, without control and direction characters', () => {
    const read = JSON.stringify(lyricsOfText('[00:01.00]<img src=x onerror=alert(1)>\u202e\u0000\u001b[31m'));
    expect(read).toContain('<img src=x onerror=alert(1)>');
    expect(read).not.toMatch(/\\u00|\u202e/u);
  });

  test('of syllables with absurd times is read in order', () => {
    const entries = [
      { text: '\nOne ', ms: 2000 },
      { text: 'more', ms: 2500 },
      { text: '\nBack', ms: 1000 },
      { text: '\nNever', ms: Number.NaN },
      { text: '\nLate', ms: 4_294_967_295 },
    ];
    expect(lyricsOfEntries(entries)).toEqual(
      timed([0, 'Never'], [1, 'Back'], [2, 'One more'], [4_294_967.295, 'Late']),
    );
  });
});

describe('a file of words', () => {
  test('belongs to the track of its name, in any case and form of accents, and to no other', async () => {
    await song('Café.mp3', '[00:01.00]Hello');
    await song('other.mp3');
    await song('sub/Cafe.mp3');
    expect(await lyricsOf('Café.mp3')).toEqual(timed([1, 'Hello']));
    expect(await lyricsOf('other.mp3')).toBeNull();
    expect(await lyricsOf('sub/Cafe.mp3')).toBeNull();
    expect(await lyricsOf('gone.mp3')).toBeNull();
  });

  test.each([
    [
      'windows-1251',
      Buffer.from(
        '[00:01.00]\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0 \xf1\xe5\xe3\xee\xe4\xed\xff',
        'latin1',
      ),
      'Привет, как дела сегодня',
    ],
    ['UTF-16', Buffer.from('\uFEFF[00:01.00]Grüße', 'utf16le'), 'Grüße'],
    ['UTF-8 with a mark', Buffer.from('\uFEFF[00:01.00]Grüße'), 'Grüße'],
    ['Western', Buffer.from('[00:01.00]Gr\xfc\xdfe', 'latin1'), 'Grüße'],
  ])('is read in %s', async (_name, bytes, text) => {
    await song('song.mp3', bytes);
    expect(await lyricsOf('song.mp3')).toEqual(timed([1, text]));
  });

  test('that is too large, or a link that leads out of the folder, is not read', async () => {
    await using outside = await makeTempDir('outside');
    await writeFile(join(outside.path, 'secret.lrc'), '[00:01.00]secret');
    await song('large.mp3', Buffer.alloc(maxLyricsBytes + 1, 'x'));
    await song('linked.mp3');
    await symlink(join(outside.path, 'secret.lrc'), join(dir.path, 'linked.lrc'));
    expect(await lyricsOf('large.mp3')).toBeNull();
    expect(await lyricsOf('linked.mp3')).toBeNull();
  });

  test('that a link replaced, or that grew, after the folder was read is not read', async () => {
    await using outside = await makeTempDir('outside');
    await writeFile(join(outside.path, 'secret.lrc'), '[00:01.00]secret');
    await song('song.mp3', '[00:01.00]Hello');
    const library = await openMediaLibrary({ folder: dir.path, log: createLog('silent') });
    const browsing = libraryBrowsing(library);
    await rm(join(dir.path, 'song.lrc'));
    await symlink(join(outside.path, 'secret.lrc'), join(dir.path, 'song.lrc'));
    expect(await browsing.lyrics(libraryId('song.mp3'))).toEqual({ lyrics: null });
    await rm(join(dir.path, 'song.lrc'));
    await writeFile(join(dir.path, 'song.lrc'), Buffer.alloc(maxLyricsBytes + 1, 'x'));
    expect((await stat(join(dir.path, 'song.lrc'))).size).toBeGreaterThan(maxLyricsBytes);
    expect(await browsing.lyrics(libraryId('song.mp3'))).toEqual({ lyrics: null });
  });

  test('is read again once it has changed', async () => {
    await song('song.mp3', '[00:01.00]Hello');
    const browsing = libraryBrowsing(await openMediaLibrary({ folder: dir.path, log: createLog('silent') }));
    expect((await browsing.lyrics(libraryId('song.mp3'))).lyrics).toEqual(timed([1, 'Hello']));
    await writeFile(join(dir.path, 'song.lrc'), '[00:02.00]Hello again');
    expect((await browsing.lyrics(libraryId('song.mp3'))).lyrics).toEqual(timed([2, 'Hello again']));
  });
});

describe('the tags of a track', () => {
  /** UTF-8, English, no description. */
  const unsynced = (text: string) =>
    Buffer.concat([Buffer.from([3]), Buffer.from('eng'), Buffer.from([0]), Buffer.from(text)]);
  const synced = (format: number, entries: readonly [string, number][]) => {
    const written = entries.flatMap(([text, time]) => {
      const at = Buffer.alloc(4);
      at.writeUInt32BE(time);
      return [Buffer.from(`${text}\0`), at];
    });
    return Buffer.concat([Buffer.from([3]), Buffer.from('eng'), Buffer.from([format, 1, 0]), ...written]);
  };

  test('hold words without times, words as in a file, and words with times of their own', async () => {
    await tagged('plain.mp3', [['USLT', unsynced('One\nTwo')]]);
    await tagged('lrc.mp3', [['USLT', unsynced('[00:01.00][00:03.00]One\n[00:02]Two')]]);
    await tagged('sylt.mp3', [
      [
        'SYLT',
        synced(2, [
          ['One', 1000],
          ['Two', 2500],
        ]),
      ],
    ]);
    expect(await lyricsOf('plain.mp3')).toEqual({ type: 'plain', lines: ['One', 'Two'] });
    expect(await lyricsOf('lrc.mp3')).toEqual(timed([1, 'One'], [2, 'Two'], [3, 'One']));
    expect(await lyricsOf('sylt.mp3')).toEqual(timed([1, 'One'], [2.5, 'Two']));
  });

  test('with times count before those without, and times in frames of the MP3 are none', async () => {
    await tagged('both.mp3', [
      ['USLT', unsynced('Plain')],
      ['SYLT', synced(2, [['Timed', 1000]])],
    ]);
    await tagged('frames.mp3', [
      [
        'SYLT',
        synced(1, [
          ['One', 40],
          ['Two', 90],
        ]),
      ],
    ]);
    expect(await lyricsOf('both.mp3')).toEqual(timed([1, 'Timed']));
    expect(await lyricsOf('frames.mp3')).toEqual({ type: 'plain', lines: ['One', 'Two'] });
  });

  test('give way to the file beside the track', async () => {
    await tagged('song.mp3', [['USLT', unsynced('Of the tag')]]);
    await writeFile(join(dir.path, 'song.LRC'), '[00:01.00]Of the file');
    expect(await lyricsOf('song.mp3')).toEqual(timed([1, 'Of the file']));
  });

  test('of megabytes are read as far as a page shows them', async () => {
    const pair = '[00:01.00]\u00cf\u00f0 line\n';
    await tagged('huge.mp3', [
      ['USLT', unsynced(pair.repeat(300_000))],
      ['SYLT', synced(1, [['x'.repeat(2_000_000), 1]])],
    ]);
    const huge = await lyricsOf('huge.mp3');
    expect(huge?.type).toBe('timed');
    expect(JSON.stringify(huge).length).toBeLessThan(200_000);
    const many = Array.from({ length: 500_000 }, (_, timestamp) => ({ text: `line ${String(timestamp)}`, timestamp }));
    const read = lyricsOfTags({ 'ID3v2.4': [{ id: 'SYLT', value: { syncText: many, timeStampFormat: 2 } as never }] });
    expect(read?.lines).toHaveLength(limits.lyricsLines);
  });

  const id3v1 = Buffer.concat([Buffer.from('TAGA Song'), Buffer.alloc(119)]);
  const lyr = '[00:01.00]One\r\n[00:02.00]Zwölf';
  test.each([
    ['Lyrics3, version 1', `LYRICSBEGIN${lyr}LYRICSEND`],
    ['Lyrics3, version 2', `LYRICSBEGININD0000210LYR${String(lyr.length).padStart(5, '0')}${lyr}`],
    ['with other fields behind', `LYRICSBEGINLYR${String(lyr.length).padStart(5, '0')}${lyr}ETT00006A Song`],
  ])('are read before the tag at the end of an MP3: %s', async (_version, block) => {
    const isTwo = !block.endsWith('LYRICSEND');
    const end = isTwo ? `${String(block.length).padStart(6, '0')}LYRICS200` : '';
    await song('song.mp3');
    await appendFile(join(dir.path, 'song.mp3'), Buffer.concat([Buffer.from(block + end, 'latin1'), id3v1]));
    expect(await lyricsOf('song.mp3')).toEqual(timed([1, 'One'], [2, 'Zwölf']));
  });

  test.each([
    'LYRICSBEGINLYR99999x999999LYRICS200',
    '999999LYRICS200',
    'LYRICSBEGINLYRxxxxx000019LYRICS200',
    'LYRICSEND',
  ])('that say a wrong length are none: %s', async (block) => {
    await song('song.mp3');
    await appendFile(join(dir.path, 'song.mp3'), Buffer.concat([Buffer.from(block, 'latin1'), id3v1]));
    expect(await lyricsOf('song.mp3')).toBeNull();
  });

  test('of other containers are read by their names', () => {
    const lrc = '[00:01.00][00:02.00]One';
    const both = timed([1, 'One'], [2, 'One']);
    expect(lyricsOfTags({ vorbis: [{ id: 'LYRICS', value: lrc }] })).toEqual(both);
    expect(lyricsOfTags({ vorbis: [{ id: 'SYNCEDLYRICS', value: lrc }] })).toEqual(both);
    expect(lyricsOfTags({ iTunes: [{ id: '©lyr', value: lrc }] })).toEqual(both);
    expect(lyricsOfTags({ APEv2: [{ id: 'Lyrics', value: lrc }] })).toEqual(both);
    for (const id of [
      'track:LYRICS',
      'TXXX:USLT',
      'TXXX:LYRICS_SYNCED',
      'LYRICS-eng',
      '----:com.apple.iTunes:SYNCEDLYRICS',
    ])
      expect([id, lyricsOfTags({ any: [{ id, value: lrc }] })]).toEqual([id, both]);
    expect(lyricsOfTags({ vorbis: [{ id: 'LYRICIST', value: lrc }] })).toBeNull();
    for (const value of [null, 7, {}, { syncText: [null] }, { text: 7 }])
      expect(lyricsOfTags({ 'ID3v2.4': [{ id: 'USLT', value: value as unknown as string }] })).toBeNull();
  });
});
