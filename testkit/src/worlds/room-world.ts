/**
 * Rooms over a real database, without transport: people with accounts, a clock that tests move, and the log of changes
 * that each stream received.
 */
import type { EphemeralEvent, HostChange, UserChange, RoomChange, RoomKind, StreamId, Uid } from '@tunemate/protocol';
import type { Clock } from '../../../server/src/system/ports.ts';
import type { Caller } from '../../../server/src/access/caller.ts';
import { migrate, openDatabase } from '../../../server/src/storage/database.ts';
import { newClientId, valueOf } from '../answers.ts';
import { closedWithTest } from '../closed-with-test.ts';
import { createFakeClock } from '../fake-clock.ts';
import { callerOf, insertUser } from './people.ts';
import { startServices } from './services.ts';

/** Opens a world on `url`; several worlds on one PostgreSQL database stand for several processes. */
export async function openRoomWorld(
  url: string,
  clock: Clock & { advance(byMs: number): void } = createFakeClock(),
  seed = 1,
) {
  const database = openDatabase(url);
  await migrate(database);
  const { record, ids, rooms, accountHooks, playback, handlers, doorbell } = startServices(database, clock, seed);
  /** Ephemeral events, in the order in which they were sent. */
  const passed: EphemeralEvent[] = [];
  doorbell.onNotification((notify) => {
    if (notify.type === 'ephemeral') passed.push(notify.news);
  });

  return {
    database,
    record,
    clock,
    ids,
    rooms,
    accountHooks,
    handlers,
    passed,
    async person(name: string): Promise<Caller> {
      return callerOf(await insertUser(database.db, { name, nowMs: clock.now(), uid: ids.newId() as Uid }));
    },
    /** A live room of this host. */
    async roomOf(host: Caller, kind: RoomKind, name = 'Kitchen Radio') {
      const created = valueOf(await handlers['rooms/create'](host, { clientId: newClientId(), kind, name }));
      return { kind, code: created.code as string };
    },
    /** `guest` asked and was accepted. */
    async letIn(host: Caller, guest: Caller, room: { kind: RoomKind; code: string }): Promise<void> {
      valueOf(await handlers['rooms/askToJoin'](guest, room));
      valueOf(await handlers['rooms/acceptRequest'](host, { ...room, uid: guest.uid }));
    },
    async changesOf(stream: StreamId): Promise<(RoomChange | HostChange | UserChange)[]> {
      const entries = await record.entriesAfter(stream, 0);
      return entries.map((entry) => JSON.parse(entry.change) as RoomChange | HostChange | UserChange);
    },
    close: closedWithTest(async () => {
      await playback.close();
      await database.close();
    }),
  };
}
export type RoomWorld = Awaited<ReturnType<typeof openRoomWorld>>;
