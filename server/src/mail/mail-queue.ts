/**
 * Sends stored mails: at once when possible, else repeatedly with growing pauses for 24 hours.
 * Several processes may work on one table; a mail is claimed before it is sent.
 */
import type { Kysely } from 'kysely';
import { type Clock, Failure, type Ids, type Log } from '../system/ports.ts';
import { asFailure } from '../storage/failures.ts';
import type { Schema } from '../storage/schema.ts';
import { claimMail, closeMail, type DueMail, dueMails, forgetMails, insertMail } from './mail-store.ts';
import type { Mailer, MailTransport } from './mailer.ts';
import { within } from '../system/within.ts';

/** How long mails stay in the outbox folder; their links work for a day. */
const outboxKeptMs = 30 * 24 * 60 * 60 * 1000;
const giveUpAfterMs = 24 * 60 * 60 * 1000;
const firstPauseMs = 30_000;
const longestPauseMs = 60 * 60 * 1000;
const batch = 20;
const answerWithinMs = 3000;

export interface MailQueue extends Mailer {
  /** Sends what is due now and waits for it. Never throws. */
  sendDue(): Promise<void>;
  /** Forgets mails that were sent or given up on a day ago. */
  forgetOld(): Promise<void>;
  close(): Promise<void>;
}

export interface MailQueueDeps {
  db: Kysely<Schema>;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  log: Log;
  transport: MailTransport;
}

/** 30 s, 1 min, 2 min … 1 h. */
const pauseMs = (attempt: number): number => Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);

export function mailQueue({ db, clock, ids, log, transport }: MailQueueDeps): MailQueue {
  let sending: Promise<void> | null = null;
  let isWanted = false;
  let isClosed = false;

  async function sendOne(mail: DueMail): Promise<void> {
    const attempt = mail.attempts + 1;
    if (!(await claimMail(db, mail, clock.now() + pauseMs(attempt)))) return;
    try {
      await transport.send(mail);
    } catch (error) {
      const isOver = clock.now() - mail.createdAtMs >= giveUpAfterMs;
      log.warn({ mail: mail.id, attempt, err: error }, isOver ? 'mail.given-up' : 'mail.delayed');
      if (isOver) await closeMail(db, mail.id, clock.now());
      return;
    }
    await closeMail(db, mail.id, clock.now());
    log.info({ mail: mail.id, attempt }, 'mail.sent');
  }

  async function sendAll(): Promise<void> {
    try {
      while (isWanted && !isClosed) {
        isWanted = false;
        const due = await dueMails(db, clock.now(), batch);
        if (due.length === batch) isWanted = true;
        for (const mail of due) if (!isClosed) await sendOne(mail);
      }
    } catch (error) {
      // A database that is away is no bug; the next look is a few seconds later.
      const level = asFailure(error) instanceof Failure ? 'warn' : 'error';
      log[level]({ err: error }, 'mail.queue-failed');
    } finally {
      // In one step with the last look at `isWanted`, so that no mail waits for the next call.
      sending = null;
    }
  }

  async function sendDue(): Promise<void> {
    if (isClosed) return;
    isWanted = true;
    sending ??= sendAll();
    await sending;
  }

  return {
    enqueue: (tx, mail, nowMs) => insertMail(tx, ids.newId(), mail, nowMs),
    kick: () => void sendDue(),
    canDeliver: () => within(answerWithinMs, transport.canDeliver(), false),
    sendDue,
    async forgetOld() {
      await forgetMails(db, clock.now() - giveUpAfterMs);
      await transport.forgetSent?.(clock.now() - outboxKeptMs);
    },
    async close() {
      isClosed = true;
      transport.close();
      await sending;
    },
  };
}
