/**
 * The mails table as a queue: due mails, claims, and results.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import type { Mail } from './mailer.ts';

export interface DueMail extends Mail {
  id: string;
  attempts: number;
  createdAtMs: number;
  nextAttemptAtMs: number;
}

export async function insertMail(db: Kysely<Schema>, id: string, mail: Mail, nowMs: number): Promise<void> {
  const { to, subject, text, html } = mail;
  const times = { next_attempt_at_ms: nowMs, created_at_ms: nowMs, sent_at_ms: null };
  await db
    .insertInto('mails')
    .values({ id, recipient: to, subject, text, html, ...times })
    .execute();
}

/** Recent mails to this address, without their text, which contains one-time links. */
export async function mailsTo(
  db: Kysely<Schema>,
  recipient: string,
): Promise<{ subject: string; createdAt: number; sentAt: number | null }[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['subject', 'created_at_ms', 'sent_at_ms'])
    .where('recipient', '=', recipient)
    .orderBy('created_at_ms')
    .execute();
  return rows.map((row) => ({ subject: row.subject, createdAt: row.created_at_ms, sentAt: row.sent_at_ms }));
}

/** The oldest mails that are due. */
export async function dueMails(db: Kysely<Schema>, nowMs: number, most: number): Promise<DueMail[]> {
  const rows = await db
    .selectFrom('mails')
    .selectAll()
    .where('sent_at_ms', 'is', null)
    .where('next_attempt_at_ms', '<=', nowMs)
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
export async function claimMail(db: Kysely<Schema>, mail: DueMail, nextAttemptAtMs: number): Promise<boolean> {
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

/** Takes a mail out of the queue and deletes its text, which contained a one-time link. */
export async function closeMail(db: Kysely<Schema>, id: string, nowMs: number): Promise<void> {
  await db.updateTable('mails').set({ sent_at_ms: nowMs, text: '', html: '' }).where('id', '=', id).execute();
}

export async function forgetMails(db: Kysely<Schema>, closedBeforeMs: number): Promise<void> {
  await db.deleteFrom('mails').where('sent_at_ms', '<', closedBeforeMs).execute();
}

/** Deletes mails to an address whose account was deleted. */
export async function dropMailsTo(db: Kysely<Schema>, address: string): Promise<void> {
  await db.deleteFrom('mails').where('recipient', '=', address).execute();
}
