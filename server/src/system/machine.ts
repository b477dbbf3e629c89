/** Time and unguessable values as the machine gives them: what the server runs with outside of tests. */
import { randomBytes, randomUUID } from 'node:crypto';
import os from 'node:os';
import type { Ids, SettableClock } from './ports.ts';

/** A machine that slept for less is not noticed as such: some systems count in seconds. */
const shortestSleepMs = 1500;
/** A smaller difference is made up in small parts, as a time daemon does it. */
const longestSlewMs = 2000;
/** Half a millisecond a second: players measure the clock far more often than that makes a difference. */
const slewShare = 0.0005;

interface Machine {
  /** The clock that the machine shows, which anything may set. */
  wallMs(): number;
  /** Goes on evenly while the machine is awake. */
  awakeMs(): number;
  /** Goes on evenly, also while the machine sleeps; never set. */
  upMs(): number;
}

const thisMachine: Machine = {
  wallMs: () => Date.now(),
  awakeMs: () => performance.now(),
  upMs: () => os.uptime() * 1000,
};

/**
 * The machine's clock as it was when this began, going on evenly. It follows a sleep of the machine, and small
 * differences slowly. Where the machine's clock is set, this one goes on as before until `take`: time has not
 * passed, so nothing that waits or plays may move.
 */
export function systemClock({ wallMs, awakeMs, upMs }: Machine = thisMachine): SettableClock {
  let originMs = wallMs() - awakeMs();
  let asleepMs = upMs() - awakeMs();
  let lookedAtMs = awakeMs();
  /** The step that is not taken yet, as it was seen last. */
  let seenStepMs = 0;

  function preciseNow(): number {
    const atMs = awakeMs();
    const aheadMs = wallMs() - (originMs + atMs);
    if (Math.abs(aheadMs - seenStepMs) > shortestSleepMs) {
      const sleptMs = upMs() - atMs - asleepMs;
      asleepMs += sleptMs;
      // What the machine shows is the finer of the two, unless it was set besides.
      if (sleptMs > shortestSleepMs) originMs += nearTo(aheadMs - seenStepMs, sleptMs);
      seenStepMs = wallMs() - (originMs + atMs);
    } else seenStepMs = aheadMs;
    if (Math.abs(seenStepMs) <= longestSlewMs) {
      const mostMs = (atMs - lookedAtMs) * slewShare;
      const slewedMs = Math.max(-mostMs, Math.min(mostMs, seenStepMs));
      originMs += slewedMs;
      seenStepMs -= slewedMs;
    }
    lookedAtMs = atMs;
    return originMs + atMs;
  }

  return {
    preciseNow,
    now: () => Math.floor(preciseNow()),
    aheadMs() {
      preciseNow();
      return Math.abs(seenStepMs) > longestSlewMs ? seenStepMs : 0;
    },
    take() {
      preciseNow();
      originMs += seenStepMs;
      seenStepMs = 0;
    },
  };
}

const nearTo = (shownMs: number, sleptMs: number): number =>
  Math.abs(shownMs - sleptMs) <= shortestSleepMs ? shownMs : sleptMs;

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
