/**
 * Checked text: well-formed Unicode, no control or direction-override characters, counted in code points.
 */
import { z } from 'zod';
import { isBlank } from './blank.ts';
import { limits } from './limits.ts';

// Cc except newline and tab; bidi embeddings, overrides and isolates.
const forbiddenInMessages = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
const forbiddenInLines = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const codePoints = (text: string): number => Array.from(text).length;

/** How many bytes a well-formed text takes as UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

function line(maxLength: number) {
  return z
    .string()
    .max(maxLength * 4)
    .transform((text) => text.trim().normalize('NFC'))
    .refine((text) => text.isWellFormed() && !isBlank(text) && !forbiddenInLines.test(text))
    .refine((text) => codePoints(text) <= maxLength);
}

/** A person's name: 1 to 50 code points on one line. */
export const personName = line(limits.nameLength);
/** A room's name: 1 to 100 code points on one line. */
export const roomName = line(limits.roomNameLength);
/** A title of something playable: 1 to 200 code points on one line, and 600 bytes at most. Callers cut what is longer. */
export const trackTitle = line(limits.titleLength).refine((text) => utf8Bytes(text) <= limits.titleBytes);

/** A chat message: up to 2,000 code points, kept as typed but for the blank space around it. */
export const messageText = z
  .string()
  .max(limits.messageLength * 4)
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .refine((text) => text.isWellFormed() && !isBlank(text) && !forbiddenInMessages.test(text))
  .refine((text) => codePoints(text) <= limits.messageLength);
