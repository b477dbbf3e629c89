/**
 * Unguessable values from the operating system's random source.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Ids } from './ports.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 22;
/** Bytes from here on are skipped: they would make the first letters of the alphabet more likely. */
const unbiasedBelow = 256 - (256 % alphabet.length);

function newId(): string {
  let id = '';
  while (id.length < idLength) {
    for (const byte of randomBytes(idLength)) {
      if (byte < unbiasedBelow && id.length < idLength) id += alphabet.charAt(byte % alphabet.length);
    }
  }
  return id;
}

/** 131 random bits an id, 256 a token, 24 a room code. */
export function randomIds(): Ids {
  return {
    newId,
    newToken: () => randomBytes(32).toString('base64url'),
    newRoomCode: () => randomUUID().slice(0, 6).toUpperCase(),
  };
}
