/**
 * Stores mails in the transaction of the feature that sends them, and sends them after the commit; a failed mail is
 * retried with growing pauses for 24 hours, and one that is refused for good is not. A few mails go out side by side, so
 * that a slow mail server keeps few people waiting; those to one address go one after another. Processes share one table:
 * each claims a mail before sending it.
 */
import { createHash } from 'node:crypto';
import { asFailure } from '../storage/failures.ts';
import type { Db } from '../storage/schema.ts';
import { reasonOf } from '../system/outside.ts';
import { type Clock, Failure, type Ids, type Log } from '../system/ports.ts';
import { within } from '../system/within.ts';

/** How long mails stay in the outbox folder; their links work for a day. */
const outboxKeptMs = 30 * 24 * 60 * 60 * 1000;
const giveUpAfterMs = 24 * 60 * 60 * 1000;
const firstPauseMs = 30_000;
const longestPauseMs = 60 * 60 * 1000;
/** Mails that go out side by side; the transport has as many connections. */
export const mailsAtOnce = 8;
const answerWithinMs = 3000;

export type MailQueue = ReturnType<typeof mailQueue>;

interface MailQueueDeps {
  db: Db;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  log: Log;
  transport: MailTransport;
}

/** 30 s, 1 min, 2 min … 1 h. */
const pauseMs = (attempt: number): number => Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);

export function mailQueue(deps: MailQueueDeps) {
  const { db, clock, ids, transport } = deps;
  const sender = mailSender(deps);

  return {
    /** Within the caller's transaction. */
    enqueue: (db: Db, mail: Mail, nowMs: number) => insertMail(db, ids.newId(), mail, nowMs),
    /** Starts sending due mails once the request is answered: the answer must not tell whether there was one. */
    kick: sender.kick,
    /** Whether mail can be delivered now; resolves within 3 s. */
    canDeliver: () => within(answerWithinMs, transport.canDeliver(), false),
    isRefused,
    /** Sends all due mails and waits for them. Never throws. */
    sendDue: sender.sendDue,
    /** Deletes mails that were sent or given up a day ago. */
    async forgetOld() {
      await forgetMails(db, clock.now() - giveUpAfterMs);
      await transport.forgetSent?.(clock.now() - outboxKeptMs);
    },
    async close() {
      const stopped = sender.stop();
      transport.close();
      await stopped;
    },
  };
}

/** Sends what is due, a few mails side by side. */
function mailSender(deps: MailQueueDeps) {
  const { db, clock, log } = deps;
  let sending: Promise<void> | null = null;
  let isWanted = false;
  let isClosed = false;
  /** Whether the last look may have left due mails behind. */
  let isMoreDue = false;

  /** The addresses to which a mail is being sent. */
  const underWay = new Set<string>();
  let wake = (): void => undefined;
  /** Of this run, which begins no other mail after one: the next run, seconds later, tries again. */
  const failures: unknown[] = [];

  function want(): void {
    isWanted = true;
    wake();
  }

  function begin(mail: DueMail): void {
    underWay.add(mail.to);
    void sendOne(deps, mail)
      .catch((error: unknown) => failures.push(error))
      .finally(() => {
        underWay.delete(mail.to);
        if (isMoreDue) want();
        else wake();
      });
  }

  /** Begins due mails to addresses to which none is under way; a second to the same address is found by another look. */
  async function beginDue(): Promise<void> {
    isWanted = false;
    const most = mailsAtOnce - underWay.size;
    const passedOver = [...underWay];
    // One of these may end during this look.
    isMoreDue = passedOver.length > 0;
    const due = await dueMails(db, clock.now(), most, passedOver);
    isMoreDue ||= due.length === most;
    for (const mail of due) {
      if (isClosed) return;
      if (underWay.has(mail.to)) isWanted = true;
      else begin(mail);
    }
  }

  async function sendAll(): Promise<void> {
    failures.length = 0;
    for (;;) {
      const mayBegin = !isClosed && failures.length === 0 && underWay.size < mailsAtOnce;
      if (isWanted && mayBegin) await beginDue().catch((error: unknown) => failures.push(error));
      else if (underWay.size > 0) await new Promise<void>((resolve) => (wake = resolve));
      else break;
    }
    // In the same tick as the last look at `isWanted`, so that no call of `sendDue` is missed.
    sending = null;
    if (failures.length > 0) noteFailure(log, failures[0]);
  }

  async function sendDue(): Promise<void> {
    if (isClosed) return;
    want();
    sending ??= sendAll();
    await sending;
  }

  return {
    sendDue,
    kick(): void {
      if (sending) want();
      else setImmediate(() => void sendDue());
    },
    /** Begins no other mail, and waits for those under way. */
    async stop(): Promise<void> {
      isClosed = true;
      wake();
      await sending;
    },
  };
}

async function sendOne({ db, clock, log, transport }: MailQueueDeps, mail: DueMail): Promise<void> {
  const attempt = mail.attempts + 1;
  if (!(await claimMail(db, mail, clock.now() + pauseMs(attempt)))) return;
  try {
    await transport.send(mail);
  } catch (error) {
    if (error instanceof MailRefused) {
      // Another attempt would get the same answer.
      log.warn({ mail: mail.id, attempt, reply: error.message }, 'mail.refused');
      await closeMail(db, mail.id, clock.now(), error.message);
      return;
    }
    const isOver = clock.now() - mail.createdAtMs >= giveUpAfterMs;
    log.warn({ mail: mail.id, attempt, err: error, ...reasonOf(error) }, isOver ? 'mail.given-up' : 'mail.delayed');
    if (isOver) await closeMail(db, mail.id, clock.now());
    return;
  }
  await closeMail(db, mail.id, clock.now());
  log.info({ mail: mail.id, attempt }, 'mail.sent');
}

/** An unavailable database is not a bug; the queue runs again a few seconds later. */
function noteFailure(log: Log, error: unknown): void {
  const level = asFailure(error) instanceof Failure ? 'warn' : 'error';
  log[level]({ err: error }, 'mail.queue-failed');
}

/** One mail, ready to send. `html` is already escaped. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export type Mailer = Pick<MailQueue, 'enqueue' | 'kick' | 'canDeliver' | 'isRefused'>;

/** The mail server refused the recipient or the mail for good. The message is the code of its reply. */
export class MailRefused extends Error {}

/** Delivers a mail. Throws when it was not accepted: MailRefused when that will not change. */
export interface MailTransport {
  send(mail: Mail & { id: string }): Promise<void>;
  canDeliver(): Promise<boolean>;
  /** Deletes its copies of mails that were sent before this time. */
  forgetSent?(beforeMs: number): Promise<void>;
  close(): void;
}

/** The name of an address in tables that must not reveal it: its SHA-256, hex. */
export const mailboxOf = (address: string): string => createHash('sha256').update(address).digest('hex');

interface DueMail extends Mail {
  id: string;
  attempts: number;
  createdAtMs: number;
  nextAttemptAtMs: number;
}

async function insertMail(db: Db, id: string, mail: Mail, nowMs: number): Promise<void> {
  const { to, subject, text, html } = mail;
  const times = { next_attempt_at_ms: nowMs, created_at_ms: nowMs, sent_at_ms: null, refused_with: null };
  await db
    .insertInto('mails')
    .values({ id, recipient: to, mailbox: mailboxOf(to), subject, text, html, ...times })
    .execute();
}

/** Recent mails to this address, without their text, which contains one-time links. */
export async function mailsTo(
  db: Db,
  recipient: string,
): Promise<{ subject: string; createdAt: number; sentAt: number | null; refused: boolean }[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['subject', 'created_at_ms', 'sent_at_ms', 'refused_with'])
    .where('recipient', '=', recipient)
    .orderBy('created_at_ms')
    .execute();
  return rows.map((row) => {
    const refused = row.refused_with !== null;
    return { subject: row.subject, createdAt: row.created_at_ms, sentAt: refused ? null : row.sent_at_ms, refused };
  });
}

async function dueMails(db: Db, nowMs: number, most: number, notTo: readonly string[]): Promise<DueMail[]> {
  const rows = await db
    .selectFrom('mails')
    .selectAll()
    .where('sent_at_ms', 'is', null)
    .where('next_attempt_at_ms', '<=', nowMs)
    .$if(notTo.length > 0, (due) => due.where('recipient', 'not in', notTo))
    .orderBy('next_attempt_at_ms')
    .limit(most)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    attempts: row.attempts,
    createdAtMs: row.created_at_ms,
    nextAttemptAtMs: row.next_attempt_at_ms,
  }));
}

/** Claims the mail by postponing its next attempt; false when another process was faster. */
async function claimMail(db: Db, mail: DueMail, nextAttemptAtMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ attempts: mail.attempts + 1, next_attempt_at_ms: nextAttemptAtMs })
    .where('id', '=', mail.id)
    .where('sent_at_ms', 'is', null)
    .where('next_attempt_at_ms', '=', mail.nextAttemptAtMs)
    .where('attempts', '=', mail.attempts)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Removes a mail from the queue and deletes its text, which contains a one-time link. */
async function closeMail(db: Db, id: string, nowMs: number, refusedWith?: string): Promise<void> {
  const closed = { sent_at_ms: nowMs, text: '', html: '', refused_with: refusedWith ?? null };
  await db.updateTable('mails').set(closed).where('id', '=', id).execute();
}

/** Whether the latest mail to a mailbox was refused for good. */
async function isRefused(db: Db, mailbox: string): Promise<boolean> {
  const latest = await db
    .selectFrom('mails')
    .select('refused_with')
    .where('mailbox', '=', mailbox)
    .where('sent_at_ms', 'is not', null)
    .orderBy('created_at_ms', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest !== undefined && latest.refused_with !== null;
}

async function forgetMails(db: Db, closedBeforeMs: number): Promise<void> {
  await db.deleteFrom('mails').where('sent_at_ms', '<', closedBeforeMs).execute();
}

export async function dropMailsTo(db: Db, address: string): Promise<void> {
  await db.deleteFrom('mails').where('recipient', '=', address).execute();
}
