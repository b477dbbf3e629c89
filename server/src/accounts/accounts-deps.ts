/**
 * What the account services share: their dependencies, the hooks of other features, the audit log.
 */
import type { HearingAudience, Language, ShownMail, StreamId, Uid } from '@tunemate/protocol';
import type { Limits } from '../access/limits.ts';
import type { Mailer } from '../mail/mail-queue.ts';
import { inPages, pageSize } from '../storage/pages.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import type { OperatorWaitsTable } from '../storage/tables/account-tables.ts';
import { newId } from '../system/machine.ts';
import type { Asker } from '../system/network-turns.ts';
import type { Clock, Ids, Log } from '../system/ports.ts';
import type { KnownDevices, SessionsService } from './sign-in/sessions.ts';

/** Stands for the address in the audit log of a person about whom the operator decided. */
export const byOperator = 'operator';

/** How other features react to account events without being imported here. */
export interface AccountHook {
  /** After the account is marked as deleted: ends hosted rooms, clears links. May run again after a failure. */
  onDeleting?: (uid: Uid) => Promise<void>;
  /** The streams that another choice of who sees what the person hears is appended to, besides their own. */
  streamsOfShowing?: (db: Db, uid: Uid) => Promise<StreamId[]>;
  /** Stores that choice, within a write that holds those streams. */
  onShowing?: (writing: Writing, uid: Uid, to: HearingAudience) => Promise<void>;
  /** The streams that a rename is appended to, besides the person's own. */
  streamsOfRename?: (db: Db, uid: Uid) => Promise<StreamId[]>;
  /** Within the write of a rename, which holds those streams. */
  onRenaming?: (writing: Writing, uid: Uid, name: string) => Promise<void>;
  /**
   * Further entries of the export by name, read when they are written. A list that may be long is an async iterable.
   * Addresses in them begin with `origin`.
   */
  exports?: Record<string, (uid: Uid, origin: string) => Promise<unknown> | AsyncIterable<unknown>>;
}

/** Where a call comes from. */
export interface Caller {
  address: string;
  /** The address as limits count it. */
  network: string;
}

/** A caller who asks for a mail, which is written in the caller's language. */
export interface MailCaller extends Caller {
  language: Language;
  /** Without a mail server, pages of this machine show the mail themselves. */
  isFromThisMachine: boolean;
}

/** A mail that is due without a mail server, and for whom. */
export interface DueLetter {
  kind: OperatorWaitsTable['kind'];
  uid: Uid;
  name: string;
  email: string;
  subject: string;
  link: string;
  number: number | null;
  passwordHash: string | null;
  ticketHash: string | null;
}

/** What takes the place of a mail server while none is set (`operators/without-mail.ts`). */
export interface WithoutMail {
  /** Within the write that stores the mail. */
  deliver(writing: Writing, letter: DueLetter, caller: MailCaller): Promise<void>;
  /** The list of who waits has changed. */
  tellOperators(writing: Pick<Writing, 'db' | 'afterCommit'>): Promise<void>;
  /** What the page of a sign-up on the server's own machine shows. */
  shown(letter: Pick<DueLetter, 'subject' | 'link'>, at: number): ShownMail;
}

export interface Passwords {
  /** Throws a Failure server/busy when too many wait. */
  hash(password: string, asker?: Asker): Promise<string>;
  /** `stored` is null for an unknown account: as slow, and never right. `rehash` is set when the cost is outdated. */
  check(password: string, stored: string | null, asker?: Asker): Promise<{ isRight: boolean; rehash: string | null }>;
}

export interface AccountsDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  log: Log;
  limits: Limits;
  mailer: Mailer;
  passwords: Passwords;
  devices: KnownDevices;
  sessions: SessionsService;
  /** In the order in which they run. */
  hooks: readonly AccountHook[];
  /** The origin of links: for the device that asks for a mail, or for all devices. */
  publicUrl: (asker?: Pick<MailCaller, 'isFromThisMachine'>) => string;
  /** What takes the place of a mail server; null with one. */
  withoutMail: WithoutMail | null;
}

/** Events of the audit log: stored with account, time and address, without bodies or tokens, for 90 days. */
export type AuditEvent =
  | 'account.signed-up'
  | 'account.sign-up-of-known-address'
  | 'account.verification-resent'
  | 'account.email-verified'
  | 'account.let-in'
  | 'account.made-operator'
  | 'account.signed-in'
  | 'account.sign-in-refused'
  | 'account.signed-out'
  | 'account.session-revoked'
  | 'account.signed-out-everywhere'
  | 'account.password-reset-requested'
  | 'account.password-reset'
  | 'account.password-changed'
  | 'account.deleted'
  | 'account.sign-up-rejected'
  | 'account.sign-up-repeated'
  | 'account.exported'
  | 'account.disabled'
  | 'account.enabled';

/** Within the caller's transaction. `uid` is null for an unknown account. */
export async function audit(db: Db, nowMs: number, event: AuditEvent, uid: Uid | null, address: string): Promise<void> {
  await db.insertInto('audit').values({ id: newId(), at_ms: nowMs, uid, event, address }).execute();
}

/** Oldest first. */
export async function* auditRowsOf(db: Db, uid: Uid): AsyncGenerator<{ event: string; at: number; address: string }> {
  const rows = inPages<{ id: string; at_ms: number; event: string; address: string }>((last) => {
    const own = db.selectFrom('audit').select(['id', 'at_ms', 'event', 'address']).where('uid', '=', uid);
    const after =
      last === null
        ? own
        : own.where((either) =>
            either.or([either('at_ms', '>', last.at_ms), either('at_ms', '=', last.at_ms).and('id', '>', last.id)]),
          );
    return after.orderBy('at_ms').orderBy('id').limit(pageSize).execute();
  });
  for await (const { event, at_ms: at, address } of rows) yield { event, at, address };
}
