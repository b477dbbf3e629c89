/**
 * The room services over a real database, without transport: people with accounts, a clock that tests move, and the
 * log of changes that each stream received.
 */
import type { ClientId, OwnChange, Result, RoomChange, RoomKind, StreamId, TabId, Uid } from '@tunemate/protocol';
import { randomUUID } from 'node:crypto';
import { playbackService } from '../../server/src/playback/playback-service.ts';
import { readPlaybackDocument } from '../../server/src/playback/playback-store.ts';
import { seekGate } from '../../server/src/playback/seek-gate.ts';
import { accept, type Clock, type Log } from '../../server/src/ports.ts';
import { longestRoundTripIn, vacateRoom } from '../../server/src/presence/connections-store.ts';
import type { Caller } from '../../server/src/realtime/caller.ts';
import { requestsService } from '../../server/src/rooms/requests-service.ts';
import { roomChatService } from '../../server/src/rooms/room-chat-service.ts';
import { roomViewService } from '../../server/src/rooms/room-view-service.ts';
import { roomsService } from '../../server/src/rooms/rooms-service.ts';
import { gateRoom } from '../../server/src/rooms/standing.ts';
import { migrate, openDatabase } from '../../server/src/storage/database.ts';
import { personOf as storedPersonOf } from '../../server/src/storage/people.ts';
import { StreamRecord, type Writing } from '../../server/src/storage/record.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../../server/src/storage/schema.ts';
import { createFakeClock } from './fake-clock.ts';
import { seededIds } from './seeded-ids.ts';

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A fresh client id, as a browser makes one for each mutation. */
export const newClientId = (): ClientId => randomUUID() as ClientId;

async function personOf(db: Writing['db'], uid: Uid) {
  const person = await storedPersonOf(db, uid);
  return person && { uid, name: person.name, online: person.presence.state === 'online' };
}

/** Opens a world on `url`; several worlds on one PostgreSQL database stand for several processes. */
export async function openRoomWorld(
  url: string,
  clock: Clock & { advance(byMs: number): void } = createFakeClock(),
  seed = 1,
) {
  const database = openDatabase(url);
  await migrate(database);
  const record = new StreamRecord(database, clock);
  const ids = seededIds(seed);
  const meetings: { kind: RoomKind; a: Uid; b: Uid }[] = [];
  const blocks = new Set<string>();
  const playback = playbackService({
    record,
    clock,
    gate: gateRoom(clock),
    connectionsIn: () => Promise.resolve([]),
    isTabIn: () => Promise.resolve(false),
    seekGate: seekGate(clock, silent),
    barrier: { hold() {} },
    roundTrips: { note() {} },
    longestRoundTripIn,
    announceReady() {},
  });
  const isBlocked = (_db: Kysely<Schema>, by: Uid, whom: Uid) => Promise.resolve(blocks.has(`${by}>${whom}`));
  const rooms = roomsService({ record, clock, ids, log: silent, startPlayback: playback.start, vacate: vacateRoom });
  const requests = requestsService({
    record,
    clock,
    log: silent,
    personOf,
    meet: (_writing, kind, a, b) => {
      meetings.push({ kind, a, b });
      return Promise.resolve();
    },
    isBlocked,
    takeFromRoom: () => Promise.resolve(accept({})),
    notify: () => undefined,
  });
  const chat = roomChatService({ record, clock, ids, personOf });
  const view = roomViewService({
    record,
    clock,
    isBlocked,
    playbackOf: readPlaybackDocument,
    attend: (_caller, _stream, read) => read(),
    unattend() {},
    moveTo: () => Promise.resolve(null),
  });

  async function person(name: string): Promise<Caller> {
    const uid = ids.newId() as Uid;
    await database.db
      .insertInto('users')
      .values({
        uid,
        name,
        email: `${uid.toLowerCase()}@example.test`,
        email_verified: 1,
        password_hash: '',
        created_at_ms: clock.now(),
        soulmate: null,
        deleted_at_ms: null,
      })
      .execute();
    return {
      uid,
      sessionId: `session of ${name}`,
      connectionId: `connection of ${name}`,
      tabId: randomUUID() as TabId,
      address: '127.0.0.1',
    };
  }

  async function changesOf(stream: StreamId): Promise<(RoomChange | OwnChange)[]> {
    const entries = await record.entriesAfter(stream, 0);
    return entries.map((entry) => JSON.parse(entry.change) as RoomChange | OwnChange);
  }

  /** A live room of this host. */
  async function roomOf(host: Caller, kind: RoomKind, name = 'Kitchen Radio') {
    const created = valueOf(await rooms.create(host, { clientId: newClientId(), kind, name }));
    return { kind, code: created.code as string };
  }

  /** `guest` asked and was accepted. */
  async function seat(host: Caller, guest: Caller, room: { kind: RoomKind; code: string }): Promise<void> {
    valueOf(await requests.askToJoin(guest, room));
    valueOf(await requests.acceptRequest(host, { ...room, uid: guest.uid }));
  }

  return {
    database,
    record,
    clock,
    ids,
    rooms,
    requests,
    chat,
    view,
    playback,
    meetings,
    blocks,
    person,
    roomOf,
    seat,
    changesOf,
    close: () => database.close(),
  };
}
export type RoomWorld = Awaited<ReturnType<typeof openRoomWorld>>;

/** The value of an answer that must be an acceptance. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.error.code}`);
  return result.value;
}

/** The code of an answer that must be a refusal. */
export function refusalOf(result: Result<unknown>): string {
  if (result.ok) throw new Error('was not refused');
  return result.error.code;
}
