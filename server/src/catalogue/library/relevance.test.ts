/** What people type and what they mean by it. */
import { cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded, searchedText, wordsOf } from '@tunemate/domain';
import { bundledLibrary } from '../../paths.ts';
import { createLog } from '../../system/logging.ts';
import { openMediaLibrary } from './media-library.ts';
import { plainItem } from './library-item.ts';
import { foundIn, nothingSearched, searchedList } from './relevance.ts';

const bundled = await openMediaLibrary({ folder: bundledLibrary, log: createLog('silent') });
const [sample] = bundled.samples();

/** Whether a track of this title alone is found. */
async function finds(typed: string, title: string): Promise<boolean> {
  if (!sample) throw new Error('no sample');
  const named = { ...plainItem(sample), ...{ title, artist: null, artists: [], genres: [], album: null, path: '' } };
  const list = await searchedList([named], nothingSearched);
  return (await foundIn(list, typed, 1)).length > 0;
}

test.each([
  ['dont stop', "Don't Stop Me Now"],
  ["don't stop", 'Dont Stop'],
  ['don’t', "Don't"],
  ['oconnor', 'Sinéad O’Connor'],
  ['rock n roll', "Rock 'n' Roll"],
  ['acdc', 'AC/DC'],
  ['ac dc', 'AC/DC'],
  ['ac/dc', 'ACDC'],
  ['rem', 'R.E.M.'],
  ['r.e.m.', 'REM'],
  ['nwa', 'N.W.A'],
  ['mia', 'M.I.A.'],
  ['jayz', 'Jay-Z'],
  ['pink', 'P!nk'],
  ['kesha', 'Ke$ha'],
  ['asap', 'A$AP Rocky'],
  ['mo final', 'MØ Final Song'],
  ['dodheimsgard', 'Dødheimsgard'],
  ['lodz', 'Łódź Nights'],
  ['strasse', 'Straße'],
  ['straße', 'Strasse'],
  ['aero', 'Ærø Summer'],
  ['isil', 'Işıl'],
  ['dorde', 'Đorđe'],
  ['thorr', 'Þórr'],
  ['oeuvre', 'Œuvre'],
  ['bjoerk', 'Björk'],
  ['bjork', 'Björk'],
  ['simon and garfunkel', 'Simon & Garfunkel'],
  ['simon & garfunkel', 'Simon and Garfunkel'],
  ['beyonce', 'BEYONCÉ'],
  ['μουσης', 'Μούσης'],
  ['елка', 'Ёлка'],
  ['pinkfloyd', 'Pink Floyd'],
  ['foofight', 'Foo Fighters'],
  ['sum41', 'Sum 41'],
  ["guns'n'roses", "Guns N' Roses"],
  ['guns and roses', "Guns N' Roses"],
  ['rocknroll', "Rock 'n' Roll"],
  ['rock and roll', "Rock 'n' Roll"],
  ['ΣΊΣΥΦΟΣ', 'Σίσυφος'],
  ['durdevdan', 'Đurđevdan'],
  ['djurdjevdan', 'Đurđevdan'],
  ['Đurđevdan', 'Djurdjevdan'],
  ['Müller', 'Mueller'],
  ['björk', 'Bjoerk'],
  ['IŞIK', 'ışık'],
  ['ISTANBUL', 'İstanbul'],
  ['duong', 'Đường'],
  ['tieng viet', 'Tiếng Việt'],
  ['とうきょう', 'トウキョウ'],
  ['トウキョウ', 'とうきょう'],
  ['مكتبه', 'مكتبة'],
  ['کتاب', 'كتاب'],
  ['№5', 'No 5'],
  ['हिंदी गीत', 'हिन्दी गीत'],
  ['हिन्दी', 'हिंदी गीत'],
  ['संबंध', 'सम्बन्ध'],
  ['दिन', 'शुभ दिन'],
  ['ज़िंदगी', 'ज़िन्दगी'],
  ['कुमार', 'किशोर कुमार'],
  ['كتاب', 'الكتاب الأخضر'],
  ['قلم', 'وبالقلم'],
  ['ام كلثوم', 'أم كلثوم'],
  ['الأمل', 'للأمل'],
  ['音楽', '今日は音楽会'],
  ['うただ', 'ウタダヒカル'],
  ['ｶﾞﾝﾀﾞﾑ', 'ガンダム'],
  ['odegaard', 'Ødegård'],
  ['vol 2', 'Vol. II'],
  ['live at wembley', 'Live @ Wembley'],
  ['n°5', 'Mambo No. 5'],
  ['rnb', 'R&B'],
  ['r and b', 'R&B'],
  ['d&b', 'D & B'],
  ['no5', 'Mambo No. 5'],
  ['mambo no 5', 'Mambo #5'],
  ['vol2', 'Vol. 2'],
  ['part 2', 'Pt. 2'],
  ['pt 2', 'Part 2'],
  ['saint vincent', 'St. Vincent'],
  ['kasino', 'Kα$ino'],
  ['korn', 'KoЯn'],
  ['samurai', 'SΛMURΛI'],
  ['!!!', '!!!'],
  ['+/-', '+/-'],
  ['???', 'Oh ???'],
])('%j finds %j', async (typed, text) => {
  expect(await finds(typed, text)).toBe(true);
});

test.each([
  ['dent', "Don't"],
  ['acdb', 'AC/DC'],
  ['!!!', 'P!nk'],
  ['floydpink', 'Pink Floyd'],
  ['train', 'Get Rain'],
  ['Müller', 'Mller'],
  ['दिन', 'दान दो'],
  ['कमर', 'कुमार'],
  ['かき', 'がき'],
])('%j does not find %j', async (typed, text) => {
  expect(await finds(typed, text)).toBe(false);
});

test('album, folder and file name are searched, words in any order, and a title comes before them', async () => {
  await using dir = await makeTempDir('search');
  const wave = join(import.meta.dirname, '../../../../testkit/media/untagged_wave.wav');
  for (const path of [
    'Pink Floyd/The Wall/01 - In the Flesh.wav',
    'Soundtracks/The Wall.wav',
    'Yes/Fragile/02 Roundabout.wav',
  ]) {
    await mkdir(dirname(join(dir.path, path)), { recursive: true });
    await cp(wave, join(dir.path, path));
  }
  const library = await openMediaLibrary({ folder: dir.path, log: createLog('silent') });
  const found = async (words: string) => (await library.search(words)).map(({ title }) => title);
  expect(await found('floyd flesh')).toEqual(['01 - In the Flesh']);
  expect(await found('flesh wall pink')).toEqual(['01 - In the Flesh']);
  expect(await found('the wall')).toEqual(['The Wall', '01 - In the Flesh']);
  expect(await found('fragile')).toEqual(['02 Roundabout']);
  expect(await found('floyd roundabout')).toEqual([]);
});

test('each track is found by its own title and file, and all of an album by its artist, also once the list has grown', async () => {
  if (!sample) throw new Error('no sample');
  const base = plainItem(sample);
  const words = fc.array(fc.constantFrom('ab', 'abba', 'ba', 'Ab/Ba', 'cab'), { minLength: 1, maxLength: 3 });
  const track = fc.record({ artist: fc.constantFrom('Cabba', 'Bab'), title: words, file: fc.option(words) });
  await fc.assert(
    fc.asyncProperty(fc.array(track, { maxLength: 12 }), fc.nat(12), words, async (tracks, later, typed) => {
      const items = tracks.map(({ artist, title, file }, at) => {
        const name = (file ?? ['7', ...title]).join(' ').replaceAll('/', '-');
        const named = { artist, artists: [artist], title: title.join(' '), path: `/${String(at)}/${name}.wav` };
        return { ...base, ...named, album: null, genres: [], folder: '' };
      });
      const before = await searchedList(items.slice(later), nothingSearched);
      const found = await foundIn(await searchedList(items, before), typed.join(' '), Number.POSITIVE_INFINITY);
      const hasAll = (text: string) => wordsOf(typed.join(' ')).every(([word]) => text.includes(word));
      const expected = items.filter(({ artist, title, path }) =>
        hasAll([artist, title, basename(path, '.wav')].map(searchedText).join(' ')),
      );
      expect(new Set(found)).toEqual(new Set(expected));
    }),
  );
});

test('tracks with every word in title and artists come first, those that begin with what is typed before others', async () => {
  if (!sample) throw new Error('no sample');
  const base = { ...plainItem(sample), genres: [], folder: '', path: '' };
  const album = (name: string) => ({ name, artist: null, year: null, place: 1 });
  const items = [
    { ...base, title: 'Other', artist: 'Cabs', artists: ['Cabs'], album: album('Blue Moon') },
    { ...base, title: 'A Blue Moon', artist: 'Bab', artists: ['Bab'], album: null },
    { ...base, title: 'Moon', artist: 'Blue', artists: ['Blue'], album: null },
    { ...base, title: 'Moonlight', artist: 'Blue Cab', artists: ['Blue Cab'], album: null },
    { ...base, title: 'Blue Moonlight', artist: 'Bab', artists: ['Bab'], album: null },
  ];
  const list = await searchedList(items, nothingSearched);
  const titles = async (typed: string) => (await foundIn(list, typed, 9)).map(({ title }) => title);
  expect(await titles('blue moon')).toEqual(['Blue Moonlight', 'A Blue Moon', 'Moon', 'Moonlight', 'Other']);
  expect(await titles('moon blue')).toEqual(['Moon', 'A Blue Moon', 'Moonlight', 'Blue Moonlight', 'Other']);
  expect(await titles('bluemoon')).toEqual(['Other', 'Blue Moonlight']);
  expect(await titles('bluecab')).toEqual(['Moonlight']);
});

test('words of tracks that are gone are not kept for ever', async () => {
  if (!sample) throw new Error('no sample');
  const base = { ...plainItem(sample), path: '' };
  const [tracks, readings] = [3000, 5];
  let list = nothingSearched;
  for (let reading = 0; reading < readings; reading += 1) {
    const title = (n: number) => `a${String(reading * tracks + n)} b${String(reading * tracks + n)}`;
    const items = Array.from({ length: tracks }, (_, n) => ({ ...base, title: title(n) }));
    list = await searchedList(items, list);
    expect((await foundIn(list, title(7), 9))[0]).toBe(items[7]);
  }
  expect(list.words.size).toBeLessThan(tracks * 2 * (readings - 1));
});

test('a text of plain letters is found by what every other text is found by', () => {
  const some = fc.string({ unit: fc.constantFrom(..."abII2vVnNoO.'`!$@&#-_ 7".split('')), maxLength: 30 });
  const words = fc.array(fc.constantFrom('Part', 'II', 'x', 'vol', '2', 'B', 'N7'), { maxLength: 8 });
  // With a sign that is not seen, and so is not plain.
  fc.assert(
    fc.property(fc.oneof(some, fc.string({ unit: 'grapheme-ascii' })), (text) => {
      expect(folded(text)).toBe(folded(`${text}\u200b`));
    }),
  );
  fc.assert(
    fc.property(words, (all) => {
      expect(searchedText(all.join(' '))).toBe(searchedText(all.map((word) => `${word}\u200b`).join(' ')));
    }),
  );
});

test('a word has few spellings, however often and in however many ways it is typed', () => {
  expect(wordsOf('ü '.repeat(250))).toEqual([['u', 'ue']]);
  const ways = Array.from({ length: 40 }, (_, n) => n.toString(2).padStart(8, '0'));
  const typed = ways.map((way) => way.replaceAll('0', 'ü').replaceAll('1', 'û')).join(' ');
  const [[word, ...others] = ['']] = wordsOf(typed);
  expect([word, others.length]).toEqual(['uuuuuuuu', 3]);
});
