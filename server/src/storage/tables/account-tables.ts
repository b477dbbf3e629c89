/**
 * The tables of accounts: people, sessions, codes, mails, the operator's log and reports. `schema.ts` combines all
 * tables.
 */
import type { HearingAudience } from '@tunemate/protocol';
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
  /** Who sees what they hear in rooms; null where the person was never asked. */
  hearing_shown_to: Generated<HearingAudience | null>;
  /** 0: previews of links are not shown to them. */
  link_previews: Generated<number>;
  /** Whether what rooms play is kept for this person once they have left. */
  keeps_history: Generated<number>;
  deleted_at_ms: number | null;
  /** Since when the operator has closed it to every sign-in. */
  disabled_at_ms: Generated<number | null>;
  /** 1 while something of a deleted account may be left in other tables. */
  must_clear: Generated<number>;
  /** Since when the person runs this server. */
  operator_since_ms: Generated<number | null>;
  /** 1 once their page has said so. */
  operator_told: Generated<number>;
  /** When an operator took the address as verified on their word; null where the link of a mail was opened. */
  let_in_at_ms: Generated<number | null>;
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
  /** When its link was used, or replaced by a newer one; null before. */
  used_at_ms: number | null;
  /** Name and password of the sign-up that a verification link was mailed for; null where the account has them. */
  name: string | null;
  password_hash: string | null;
  /** The operator's link that this sign-up came by, of `sign_up_invitations`; null for one that needs none. */
  invitation_hash: string | null;
  /** `audio ABC123`: the room that the person was on the way to; null without one. */
  room: string | null;
}

export interface SignUpTicketsTable {
  ticket_hash: string;
  /** Null for a decoy: a stranger signed up with an address that exists. */
  uid: string | null;
  created_at_ms: number;
  /** Name and password of this sign-up; null where the account has them. */
  name: string | null;
  password_hash: string | null;
  /** SHA-256 of the address, hex: what its mails are counted by. Null in tickets of earlier versions. */
  address_hash: string | null;
  /** As in the codes of its mails. */
  invitation_hash: string | null;
  /** 1 once an operator refused it. */
  refused: Generated<number>;
}

/** Who waits for an operator while no mail server is set. */
export interface OperatorWaitsTable {
  id: string;
  kind: 'sign-up' | 'known' | 'reset';
  uid: string;
  /** As the person calls themselves. */
  name: string;
  number: number | null;
  /** Of the sign-up; null for a forgotten password. */
  password_hash: string | null;
  /** Of the page that waits; null for one that a session asked for. */
  ticket_hash: string | null;
  /** The customer's network, which has a share of the list. */
  network: string;
  created_at_ms: number;
}

/** A link of the operator's that lets people sign up. */
export interface SignUpInvitationsTable {
  token_hash: string;
  created_at_ms: number;
  expires_at_ms: number;
  uses_left: number;
}

/** By which link of the operator's the sign-up came that an unverified account has its name and password of. */
export interface SignUpPlacesTable {
  uid: string;
  /** Of `sign_up_invitations`. */
  token_hash: string;
}

export interface MailsTable {
  id: string;
  recipient: string;
  /**
   * The hash of the address, by which a ticket finds its mails. Null when a process of the version before stored it.
   */
  mailbox: string | null;
  subject: string;
  text: string;
  html: string;
  attempts: Generated<number>;
  next_attempt_at_ms: number;
  created_at_ms: number;
  /** When it was sent, refused or given up. */
  sent_at_ms: number | null;
  /** The code with which the mail server refused it for good, such as `550 5.1.1`. */
  refused_with: string | null;
}

/** What the operator did by command. */
export interface OperatorLogTable {
  id: string;
  at_ms: number;
  /** The user of the machine. */
  operator: string;
  action: string;
  subject: string;
}

/** What a person reported to the operator about another. */
export interface ReportsTable {
  id: string;
  at_ms: number;
  reporter: string;
  reported: string;
  /** `person`, `room` and a code, or `private`. */
  place: string;
  /** The words of the reported message, as they were then. */
  text: string | null;
  reason: string;
  answered_at_ms: number | null;
  /** Of a picture or recording, which stays until the report is answered, whatever its sender deletes. */
  upload_id: Generated<string | null>;
}

/** Words that the sender of a message has changed or deleted, for reports. */
export interface EarlierWordsTable {
  /** The pair id of a private chat, or the id of a room. */
  place: string;
  /** The number of a private message, or the id of one of a room. */
  message: string;
  sender: string;
  text: string;
  /** How often the message had been changed before. */
  edits: number;
  at_ms: number;
}

export interface AuditTable {
  id: string;
  at_ms: number;
  uid: string | null;
  event: string;
  address: string;
}
