/**
 * Composes what the operator's commands need: the same storage, record and services as the server's, without a
 * transport. Several may run beside servers. What they change is on streams, where servers find it.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { type RoomCode, roomKinds } from '@tunemate/protocol';
import { accountAdminService, signUpAdminService } from '../accounts/accounts-admin.ts';
import { removalService } from '../accounts/removal.ts';
import { sessionsService } from '../accounts/sign-in/sessions.ts';
import { createFeatures, withoutConnections } from './features.ts';
import { type Config, sqlitePathOf } from '../config.ts';
import { createLog } from '../system/logging.ts';
import { OperatorFailure } from '../operator/operator-failure.ts';
import { reportAdmin } from '../reports/reports.ts';
import { randomIds, systemClock } from '../system/machine.ts';
import { foundBy } from '@tunemate/domain';
import { localDoorbell } from '../realtime/feed.ts';
import { doorbellKey, redisDoorbell } from '../realtime/redis-doorbell.ts';
import { latestLiveRooms } from '../rooms/lifecycle/rooms-store.ts';
import { countPeople } from '../rooms/members/roster.ts';
import { bringBack, lastUsedMs, waitingAhead } from '../storage/clock-steps.ts';
import { sharedClock } from '../storage/database-clock.ts';
import { appliedMigrations, assertUsable, type Database, openDatabase } from '../storage/database.ts';
import { knownMigrations } from '../storage/migrations/migrations.ts';
import { latestAddress, latestLibraryReport } from '../storage/settings.ts';
import { latestActions, operatorLog } from '../storage/operator-log.ts';
import type { Part } from '../storage/pages.ts';
import { peopleOf, shownName } from '../storage/people.ts';
import { StreamRecord } from '../storage/record.ts';

export type OperatorTools = Awaited<ReturnType<typeof openOperatorTools>>;

/** Throws OperatorFailure where the database is not of this version. */
export async function openOperatorTools(config: Config) {
  const path = sqlitePathOf(config.databaseUrl);
  if (path !== null && !existsSync(path)) {
    throw new OperatorFailure(`There is no database at ${path}. Set DATA_DIR to the folder of the server.`);
  }
  const database = openDatabase(config.databaseUrl);
  try {
    await assertUpToDate(database);
    return await wire(config, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assertUpToDate(database: Database): Promise<void> {
  await assertUsable(database);
  const applied = await appliedMigrations(database.db);
  if (knownMigrations.every((name) => applied.includes(name))) return;
  throw new OperatorFailure('The database is of an older version. Start the server once, then try again.');
}

async function wire(config: Config, database: Database) {
  const log = createLog('warn', process.stderr);
  const ids = randomIds();
  const machine = systemClock();
  // A command ends before the clock would be measured again.
  const background = { every: () => undefined };
  const { db, dialect } = database;
  const clock = dialect === 'postgres' ? await sharedClock(db, { machine, log, background }) : machine;
  const doorbell =
    config.redisUrl === null
      ? localDoorbell({ mayHaveMissed: () => false })
      : await redisDoorbell(config.redisUrl, ids.newId(), await doorbellKey(db), log);
  const record = new StreamRecord(database, clock, (stream) => log.error({ stream }, 'record.unnamed-stream'));
  record.onCommitted((to, entries) => doorbell.notify({ type: 'stream-grown', to, entries }));
  const pushed = withoutConnections(record);
  const { rooms, accountHooks } = createFeatures({
    record,
    clock,
    ids,
    log,
    doorbell,
    ...pushed,
  });
  const note = operatorLog(ids, userInfo().username);
  const sessions = sessionsService({ record, clock, ids, log, readCookie: () => null });
  const removal = removalService({ record, clock, log, sessions, hooks: accountHooks });
  // A link to the default address would be of no server, where a unit of systemd holds the settings of the real one.
  const noted = config.isPublicUrlGiven ? null : await latestAddress(db);
  const publicUrl = () => noted ?? config.publicUrl;
  return {
    people: accountAdminService({
      ...{ record, ids, sessions, publicUrl, removal, note },
      leaveRooms: (uid) => rooms.leaveAll(uid, 'account-disabled'),
    }),
    reports: reportAdmin({ record, note, ids, notify: pushed.notify }),
    signUp: signUpAdminService({ record, clock, ids, publicUrl, note }),
    /** The newest live rooms whose code, name or host contains every word, with how many people sit in them. */
    async liveRooms(text: string, { from, most }: Part) {
      const live = (await Promise.all(roomKinds.map((kind) => latestLiveRooms(db, kind)))).flat();
      const hosts = await peopleOf(
        db,
        live.map(({ host }) => host),
      );
      const isFound = foundBy(text);
      const found = live
        .map((room) => ({ ...room, hostName: shownName(hosts.get(room.host)?.name) }))
        .filter(({ code, name, hostName }) => isFound([code, name, hostName].join(' ')))
        .toSorted((one, other) => other.createdAtMs - one.createdAtMs);
      const rows = found
        .slice(from, from + most)
        .map(async (room) => ({ ...room, people: await countPeople(db, room) }));
      return { rows: await Promise.all(rows), total: found.length };
    },
    /** False when no live room has this code. */
    async endRoom(code: RoomCode): Promise<boolean> {
      const live = (await Promise.all(roomKinds.map((kind) => latestLiveRooms(db, kind, code)))).flat();
      const [room] = live;
      return (
        room !== undefined &&
        (await rooms.endNow(room, (writing) => note(writing.db, writing.nowMs, 'rooms end', code)))
      );
    },
    clock: {
      async look() {
        const nowMs = clock.now();
        return { nowMs, usedMs: await lastUsedMs(db), waiting: await waitingAhead(db, nowMs) };
      },
      bringBack: () =>
        note(db, clock.now(), 'clock', 'what waited for a time ahead').then(() => bringBack(record, clock.now())),
    },
    libraryReport: () => latestLibraryReport(db),
    latestActions: (part: Part) => latestActions(db, part),
    async close() {
      await doorbell.close();
      await database.close();
    },
  };
}
