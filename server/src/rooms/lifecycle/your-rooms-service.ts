/** The live rooms that a person hosts or sits in, for the way back into them. Read only. */
import { playbackOfDocument } from '@tunemate/domain';
import { limits, type PlaybackDocument, roomKinds, type Uid, type Value } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, RoomRow } from '../../access/subjects.ts';
import { accept } from '../../system/ports.ts';
import { peopleOf, shownName } from '../../storage/people.ts';
import type { Schema } from '../../storage/schema.ts';
import { hostGraceMs } from './room-endings.ts';
import { roomsJoinedBy } from './rooms-store.ts';
import { countPeople } from '../members/roster-store.ts';

type Db = Kysely<Schema>;
type YourRoom = Value<'rooms/mine'>['rooms'][number];

export interface YourRoomsDeps {
  db: Db;
  /** Null when it has just been deleted with the room. */
  playbackOf: (db: Db, kind: RoomRow['kind'], roomId: RoomRow['roomId']) => Promise<PlaybackDocument | null>;
}

export function yourRoomsService({ db, playbackOf }: YourRoomsDeps) {
  async function shown(room: RoomRow, hostName: string, isMine: boolean): Promise<YourRoom | null> {
    const { kind, roomId, code, name, host, hostAwaySinceMs } = room;
    const document = await playbackOf(db, kind, roomId);
    if (document === null) return null;
    const { queue, timeline } = playbackOfDocument(document);
    const track = queue.videoQueue[queue.currentIndex];
    const people = await countPeople(db, room);
    const { isPlaying } = timeline;
    const { title = null, thumbnail = null } = track ?? {};
    const endsAt = isMine && hostAwaySinceMs !== null ? hostAwaySinceMs + hostGraceMs : null;
    return { kind, code, name, host, hostName, people, endsAt, isPlaying, title, thumbnail };
  }

  /** Those that the person hosts come first, then the newest; older ones than `limits.yourRooms` are left out. */
  async function roomsOf(uid: Uid): Promise<YourRoom[]> {
    const joined = (await Promise.all(roomKinds.map((kind) => roomsJoinedBy(db, kind, uid)))).flat();
    const rooms = joined
      .toSorted((a, b) => Number(b.host === uid) - Number(a.host === uid) || b.createdAtMs - a.createdAtMs)
      .slice(0, limits.yourRooms);
    const hosts = await peopleOf(
      db,
      rooms.map(({ host }) => host),
    );
    const all = await Promise.all(
      rooms.map((room) => shown(room, shownName(hosts.get(room.host)?.name), room.host === uid)),
    );
    return all.filter((room) => room !== null);
  }

  return {
    handlers: {
      'rooms/mine': async ({ uid }) => accept({ rooms: await roomsOf(uid) }),
    } satisfies Partial<Handlers>,
  };
}
