/**
 * Opens the database that the settings name: SQLite in DATA_DIR, or PostgreSQL. The differences between the two are
 * here.
 */
import SqliteDatabase from 'better-sqlite3';
import { Kysely, type Logger, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Failure } from '../system/ports.ts';
import * as start from './migrations/until-0.2.0/0001-start.ts';
import * as queueItems from './migrations/until-0.2.0/0006-queue-items.ts';
import { tabOfConnection, timesOfChanges, signUps, stateOfImage } from './migrations/until-0.2.0/0002-0005.ts';
import {
  roundTripOfConnection,
  stampsAndDeletions,
  admission,
  handOver,
  indexesOfConnections,
  proposals,
} from './migrations/until-0.2.0/0008-0015.ts';
import {
  operator,
  signUpInvitations,
  expiryOfAnswers,
  reports,
  notificationsByRoom,
  warnedHosts,
} from './migrations/until-0.2.0/0021-0026.ts';
import {
  signUpPlaces,
  gracePeriod,
  clientIdOfRoomMessage,
  pendingRequests,
  peopleInARoom,
  headWithItsEntry,
  addressOfTicket,
} from './migrations/until-0.2.0/0032-0038.ts';
import { libraryFiles } from './migrations/until-0.2.0/0039-library-files.ts';
import { sessionAndSender } from './migrations/until-0.2.0/0040-session-and-sender.ts';
import { invitationOfSignUp, refusedMails } from './migrations/until-0.2.0/0041-refused-mails.ts';
import { keptBytes } from './migrations/until-0.2.0/0043-kept-bytes.ts';
import { knownBlocks } from './migrations/until-0.2.0/0044-known-blocks.ts';
import { messageActs } from './migrations/until-0.2.0/0045-message-acts.ts';
import { measuredLoudness } from './migrations/0047-measured-loudness.ts';
import { messageSearch } from './migrations/0049-message-search.ts';
import { chatList } from './migrations/0050-chat-list.ts';
import { roomOfSignUp } from './migrations/0052-room-of-sign-up.ts';
import { voiceMessages } from './migrations/0053-voice-messages.ts';
import { roomTalk } from './migrations/0054-room-talk.ts';
import { playedTracks } from './migrations/0055-played-tracks.ts';
import { listens } from './migrations/0057-listens.ts';
import { linkPreviews } from './migrations/0059-link-previews.ts';
import { slowChat } from './migrations/0060-slow-chat.ts';
import { forgottenWithMessage } from './migrations/0061-forgotten-with-message.ts';
import { messagesBySender } from './migrations/0064-messages-by-sender.ts';
import { timesOfPlayedTracks } from './migrations/0065-times-of-played-tracks.ts';
import { partsOfMessageSearch } from './migrations/0066-parts-of-message-search.ts';
import { savedQueues } from './migrations/0056-saved-queues.ts';
import { openPostgresPool } from './postgres-pool.ts';
import type { Db, Schema } from './schema.ts';
import { PreparingSqliteDialect } from './sqlite-dialect.ts';

type Dialect = 'sqlite' | 'postgres';
export interface Database {
  db: Db;
  dialect: Dialect;
  /** Rejects when the database can't be asked. Over a connection of its own, so that it waits behind nothing else. */
  answers(): Promise<unknown>;
  /**
   * Begins to watch: each call answers whether another program may have written since the one before. True where that
   * can't be known; on SQLite another program is a command of the operator.
   */
  watchOthers(): () => boolean;
  /**
   * Writes the log of SQLite into its file and empties it, so that deleted words stay in neither. PostgreSQL does that by
   * itself.
   */
  foldLog(): void;
  /**
   * Overwrites once what earlier versions deleted without overwriting it, in a database that is not new; PostgreSQL's
   * vacuum does that.
   */
  purgeOnce(isNew: boolean): void;
  /** Runs long work, such as a migration, without the timeout of connections. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const migrations = {
  '0001-start': start,
  '0002-tab-of-connection': { up: tabOfConnection },
  '0003-times-of-what-is-told': { up: timesOfChanges },
  '0004-sign-ups': { up: signUps },
  '0005-state-of-image': { up: stateOfImage },
  '0006-queue-items': queueItems,
  '0008-round-trip-of-connection': { up: roundTripOfConnection },
  '0010-stamps-and-deletions': { up: stampsAndDeletions },
  '0011-ways-in': { up: admission },
  '0012-order-in-rooms': { up: handOver },
  '0014-order-of-connections': { up: indexesOfConnections },
  '0015-proposals': { up: proposals },
  '0021-operator': { up: operator },
  '0022-sign-up-invitations': { up: signUpInvitations },
  '0023-expiry-of-answers': { up: expiryOfAnswers },
  '0024-reports': { up: reports },
  '0025-notifications-by-room': { up: notificationsByRoom },
  '0026-warned-hosts': { up: warnedHosts },
  '0032-sign-up-places': { up: signUpPlaces },
  '0033-grace-period': { up: gracePeriod },
  '0034-client-id-of-room-message': { up: clientIdOfRoomMessage },
  '0035-pending-requests': { up: pendingRequests },
  '0036-people-in-a-room': { up: peopleInARoom },
  '0037-head-with-its-entry': { up: headWithItsEntry },
  '0038-address-of-ticket': { up: addressOfTicket },
  '0039-library-files': { up: libraryFiles },
  '0040-session-and-sender': { up: sessionAndSender },
  '0041-refused-mails': { up: refusedMails },
  '0042-invitation-of-sign-up': { up: invitationOfSignUp },
  '0043-kept-bytes': { up: keptBytes },
  '0044-known-blocks': { up: knownBlocks },
  '0045-message-acts': { up: messageActs },
  '0047-measured-loudness': { up: measuredLoudness },
  '0049-message-search': { up: messageSearch },
  '0050-chat-list': { up: chatList },
  '0052-room-of-sign-up': { up: roomOfSignUp },
  '0053-voice-messages': { up: voiceMessages },
  '0054-room-talk': { up: roomTalk },
  '0055-played-tracks': { up: playedTracks },
  '0056-saved-queues': { up: savedQueues },
  '0057-listens': { up: listens },
  '0059-link-previews': { up: linkPreviews },
  '0060-slow-chat': { up: slowChat },
  '0061-forgotten-with-message': { up: forgottenWithMessage },
  '0064-messages-by-sender': { up: messagesBySender },
  '0065-times-of-played-tracks': { up: timesOfPlayedTracks },
  '0066-parts-of-message-search': { up: partsOfMessageSearch },
};

/** The migrations of this version, in their order. */
export const knownMigrations: readonly string[] = Object.keys(migrations);

/**
 * `url` is `sqlite:` and a path, or `postgres://…`. Throws when it can't be opened or fails its integrity check.
 * `onStatement` is called for every statement.
 */
export function openDatabase(url: string, onStatement?: (statement: string) => void): Database {
  const log: Logger | undefined = onStatement && (({ query }) => onStatement(query.sql));
  const more = log ? { log } : {};
  return url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length), more) : openPostgres(url, more);
}

function openSqlite(path: string, more: { log?: Logger }): Database {
  const file = new SqliteDatabase(path);
  // Before anything is written: a file of another program is left as it was.
  assertKnownFile(file);
  file.pragma('journal_mode = WAL');
  // Every commit reaches the disk before it is acknowledged.
  file.pragma('synchronous = FULL');
  // Deleted words are overwritten, and not only marked as free.
  file.pragma('secure_delete = ON');
  file.pragma('foreign_keys = ON');
  file.pragma('busy_timeout = 5000');
  const check = file.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') throw new Failure('server/unavailable', `database file ${path} is damaged: ${String(check)}`);
  const db = new Kysely<Schema>({ dialect: new PreparingSqliteDialect(file), ...more });
  const second = new SqliteDatabase(path, { readonly: true });
  // SQLite changes this number for the writes of other connections only.
  const version = file.prepare('pragma data_version').pluck();
  return {
    db,
    dialect: 'sqlite',
    answers: () => Promise.resolve(second.prepare('select 1').get()),
    watchOthers() {
      let seen = version.get();
      return () => {
        const before = seen;
        seen = version.get();
        return seen !== before;
      };
    },
    foldLog: () => void file.pragma('wal_checkpoint(TRUNCATE)'),
    purgeOnce(isNew) {
      if (Number(file.pragma('user_version', { simple: true })) >= purged) return;
      if (!isNew) file.exec('vacuum');
      file.pragma(`user_version = ${String(purged)}`);
    },
    patiently: (work) => work(),
    async close() {
      second.close();
      // Also where a command of the operator still has it open. A file that is damaged is closed as it is.
      if (file.open) settled(() => file.pragma('wal_checkpoint(TRUNCATE)'));
      await db.destroy();
    },
  };
}

/** Kept as the `user_version` of the file: everything deleted before is overwritten. */
const purged = 1;

function settled(work: () => unknown): void {
  try {
    work();
  } catch {
    // The server closes in any case.
  }
}

function assertKnownFile(file: SqliteDatabase.Database): void {
  const names = (query: string) => file.prepare<[], string>(query).pluck().all();
  const tables = names(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`);
  const applied = tables.includes(migrationsTable) ? names(`select name from ${migrationsTable}`) : [];
  assertKnownSchema(tables, applied, knownMigrations);
}

async function assertKnownDatabase(db: Db): Promise<void> {
  const all = await db.introspection.getTables({ withInternalKyselyTables: true });
  const tables = all.filter(({ schema, isView }) => schema === 'public' && !isView).map(({ name }) => name);
  const applied = tables.includes(migrationsTable) ? await appliedMigrations(db) : [];
  assertKnownSchema(tables, applied, knownMigrations);
}

/** The migrations that the database has. */
export async function appliedMigrations(db: Db): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom(migrationsTable)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

function openPostgres(url: string, more: { log?: Logger }): Database {
  const { pool, patiently } = openPostgresPool(url);
  const second = openPostgresPool(url, { most: 1 }).pool;
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...more });
  return {
    db,
    dialect: 'postgres',
    answers: () => second.query('select 1'),
    watchOthers: () => () => true,
    foldLog: () => undefined,
    purgeOnce: () => undefined,
    patiently,
    async close() {
      await Promise.all([second.end(), db.destroy()]);
    },
  };
}

/** Whether it has every migration of this version and no other: one read, where looking at all tables takes many. */
async function isUpToDate(db: Db): Promise<boolean> {
  // A new database has no such table yet.
  const applied = await appliedMigrations(db).catch((): string[] => []);
  return applied.length === knownMigrations.length && knownMigrations.every((name) => applied.includes(name));
}

/** Applies what is missing. Safe to call from several processes at once. */
export async function migrate(database: Database): Promise<void> {
  // A new database has no such table yet.
  const isNew = (await appliedMigrations(database.db).catch((): string[] => [])).length === 0;
  await bringUpToDate(database);
  database.purgeOnce(isNew);
}

async function bringUpToDate(database: Database): Promise<void> {
  if (await isUpToDate(database.db)) return;
  if (database.dialect === 'postgres') await assertKnownDatabase(database.db);
  const migrator = new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    // Branches are merged in any order: a server that follows main gets one of a lower number later.
    allowUnorderedMigrations: true,
  });
  const { error } = await database.patiently(() => migrator.migrateToLatest());
  if (error) throw new Failure('server/unavailable', 'database.migration-failed', error);
}

/** Where Kysely notes the migrations that were applied. */
export const migrationsTable = 'kysely_migration';

/**
 * Throws unless the database is empty or was made by this version or an older one: one of a newer version, or of another
 * program, must not be touched.
 */
function assertKnownSchema(tables: readonly string[], applied: readonly string[], known: readonly string[]): void {
  if (tables.length > 0 && !tables.includes(migrationsTable)) {
    throw new Failure('server/unavailable', 'database.of-another-program');
  }
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Failure('server/unavailable', 'database.newer-schema');
}
