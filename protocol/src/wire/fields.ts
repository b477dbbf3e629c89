/**
 * Checked strings, of which messages consist: identifiers and text. Identifiers are branded: a brand is made only by its
 * parser, so a string that was never checked can't pass as an id.
 */
import { z } from 'zod';
import {
  bare,
  cleanLine,
  cleanMessage,
  cleanName,
  isBlank,
  isFitForLine,
  isFitForMessage,
  utf8Bytes,
  visible,
} from './characters.ts';
import { roomIn } from './pasted.ts';
import { isEmoji } from './emoji.ts';
import { limits } from './limits.ts';
import { isReservedName } from './reserved-names.ts';

/** A person: 22 base64url characters of 128 random bits. Never contains an underscore, so that pair ids split cleanly. */
export const uid = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/)
  .brand<'Uid'>();
export type Uid = z.infer<typeof uid>;

/** A uid from a URL or a request. A malformed one becomes null and is answered like a person who does not exist. */
export const namedUid = z
  .string()
  .max(100)
  .transform((named): Uid | null => uid.safeParse(named).data ?? null);

/** A room; never used again after its end. Internal: people see the code. */
export const roomId = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/)
  .brand<'RoomId'>();
export type RoomId = z.infer<typeof roomId>;

/**
 * What a person types or pastes to find a room: the code it holds, else the text trimmed and upper-cased. Unseen marks go.
 * A code whose length changes by upper-casing ('ß') matches no room.
 */
export const roomCodeInput = z
  .string()
  .max(64)
  .transform((typed) => roomIn(bare(typed))?.code ?? bare(typed).toUpperCase());

/** The code of an existing room: 6 characters of 0-9 and A-F. */
export const roomCode = z
  .string()
  .regex(/^[0-9A-F]{6}$/)
  .brand<'RoomCode'>();
export type RoomCode = z.infer<typeof roomCode>;

/** Two uids, sorted and joined with an underscore. */
export const pairId = z
  .string()
  .regex(/^[0-9A-Za-z]{22}_[0-9A-Za-z]{22}$/)
  .brand<'PairId'>();
export type PairId = z.infer<typeof pairId>;

/** Made by the client for each mutation; the same id from the same person is applied once. */
export const clientId = z.uuid().brand<'ClientId'>();
export type ClientId = z.infer<typeof clientId>;

/** One browser tab for as long as it lives; tells a host's tabs apart (HOST-3). */
export const tabId = z.uuid().brand<'TabId'>();
export type TabId = z.infer<typeof tabId>;

/**
 * What can be played: a YouTube id (11 characters), an item of the library ('lib_' and 16 hex digits) or, where the operator
 * allows its host, a link to a film: https, a name in lower case, no account, no port. Signed addresses of stores are long.
 */
export const videoId = z
  .string()
  .max(2000)
  .regex(
    /^(?:[0-9A-Za-z_-]{11}|lib_[0-9a-f]{16}|link:https:\/\/(?:[a-z\d][a-z\d-]{0,62}\.){1,10}[a-z][a-z\d-]{0,62}\/[\w.~!$&'()*+,;=:@%/-]{0,400}\.(?:mp4|m4v|webm|m3u8|MP4|M4V|WEBM|M3U8)(?:\?[\w.~!$&'()*+,;=:@%/?-]{0,1800})?)$/,
  )
  .brand<'VideoId'>();
export type VideoId = z.infer<typeof videoId>;

// Text: well-formed Unicode without unseen marks or control characters, counted in code points.

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
