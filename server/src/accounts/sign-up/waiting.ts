/**
 * The browser that signed up waits for the link of its mail: it is signed in once the link's button was pressed,
 * wherever that was. It proves itself by a cookie that scripts can't read. The ticket that its page knows is derived
 * from the cookie, and only the ticket's hash is stored, so that neither the page nor the database reveals the cookie.
 * Signing in consumes the ticket.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Result, type Uid, userStream } from '@tunemate/protocol';
import type { Session } from '../../access/session.ts';
import { accept } from '../../system/ports.ts';
import { codeLifetimeMs } from '../../access/session.ts';
import { type AccountsDeps, audit, type Caller } from '../accounts-deps.ts';
import { firstOperator } from '../operators/operators.ts';
import { accountByUid } from '../users-store.ts';
import { dropTicket, findTicket, guessCode } from './codes.ts';

/** How long one request waits, less than the timeout of pages; and how often it looks meanwhile. */
const patience = { heldMs: 15_000, lookEveryMs: 1000 };

/** What the page knows of the cookie: enough to ask for the mail again and to name its sign-up, not to sign in. */
export const ticketOf = (waiting: string): string =>
  createHash('sha256').update(`ticket:${waiting}`).digest('base64url');

export type WaitingService = ReturnType<typeof waitingService>;

export interface WaitingBrowser extends Caller {
  session: Session;
  /** The cookie that the sign-up gave; null without one. */
  waiting: string | null;
  isFromThisMachine: boolean;
  /** The device's name in the list of sessions. */
  device: string;
  /** The cookie of a device that signed in before. */
  mark: string | null;
}

/**
 * 'waiting': ask again. 'refused': by an operator. 'over': this browser can't be signed in by this sign-up (any more):
 * it expired, was rejected or used, its password has changed, or a user is signed in here already.
 */
type Continued = { status: 'waiting' | 'refused' | 'over' } | { status: 'signed-in'; token: string; mark: string };

export function waitingService(deps: AccountsDeps, { heldMs, lookEveryMs } = patience) {
  const { record, clock, limits, sessions, devices } = deps;
  const makeFirstOperator = firstOperator();
  /** One held request for each ticket; a newer one ends the older. */
  const held = new Map<string, AbortController>();
  const closing = new AbortController();

  async function look(ticket: string, browser: WaitingBrowser): Promise<Continued> {
    const madeAfterMs = () => clock.now() - codeLifetimeMs;
    const found = await findTicket(record.db, ticket, madeAfterMs());
    if (!found) return { status: 'over' };
    if (found.isRefused) return { status: 'refused' };
    const account = await accountByUid(record.db, found.uid ?? ('' as Uid));
    // A decoy waits like a sign-up whose link is never pressed.
    if (!account?.isVerified) return { status: 'waiting' };
    const { uid, passwordHash } = account;
    const opened = await record.write([userStream(uid)], async (writing) => {
      const { db, nowMs } = writing;
      const ticketNow = await findTicket(db, ticket, madeAfterMs());
      const now = await accountByUid(db, uid);
      const isOwn = ticketNow?.uid === uid && ticketNow.signUp?.passwordHash === now?.passwordHash;
      if (!isOwn || !now?.isVerified || now.isDisabled) return null;
      await dropTicket(db, ticket, uid);
      if (browser.isFromThisMachine) await makeFirstOperator(db, uid, nowMs);
      await audit(db, nowMs, 'account.signed-in', uid, browser.address);
      return await sessions.open(writing, uid, browser.device);
    });
    if (opened === null) return { status: 'over' };
    await sessions.endEarlier(browser.session);
    return { status: 'signed-in', token: opened, mark: devices.remember(browser.mark, { uid, passwordHash }) };
  }

  async function hold(ticket: string, browser: WaitingBrowser): Promise<Continued> {
    held.get(ticket)?.abort();
    const mine = new AbortController();
    held.set(ticket, mine);
    const signal = AbortSignal.any([mine.signal, closing.signal]);
    try {
      for (let waitedMs = 0; waitedMs < heldMs && !signal.aborted; waitedMs += lookEveryMs) {
        await pause(lookEveryMs, null, { signal }).catch(() => null);
        // The ticket signs in once: a request that a newer one ended must not use it up.
        if (signal.aborted) break;
        const found = await look(ticket, browser);
        if (found.status !== 'waiting') return found;
      }
      return { status: 'waiting' };
    } finally {
      if (held.get(ticket) === mine) held.delete(ticket);
    }
  }

  /** Resolves once the browser is signed in or can't be, or with 'waiting' after a while. */
  async function continueSignUp(ticket: string, browser: WaitingBrowser): Promise<Result<Continued>> {
    const { session, waiting, network } = browser;
    const isOwn = waiting !== null && ticketOf(waiting) === ticket;
    // A user who is signed in stays so while a tab waits for another account.
    if (!isOwn || session.status === 'signed-in') return accept({ status: 'over' });
    const isWrong = (answer: Result<Continued>) => answer.ok && answer.value.status === 'over';
    const first = await guessCode(limits, network, async () => accept(await look(ticket, browser)), isWrong);
    if (!first.ok || first.value.status !== 'waiting') return first;
    return accept(await hold(ticket, browser));
  }

  return {
    continueSignUp,
    /** Answers the held requests. */
    close(): Promise<void> {
      closing.abort();
      return Promise.resolve();
    },
  };
}
