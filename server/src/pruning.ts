/**
 * Forgets what is past its time (access.md §5, Lifetimes), so that the database grows with people and not with age.
 */
import type { Clock } from './ports.ts';
import { codeLifetimeMs } from './accounts/accounts-deps.ts';
import { forgetCodes } from './accounts/codes-store.ts';
import type { SessionsService } from './accounts/sessions-service.ts';
import type { MailQueue } from './mail/mail-queue.ts';
import type { StreamRecord } from './storage/record.ts';

const dayMs = 24 * 60 * 60 * 1000;
const auditMs = 90 * dayMs;

export interface PruningDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  sessions: SessionsService;
  mail: MailQueue;
}

/** One round; run hourly. */
export async function prune({ record, clock, sessions, mail }: PruningDeps): Promise<void> {
  const nowMs = clock.now();
  await sessions.forgetOld();
  await forgetCodes(record.db, nowMs - codeLifetimeMs);
  await mail.forgetOld();
  await record.forgetEntriesBefore(nowMs - dayMs);
  await record.db
    .deleteFrom('idempotency')
    .where('at_ms', '<', nowMs - dayMs)
    .execute();
  await record.db
    .deleteFrom('audit')
    .where('at_ms', '<', nowMs - auditMs)
    .execute();
}
