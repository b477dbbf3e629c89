/**
 * Decides how bytes of unknown encoding become text: by their mark, as UTF-8, by the language that the name of the file
 * gives, by a detector, and else as Western. Subtitles and the tags of MP3s are read with it.
 */
import { analyse } from 'chardet';

/** Encodings in use for a language before Unicode, the usual one first. */
const cyrillic = ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'];
const central = ['windows-1250', 'iso-8859-2'];
const baltic = ['windows-1257', 'iso-8859-13'];
const ofLanguage: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['ru', 'uk', 'bg', 'be', 'mk', 'sr'].map((language) => [language, cyrillic])),
  ...Object.fromEntries(['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'bs', 'sq'].map((language) => [language, central])),
  ...Object.fromEntries(['lt', 'lv', 'et'].map((language) => [language, baltic])),
  el: ['windows-1253', 'iso-8859-7'],
  tr: ['windows-1254'],
  az: ['windows-1254'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  fa: ['windows-1256'],
  ur: ['windows-1256'],
  th: ['windows-874'],
  vi: ['windows-1258'],
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr'],
  zh: ['gb18030', 'big5'],
};
/** 'zh-TW' and 'zh-Hant' write the other characters. */
const traditional = ['big5', 'gb18030'];
const western = 'windows-1252';
/** What Macs wrote before Unicode, and the characters of its daily use. */
const westernOfMacs = 'macintosh';
const inUseOnMacs = /^[\0-\x7FáàâäãåéèêëíîïñóôöõúùûüçßøæœÁÀÂÄÅÉÈÊÎÔÖÜÇØÆŒ’‘“”–—…«»¿¡\u00A0]*$/u;

/** `Greek` and `Ελληνικά` name a language as `el` does. Found out at the first use: it is a twentieth of a start. */
let codeOfName: ReadonlyMap<string, string> | null = null;
const codesOfNames = (): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(ofLanguage).flatMap((code) =>
      ['en', code].map((inLanguage) => {
        const name = new Intl.DisplayNames([inLanguage], { type: 'language' }).of(code) ?? code;
        return [name.toLowerCase(), code] as const;
      }),
    ),
  );

/** The detector names the standard, files are in what Windows made of it. */
const family: Readonly<Record<string, readonly string[]>> = {
  'iso-8859-2': central,
  'windows-1250': central,
  'iso-8859-7': ['windows-1253', 'iso-8859-7'],
  'iso-8859-8': ['windows-1255'],
  'iso-8859-9': ['windows-1254'],
  'iso-8859-6': ['windows-1256'],
};
/** Below, an answer of the detector is chance. */
const leastConfidence = 5;
/** Fewer bytes beyond ASCII say nothing, and of a text that could be Western, so many are needed. */
const leastBytes = 4;
const enoughBytes = 10;
/** Much of a file is as good as all of it, and the detector takes its time. */
const lookedAtBytes = 64 * 1024;

/** `name` is a language tag, or the part of a file's name that may contain one; null when nothing is known. */
export function decodedText(bytes: Uint8Array, name: string | null): string {
  const marked = byMark(bytes);
  if (marked === 'utf-32') return ofCodePoints(bytes);
  if (marked !== null) return decode(bytes, marked, false) ?? '';
  const unicode = decode(bytes, 'utf-8', true);
  if (unicode !== null) return unicode;
  return decode(bytes, encodingOf(bytes, name), false) ?? '';
}

/** The encoding of bytes that are no UTF-8. `name` as above. */
export const encodingOf = (bytes: Uint8Array, name: string | null): string =>
  bestOf(bytes, encodingsFor(name)) ?? likely(bytes) ?? ofMac(bytes) ?? detected(bytes) ?? western;

/**
 * A text that was read as Latin-1, as tags of MP3s say of themselves whatever they are in. It comes back as it is unless
 * hardly anything but another encoding explains it. `context` is all text of the same file: one title is too short.
 */
export function undoneLatin1(text: string, context: string): string {
  const [bytes, all] = [latin1Bytes(text), latin1Bytes(context)];
  if (bytes === null || all === null || isPlainAscii(bytes)) return text;
  const encoding = decode(all, 'utf-8', true) === null ? likely(all) : 'utf-8';
  return (encoding === null ? null : decode(bytes, encoding, true)) ?? text;
}

function byMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (isUtf32(bytes)) return 'utf-32';
  // The older way to write Japanese in seven bits, which is valid UTF-8 too.
  if (Buffer.from(bytes.subarray(0, lookedAtBytes)).includes('\x1B$B')) return 'iso-2022-jp';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return withoutMark(bytes);
}

const isUtf32 = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff);

/** UTF-32, which no decoder of the platform reads. */
function ofCodePoints(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const codes = Array.from({ length: Math.floor(bytes.length / 4) - 1 }, (_, at) =>
    bytes[0] === 0xff ? view.readUInt32LE(at * 4 + 4) : view.readUInt32BE(at * 4 + 4),
  );
  return codes.map((code) => (code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code))).join('');
}

/** UTF-16 without a mark has zeros at every other place of its plain letters, and no other text has any. */
function withoutMark(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, 2000);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < head.length / 8) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

/** Null for bytes that the encoding does not have, or an encoding that this Node does not have. */
function decode(bytes: Uint8Array, encoding: string, isStrict: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal: isStrict }).decode(bytes);
  } catch {
    return null;
  }
}

/** What the language in a name was written in; empty when the name says nothing. */
function encodingsFor(name: string | null): readonly string[] {
  if (name === null) return [];
  if (/\b(?:zh|chi|zho)[-_](?:tw|hk|mo|hant)\b|traditional|繁體|繁体/iu.test(name)) return traditional;
  codeOfName ??= codesOfNames();
  for (const part of name.toLowerCase().split(/[^\p{L}\p{M}]+/u)) {
    const encodings = ofLanguage[codeOfName.get(part) ?? codeOf(part)];
    if (encodings !== undefined) return encodings;
  }
  return [];
}

function codeOf(part: string): string {
  try {
    return /^[a-z]{2,3}$/u.test(part) ? new Intl.Locale(part).language : '';
  } catch {
    return '';
  }
}

function likely(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, lookedAtBytes);
  return likelyEncoding(head, decode(head, western, false) ?? '');
}

/** Where Western would be odd, and that of Macs is usual in every character. */
function ofMac(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, lookedAtBytes);
  const isOdd = isHardlyWestern(decode(head, western, false) ?? '') || oddities(decode(head, western, false) ?? '') > 0;
  return isOdd && inUseOnMacs.test(decode(head, westernOfMacs, false) ?? '') ? westernOfMacs : null;
}

/** What the detector finds; null when Western is as good. */
function detected(bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, lookedAtBytes);
  const beyond = head.reduce((count, byte) => count + (byte < 0x80 ? 0 : 1), 0);
  const isStrange = isHardlyWestern(decode(head, western, false) ?? '');
  if (beyond < (isStrange ? leastBytes : enoughBytes)) return null;
  const matches = analyse(head)
    .filter(({ name, confidence }) => confidence >= leastConfidence && !/^(?:ASCII|UTF)/u.test(name))
    .map(({ name }) => name.toLowerCase());
  const [first] = matches;
  if (!isStrange && (first === undefined || isWestern(first))) return null;
  const likely = isStrange ? matches.filter((name) => !isWestern(name)) : matches.slice(0, 1);
  return bestOf(
    bytes,
    likely.flatMap((name) => family[name] ?? [name]),
  );
}

const isWestern = (name: string): boolean => name === western || name === 'iso-8859-1';

/** The first of those with the fewest oddities; null when none can be read. */
function bestOf(bytes: Uint8Array, encodings: readonly string[]): string | null {
  const head = bytes.subarray(0, lookedAtBytes);
  const read = encodings.flatMap((encoding) => {
    const text = decode(head, encoding, false);
    return text === null ? [] : [{ encoding, odd: oddities(text) }];
  });
  return read.toSorted((a, b) => a.odd - b.odd)[0]?.encoding ?? null;
}

/** Signs that a text was read in a wrong encoding: what no language writes, counted. */
function oddities(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return (
    count(/[\uFFFD\u0080-\u009F\u2500-\u259F\uE000-\uF8FF¤¦¬¶]/gu) +
    // A sign in the middle of a word, a small letter before capitals, two scripts in one word.
    count(/(?<=\p{L})[¡-©«-´¶-¹»-¿×÷‚-‰†‡€¤](?=\p{L})/gu) +
    count(/\p{Ll}\p{Lu}/gu) +
    count(/\p{sc=Latin}[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}]/gu)
  );
}

/** Words made of accented letters alone, or with signs in the middle, are not Western. */
function isHardlyWestern(text: string): boolean {
  const accented = text.match(/[\u0080-\u00FF\u0152-\u0178\u017D\u017E\u0192\u02C6\u02DC\u2013-\u2122]/gu)?.length ?? 0;
  const plain = text.match(/[a-z]/giu)?.length ?? 0;
  return accented > plain || /[\p{L}][¹³²£¿¾¼º¢¥¦](?=\p{L})|[\u0080-\u009F]/u.test(text);
}

const isPlainAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

/** The 27 characters that Windows-1252 has beyond Latin-1. */
const byteOf = new Map(
  Array.from({ length: 32 }, (_, n) => [new TextDecoder(western).decode(Uint8Array.of(0x80 + n)), 0x80 + n]),
);

/** The bytes that a text had when it was read as Latin-1; null when it was not. */
function latin1Bytes(text: string): Uint8Array | null {
  const bytes = Array.from(text, (character) => byteOf.get(character) ?? character.codePointAt(0) ?? 0);
  return bytes.every((byte) => byte < 0x100) ? Uint8Array.from(bytes) : null;
}

/**
 * Finds the encoding of short texts, such as a title and an artist, where statistics have nothing to count: by which
 * characters are common in an encoding, and by what no language writes. Pure.
 */

/** Characters in daily use, as bytes. The rest of each encoding is rare, and what other encodings look like in it. */
const inDoubleBytes: readonly (readonly [encoding: string, common: RegExp, isNeeded?: RegExp])[] = [
  ['shift_jis', /\x82[\x4F-\xF1]|\x83[\x40-\xD6]|[\x88-\x97][\x40-\x7E\x80-\xFC]|\x81[\x40-\xF7]/gs],
  ['euc-jp', /[\xA4\xA5][\xA1-\xF6]|[\xB0-\xCF][\xA1-\xFE]|[\xA1\xA3][\xA1-\xFE]/gs, /[\xA4\xA5][\xA1-\xF6]/s],
  // All of modern Korean lies in the first half of what Chinese uses.
  ['euc-kr', /[\xB0-\xC8][\xA1-\xFE]|[\xA1\xA3][\xA1-\xFE]/gs],
  ['gb18030', /[\xB0-\xD7][\xA1-\xFE]|[\xA1\xA3][\xA1-\xFE]/gs],
  ['big5', /[\xA4-\xC6][\x40-\x7E\xA1-\xFE]|\xA1[\x40-\x7E\xA1-\xFE]/gs],
];
/** Of the bytes of words that are not plain. */
const commonShare = 0.85;
const leastCharacters = 2;

const inSingleBytes: readonly (readonly [encoding: string, script: RegExp])[] = [
  ['windows-1251', /^\p{sc=Cyrillic}+$/u],
  ['koi8-r', /^\p{sc=Cyrillic}+$/u],
  ['ibm866', /^\p{sc=Cyrillic}+$/u],
  ['windows-1253', /^\p{sc=Greek}+$/u],
  ['windows-1255', /^[\p{sc=Hebrew}\p{M}]+$/u],
  ['windows-1256', /^[\p{sc=Arabic}\p{M}]+$/u],
  ['windows-874', /^[\p{sc=Thai}]+$/u],
];
/** A Western word of this many letters has a plain one among them. */
const leastLetters = 4;

/** What no language of the script writes. */
const odd: readonly RegExp[] = [
  /[\uFFFD\u0080-\u009F\u2500-\u259F]/gu,
  /\p{Ll}\p{Lu}/gu,
  /(?<!\p{L})[ъьЪЬЫ]/gu,
  // From the beginning of a run of capitals alone: otherwise one that fills a file takes minutes.
  /(?<!\p{Lu})\p{Lu}{2,}\p{Ll}/gu,
  /(?<!\p{L})[бвгджзйклмнпрстфхцчшщ]{3,}(?!\p{L})/gu,
  /[ΐΰ]|ς(?=\p{L})|σ(?!\p{L})/gu,
  /(?<!\p{L})[βγδζθκλμνξπρσςτφχψ]{3,}(?!\p{L})/gu,
  /[ךםןףץ](?=\p{sc=Hebrew})|(?<=\p{sc=Hebrew}{2})[כמנצ](?!\p{sc=Hebrew})/gu,
  /[ىة](?=\p{sc=Arabic})/gu,
  /(?<!\p{sc=Thai})[\p{M}ะาำ]|[เแโใไ](?![ก-ฮ])/gu,
];
/** A text of several words in capitals only, or without any, is rarer than a script that has none. */
const [capitals, small] = [/\p{Lu}/u, /\p{Ll}/u];
/** Bytes that Windows-1252 does not have. */
const notWestern = /[\x81\x8D\x8F\x90\x9D]/;
/** Plain letters glued to Japanese, as in `LOVEマシーン`. */
const plainBeforeKana = /^[\x40-\x7E]+(?=\x82[\x9F-\xF1]|\x83[\x40-\x96])/;

/** Letters of other alphabets as Western shows them, each with what must stand in the text beside it. */
const latin: readonly (readonly [encoding: string, of: readonly RegExp[], not?: RegExp])[] = [
  // Polish: `Ma³omiasteczkowy`, `œwiat`, `Gêœ`.
  [
    'windows-1250',
    [/\p{L}[³¹¿Ÿ](?=\p{Ll})|[³¹Ÿ](?=\p{Ll})|[£¿][a-z]{2}\p{L}{0,20}[³¹êñ]|œ[bcdgklmnprtwz]|(?<=\p{L})œ(?![uil])/u],
  ],
  ['windows-1250', [/\p{Ll}[³¹](?!\p{L})/u, /[œæêñŸ]/u]],
  // Romanian with both of its letters: `Bunã dimineaþa`, `Mulþumesc, eºti`.
  ['windows-1250', [/ã/u, /[þº](?=\p{Ll})/u]],
  ['windows-1250', [/(?<=\p{Ll})º(?=\p{Ll})/u]],
  // Hungarian: `Õszi`, beside letters that Estonian and Portuguese do not have together.
  ['windows-1250', [/[õûÕÛ]/u, /[öüÖÜ]/u, /[áéíóúÁÉÍÓÚ]/u], /[ãçêàè]/iu],
  // Croatian and Czech: `moramo iæi`, `Øeka` beside a háček.
  ['windows-1250', [/[šžŠŽ]/u, /[æèøìùïòÆÈØ]/u], /[åäöàáçêëîôûü]/iu],
  // Czech without a háček on a consonant: `spát s tobì`. Italian has no accents of this kind.
  ['windows-1250', [/[áýí]/u, /\p{Ll}ì/u], /[àòæåã]/iu],
  // Serbian and Croatian in Latin letters: `Ðurðevdan`. Icelandic words don't begin with this letter.
  ['windows-1250', [/(?<!\p{L})Ð\p{Ll}/u], /[âêôàèòþýíáóú]/iu],
  // Lithuanian and Latvian: `Ðiandien jo nemaèiau, þinai`, beside letters that Icelandic, Faroese and Turkish have.
  ['windows-1257', [/[þÞ]/u, /[àèëøûâîìïòç]/u], /[óúýöüãõ]/iu],
  ['windows-1257', [/[ðÐ]/u, /[èëàû]/u], /[óúýöüãõ]/iu],
  // Turkish: `Barýþ`, `Daðlar` beside letters that Icelandic does not have.
  ['windows-1254', [/Ý\p{Ll}/u, /\p{Ll}ý/u], /[áéíóúæàèåøãõñêëðþ]/iu],
  ['windows-1254', [/[þðýÞÐÝ]/u, /[çüÇÜ]|ý\p{L}{0,20}[þð]|[þðÞÐ]\p{L}{0,20}ý/u], /[áéíóúæàèåøãõñêë]/iu],
];

/** Null where Western is as good. `western` is the text in Windows-1252. */
function likelyEncoding(bytes: Uint8Array, western: string): string | null {
  return ofDoubleBytes(bytes) ?? ofSingleBytes(bytes) ?? ofLatin(western);
}

function ofDoubleBytes(bytes: Uint8Array): string | null {
  // The second byte of a character may be a letter or a sign above the digits, never a blank.
  const words = Buffer.from(bytes)
    .toString('latin1')
    .split(/[\x00-\x3F]+/u)
    .map((word) => word.replace(plainBeforeKana, ''))
    .filter((word) => /[\x80-\xFF]/u.test(word));
  const least = words.some((word) => notWestern.test(word)) ? 1 : leastCharacters;
  const length = words.reduce((sum, word) => sum + word.length, 0);
  for (const [encoding, common, isNeeded] of inDoubleBytes) {
    const characters = words.reduce((sum, word) => sum + commonFromStart(word, common), 0);
    const isLikely = characters >= least && characters * 2 >= length * commonShare;
    if (isLikely && (isNeeded === undefined || words.some((word) => isNeeded.test(word)))) return encoding;
  }
  return null;
}

/** How many common characters a word has, read one after another. */
function commonFromStart(word: string, common: RegExp): number {
  const sticky = new RegExp(common.source, 'sy');
  let count = 0;
  for (let at = 0; at < word.length;) {
    sticky.lastIndex = at;
    const isCommon = sticky.test(word);
    if (isCommon) count += 1;
    at += isCommon || word.charCodeAt(at) >= 0x80 ? 2 : 1;
  }
  return count;
}

function ofSingleBytes(bytes: Uint8Array): string | null {
  const read = inSingleBytes.flatMap(([encoding, script]) => {
    const text = new TextDecoder(encoding).decode(bytes);
    const words = text.split(/[^\p{L}\p{M}\uFFFD]+/u).filter((word) => /[^\x00-\x7F]/u.test(word));
    const own = words.filter((word) => script.test(word));
    if (!own.some((word) => word.length >= leastLetters) || own.length < words.length * commonShare) return [];
    return [{ encoding, strangeness: strangenessOf(text, own.join(' ')) }];
  });
  return read.toSorted((a, b) => a.strangeness - b.strangeness)[0]?.encoding ?? null;
}

function strangenessOf(text: string, words: string): number {
  const count = odd.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
  const isOneCase = words.includes(' ') && capitals.test(words) !== small.test(words);
  return count + (isOneCase ? 0.5 : 0);
}

function ofLatin(western: string): string | null {
  const found = latin.find(([, of, not]) => of.every((pattern) => pattern.test(western)) && !not?.test(western));
  return found?.[0] ?? null;
}
