/** Writes a text as people type it: in small plain letters, without accents, signs and apostrophes. */

/** Letters that Unicode does not take apart into a plain one and its accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i', đ: 'd', þ: 'th', ð: 'd', ħ: 'h', ŧ: 't', ŋ: 'n', ĸ: 'k' },
  ...{ ƒ: 'f', ə: 'e', ɓ: 'b', ɗ: 'd', ƙ: 'k', ς: 'σ', ƶ: 'z', ɨ: 'i', ʉ: 'u', ґ: 'г', є: 'е' },
  // One letter in two spellings: Arabic as typed in Egypt and in Iran, and the sign of multiplication.
  ...{ ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك', ـ: '', '×': 'x' },
};
/** Japanese writes a word in either of two syllabaries. */
const katakana = /[ァ-ヶ]/gu;
const toHiragana = 0x60;
const number = /№|\bn[°º](?=\s?\d)/giu;
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');
const apostrophe = /(?<=[\p{L}\p{M}\p{N}])['’‘ʼʻ`´′＇](?=\p{L})/gu;
export const notOfWords = /[^\p{L}\p{N}]+/gu;

/** `Déjà-vu, don't!` becomes `deja vu dont`. */
export function folded(text: string): string {
  return plain(text).replaceAll(notOfWords, ' ').trim();
}

/** Plain letters in small, signs as they were. */
export function plain(text: string): string {
  return text
    .replaceAll(apostrophe, '')
    .replaceAll(number, ' no ')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(plainLetter, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(katakana, (letter) => String.fromCharCode(letter.charCodeAt(0) - toHiragana));
}
