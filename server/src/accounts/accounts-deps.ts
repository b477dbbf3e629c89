/**
 * What every service of this word works with, and who asks.
 */
import type { StreamId, Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Limits } from '../access/limits.ts';
import type { Clock, Ids, Log } from '../ports.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import type { Audit } from './audit.ts';
import type { Passwords } from './passwords.ts';
import type { SessionsService } from './sessions-service.ts';

/** E-mail links and sign-up tickets live this long. */
export const codeLifetimeMs = 24 * 60 * 60 * 1000;

/** Lets other features react to what happens to an account, without this module importing them. */
export interface AccountHooks {
  /** After the account is marked as gone: ends hosted rooms, clears links. Each may run again after a failure. */
  onDeleting: ((uid: Uid) => Promise<void>)[];
  /** The streams that a rename is told on, besides the person's own. */
  streamsOfRename: ((db: Kysely<Schema>, uid: Uid) => Promise<StreamId[]>)[];
  /** Within the write of a rename, which holds those streams. */
  onRenaming: ((writing: Writing, uid: Uid, name: string) => Promise<void>)[];
  /**
   * Further parts of the export, each under a name of its own, read when they are written. What may be long is an async
   * iterable. Addresses in them begin with `origin`.
   */
  exports: Record<string, (uid: Uid, origin: string) => Promise<unknown> | AsyncIterable<unknown>>;
}

export const noHooks = (): AccountHooks => ({
  onDeleting: [],
  streamsOfRename: [],
  onRenaming: [],
  exports: {},
});

/** The value of answers that say only yes. */
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
  hooks: AccountHooks;
  /** The origin of links in mails. */
  publicUrl: () => string;
}
