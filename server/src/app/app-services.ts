/**
 * Composes all services without a transport: the server answers requests over sockets, tests call the services
 * directly.
 */
import type { Subjects } from '../access/subjects.ts';
import { createPeople } from './app-people.ts';
import type { VideoId } from '@tunemate/protocol';
import { createPlayback, type PlaybackParts } from './app-playback.ts';
import { pushAccountHook } from '../push/push.ts';
import { reportsService } from '../reports/reports.ts';
import { createRooms, type RoomParts } from './app-rooms.ts';
import type { RoomCatalogue } from '../catalogue/catalogue-service.ts';
import { accept } from '../system/ports.ts';
import type { Doorbell } from '../realtime/doorbell.ts';
import type { LeavingDeps } from '../rooms/lifecycle/room-endings.ts';
import { onlineGuestsOf } from '../rooms/members/roster-store.ts';
import { roomById } from '../rooms/lifecycle/rooms-store.ts';
import type { StreamRecord } from '../storage/record.ts';

export interface ServiceParts extends Omit<RoomParts, 'startPlayback' | 'giveControl' | 'queue' | keyof LeavingDeps> {
  doorbell: Pick<Doorbell, 'notify'>;
  catalogue: Pick<RoomCatalogue, 'suggest'>;
  /** Not given where no player reports. */
  noteDrift?: PlaybackParts['noteDrift'];
}

/** For services that nobody is connected to: entering a room only reads it, and nobody is pushed to. */
export function withoutConnections(
  record: StreamRecord,
): Pick<ServiceParts, 'takeFromRoom' | 'notify' | 'catalogue' | 'connections'> {
  return {
    takeFromRoom: () => Promise.resolve(accept({})),
    notify: () => undefined,
    catalogue: { suggest: () => Promise.resolve({ status: 'library-only', items: [] }) },
    connections: {
      subscribe: async (_caller, stream, read) => read(await record.head(stream)),
      unsubscribe: () => undefined,
      moveTo: () => Promise.resolve(null),
    },
  };
}

export function createServices(parts: ServiceParts) {
  const { record, doorbell, catalogue } = parts;
  /** Counted as the host's, like all suggestions. */
  const suggestAfter: PlaybackParts['suggestAfter'] = async ({ kind, roomId }, videoId) => {
    const room = await roomById(record.db, kind, roomId);
    return room ? (await catalogue.suggest(kind, videoId as VideoId, room.host)).items : [];
  };
  const votersIn: PlaybackParts['votersIn'] = async (db, { kind, roomId }) => {
    const room = await roomById(db, kind, roomId);
    if (!room?.isActive || !room.majoritySkips) return null;
    return await onlineGuestsOf(db, room);
  };
  const playback = createPlayback({ ...parts, suggestAfter, votersIn });
  const rooms = createRooms({
    ...parts,
    startPlayback: playback.start,
    giveControl: playback.giveControl,
    queue: playback.queue,
    guestsChanged: playback.guestsChanged,
    forgetSkipVoteOf: playback.forgetSkipVoteOf,
  });
  const people = createPeople({
    ...parts,
    sendEphemeral: (to, news) => doorbell.notify({ type: 'ephemeral', to, news }),
    shownChanged: (uid) => doorbell.notify({ type: 'shown', uids: [uid] }),
    dismissal: rooms.dismissal,
  });
  const reports = reportsService(parts);
  return {
    record,
    playback,
    rooms,
    people,
    /** In the order in which they run when an account is deleted. */
    accountHooks: [rooms.accountHook, ...people.accountHooks, reports.accountHook, pushAccountHook(record)],
    handlers: { ...playback.handlers, ...rooms.handlers, ...people.handlers, ...reports.handlers },
    subjects: { room: rooms.resolve, ...people.resolve } satisfies Subjects,
  };
}
export type Services = ReturnType<typeof createServices>;
