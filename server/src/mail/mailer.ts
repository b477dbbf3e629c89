/**
 * What accounts need of mail: to enqueue one within their own transaction, and to know whether mail can be delivered.
 */
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

/** One mail, ready to send. `html` is already escaped. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Stores the mail in the caller's transaction; it is sent after the commit, retried up to 24 h. */
  enqueue(db: Kysely<Schema>, mail: Mail, nowMs: number): Promise<void>;
  /** Starts sending what is due; returns at once. */
  kick(): void;
  /** Whether mail can be delivered right now; answers within 3 s. */
  canDeliver(): Promise<boolean>;
}

/** Delivers a mail. Throws when it was not accepted. */
export interface MailTransport {
  send(mail: Mail & { id: string }): Promise<void>;
  canDeliver(): Promise<boolean>;
  /** Deletes what it keeps of mails that were sent before this time, where it keeps any. */
  forgetSent?(beforeMs: number): Promise<void>;
  close(): void;
}
