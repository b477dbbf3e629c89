/**
 * The requests to create, look up, leave and list rooms. When the host leaves, the room ends for everyone.
 */
import {
  limits,
  type Payload,
  type Result,
  type RoomKind,
  roomKinds,
  type Uid,
  userStream,
  type Value,
} from '@tunemate/protocol';
import type { Caller } from '../../access/caller.ts';
import type { Handlers, Member, RoomRow, RoomStreams } from '../../access/subjects.ts';
import { isDuplicate } from '../../storage/failures.ts';
import { once } from '../../storage/idempotency.ts';
import { mayHost, peopleOf, shownName } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import type { Db } from '../../storage/schema.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { countsOfPeople } from '../members/roster.ts';
import { emptyPlayback, savePlayback } from '../../playback/playback-document.ts';
import { nowPlayingIn } from '../../playback/shown-playback.ts';
import { withdrawWarning } from './host-absence.ts';
import { endRoom, giveUpMembership, hostGraceMs, type EndingDeps, streamsOfEnd } from './room-endings.ts';
import { addMember, insertRoom, liveRoomsHostedBy, type NewRoom, roomsJoinedBy } from './rooms-store.ts';

const codeAttempts = 8;

/** Begins `work` anew where the code that it drew belongs to another live room. */
export async function withFreeCode<Done>(work: () => Promise<Done>): Promise<Done> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === codeAttempts || !isDuplicate(error)) throw error;
    }
  }
}

export function roomsService(deps: EndingDeps) {
  async function leave({ caller, read, write }: Member, { ends }: Payload<'rooms/leave'>): Promise<Result<Nothing>> {
    return await read(({ room, role }) => {
      const others: RoomStreams = role === 'host' ? (_, db) => streamsOfEnd(db, room, deps.clock.now()) : [];
      return write(others, async (writing, now) => {
        const endsNow = now.role === 'host';
        // The streams were named by the role of then, too.
        if (endsNow !== (ends ?? role === 'host')) return refuse('room/host-changed');
        if (!endsNow) await giveUpMembership(deps, writing, now.room, caller.uid);
        else {
          await endRoom(deps, writing, now.room, 'host-left');
          await withdrawWarning(writing, now.room);
        }
        return accept({});
      });
    });
  }

  return {
    handlers: {
      'rooms/create': (caller, payload) => withFreeCode(() => tryToCreate(deps, caller, payload)),
      'rooms/lookUp': ({ read }) =>
        read(({ room, role }) => accept({ kind: room.kind, code: room.code, isHost: role === 'host' })),
      'rooms/leave': leave,
      'rooms/mine': async ({ uid }) => accept({ rooms: await ownRoomsOf(deps.record.db, uid) }),
    } satisfies Partial<Handlers>,
  };
}

function tryToCreate(deps: EndingDeps, caller: Caller, { kind, name, clientId }: Payload<'rooms/create'>) {
  const roomId = deps.ids.newId() as RoomRow['roomId'];
  const work = async (writing: Writing): Promise<Result<Value<'rooms/create'>>> => {
    const created = await createInside(deps, writing, { kind, name, roomId, host: caller.uid });
    if (!created.ok) return created;
    await savePlayback(writing.db, created.value, emptyPlayback(kind, writing.nowMs));
    return accept({ code: created.value.code });
  };
  return deps.record.write([userStream(caller.uid)], (writing) =>
    // After its end the room is no answer any more.
    once(writing, caller.uid, clientId, ['rooms/create', kind, name], () => work(writing), { roomId }),
  );
}

/** A new room with its host, within a write that holds the host's stream; the caller stores what it plays. */
export async function createInside(
  { ids, log }: Pick<EndingDeps, 'ids' | 'log'>,
  { db, nowMs }: Writing,
  of: Pick<NewRoom, 'kind' | 'name' | 'roomId' | 'host'>,
): Promise<Result<NewRoom>> {
  // What ends an account, or disables it, ends its rooms once; a room created after that would never end.
  if (!(await mayHost(db, of.host))) return refuse('auth/required');
  if ((await liveRoomsHostedBy(db, of.host)).length >= limits.liveRoomsPerHost) {
    return refuse('room/too-many-live-rooms');
  }
  const room: NewRoom = { ...of, code: ids.newRoomCode() as RoomRow['code'], createdAtMs: nowMs };
  await insertRoom(db, room);
  await addMember(db, room, of.host, nowMs);
  log.info({ kind: of.kind, roomId: of.roomId, uid: of.host }, 'room.created');
  return accept(room);
}

type OwnRoom = Value<'rooms/mine'>['rooms'][number];

/**
 * The live rooms that this person hosts or is a member of: hosted ones first, then the newest; older ones than
 * `limits.yourRooms` are left out. The same few statements for any number of rooms, people and tracks.
 */
async function ownRoomsOf(db: Db, uid: Uid): Promise<OwnRoom[]> {
  const joined = (await Promise.all(roomKinds.map((kind) => roomsJoinedBy(db, kind, uid, limits.yourRooms)))).flat();
  const rooms = joined
    .toSorted((a, b) => Number(b.host === uid) - Number(a.host === uid) || b.createdAtMs - a.createdAtMs)
    .slice(0, limits.yourRooms);
  const hosts = await peopleOf(
    db,
    rooms.map(({ host }) => host),
  );
  const ofKind = async (kind: RoomKind) => {
    const roomIds = rooms.filter((room) => room.kind === kind).map(({ roomId }) => roomId);
    return { playing: await nowPlayingIn(db, kind, roomIds), people: await countsOfPeople(db, kind, roomIds) };
  };
  const shown = { video: await ofKind('video'), audio: await ofKind('audio') };
  return rooms.flatMap(({ kind, roomId, code, name, host, hostAwaySinceMs, housePlays }) => {
    const playing = shown[kind].playing.get(roomId);
    // It has just ended.
    if (!playing) return [];
    const people = shown[kind].people.get(roomId) ?? 0;
    const endsAt = host === uid && !housePlays && hostAwaySinceMs !== null ? hostAwaySinceMs + hostGraceMs : null;
    return [{ kind, code, name, host, hostName: shownName(hosts.get(host)?.name), people, endsAt, ...playing }];
  });
}
