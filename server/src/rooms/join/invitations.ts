/**
 * Inviting a friend to listen: to a named room, to the room that the inviter is in, or to none. A guest who was invited
 * by the host of a room enters it without asking. Every query takes the database or transaction to use.
 */
import { invitationLetsInMs, refusalToInvite } from '@tunemate/domain';
import {
  type Notification,
  type Payload,
  type Result,
  type RoomId,
  roomKinds,
  type Uid,
  type UserCard,
} from '@tunemate/protocol';
import type { Handlers, Pair, RoomRow } from '../../access/subjects.ts';
import { deliver, type DeliveryDeps, streamsOfDelivery } from '../../notifications/notifications.ts';
import { isBlockedBetween } from '../../people/blocks.ts';
import { isFriend } from '../../people/ties.ts';
import { roomsOfPerson } from '../../presence/connections-store.ts';
import type { Caller } from '../../access/caller.ts';
import { once } from '../../storage/idempotency.ts';
import { peopleOf } from '../../storage/people.ts';
import type { Writing } from '../../storage/record.ts';
import { type Db, type RoomRef, roomTables } from '../../storage/schema.ts';
import { accept, type Nothing, refuse } from '../../system/ports.ts';
import { roomById } from '../lifecycle/rooms-store.ts';
import { membershipByCode } from '../members/membership.ts';

type NamedRoom = Payload<'notifications/invite'>['room'];

export function invitationsService(deps: DeliveryDeps) {
  async function invite(
    { caller, other, write }: Pair,
    { clientId, room }: Payload<'notifications/invite'>,
  ): Promise<Result<Nothing>> {
    const asked = ['notifications/invite', other, ...(room ? [room.kind, room.code] : [])];
    return await write(
      (db) => streamsOfDelivery(db, other),
      (writing) => once(writing, caller.uid, clientId, asked, () => inviteInside(writing, caller, other, room)),
    );
  }

  async function inviteInside(writing: Writing, caller: Caller, uid: Uid, named: NamedRoom): Promise<Result<Nothing>> {
    const { db } = writing;
    const people = await peopleOf(db, [caller.uid, uid]);
    const me = people.get(caller.uid);
    if (!me) return refuse('auth/required');
    const code = refusalToInvite({
      isSelf: caller.uid === uid,
      exists: people.has(uid),
      isMine: await isFriend(db, me.uid, uid),
      isBlocked: await isBlockedBetween(db, me.uid, uid),
    });
    if (code) return refuse(code);
    const room = named ? await liveRoomOfMember(db, caller.uid, named) : await currentRoomOf(db, caller);
    if (named && !room) return refuse('room/not-member');
    await deliverInvitation(deps, writing, me, uid, room);
    return accept({});
  }

  return { handlers: { 'notifications/invite': invite } satisfies Partial<Handlers> };
}

type InvitedTo = Pick<RoomRow, 'kind' | 'roomId' | 'code' | 'name' | 'host'>;

/** Stores and delivers an invitation that is allowed, within a write that holds `streamsOfDelivery` of this person. */
export async function deliverInvitation(
  deps: DeliveryDeps,
  writing: Writing,
  me: UserCard,
  uid: Uid,
  room: InvitedTo | null,
): Promise<void> {
  const byHostAtMs = room?.host === me.uid ? writing.nowMs : null;
  if (room) await saveInvitation(writing.db, room.roomId, uid, byHostAtMs);
  const invitation = {
    type: 'now-playing',
    senderName: me.name,
    senderUid: me.uid,
    room: room && shownOf(room, byHostAtMs),
  } as const;
  await deliver(writing, deps, uid, invitation, room?.roomId);
}

function shownOf({ kind, code, name }: InvitedTo, byHostAtMs: number | null): NonNullable<Notification['room']> {
  const letsInUntil = byHostAtMs === null ? null : byHostAtMs + invitationLetsInMs;
  return { kind, code, name, letsInUntil, hasEnded: false };
}

/** The live room that this person is in: that of the tab that asks before any other's. */
async function currentRoomOf(db: Db, caller: Caller): Promise<RoomRow | null> {
  for (const ref of await roomsOfPerson(db, caller.uid, caller.connectionId)) {
    const room = await roomById(db, ref);
    if (room?.isActive) return room;
  }
  return null;
}

/** The live room of this code, if this person is a member of it. */
async function liveRoomOfMember(db: Db, uid: Uid, { kind, code }: NonNullable<NamedRoom>): Promise<RoomRow | null> {
  const facts = await membershipByCode(db, kind, code, uid);
  return facts?.isInside && facts.room.isActive ? facts.room : null;
}

/** An invitation by a guest keeps an earlier one by the host. */
export async function saveInvitation(db: Db, roomId: RoomId, uid: Uid, byHostAtMs: number | null): Promise<void> {
  await db
    .insertInto('room_invitations')
    .values({ room_id: roomId, uid, by_host_at_ms: byHostAtMs })
    .onConflict((conflict) => {
      const same = conflict.columns(['room_id', 'uid']);
      return byHostAtMs === null ? same.doNothing() : same.doUpdateSet({ by_host_at_ms: byHostAtMs });
    })
    .execute();
}

/** All people who were invited to the room. */
export async function invitedTo(db: Db, roomId: RoomId): Promise<Uid[]> {
  const rows = await db.selectFrom('room_invitations').select('uid').where('room_id', '=', roomId).execute();
  return rows.map(({ uid }) => uid as Uid);
}

export async function forgetInvitation(db: Db, roomId: RoomId, uid: Uid): Promise<void> {
  await db.deleteFrom('room_invitations').where('room_id', '=', roomId).where('uid', '=', uid).execute();
}

/** The live rooms to which this person is invited. */
export async function roomsInvitedTo(db: Db, uid: Uid): Promise<RoomRef[]> {
  const rooms = roomKinds.map(async (kind) => {
    const rows = await db
      .selectFrom('room_invitations')
      .innerJoin(`${roomTables[kind].rooms} as room`, 'room.room_id', 'room_invitations.room_id')
      .select('room.room_id')
      .where('uid', '=', uid)
      .where('room.is_active', '=', 1)
      .execute();
    return rows.map(({ room_id: roomId }) => ({ kind, roomId: roomId as RoomId }));
  });
  return (await Promise.all(rooms)).flat();
}

/** For a deleted account. */
export async function forgetInvitationsOf(db: Db, uid: Uid): Promise<void> {
  await db.deleteFrom('room_invitations').where('uid', '=', uid).execute();
}
