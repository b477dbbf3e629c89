/**
 * Which characters text may hold, wherever people can type. Kept apart from the schemas, so that a page can check the
 * same rules before it sends anything, without loading the schema library.
 */
import { limits } from './limits.ts';
import { addressIn } from './pasted.ts';

// Characters that are not visible: zero-width spaces and joiners, soft hyphen, blank fillers.
const invisible = /[\s\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2060-\u2064\u3164\ufeff\uffa0]/gu;

// Cc except newline and tab; bidi embeddings, overrides and isolates.
const unfitInMessages = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
const unfitInLines = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
// Characters without width that no script or emoji needs: two names that differ by one of them look the same.
const unfitInNames = /[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]/u;

/** True when the text has no visible character. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, '') === '';
}

export function isFitForMessage(text: string): boolean {
  return text.isWellFormed() && !unfitInMessages.test(text);
}

export function isFitForLine(text: string): boolean {
  return text.isWellFormed() && !unfitInLines.test(text);
}

/** Whether this may be the name of a person or a room. */
export function isFitForName(text: string): boolean {
  return isFitForLine(text) && !unfitInNames.test(text);
}

/** Text from elsewhere as one line: direction characters are removed, other control characters become spaces. */
export function cleanLine(text: string): string {
  const inOneDirection = text.toWellFormed().replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '');
  return inOneDirection
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

// RFC 5321's atom characters and, by RFC 6531, letters and digits of any script. No quotes, comments or literals.
const wholeAddress = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]+@(?<domain>.+)$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/**
 * An e-mail address in the one form it is compared in, or null when it is none: one @, a domain of two labels or more,
 * compatibility forms such as full-width letters made plain, lower case. IDNA is the server's part.
 */
export function readAddress(typed: string): string | null {
  const address = addressIn(typed.trim()).normalize('NFKC').toLowerCase().normalize('NFKC').replaceAll('\u3002', '.');
  const domain = wholeAddress.exec(address)?.groups?.['domain'];
  if (domain === undefined) return null;
  const labels = domain.split('.');
  const isDomain = labels.length > 1 && labels.every((label) => domainLabel.test(label));
  // A last label of digits would make the whole an IP address.
  return isDomain && !/\.\p{N}+$/u.test(domain) ? address : null;
}
