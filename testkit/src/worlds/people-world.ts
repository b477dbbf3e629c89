/**
 * The services about people, on a database of its own, without sockets: people who can
 * make requests, and the changes that each of them received. Several processes share a PostgreSQL database.
 */
import {
  type EphemeralEvent,
  type Payload,
  type RequestName,
  type Result,
  type StreamId,
  type Uid,
  type UserChange,
  userStream,
  type Value,
} from '@tunemate/protocol';
import type { Answers } from '../../../server/src/realtime/requests.ts';
import { type Database, migrate, openDatabase } from '../../../server/src/storage/database.ts';
import type { DialectName, MakeDatabaseUrl } from '../services/dialects.ts';
import { closedWithTest } from '../closed-with-test.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { valueOf } from '../answers.ts';
import { callerOf, insertUser } from './people.ts';
import { seededIds } from '../seeded-ids.ts';
import { startServices } from './services.ts';

/** One server process. */
export type PeopleProcess = Pick<ReturnType<typeof startServices>, 'record' | 'accountHooks' | 'handlers' | 'subjects'>;

export interface PeopleWorld {
  readonly clock: FakeClock;
  /** One on SQLite; as many as asked for on PostgreSQL. */
  readonly processes: readonly PeopleProcess[];
  /** The first process. */
  readonly record: PeopleProcess['record'];
  readonly accountHooks: PeopleProcess['accountHooks'];
  readonly handlers: PeopleProcess['handlers'];
  /** Passing news, in the order it was sent. */
  readonly passed: { to: StreamId; news: EphemeralEvent }[];
  /** A request of this person, to each process in turn. */
  ask<Name extends RequestName>(by: Uid, name: Name, payload: Payload<Name>): Promise<Result<Value<Name>>>;
  /** The value of its answer, which must be an acceptance. */
  said<Name extends RequestName>(by: Uid, name: Name, payload: Payload<Name>): Promise<Value<Name>>;
  addPerson(name?: string): Promise<Uid>;
  /** What the end of an account takes from others. */
  removePerson(uid: Uid): Promise<void>;
  /** All changes on a person's own stream, oldest first. */
  changesOf(uid: Uid): Promise<UserChange[]>;
  close(): Promise<void>;
}

/** Opens a world; a suite closes it when it has ended. */
export async function openPeopleWorld(
  makeDatabaseUrl: MakeDatabaseUrl,
  dialect: DialectName,
  { processes: count = 1 } = {},
): Promise<PeopleWorld> {
  const url = await makeDatabaseUrl();
  const clock = createFakeClock();
  const passed: PeopleWorld['passed'] = [];
  const databases: Database[] = Array.from({ length: dialect === 'sqlite' ? 1 : count }, () =>
    // As with the tests' PostgreSQL: nothing crashes here, and waiting for the disk is most of the time.
    openDatabase(url, { neverSyncs: true }),
  );
  await migrate(databases[0] as Database);
  const processes = databases.map((database, index) => {
    const { doorbell, ...services } = startServices(database, clock, index + 1);
    doorbell.onNotification((notify) => {
      if (notify.type === 'ephemeral') passed.push({ to: notify.to, news: notify.news });
    });
    return services;
  });
  const { record, accountHooks, handlers } = processes[0] as PeopleProcess;
  const uids = seededIds(1000);
  let turn = 0;
  const ask: PeopleWorld['ask'] = async (by, name, payload) => {
    turn += 1;
    const process = processes[turn % processes.length] as PeopleProcess;
    return await (process.handlers as Answers)[name](callerOf(by), payload);
  };

  return {
    ask,
    said: async (by, name, payload) => valueOf(await ask(by, name, payload)),
    clock,
    processes,
    record,
    accountHooks,
    handlers,
    passed,
    addPerson: (name = 'Ada') => insertUser(record.db, { name, nowMs: clock.now(), uid: uids.newId() as Uid }),
    async removePerson(uid) {
      for (const { onDeleting } of accountHooks) await onDeleting?.(uid);
    },
    async changesOf(uid) {
      const entries = await record.entriesAfter(userStream(uid), 0, 10_000);
      return entries.map(({ change }) => JSON.parse(change) as UserChange);
    },
    close: closedWithTest(async () => {
      await Promise.all(databases.map((database) => database.close()));
    }),
  };
}
