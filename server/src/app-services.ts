/**
 * Composes all services without a transport: the server answers requests over sockets, tests call the services
 * directly.
 */
import type { Subjects } from './access/authorize.ts';
import { createPeople } from './app-people.ts';
import { createPlayback } from './app-playback.ts';
import { createRooms, type RoomParts } from './app-rooms.ts';
import type { Doorbell } from './realtime/doorbell.ts';

export interface ServiceParts extends Omit<RoomParts, 'startPlayback' | 'giveControl'> {
  doorbell: Pick<Doorbell, 'notify'>;
}

export function createServices(parts: ServiceParts) {
  const { record, doorbell } = parts;
  const playback = createPlayback(parts);
  const rooms = createRooms({ ...parts, startPlayback: playback.start, giveControl: playback.giveControl });
  const people = createPeople({
    ...parts,
    sendEphemeral: (to, news) => doorbell.notify({ type: 'ephemeral', to, news }),
    shownChanged: (uid) => doorbell.notify({ type: 'shown', uids: [uid] }),
    dismissal: rooms.dismissal,
  });
  return {
    record,
    playback,
    rooms,
    people,
    /** In the order in which they run when an account is deleted. */
    accountHooks: [rooms.accountHook, people.accountHook],
    handlers: { ...playback.handlers, ...rooms.handlers, ...people.handlers },
    subjects: { room: rooms.resolve, ...people.resolve } satisfies Subjects,
  };
}
export type Services = ReturnType<typeof createServices>;
