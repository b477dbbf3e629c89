/**
 * Checked text: well-formed Unicode, no control or direction-override characters, counted in code points.
 */
import { z } from 'zod';
import { cleanLine, isBlank, isFitForLine, isFitForMessage, isFitForName, utf8Bytes } from './characters.ts';
import { limits } from './limits.ts';

const codePoints = (text: string): number => Array.from(text).length;

function line(maxLength: number, isFit: (text: string) => boolean) {
  return z
    .string()
    .max(maxLength * 4)
    .transform((text) => text.trim().normalize('NFC'))
    .refine((text) => isFit(text) && !isBlank(text))
    .refine((text) => codePoints(text) <= maxLength);
}

/** A person's name: 1 to 50 code points on one line. */
export const personName = line(limits.nameLength, isFitForName);
/** A room's name: 1 to 100 code points on one line. */
export const roomName = line(limits.roomNameLength, isFitForName);
/** A title of something playable: 1 to 200 code points on one line, and 600 bytes at most. Callers shorten what is longer. */
export const trackTitle = line(limits.titleLength, isFitForLine).refine((text) => utf8Bytes(text) <= limits.titleBytes);

/** Search words as typed, without characters that can't be seen or stored. */
export const searchWords = z.string().max(limits.searchQueryLength).transform(cleanLine).pipe(z.string().min(1));

/** A chat message: up to 2,000 code points as typed, without the white space around it. */
export const messageText = z
  .string()
  .max(limits.messageLength * 4)
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .refine((text) => isFitForMessage(text) && !isBlank(text))
  .refine((text) => codePoints(text) <= limits.messageLength);
