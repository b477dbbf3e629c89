/**
 * Reads a room's code and an e-mail address out of the text that people paste them with. No schema stands here: pages
 * read by the same rules without loading the code that reads schemas.
 */
import type { RoomKind } from './room-kind.ts';

/** A code, and the kind of its room where a link says it. */
export interface PastedRoom {
  code: string;
  kind: RoomKind | null;
}

/** Full-width letters and signs, as keyboards of East Asia write them, in their plain forms. */
export const plainWidth = (text: string): string =>
  text.replaceAll(/[！-～]/gu, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0)).replaceAll(/[。｡]/gu, '.');

/** Digits of other scripts, each by its place in their run of ten. */
export const plainDigits = (text: string): string =>
  text.replaceAll(/(?!\d)\p{Nd}/gu, (digit) => {
    let value = 0;
    while (value < 9 && /\p{Nd}/u.test(String.fromCharCode(digit.charCodeAt(0) - value - 1))) value += 1;
    return digit.length > 1 ? digit : String(value);
  });

const kindOfPath: Readonly<Record<string, RoomKind>> = {
  join: 'video',
  tunemate: 'video',
  'join-audio-room': 'audio',
  'audio-room': 'audio',
};
const roomLink = /\/(join|join-audio-room|tunemate|audio-room)\/?(?:\?(?:[^\s#]*&)?code=|\/)([^\s&#/?]+)/iu;

/** The room that a text names: by its link, by a code and nothing else, or by a code among words. Null for no code. */
export function roomIn(pasted: string): PastedRoom | null {
  // A link inside a link has its marks escaped: '/login?next=%2Fjoin%3Fcode%3D…'.
  const text = plainDigits(plainWidth(pasted)).replaceAll(/%(?:2F|3F|3D|26|3A)/giu, (mark) => decodeURIComponent(mark));
  const [, path = '', linked = ''] = roomLink.exec(text) ?? [];
  const code = codeOf(linked.replaceAll(/%[\da-f]{2}/giu, ' '));
  if (code !== null) return { code, kind: kindOfPath[path.toLowerCase()] ?? null };
  const alone = codeOf(text) ?? codeAmongWords(text);
  return alone === null ? null : { code: alone, kind: null };
}

/** What other letters look like: those of a Cyrillic or Greek keyboard too. */
const meant: Readonly<Record<string, string>> = {
  ...{ O: '0', I: '1', L: '1' },
  ...{ А: 'A', В: 'B', С: 'C', Е: 'E', О: '0', З: '3', І: '1' },
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ο: '0', Ι: '1' },
};

/** A code as typed, with spaces, dashes or marks in and around it, and with letters for the digits they look like. */
function codeOf(text: string): string | null {
  const letters = text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .normalize('NFKC')
    .toUpperCase();
  const code = Array.from(letters, (letter) => meant[letter] ?? letter).join('');
  return /^[0-9A-F]{6}$/u.test(code) ? code : null;
}

/** Words can look like codes: 'facade'. One that follows 'code', or that has a digit or capitals only, is none. */
function codeAmongWords(text: string): string | null {
  const named = /\bcode\b[^\p{L}\p{N}]*(?:is\b[^\p{L}\p{N}]*)?(\w{3}[\s-]?\w{3})(?![\p{L}\p{N}])/iu.exec(text)?.[1];
  const words = text.split(/[^\p{L}\p{N}]+/u);
  // As people read it out: in two halves.
  const halves = [...text.matchAll(/(?<![\p{L}\p{N}])(?=(\w{3})[\s-](\w{3})(?![\p{L}\p{N}]))/gu)];
  const written = [...words, ...halves.map(([, one = '', two = '']) => one + two)].find(
    (word) => codeOf(word) !== null && (/\d/u.test(word) || /^[A-F]{6}$/u.test(word)),
  );
  return codeOf(named ?? '') ?? codeOf(written ?? '');
}

/** Around an address: its name, and what follows it in a sentence or a list of contacts. */
const beforeAddress = /^\s*(?:[^@:]{1,40}:\s+)?[\s("'“„«[]*(?:mailto:\s*)?/iu;
const behindAddress = /[\s)"'”“»,;]*(?:\(\s*[^@()]*\)\s*)?$/u;

/** The address of a text such as `Ann <ann@example.org>`, `mailto:ann@example.org`, `E-mail: ann@example.org (work)` */
export function addressIn(typed: string): string {
  // A full stop of East Asia ends the sentence around an address; a plain one may be a slip within it.
  const text = plainWidth(typed.replace(/[。｡]\s*$/u, ''));
  const inBrackets = /<\s*(?:mailto:)?([^\s<>]+@[^\s<>]+?)\s*>/iu.exec(text)?.[1];
  if (inBrackets !== undefined) return inBrackets;
  const linked = /^\s*\[[^\]]*\]\(mailto:([^\s()?]+)[^()]*\)\s*$/iu.exec(text)?.[1];
  const address = (linked ?? text)
    .replace(beforeAddress, '')
    .replace(behindAddress, '')
    .replace(/\?\S*$/u, '');
  return /^[^\s@]+@[^\s@]+$/u.test(address) ? address : typed;
}
