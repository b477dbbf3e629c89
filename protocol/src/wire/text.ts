/**
 * Checked text: well-formed Unicode without unseen marks or control characters, counted in code points.
 */
import { z } from 'zod';
import {
  cleanLine,
  cleanMessage,
  cleanName,
  isBlank,
  isFitForLine,
  isFitForMessage,
  utf8Bytes,
  visible,
} from './characters.ts';
import { isEmoji } from './emoji.ts';
import { limits } from './limits.ts';
import { isReservedName } from './reserved-names.ts';

const codePoints = (text: string): number => Array.from(text).length;

function line(maxLength: number, clean: (text: string) => string) {
  return z
    .string()
    .max(maxLength * 8)
    .transform(clean)
    .refine((text) => isFitForLine(text) && !isBlank(text))
    .refine((text) => codePoints(text) <= maxLength);
}

/** A person's name: 1 to 50 code points on one line, and none that the product goes by. */
export const personName = line(limits.nameLength, cleanName).refine((name) => !isReservedName(name));
/** A room's name: 1 to 100 code points on one line. */
export const roomName = line(limits.roomNameLength, cleanName);
/** The name of a saved queue: 1 to 60 code points on one line. */
export const queueName = line(limits.queueNameLength, cleanName);
/** A title of something playable: 1 to 200 code points on one line, and 600 bytes at most. Callers shorten what is longer. */
export const trackTitle = line(limits.titleLength, (text) => visible(text).trim().normalize('NFC')).refine(
  (text) => utf8Bytes(text) <= limits.titleBytes,
);

/** Search words as typed, without characters that can't be seen or stored. */
export const searchWords = z.string().max(limits.searchQueryLength).transform(cleanLine).pipe(z.string().min(1));

/** A chat message: up to 2,000 code points as typed, without unseen marks and the white space around it. */
export const messageText = z
  .string()
  .max(limits.messageLength * 4)
  .transform(cleanMessage)
  .refine((text) => isFitForMessage(text) && !isBlank(text))
  .refine((text) => codePoints(text) <= limits.messageLength);

/** What a reaction is: one emoji. */
export const emoji = z.string().max(limits.emojiUnits).refine(isEmoji);
