/** Time and unguessable values as the machine gives them: what the server runs with outside of tests. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Ids } from './ports.ts';

const toleratedMs = 250;

/**
 * Monotonic between corrections, so that players never see it jump by the small steps of a time daemon, and set by the
 * wall clock again once the two are far apart (a suspended machine).
 */
export function systemClock(): Clock {
  let originMs = Date.now() - performance.now();
  const preciseNow = (): number => {
    const nowMs = originMs + performance.now();
    const aheadMs = nowMs - Date.now();
    if (Math.abs(aheadMs) <= toleratedMs) return nowMs;
    originMs -= aheadMs;
    return nowMs - aheadMs;
  };
  return { preciseNow, now: () => Math.floor(preciseNow()) };
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 22;
/** Bytes from here on are skipped: they would make the first letters of the alphabet more likely. */
const unbiasedBelow = 256 - (256 % alphabet.length);

export function newId(): string {
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
