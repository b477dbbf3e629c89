/** Bytes in encodings from before Unicode, written by hand or with iconv's tables, come back as the text they were. */
import { leastCpuMs } from '@tunemate/testkit/least-cpu';
import { describe, expect, test } from 'vitest';
import { decodedText, undoneLatin1 } from './text-encoding.ts';

/** The bytes of a text in an encoding; a table made from what the decoder answers for one and two bytes. */
const tables = new Map<string, Map<string, number[]>>();
function tableOf(encoding: string): Map<string, number[]> {
  const known = tables.get(encoding);
  if (known) return known;
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  for (let a = 0; a < 256; a += 1) {
    const one = decoder.decode(Uint8Array.of(a));
    if (one.length === 1 && one !== '\uFFFD' && !table.has(one)) table.set(one, [a]);
  }
  if (/jis|euc|gb|big5/u.test(encoding)) {
    for (let a = 0x81; a < 0xff; a += 1) {
      for (let b = 0x40; b < 0xff; b += 1) {
        const two = decoder.decode(Uint8Array.of(a, b));
        if (Array.from(two).length === 1 && two !== '\uFFFD' && !table.has(two)) table.set(two, [a, b]);
      }
    }
  }
  tables.set(encoding, table);
  return table;
}
function bytesOf(text: string, encoding: string): Uint8Array {
  const table = tableOf(encoding);
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${character} is not in ${encoding}`);
      return bytes;
    }),
  );
}

describe('the language in the name of the file decides', () => {
  test.each([
    ['el', 'windows-1253', 'Καλημέρα σας, Άννα'],
    ['gre', 'iso-8859-7', 'Ά, καλή σου μέρα'],
    ['ru', 'windows-1251', 'Доброе утро'],
    ['uk', 'windows-1251', 'Їжак і ґава'],
    ['Russian', 'koi8-r', 'Вчера была Пятница'],
    ['ru.forced', 'ibm866', 'Доброе утро, Алиса'],
    ['ro', 'windows-1250', 'Bună dimineaţa, oraşule'],
    ['pl', 'windows-1250', 'Zażółć gęślą jaźń'],
    ['pol', 'iso-8859-2', 'Zażółć gęślą jaźń'],
    ['cs', 'windows-1250', 'Příliš žluťoučký kůň'],
    ['hu', 'windows-1250', 'Árvíztűrő tükörfúrógép'],
    ['tr', 'windows-1254', 'Günaydın şoför İzmir'],
    ['he', 'windows-1255', 'בוקר טוב'],
    ['Arabic', 'windows-1256', 'صباح الخير'],
    ['fa', 'windows-1256', 'چه گفت پدر'],
    ['th', 'windows-874', 'สวัสดีตอนเช้า'],
    ['lt', 'windows-1257', 'Ąžuolas žydi šiąnakt'],
    ['ja', 'shift_jis', 'おはようございます'],
    ['jpn', 'euc-jp', 'おはようございます、今日はいい天気ですね'],
    ['ko', 'euc-kr', '안녕하세요'],
    ['ru', 'x-mac-cyrillic', 'Где мой брат? Я его сегодня не видела.'],
    ['zh', 'gb18030', '早上好，我的朋友'],
    ['zh-TW', 'big5', '早安，我的朋友們'],
    ['chi', 'big5', '早安，我的朋友們，今天的天氣很好'],
  ])('%s in %s', (name, encoding, text) => {
    expect(decodedText(bytesOf(text, encoding), name)).toBe(text);
  });
});

test.each([
  ['UTF-8 with its mark', Buffer.from('\uFEFFΚαλή', 'utf8'), 'Καλή'],
  [
    'UTF-16 without a mark',
    Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nΚαλή', 'utf16le'),
    '1\n00:00:01,000 --> 00:00:02,000\nΚαλή',
  ],
  ['UTF-8', Buffer.from('Καλή', 'utf8'), 'Καλή'],
  ['UTF-32', Buffer.from(Uint32Array.from('\uFEFFΚαλή', (c) => c.codePointAt(0) ?? 0).buffer), 'Καλή'],
  ['Japanese in seven bits', Buffer.from('\x1B$B$O$$\x1B(B, OK', 'latin1'), 'はい, OK'],
])('%s is what it says, whatever the name says', (_kind, bytes, text) => {
  expect(decodedText(bytes, 'ru')).toBe(text);
});

describe('without a language the detector decides', () => {
  test.each([
    ['windows-1251', 'Доброе утро. Я не знаю, что тебе сказать, но мы должны идти домой сейчас.'],
    ['windows-1253', 'Καλημέρα σας. Δεν ξέρω τι να σου πω, αλλά πρέπει να πάμε στο σπίτι τώρα.'],
    ['koi8-r', 'Доброе утро. Я не знаю, что тебе сказать, но мы должны идти домой сейчас.'],
    ['shift_jis', 'おはようございます。今日はいい天気ですね。一緒に行きましょう。'],
    ['gb18030', '早上好，我的朋友。我不知道该怎么跟你说，我们现在必须回家。'],
    ['euc-kr', '안녕하세요. 무슨 말을 해야 할지 모르겠지만 우리는 지금 집에 가야 합니다.'],
    ['windows-1255', 'בוקר טוב. אני לא יודע מה להגיד לך, אבל אנחנו חייבים ללכת הביתה עכשיו.'],
    ['ibm866', 'Где мой брат? Я его сегодня не видела. Пойдём домой, уже поздно.'],
    ['windows-1257', 'Kur yra mano brolis? Šiandien jo nemačiau, žinai. Eikime namo, jau vėlu.'],
    ['windows-874', 'พี่ชายของฉันอยู่ที่ไหน วันนี้ฉันไม่เห็นเขา'],
    ['macintosh', 'Où est mon frère ? Ça va, l’été à Noël.'],
    ['windows-1250', 'Nie wiem, co ci powiedzieć, ale musimy już iść do domu. Żółta łódź płynie w ciemność.'],
  ])('%s', (encoding, text) => {
    expect(decodedText(bytesOf(text, encoding), null)).toBe(text);
  });

  test.each([
    'Ça va, mon garçon ? Où est l’été à Noël',
    'Grüße aus München, schöne Straße',
    '¿Dónde está el niño? ¡Mañana!',
    'Blåbærsyltetøy på brød',
    'Ã',
  ])('Western stays Western: %s', (text) => {
    expect(decodedText(bytesOf(text, 'windows-1252'), null)).toBe(text);
    expect(decodedText(bytesOf(text, 'windows-1252'), 'fr')).toBe(text);
  });
});

describe('tags that say Latin-1', () => {
  const misread = (text: string, encoding: string) => Buffer.from(bytesOf(text, encoding)).toString('latin1');

  test.each([
    ['windows-1251', 'Группа крови', 'Кино'],
    ['windows-1251', 'Полковнику никто не пишет', 'Би-2'],
    ['windows-1253', 'Ζορμπάς ο χορός', 'Μίκης Θεοδωράκης'],
    ['shift_jis', '上を向いて歩こう', '坂本九のレコード'],
    ['gb18030', '月亮代表我的心', '邓丽君的歌曲集'],
    ['euc-kr', '강남스타일 노래', '싸이 노래 모음'],
    ['windows-1251', 'Песня', ''],
    ['windows-1251', 'Live (концерт)', 'ДДТ'],
    ['windows-1251', 'Крылья', 'Nautilus Pompilius'],
    ['koi8-r', 'Владимирский централ', 'Михаил Круг'],
    ['windows-1253', 'Ζορμπάς', 'Zorba'],
    ['shift_jis', 'Sakura さくら', 'Ikimono'],
    ['shift_jis', '紅', 'X JAPAN'],
    ['shift_jis', 'LOVEマシーン', 'モーニング娘。'],
    ['euc-jp', '上を向いて歩こう', '坂本九'],
    ['big5', '七里香', '周杰倫'],
    ['big5', '海闊天空', 'Beyond'],
    ['gb18030', '朋友', '周华健'],
    ['gb18030', '后来', '刘若英'],
    ['euc-kr', '좋은 날', '아이유'],
    ['euc-kr', '사랑', '나훈아'],
    ['windows-1256', 'إنت عمري', 'أم كلثوم'],
    ['windows-1255', 'הכל עובר חביבי', 'כוורת'],
    ['windows-1254', 'Şımarık', 'Tarkan'],
    ['windows-1254', 'Dağlar Dağlar', 'Barış Manço'],
    ['windows-1254', 'İstanbul İstanbul Olalı', 'Sezen Aksu'],
    ['windows-1250', 'Małomiasteczkowy', 'Dawid Podsiadło'],
    ['windows-1250', 'Őszi szél', 'Gyöngyhajú lány'],
    ['windows-1250', 'Mulţumesc, eşti bun', 'Maria Tănase'],
    ['windows-874', 'ทะเลใจ', 'คาราบาว'],
    ['windows-1250', 'Chci zas v tobě spát', 'Lucie'],
    ['windows-1250', 'Đurđevdan', 'Bijelo Dugme'],
    ['windows-1257', 'Dvi žvaigždės šią naktį', 'Žilvinas Žvagulis'],
    ['windows-1253', 'Σίσυφος', 'Λεωνίδας'],
  ])('are read as %s where nothing else explains them: %s', (encoding, title, artist) => {
    const context = `${misread(title, encoding)}\n${misread(artist, encoding)}`;
    expect(undoneLatin1(misread(title, encoding), context)).toBe(title);
    expect(undoneLatin1(misread(artist, encoding), context)).toBe(artist);
  });

  test('are read as UTF-8 where they are that', () => {
    const title = Buffer.from('Ænima – Ελλάς Ελλάς').toString('latin1');
    expect(undoneLatin1(title, title)).toBe('Ænima – Ελλάς Ελλάς');
  });

  test.each([
    'Señora Gül',
    'Déjà Vu',
    'Ágætis byrjun',
    'Mø',
    'Ø',
    'É',
    'Motörhead',
    'Sigur Rós – ( )',
    '+44',
    '¡Uno!',
    'Ä Ö Ü',
    'Þú',
    'Öö – Mø – Ø',
    'Year³ – O² – ½ Full',
    '“Heroes” – B’Day',
    'Œuvres de l’été – Cœur de pirate',
    'Þögn – Ásgeir – Dýrð',
    'Sýn – Múm – Ýmir',
    'Águas de Março – Não',
    'Rêver – Têtes Raides – Où',
    'Tõnu – Õnne',
    'Köszönöm – Új törvény',
    'Blåbær – Åå äö – Öå',
    'Føðiland – Ein dagur',
    'Það geta ekki allir verið gordjöss',
    'Così però più – Città',
  ])('stay as they are: %s', (title) => expect(undoneLatin1(title, title)).toBe(title));
});

test('a text of one repeated character costs about as much as any other', async () => {
  const bytes = 4000;
  const leastOf = (text: Buffer) => leastCpuMs(() => decodedText(text, null), 2);
  // Words of small letters, in the encoding of a Windows in Russian.
  const usual = await leastOf(Buffer.alloc(bytes, Buffer.from([0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20])));
  // Looked for from each of its capitals anew, the end of the run takes a thousand times as much.
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    expect(await leastOf(Buffer.alloc(bytes, byte)), byte.toString(16)).toBeLessThan(50 * usual);
  }
});
