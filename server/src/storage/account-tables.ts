/** The tables of accounts: people, sessions, codes and mails. `schema.ts` combines all tables. */
import type { Generated } from 'kysely';

export interface UsersTable {
  uid: string;
  name: string;
  /** Lower case; unique. Null once the account is deleted. */
  email: string | null;
  email_verified: number;
  password_hash: string;
  created_at_ms: number;
  soulmate: string | null;
  online: Generated<number>;
  presence_changed_at_ms: Generated<number>;
  /** When the name or the presence that others see last changed. */
  shown_changed_at_ms: Generated<number>;
  read_receipts: Generated<number>;
  deleted_at_ms: number | null;
  /** 1 while something of a deleted account may be left in other tables. */
  must_clear: Generated<number>;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's token, hex. */
  token_hash: string;
  session_id: string;
  uid: string;
  device: string;
  created_at_ms: number;
  last_seen_at_ms: number;
}

export interface ActionCodesTable {
  code_hash: string;
  uid: string;
  mode: 'verifyEmail' | 'resetPassword' | 'rejectSignUp';
  created_at_ms: number;
  used_at_ms: number | null;
  /** Name and password of the sign-up that a verification link was mailed for; null where the account has them. */
  name: string | null;
  password_hash: string | null;
}

export interface SignUpTicketsTable {
  ticket_hash: string;
  /** Null for a decoy: somebody signed up with an address that exists. */
  uid: string | null;
  created_at_ms: number;
  /** Name and password of this sign-up; null where the account has them. */
  name: string | null;
  password_hash: string | null;
}

export interface MailsTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  attempts: Generated<number>;
  next_attempt_at_ms: number;
  created_at_ms: number;
  sent_at_ms: number | null;
}
