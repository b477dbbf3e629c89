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
export function likelyEncoding(bytes: Uint8Array, western: string): string | null {
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
