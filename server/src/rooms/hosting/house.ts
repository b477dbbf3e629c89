/**
 * House radio: a host who goes may let the house play. The room goes on with Suggested and stays open as long as a person
 * is inside; it is the host's again as soon as they are back.
 */
import type { Handlers } from '../../access/subjects.ts';
import type { Playback } from '../../playback/playback.ts';
import { accept, type Log } from '../../system/ports.ts';
import { changeSettings } from './settings.ts';

interface HouseDeps {
  log: Pick<Log, 'info'>;
  playback: Pick<Playback, 'goOnByItself'>;
}

export const houseHandlers = ({ log, playback }: HouseDeps) =>
  ({
    'rooms/letHousePlay': async ({ write }) =>
      await write([], async (writing, { room }) => {
        const changed = await playback.goOnByItself(writing, room);
        if (!changed.ok) return changed;
        if ((await changeSettings(writing, room, { housePlays: true })) !== null) {
          log.info({ kind: room.kind, roomId: room.roomId }, 'room.house-plays');
        }
        return accept({});
      }),
  }) satisfies Partial<Handlers>;
