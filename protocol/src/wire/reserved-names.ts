/**
 * Names that the product itself goes by where it speaks to people: no person may have one, in any spelling that looks the
 * same. Its notices are marked by their type; this keeps a person from passing for it in chats, rooms and lists.
 */
import { visible } from './characters.ts';

/** The sender of notifications that no person sends, and what stands in for the name of a deleted account. */
export const ownNames = ['Tunemate', 'Deleted user'] as const;

/**
 * What a screen writes where a name stands, in each language. 'You', 'Du' and 'Tú' alone are names of people too, so they
 * are left out: the place of a message says that the reader wrote it.
 */
const inNamesPlace = [
  'System',
  ...['Host', 'You (Host)', 'Du (Host)', 'Gelöschtes Konto'],
  ...['Anfitrión', 'Tú (anfitrión)', 'Usuario eliminado'],
  ...['होस्ट', 'आप (होस्ट)', 'डिलीट किया गया यूज़र'],
  ...['المضيف', 'أنت المضيف', 'مستخدم محذوف'],
];

/** Letters that look like those of the names above, in the scripts and digits that people use for it. */
const looksLike: Record<string, string> = {
  a: '4@\u0430\u03b1\u0251\u0101\u1d00\ua4ee\uab7a',
  d: '\u0501\u0257\u1d05\u0257\ua4d3\uab70',
  e: '3\u20ac\u0435\u0454\u03b5\u0258\u1d07\u212e\u04bd\ua4f0\uab7c',
  l: '1i|!\u0456\u0131\u04cf\u029f\u2113\u03b9\u2223\ua4e1\uabae',
  m: '\u043c\u03bc\u1d0d\u028d\u217f\ua4df\uab87',
  n: '\u043f\u03b7\u0578\u0274\u0570\u0438\ua4e0',
  h: '\u04bb\u0570',
  o: '0\u043e\u03bf\u0585',
  r: '\u0433\u044f\u0280\u1d26\u0453\ua4e3\uab71',
  s: '5$\u0455\u03c3\ua731\u01bd\ua4e2\uabaa',
  t: '7+\u0442\u03c4\u1d1b\u04ad\ua4d4\uab72',
  u: '\u03c5\u057d\u0446\u028b\u1d1c\u0446v\ua4f4\u144c',
};
const plain = new Map(
  Object.entries(looksLike).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);

/** White letters in circles and squares, and those of flags, which no normal form folds: where each alphabet begins. */
const boxed = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const alphabets = [0x1f1e6, 0x1f170, 0x1f150];

function unboxed(letter: string): string {
  const point = letter.codePointAt(0) ?? 0;
  const begin = alphabets.find((each) => each <= point) ?? point;
  return String.fromCharCode(97 + point - begin);
}

/** The letters that a reader takes the name for. */
function asRead(name: string): string {
  const folded = visible(name).replaceAll(boxed, unboxed).normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const letters = Array.from(folded, (letter) => plain.get(letter) ?? letter).join('');
  return letters.replaceAll('rn', 'm').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const reserved = new Set([...ownNames, ...inNamesPlace].map(asRead));

/** Signs stand for letters or for nothing, at the ends more often for nothing. */
const withoutSigns = (name: string): string => name.replaceAll(/[^\p{L}\p{M}\p{N}\p{So}]/gu, '');
const withoutOuterSigns = (name: string): string =>
  name.replaceAll(/^[^\p{L}\p{N}\p{So}]+|[^\p{L}\p{M}\p{N}\p{So}]+$/gu, '');

export const isReservedName = (name: string): boolean =>
  [name, withoutOuterSigns(name), withoutSigns(name)].some((each) => reserved.has(asRead(each)));
