/**
 * Which characters text may hold, wherever people can type, and what is taken out of it first. Kept apart from the
 * schemas, so that a page can check the same rules before it sends anything, without loading the schema library.
 */
import { limits } from './limits.ts';

// What no font draws, by Unicode's own property, and the few that have another one.
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffc\u{1d159}]/u;
const direction = /[\u061c\u200e\u200f]/u;
const rightToLeft = /(?!\u061c)[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

// Scripts that join letters differently with a joiner between them.
const joining = ['Arabic', 'Syriac', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'];
const joiningToo = ['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Nko', 'Tibetan'];
const joiningLetter = new RegExp(`[${[...joining, ...joiningToo].map((script) => `\\p{sc=${script}}`).join('')}]`, 'u');
// These Arabic letters never join the next one, so a joiner after them changes nothing.
const endsAWord =
  /[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0649\u0671-\u0673\u0675\u0688-\u0699\u06c0-\u06cb\u06cf\u06d2-\u06d5]/u;
const pictograph = /\p{Extended_Pictographic}/u;
const beforeJoinedEmoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u20e3]/u;
// Emoji that are drawn as text unless a selector follows; digits only where a keycap comes after it.
const needsSelector = /(?!\p{Emoji_Presentation})\p{Extended_Pictographic}/u;
const flag =
  /\u{1f3f4}(?:\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})/gu;

/** Whether a script or an emoji needs the unseen character between these two. */
function isNeeded(character: string, before: string, after: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x200c || code === 0x200d) {
    if (code === 0x200d && beforeJoinedEmoji.test(before) && pictograph.test(after)) return true;
    return joiningLetter.test(before) && joiningLetter.test(after) && !endsAWord.test(before);
  }
  if (code === 0xfe0f || code === 0xfe0e) {
    return needsSelector.test(before) || (/[0-9#*]/.test(before) && after === '\u20e3');
  }
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}/u.test(before);
  return code >= 0x180b && code <= 0x180f && /\p{Script=Mongolian}/u.test(before);
}

/**
 * The text without marks that cannot be seen: pasted with words, or put into a name to make another that looks the same.
 * Joiners, selectors and tags stay where a script or an emoji needs them. `keepsDirection` leaves the marks of direction in
 * text that is written from right to left. Everything typed goes through here before it is compared, stored or counted.
 */
export function visible(text: string, { keepsDirection = false } = {}): string {
  if (!unseen.test(text)) return text;
  const isDirected = keepsDirection && rightToLeft.test(text);
  const flags = new Set<number>();
  for (const { index, 0: found } of text.matchAll(flag))
    for (let at = 0; at < found.length; at += 1) flags.add(index + at);
  const characters = Array.from(text);
  const nextSeen = seenIn(characters);
  let kept = '';
  let before = '';
  let at = 0;
  for (const [index, character] of characters.entries()) {
    const isKept =
      !unseen.test(character) ||
      flags.has(at) ||
      (isDirected && direction.test(character)) ||
      isNeeded(character, before, nextSeen(index));
    at += character.length;
    if (!isKept) continue;
    kept += character;
    before = character;
  }
  return kept;
}

/** The next character that is drawn; empty at the end. Asked in order, so that a long run of marks is read once. */
function seenIn(characters: readonly string[]): (index: number) => string {
  let at = 0;
  return (index) => {
    for (at = Math.max(at, index + 1); unseen.test(characters[at] ?? ''); at += 1);
    return characters[at] ?? '';
  };
}

/** A code, an address or a key as typed, without unseen marks and without white space around it. */
export const bare = (text: string): string =>
  text.replaceAll(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffc]/gu, '').trim();

/** Spaces of any kind and number as one; the blank pattern of Braille looks like one. Line breaks stay, to be refused. */
const folded = (text: string): string => text.replaceAll(/[\p{Zs}\u2800]+/gu, ' ').trim();

/** The name of a person or room as it is stored and compared: two names that look the same are the same. */
export function cleanName(text: string): string {
  let name = text;
  // Taking out a mark can let two others compose, which may uncover another mark.
  for (let round = 0; round < 4; round += 1) {
    const cleaner = folded(visible(name.normalize('NFC'))).normalize('NFC');
    if (cleaner === name) break;
    name = cleaner;
  }
  return name;
}

/** A message as it is stored: what other programs use for line ends are line ends. */
export const cleanMessage = (text: string): string =>
  visible(text, { keepsDirection: true })
    .replaceAll(/\r\n?|[\v\f\u0085]/gu, '\n')
    .trim();

// Cc except newline and tab.
const unfitInMessages = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;
const unfitInLines = /[\p{Cc}\u2028\u2029]/u;

/** True when the text has no visible character. */
export function isBlank(text: string): boolean {
  return visible(text).replaceAll(/[\s\u2800]/gu, '') === '';
}

export function isFitForMessage(text: string): boolean {
  return text.isWellFormed() && !unfitInMessages.test(text);
}

export function isFitForLine(text: string): boolean {
  return text.isWellFormed() && !unfitInLines.test(text);
}

/** Text from elsewhere as one line: unseen marks are removed, control characters become spaces. */
export function cleanLine(text: string): string {
  return visible(text.toWellFormed())
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

/** How many bytes a well-formed text takes as UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/**
 * A title that rooms accept: one line of at most 200 code points and 600 bytes, without control or direction
 * characters. `otherwise` stands in when nothing is left.
 */
export function cleanTitle<Otherwise extends string | null>(text: string, otherwise: Otherwise): string | Otherwise {
  const characters = Array.from(cleanLine(text)).slice(0, limits.titleLength);
  while (utf8Bytes(characters.join('')) > limits.titleBytes) characters.pop();
  const title = characters.join('').trim();
  return isBlank(title) ? otherwise : title;
}
