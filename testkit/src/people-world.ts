/**
 * The social half of the server as `app-people.ts` wires it, on a database of its own, without sockets: people who can
 * make requests, and the changes that each of them was told. Several processes share a PostgreSQL database.
 */
import { randomUUID } from 'node:crypto';
import { type ClientId, type OwnChange, ownStream, type Passing, type StreamId, type Uid } from '@tunemate/protocol';
import { sql } from 'kysely';
import { createPeople, type People } from '../../server/src/app-people.ts';
import type { Log } from '../../server/src/ports.ts';
import type { Caller } from '../../server/src/realtime/caller.ts';
import { type Database, migrate, openDatabase } from '../../server/src/storage/database.ts';
import { StreamRecord } from '../../server/src/storage/record.ts';
import type { DialectName, MakeDatabaseUrl } from './dialects.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { seededIds } from './seeded-ids.ts';

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Nobody is in a room here. */
const noRooms = { streams: () => Promise.resolve([]), apply: () => Promise.resolve() };

/** One server process. */
export interface PeopleProcess {
  readonly record: StreamRecord;
  readonly people: People;
}

export interface PeopleWorld {
  readonly clock: FakeClock;
  /** One on SQLite; as many as asked for on PostgreSQL. */
  readonly processes: readonly PeopleProcess[];
  /** The first process. */
  readonly record: StreamRecord;
  readonly people: People;
  readonly handlers: People['handlers'];
  /** Passing news, in the order it was sent. */
  readonly passed: { to: StreamId; news: Passing }[];
  addPerson(name?: string): Promise<Uid>;
  /** All changes on a person's own stream, oldest first. */
  changesOf(uid: Uid): Promise<OwnChange[]>;
  close(): Promise<void>;
}

/** Opens a world; close it when the suite has ended. */
export async function openPeopleWorld(
  makeDatabaseUrl: MakeDatabaseUrl,
  dialect: DialectName,
  { processes: count = 1 } = {},
): Promise<PeopleWorld> {
  const url = await makeDatabaseUrl();
  const clock = createFakeClock();
  const passed: PeopleWorld['passed'] = [];
  const databases: Database[] = Array.from({ length: dialect === 'sqlite' ? 1 : count }, () => openDatabase(url));
  await migrate(databases[0] as Database);
  // As with the tests' PostgreSQL: nothing crashes here, and waiting for the disk is most of the time.
  if (dialect === 'sqlite') await sql`pragma synchronous = off`.execute((databases[0] as Database).db);
  const processes = databases.map((database, index) => {
    const record = new StreamRecord(database, clock);
    const passOn = (to: StreamId, news: Passing) => void passed.push({ to, news });
    return {
      record,
      people: createPeople({
        record,
        clock,
        ids: seededIds(index + 1),
        log: silent,
        passOn,
        notify: () => undefined,
        dismissal: noRooms,
      }),
    };
  });
  const { record, people } = processes[0] as PeopleProcess;
  const uids = seededIds(1000);

  return {
    clock,
    processes,
    record,
    people,
    handlers: people.handlers,
    passed,
    async addPerson(name = 'Ada') {
      const uid = uids.newId() as Uid;
      const values = { uid, name, email: `${uid}@example.org`, email_verified: 1, password_hash: '', soulmate: null };
      await record.db
        .insertInto('users')
        .values({ ...values, created_at_ms: clock.now(), deleted_at_ms: null })
        .execute();
      return uid;
    },
    async changesOf(uid) {
      const entries = await record.entriesAfter(ownStream(uid), 0, 10_000);
      return entries.map(({ change }) => JSON.parse(change) as OwnChange);
    },
    async close() {
      await Promise.all(databases.map((database) => database.close()));
    },
  };
}

/** What a request of this person carries besides its payload. */
export function callerOf(uid: Uid): Caller {
  const tabId = randomUUID() as Caller['tabId'];
  return { uid, sessionId: `session-${uid}`, connectionId: `connection-${uid}`, tabId, address: '127.0.0.1' };
}

/** An id as clients make them. */
export function newClientId(): ClientId {
  return randomUUID() as ClientId;
}
