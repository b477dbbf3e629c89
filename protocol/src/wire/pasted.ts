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

const kindOfPath: Readonly<Record<string, RoomKind>> = {
  join: 'video',
  tunemate: 'video',
  'join-audio-room': 'audio',
  'audio-room': 'audio',
};
const roomLink = /\/(join|join-audio-room|tunemate|audio-room)\/?(?:\?(?:[^\s#]*&)?code=|\/)([^\s&#/?]+)/iu;

/** The room that a text names: by its link, by a code and nothing else, or by a code among words. Null for no code. */
export function roomIn(text: string): PastedRoom | null {
  const [, path = '', linked = ''] = roomLink.exec(text) ?? [];
  const code = codeOf(linked.replaceAll(/%[\da-f]{2}/giu, ' '));
  if (code !== null) return { code, kind: kindOfPath[path.toLowerCase()] ?? null };
  const alone = codeOf(text) ?? codeAmongWords(text);
  return alone === null ? null : { code: alone, kind: null };
}

/** A code as typed, with spaces, dashes or marks in and around it, and with letters for the digits they look like. */
function codeOf(text: string): string | null {
  const letters = text
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .normalize('NFKC')
    .toUpperCase();
  const code = letters.replaceAll('O', '0').replaceAll(/[IL]/gu, '1');
  return /^[0-9A-F]{6}$/u.test(code) ? code : null;
}

/** Words can look like codes: 'facade'. One that follows 'code', or that has a digit or capitals only, is none. */
function codeAmongWords(text: string): string | null {
  const named = /\bcode\b[^\p{L}\p{N}]*(?:is\b[^\p{L}\p{N}]*)?(\w{6})(?![\p{L}\p{N}])/iu.exec(text)?.[1] ?? '';
  const written = text
    .split(/[^\p{L}\p{N}]+/u)
    .find((word) => codeOf(word) !== null && (/\d/u.test(word) || /^[A-F]{6}$/u.test(word)));
  return codeOf(named) ?? codeOf(written ?? '');
}

/** The address of a text such as `Ann <ann@example.org>`, `mailto:ann@example.org` or `(ann@example.org),`. */
export function addressIn(text: string): string {
  const inBrackets = /<\s*(?:mailto:)?([^\s<>]+@[^\s<>]+?)\s*>/iu.exec(text)?.[1];
  if (inBrackets !== undefined) return inBrackets;
  const [, address = ''] = /^[\s("'“„«]*(?:mailto:)?([^\s?]*?)(?:\?\S*)?[\s)"'”“»,;]*$/iu.exec(text) ?? [];
  return address.includes('@') ? address : text;
}
