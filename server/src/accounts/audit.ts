/**
 * The audit log of accounts: event, account, time and address. No bodies, no tokens; kept for 90 days.
 */
import type { Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Ids } from '../system/ports.ts';
import { inPages, pageSize } from '../storage/pages.ts';
import type { Schema } from '../storage/schema.ts';

export type AuditEvent =
  | 'account.signed-up'
  | 'account.sign-up-of-known-address'
  | 'account.verification-resent'
  | 'account.email-verified'
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

/** Writes one row within the caller's transaction. */
export type Audit = (
  db: Kysely<Schema>,
  nowMs: number,
  event: AuditEvent,
  uid: Uid | null,
  address: string,
) => Promise<void>;

export function auditLog(ids: Ids): Audit {
  return async (db, nowMs, event, uid, address) => {
    await db.insertInto('audit').values({ id: ids.newId(), at_ms: nowMs, uid, event, address }).execute();
  };
}

/** What happened to this person, the oldest first. */
export async function* auditRowsOf(
  db: Kysely<Schema>,
  uid: Uid,
): AsyncGenerator<{ event: string; at: number; address: string }> {
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
