/** What the operator's page says of this server. */
import { createRequire } from 'node:module';
import { protocolVersion } from '@tunemate/protocol';
import { ownPackageFile } from '../paths.ts';
import type { Facts } from '../status/status-page.ts';
import type { Database } from '../storage/database.ts';
import { knownMigrations } from '../storage/migrations/migrations.ts';
import type { Clock } from '../system/ports.ts';

/** Of Tunemate. */
export const { version } = createRequire(import.meta.url)(ownPackageFile) as { version: string };

export const factsOf =
  ({ dialect, clock }: Pick<Database, 'dialect'> & { clock: Clock }) =>
  (): Facts => ({
    version,
    protocolVersion,
    node: process.version,
    database: { sqlite: 'SQLite', postgres: 'PostgreSQL' }[dialect],
    schema: String(knownMigrations.at(-1)),
    upMs: process.uptime() * 1000,
    nowMs: clock.now(),
  });
