import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readM3u8, writeM3u8 } from './m3u8.ts';

const read = (...lines: string[]) => readM3u8(lines.join('\n'), 500);

test('a line is a track, and the comment before it says what it is called and how long it is', () => {
  expect(
    read(
      '\uFEFF#EXTM3U',
      '#PLAYLIST:Sunday',
      '#EXTINF:213,Ada Byrd - Night Ferry',
      'Ada Byrd/Best/01.flac',
      '#EXTINF:-1 tvg-name="Late, later" group="x",Radio: one, two',
      '#EXTVLCOPT:start-time=3',
      '',
      'https://example.org/a.m3u8',
      '# a comment',
      '#EXTINF: 12.5 ,  Spaces  ',
      '..\\up.mp3',
      'no comment.mp3',
    ),
  ).toEqual([
    { place: 'Ada Byrd/Best/01.flac', title: 'Ada Byrd - Night Ferry', seconds: 213 },
    { place: 'https://example.org/a.m3u8', title: 'Radio: one, two', seconds: null },
    { place: '..\\up.mp3', title: 'Spaces', seconds: 12.5 },
    { place: 'no comment.mp3', title: null, seconds: null },
  ]);
});

test.each(['\r\n', '\r', '\n'])('lines end with %j', (end) => {
  expect(readM3u8(['#EXTINF:1,A', 'a.mp3', 'b.mp3', ''].join(end), 500)?.map(({ place }) => place)).toEqual([
    'a.mp3',
    'b.mp3',
  ]);
});

test('a list with more tracks than are taken is none, however long it is', () => {
  expect(readM3u8('a\n'.repeat(500), 500)).toHaveLength(500);
  expect(readM3u8('a\n'.repeat(501), 500)).toBeNull();
  expect(readM3u8('a\n'.repeat(100_000), 500)).toBeNull();
  expect(readM3u8('#\n'.repeat(100_000), 500)).toEqual([]);
});

test('invisible marks are taken out, and a line that is absurdly long is cut', () => {
  expect(read('#EXTINF:1,\u202eevil\u200b\u0007 one', '\u2066a\u0000b.mp3')).toEqual([
    { place: 'a b.mp3', title: 'evil one', seconds: 1 },
  ]);
  const [long] = read('x'.repeat(150_000)) ?? [];
  expect(long?.place).toHaveLength(2000);
});

test.each([
  `#EXTINF:1${' a="'.repeat(40_000)}`,
  `#EXTINF:1${' '.repeat(150_000)}x`,
  `#EXTINF:${'9'.repeat(150_000)},x`,
  `#EXTINF:1${' a="b"'.repeat(30_000)}`,
])('a comment made to be slow to read is passed over', (line) => {
  expect(read(line, 'a.mp3')).toEqual([{ place: 'a.mp3', title: null, seconds: null }]);
});

test('what is written is read back, whatever a title holds', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  fc.assert(
    fc.property(
      text,
      fc.array(fc.record({ title: text, seconds: fc.option(fc.integer({ min: 1, max: 9999 })) })),
      (name, tracks) => {
        const written = writeM3u8(
          name,
          tracks.map((track, at) => ({ ...track, place: `https://example.org/${String(at)}` })),
        );
        expect(written.split('\n')).toHaveLength(tracks.length * 2 + 3);
        const back = readM3u8(written, 500) ?? [];
        expect(back.map(({ place }) => place)).toEqual(tracks.map((_, at) => `https://example.org/${String(at)}`));
        expect(back.map(({ seconds }) => seconds)).toEqual(tracks.map(({ seconds }) => seconds));
        expect(
          writeM3u8(name, back)
            .split('\n')
            .filter((line) => line.includes(',')),
        ).toEqual(written.split('\n').filter((line) => line.includes(',')));
      },
    ),
  );
});
