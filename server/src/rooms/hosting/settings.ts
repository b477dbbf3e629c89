/**
 * The settings of a room, which `roomSettings` of the protocol declares: the host changes them by one request, and members
 * and host receive those that they may see. What a setting means stands where its rule is.
 */
import { withWhatFollows } from '@tunemate/domain';
import {
  type HostSettings,
  hostSettings,
  hostStream,
  initialSettings,
  type MemberSettings,
  memberSettings,
  type Payload,
  type Result,
  type RoomSettings,
  roomStream,
  type SettingName,
  settingsPatch,
} from '@tunemate/protocol';
import type { Handlers, Member, RoomRow, RoomStreams } from '../../access/subjects.ts';
import type { HearingService } from '../../presence/hearing.ts';
import type { Writing } from '../../storage/record.ts';
import type { RoomRef } from '../../storage/schema.ts';
import { accept, type Log, type Nothing } from '../../system/ports.ts';
import { setRoom } from '../lifecycle/rooms-store.ts';

interface SettingsDeps {
  log: Log;
  /** What hangs on who may vote is decided anew. */
  guestsChanged: (room: RoomRef) => void;
  hearing: Pick<HearingService, 'hide' | 'unhide'>;
}

export const settingsService = (deps: SettingsDeps) => ({
  handlers: {
    'rooms/set': async ({ write }: Member, { settings }: Payload<'rooms/set'>): Promise<Result<Nothing>> =>
      await write(streamsOf(settings), async (writing, { room }) => {
        const changed = await changeSettings(writing, room, withWhatFollows(settings));
        if (changed === null) return accept({});
        if (changed.friendsSee === false) await deps.hearing.hide(writing, room);
        if (changed.friendsSee === true) await deps.hearing.unhide(writing, room);
        deps.log.info({ kind: room.kind, roomId: room.roomId, ...changed }, 'room.settings-changed');
        // Of a vote, what counts may be another number now.
        writing.afterCommit(() => deps.guestsChanged(room));
        return accept({});
      }),
  } satisfies Partial<Handlers>,
});

const streamsOf = (patch: Partial<RoomSettings>): RoomStreams =>
  isEmpty(pick(seenByHost, patch)) ? [] : ({ roomId }) => [hostStream(roomId)];

/**
 * Stores what differs in `patch` and sends it to those who may see it, in a write that holds the room's stream, and the
 * host's for a setting that only the host sees. The settings that changed; null where none did.
 */
export async function changeSettings(
  writing: Writing,
  room: RoomRow,
  patch: Partial<RoomSettings>,
): Promise<Partial<RoomSettings> | null> {
  const changed = differing(patch, room);
  if (isEmpty(changed)) return null;
  await setRoom(writing.db, room, { settings: JSON.stringify({ ...pick(allSettings, room), ...changed }) });
  const { roomId } = room;
  const [toMembers, toHost] = [pick(seenByMembers, changed), pick(seenByHost, changed)];
  if (!isEmpty(toMembers)) await writing.append(roomStream(roomId), { type: 'rooms/set', settings: toMembers });
  if (!isEmpty(toHost)) await writing.append(hostStream(roomId), { type: 'rooms/set', settings: toHost });
  return changed;
}

/** What the pages of all members receive of a room's settings. */
export const shownToMembers = (room: RoomSettings): MemberSettings => pick(seenByMembers, room);

/** What the pages of its host alone receive of them. */
export const shownToHost = (room: RoomSettings): HostSettings => pick(seenByHost, room);

/** What its host chose, where it differs from a new room. */
export const chosenSettings = (room: RoomSettings): Partial<RoomSettings> =>
  differing(pick(settingsPatch.keyof().options, room), initialSettings);

const seenByMembers = memberSettings.keyof().options;
const seenByHost = hostSettings.keyof().options;
const allSettings = [...seenByMembers, ...seenByHost];

const isEmpty = (settings: object): boolean => Object.keys(settings).length === 0;

/** Those of these names, where they are there. */
function pick<Some extends Partial<RoomSettings>, Name extends SettingName>(names: readonly Name[], from: Some) {
  const there = names.filter((name) => from[name] !== undefined);
  return Object.fromEntries(there.map((name) => [name, from[name]])) as unknown as Pick<Some, Name & keyof Some>;
}

/** Those of `patch` that `known` does not have. */
function differing(patch: Partial<RoomSettings>, known: RoomSettings): Partial<RoomSettings> {
  const names = allSettings.filter((name) => JSON.stringify(patch[name]) !== JSON.stringify(known[name]));
  return pick(names, patch);
}
