/**
 * Writes a text as people type it: in small plain letters, without accents, signs and apostrophes. A mark that is an accent
 * goes; one that is a letter of its script (a vowel of Hindi, a tone of Thai, the voice of a Japanese syllable) stays.
 */

/** Letters that Unicode does not take apart into a plain one and its accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', đ: 'd', þ: 'th', ð: 'd', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k' },
  ...{ ƒ: 'f', ə: 'e', ɓ: 'b', ɗ: 'd', ƙ: 'k', ς: 'σ', ƶ: 'z', ɨ: 'i', ʉ: 'u', ґ: 'г', є: 'е' },
  // One letter in two spellings: Arabic as typed in Egypt, Iran and Pakistan, and the sign of multiplication.
  ...{ ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ہ: 'ه', ھ: 'ه', ٱ: 'ا', ـ: '', '×': 'x' },
  // Hebrew letters at the end of a word.
  ...{ ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' },
};
/** Japanese writes a word in either of two syllabaries. */
const katakana = /[ァ-ヶ]/gu;
const toHiragana = 0x60;
const number = /№|\bn[°º](?=\s?\d)/giu;
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');
const apostrophe = /(?<=[\p{L}\p{M}\p{N}])['’‘ʼʻ`´′＇](?=\p{L})/gu;
/** The voice of a Japanese syllable belongs to no script of its own. */
const accents =
  /(?=\p{M})(?![\u3099\u309a])[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}]/gu;
const voiced = /.[\u3099\u309a]/gu;
/** Persian parts a word with it, so it parts words of Arabic letters; elsewhere it changes how a letter is drawn. */
const unseen = /(?<!\p{sc=Arabic})\u200c|(?!\u200c)\p{Cf}/gu;
/**
 * One word of Hindi in several spellings: the dot below is left out by many keyboards, and a nasal before a consonant is a
 * letter, a dot or the moon.
 */
const nasal = /([ङञणनम])\u094d(?!\1)(?=[क-म])|\u0901/gu;
const dotBelow = /(?<=[\u0900-\u097f])\u093c/gu;
const digit = /(?![0-9])\p{Nd}/gu;
export const notOfWords = /[^\p{L}\p{M}\p{N}]+/gu;
/** An emoji, or one of those that another is joined of. Signs of rights are none. */
const emoji = /\p{RI}{2}|(?![©®])\p{Extended_Pictographic}/gu;
const betweenWords = /(?:(?!\p{RI}|(?![©®])\p{Extended_Pictographic})[^\p{L}\p{M}\p{N}])+/gu;

/** Letters, digits and signs that are plain already, but for apostrophes: most names of most libraries. */
const plainAlready = /^[ -&(-_a-~]*$/u;

/** `Déjà-vu, don't!` becomes `deja vu dont`; each emoji is a word. */
export function folded(text: string): string {
  if (plainAlready.test(text))
    return text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/gu, ' ')
      .trim();
  return plain(text).replaceAll(emoji, ' $& ').replaceAll(betweenWords, ' ').trim();
}

/** Plain letters in small, signs as they were. */
export function plain(text: string): string {
  if (plainAlready.test(text)) return text.toLowerCase();
  return text
    .replaceAll(apostrophe, '')
    .replaceAll(number, ' no ')
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(unseen, '')
    .replaceAll(dotBelow, '')
    .replaceAll(nasal, '\u0902')
    .toLowerCase()
    .replaceAll(plainLetter, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(digit, plainDigit)
    .replaceAll(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - toHiragana))
    .replaceAll(voiced, (syllable) => syllable.normalize('NFC'));
}

/** Unicode has the ten digits of a script in a row that begins with 0 or with 6 in its last place. */
function plainDigit(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const first = code - (code % 16);
  return String(/\p{Nd}/u.test(String.fromCodePoint(first)) ? code - first : code - first - 6);
}
