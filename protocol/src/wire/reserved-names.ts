/**
 * Names that the product itself goes by where it speaks to people: no person may have one, in any spelling that looks the
 * same. Its notices are marked by their type; this keeps a person from passing for it in chats, rooms and lists.
 */
import { visible } from './characters.ts';

/** The sender of notifications that no person sends, and what stands in for the name of a deleted account. */
export const ownNames = ['Tunemate', 'Deleted user'] as const;

/** Letters that look like those of the names above, in the scripts and digits that people use for it. */
const looksLike: Record<string, string> = {
  a: '4@\u0430\u03b1\u0251\u0101\u1d00',
  d: '\u0501\u0257\u1d05\u0257',
  e: '3\u20ac\u0435\u0454\u03b5\u0258\u1d07\u212e\u04bd',
  l: '1i|!\u0456\u0131\u04cf\u029f\u2113\u03b9\u2223',
  m: '\u043c\u03bc\u1d0d\u028d\u217f',
  n: '\u043f\u03b7\u0578\u0274\u0570\u0438',
  r: '\u0433\u044f\u0280\u1d26\u0453',
  s: '5$\u0455\u03c3\ua731\u01bd',
  t: '7+\u0442\u03c4\u1d1b\u04ad',
  u: '\u03c5\u057d\u0446\u028b\u1d1c\u0446v',
};
const plain = new Map(
  Object.entries(looksLike).flatMap(([letter, others]) => Array.from(others, (other) => [other, letter] as const)),
);

/** The letters that a reader takes the name for. */
function asRead(name: string): string {
  const folded = visible(name).normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const letters = Array.from(folded, (letter) => plain.get(letter) ?? letter).join('');
  return letters.replaceAll('rn', 'm').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

const reserved = new Set(ownNames.map(asRead));

export const isReservedName = (name: string): boolean => reserved.has(asRead(name));
