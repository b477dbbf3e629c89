/**
 * The requests about what rooms have played. In a room its members see all of it; of other rooms a person sees their
 * own history, and no other.
 */
import { userStream } from '@tunemate/protocol';
import type { Handlers } from '../../access/subjects.ts';
import type { StreamRecord } from '../../storage/record.ts';
import { dropMusicOf } from '../../tunemates/music-pairs.ts';
import { accept, type Clock } from '../../system/ports.ts';
import { firstEveningOf } from './first-evening-store.ts';
import {
  forgetHistoriesOf,
  forgetHistory,
  historiesOf,
  historyOf,
  keepHistoriesAgain,
  keepsHistory,
  playedIn,
  saveKeepsHistory,
} from './history-store.ts';

export function historyService({ record, clock }: { record: StreamRecord; clock: Pick<Clock, 'now'> }) {
  return {
    handlers: {
      'rooms/played': ({ read }, { before }) =>
        read(async ({ room }) => accept(await playedIn(record.db, room.roomId, before))),
      'rooms/histories': async ({ uid }) =>
        accept({ isKept: await keepsHistory(record.db, uid), histories: await historiesOf(record.db, uid) }),
      'rooms/history': async ({ uid }, { roomId, before }) =>
        accept({ tracks: await historyOf(record.db, uid, roomId, before) }),
      'rooms/firstEvening': async ({ uid }) => accept({ evening: await firstEveningOf(record.db, uid, clock.now()) }),
      'rooms/forgetHistory': ({ uid }, { roomId }) =>
        record.write([userStream(uid)], async ({ db, nowMs }) => {
          await forgetHistory(db, uid, roomId, nowMs);
          return accept({});
        }),
      'rooms/keepHistory': ({ uid }, { isKept }) =>
        record.write([userStream(uid)], async ({ db, nowMs }) => {
          const isAgain = isKept && !(await keepsHistory(db, uid));
          await saveKeepsHistory(db, uid, isKept);
          if (isAgain) await keepHistoriesAgain(db, uid, nowMs);
          if (!isKept) await forgetHistoriesOf(db, uid);
          if (!isKept) await dropMusicOf(db, uid);
          return accept({});
        }),
    } satisfies Partial<Handlers>,
  };
}
