/**
 * Deletes expired rows, so that the database grows with the number of people and not with time.
 */
import type { Clock } from '../system/ports.ts';
import { codeLifetimeMs } from '../accounts/accounts-deps.ts';
import { forgetCodes } from '../accounts/sign-up/codes.ts';
import { forgetInvitationsExpiredBefore } from '../accounts/sign-up/sign-up-gate.ts';
import { expireSignUps, unverifiedKeptMs } from '../accounts/sign-up/sign-up.ts';
import type { SessionsService } from '../accounts/sign-in/sessions.ts';
import { forgetEndedChats } from '../chats/account-chats.ts';
import type { MailQueue } from '../mail/mail-queue.ts';
import { forgetReports } from '../reports/reports.ts';
import { forgetActions } from '../storage/operator-log.ts';
import { forgetAnswersUntil } from '../storage/idempotency.ts';
import type { StreamRecord } from '../storage/record.ts';

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;
/** Every process reads new entries within seconds; a client that was away longer takes a snapshot. */
const entryMs = 10 * minuteMs;
const auditMs = 90 * dayMs;
const operatorRecordsMs = 365 * dayMs;

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
  await expireSignUps({ record, clock, sessions });
  await mail.forgetOld();
  // Who signed up by a link can verify for as long as an unverified sign-up is kept.
  await forgetInvitationsExpiredBefore(record.db, nowMs - unverifiedKeptMs);
  await forgetActions(record.db, nowMs - operatorRecordsMs);
  await forgetReports(record.db, nowMs - operatorRecordsMs);
  await record.db
    .deleteFrom('audit')
    .where('at_ms', '<', nowMs - auditMs)
    .execute();
  await forgetEndedChats(record);
}

/**
 * The same for rows that grow with every change in a room; runs every minute. Rows written since the last round stay,
 * whatever their age: after the machine was suspended all rows look old.
 */
export function pruneChanges({ record, clock }: Pick<PruningDeps, 'record' | 'clock'>): () => Promise<void> {
  let lastRoundMs = clock.now();
  return async () => {
    const nowMs = clock.now();
    await record.forgetEntriesBefore(Math.min(nowMs - entryMs, lastRoundMs), nowMs - dayMs);
    await forgetAnswersUntil(record.db, nowMs);
    lastRoundMs = nowMs;
  };
}
