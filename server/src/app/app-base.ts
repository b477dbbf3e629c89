/**
 * Composes what the rest of the server builds on: storage, time, limits, mail, sessions, and the server's own origins.
 */
import { join } from 'node:path';
import { createLimits } from '../access/limits.ts';
import { redisRateLimitStore } from '../access/redis-rate-limit-store.ts';
import { sessionsService } from '../accounts/sign-in/sessions.ts';
import type { AppParts, Running } from './app-parts.ts';
import { timeOf } from './app-time.ts';
import type { Config } from '../config.ts';
import { createAddresses } from '../http/address.ts';
import { createOrigins } from '../http/origins.ts';
import { createMetrics } from '../http/health.ts';
import { createSessionCookie } from '../http/session-cookie.ts';
import { mailQueue } from '../mail/mail-queue.ts';
import { outboxTransport } from '../mail/outbox-transport.ts';
import { prune, pruneChanges } from './pruning.ts';
import { StreamRecord } from '../storage/record.ts';
import { openStorage } from '../storage/state.ts';

const mailEveryMs = 5000;
const pruneEveryMs = 60 * 60 * 1000;
const pruneChangesEveryMs = 60 * 1000;

export type Base = Awaited<ReturnType<typeof openBase>>;

export async function openBase(config: Config, parts: AppParts, { background, closers }: Running) {
  const { clock: machine, ids, log, keepsOwnTime = false } = parts;
  const database = await openStorage(config, parts.onStatement);
  closers.push(() => database.close());
  const { db, dialect } = database;
  const isShared = dialect === 'postgres' && !keepsOwnTime;
  const clock = isShared ? await timeOf(db, { machine, log, background }) : machine;
  const record = new StreamRecord(
    database,
    clock,
    parts.isStrict ? undefined : (stream) => log.error({ stream }, 'record.unnamed-stream'),
  );

  const shared = config.redisUrl === null ? null : await redisRateLimitStore(config.redisUrl, log);
  if (shared) closers.push(() => shared.close());
  const limits = createLimits({ clock, scale: config.rateLimitScale, ...(shared ? { store: shared } : {}) });

  const outboxPath = config.smtpUrl === null ? join(config.dataDir, 'outbox') : null;
  const transport =
    config.smtpUrl === null
      ? outboxTransport({ folder: join(config.dataDir, 'outbox'), from: config.mailFrom, clock, log })
      : (await import('../mail/smtp-transport.ts')).smtpTransport(config.smtpUrl, config.mailFrom);
  const mail = mailQueue({ db, clock, ids, log, transport });
  closers.push(() => mail.close());
  background.every(mailEveryMs, 'mail', () => mail.sendDue());

  const origins = createOrigins(config);
  const addresses = createAddresses({ trustProxy: config.trustProxy, publicUrl: origins.publicUrl, log });
  const cookie = createSessionCookie(origins);
  const sessions = sessionsService({ record, clock, ids, log, readCookie: cookie.read });
  background.every(pruneEveryMs, 'prune', () => prune({ record, clock, sessions, mail }));
  background.every(pruneChangesEveryMs, 'prune.changes', pruneChanges({ record, clock }));
  const metrics = createMetrics();
  return {
    database,
    dialect,
    record,
    clock,
    ids,
    log,
    limits,
    outboxPath,
    mail,
    origins,
    addresses,
    cookie,
    sessions,
    metrics,
  };
}
