/**
 * What accounts need of mail: to put one in the queue within their own transaction, and to know whether mail gets out.
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
  /** Stores the mail with whatever else the transaction saves; it is sent after the commit, retried up to 24 h. */
  enqueue(db: Kysely<Schema>, mail: Mail, nowMs: number): Promise<void>;
  /** Starts sending what is due; returns at once. */
  kick(): void;
  /** Whether mail gets out right now; answers within 3 s. */
  canDeliver(): Promise<boolean>;
}

/** The real thing behind the queue. Throws when the mail was not taken. */
export interface MailTransport {
  send(mail: Mail & { id: string }): Promise<void>;
  canDeliver(): Promise<boolean>;
  close(): void;
}
