/**
 * What the services of accounts depend on, and the hooks by which other features take part.
 */
import type { StreamId, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Limits } from '../access/limits.ts';
import type { Clock, Ids, Log } from '../system/ports.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import type { Audit } from './audit.ts';
import type { Passwords } from './sign-in/passwords.ts';
import type { SessionsService } from './sign-in/sessions-service.ts';

/** E-mail links and sign-up tickets live this long. */
export const codeLifetimeMs = 24 * 60 * 60 * 1000;

/** Hooks that let other features react to account events without being imported here. */
export interface AccountHook {
  /** After the account is marked as deleted: ends hosted rooms, clears links. May run again after a failure. */
  onDeleting?: (uid: Uid) => Promise<void>;
  /** The streams that a rename is appended to, besides the person's own. */
  streamsOfRename?: (db: Kysely<Schema>, uid: Uid) => Promise<StreamId[]>;
  /** Within the write of a rename, which holds those streams. */
  onRenaming?: (writing: Writing, uid: Uid, name: string) => Promise<void>;
  /**
   * Further parts of the export, each under its own name, read when they are written. A part that may be long is an
   * async iterable. Addresses in them begin with `origin`.
   */
  exports?: Record<string, (uid: Uid, origin: string) => Promise<unknown> | AsyncIterable<unknown>>;
}

/** The value of answers without content. */
export type Nothing = Record<string, never>;

export interface AccountsDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  log: Log;
  limits: Limits;
  mailer: Mailer;
  passwords: Passwords;
  sessions: SessionsService;
  audit: Audit;
  /** In the order in which they run. */
  hooks: readonly AccountHook[];
  /** The origin of links in mails. */
  publicUrl: () => string;
}
