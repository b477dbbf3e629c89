/**
 * Handing a room over. Everything that hangs on the host is changed in the write that makes another person the host:
 * who follows the host's stream, who has the controls, since when the host is away, and who is no longer welcome.
 */
import { ownRemote, refusalToTakeOver } from '@tunemate/domain';
import {
  type HandOver,
  hostStream,
  limits,
  type Payload,
  type Result,
  roomStream,
  type TabId,
  type Uid,
  userStream,
} from '@tunemate/protocol';
import type { Handlers, Member, RoomRow, RoomStreams } from '../../access/subjects.ts';
import { giveControl } from '../../playback/playback-document.ts';
import { occupancyOf } from '../../presence/connections-store.ts';
import { mayHost } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import { type Db, type RoomRef, roomTables } from '../../storage/schema.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { type EndingDeps, giveUpMembership } from '../lifecycle/room-endings.ts';
import { isMember, liveRoomsHostedBy, noOffer, setRoom } from '../lifecycle/rooms-store.ts';
import { removeGuest } from './moderation.ts';
import { changeSettings } from './settings.ts';

type HandOverDeps = Pick<EndingDeps, 'log' | 'guestsChanged' | 'hearing'>;

export function handOverService(deps: HandOverDeps) {
  async function offer(
    { caller, write }: Member,
    { uid, leaves }: Payload<'rooms/offerHosting'>,
  ): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if (uid === caller.uid) return refuse('input/invalid');
      if (!(await isMember(writing.db, room, uid))) return refuse('access/not-found');
      await putOffer(writing, room, { to: uid, untilMs: writing.nowMs + limits.handOverMs, leaves });
      return accept({});
    });
  }

  async function takeBack({ write }: Member): Promise<Result<Nothing>> {
    return await write([], async (writing, { room }) => {
      if (room.offer !== null) await putOffer(writing, room, null);
      return accept({});
    });
  }

  async function answer(
    { caller, write }: Member,
    { takes, tabId }: Payload<'rooms/answerHosting'>,
  ): Promise<Result<Nothing>> {
    // The caller's own stream is held as in `rooms/create`, so that the caller gets no sixth room meanwhile.
    const streams: RoomStreams = ({ roomId }) => [hostStream(roomId), userStream(caller.uid)];
    return await write(streams, async (writing, { room }) => {
      const liveRooms = takes ? (await liveRoomsHostedBy(writing.db, caller.uid)).length : 0;
      const code = refusalToTakeOver({ offer: room.offer, uid: caller.uid, liveRooms, nowMs: writing.nowMs });
      if (code) return refuse(code);
      if (takes) return await handOver(deps, writing, room, { host: caller.uid, tabId });
      await putOffer(writing, room, null);
      return accept({});
    });
  }

  return {
    handlers: {
      'rooms/offerHosting': offer,
      'rooms/takeBackHosting': takeBack,
      'rooms/answerHosting': answer,
    } satisfies Partial<Handlers>,
  };
}

async function putOffer(writing: Writing, room: RoomRow, handOver: HandOver | null): Promise<void> {
  const offer = handOver && {
    offered_to: handOver.to,
    offered_until_ms: handOver.untilMs,
    leaves_when_taken: handOver.leaves ? 1 : 0,
  };
  await setRoom(writing.db, room, offer ?? noOffer);
  await writing.append(roomStream(room.roomId), { type: 'rooms/handOver', handOver });
}

async function handOver(
  deps: HandOverDeps,
  writing: Writing,
  room: RoomRow,
  to: { host: Uid; tabId: TabId },
): Promise<Result<Nothing>> {
  const { host, tabId } = to;
  const { db, nowMs } = writing;
  // What ends an account, or disables it, ends its rooms once; a room taken over after that would never end.
  if (!(await mayHost(db, host))) return refuse('auth/required');
  const { isHere } = await occupancyOf(db, room, host);
  const hostAwaySince = isHere ? null : nowMs;
  await setRoom(db, room, { host, host_away_since_ms: hostAwaySince, is_host_warned: 0, ...noOffer });
  const change = { type: 'rooms/hostChanged', host, hostAwaySince } as const;
  await writing.append(roomStream(room.roomId), change);
  await writing.append(hostStream(room.roomId), change, { expels: room.host });
  // The new host has lent it to none, and is here in place of the house; one who is elsewhere is once they enter.
  await changeSettings(writing, room, isHere ? { ...ownRemote, housePlays: false } : ownRemote);
  const given = await giveControl(writing, room, tabId);
  if (!given.ok) return given;
  writing.afterCommit(() => deps.guestsChanged(room));
  const now = { ...room, ...ownRemote };
  if (room.offer?.leaves) await giveUpMembership(deps, writing, now, room.host);
  // In the room of another host a block removed no person; from now on it is the room of who set it.
  for (const blocked of await participantsBlockedBy(db, room, host))
    await removeGuest(deps, writing, now, blocked, 'for-now');
  deps.log.info({ kind: room.kind, roomId: room.roomId, from: room.host, to: host }, 'room.handed-over');
  return accept({});
}

/** The participants whom this person has blocked. */
async function participantsBlockedBy(db: Db, { kind, roomId }: RoomRef, uid: Uid): Promise<Uid[]> {
  const rows = await db
    .selectFrom(roomTables[kind].participants)
    .select('uid')
    .where('room_id', '=', roomId)
    .where('uid', 'in', (inner) => inner.selectFrom('blocks').select('blocked').where('blocks.uid', '=', uid))
    .orderBy('uid')
    .execute();
  return rows.map((row) => row.uid as Uid);
}
