/**
 * Inviting to listen, and reading and clearing the own inbox. The server sets sender, type and time.
 */
import { invitationLetsInMs, invitationMessage, refusalToInvite } from '@tunemate/domain';
import { type Notification, userStream, type Payload, type StreamId, type Uid, type Result } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Pair, RoomRow } from '../access/subjects.ts';
import { accept, type Notify, refuse } from '../system/ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { once } from '../storage/idempotency.ts';
import { peopleOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { type NewNotification, withdraw } from './inbox.ts';
import { findNotification, markAllRead } from './notifications-store.ts';

type Db = Kysely<Schema>;
type Nothing = Record<string, never>;
type NamedRoom = Payload<'notifications/invite'>['room'];

export interface NotificationsDeps {
  record: StreamRecord;
  /** Within a write that holds `streamsOfDelivery`. */
  deliver: (writing: Writing, recipient: Uid, news: NewNotification, roomId?: RoomRow['roomId']) => Promise<void>;
  streamsOfDelivery: (db: Db, recipient: Uid) => Promise<readonly StreamId[]>;
  /** True when `mate` is on one of uid's lists. */
  isTunemate: (db: Db, uid: Uid, mate: Uid) => Promise<boolean>;
  soulmateOf: (db: Db, uid: Uid) => Promise<Uid | null>;
  /** True when either of the two has blocked the other. */
  isBlockedBetween: (db: Db, a: Uid, b: Uid) => Promise<boolean>;
  /** The live room this person is in as a member, in whichever tab; null for none. */
  currentRoomOf: (db: Db, caller: Caller) => Promise<RoomRow | null>;
  /** The live room of this name that this person is a member of. */
  roomOf: (db: Db, uid: Uid, named: NonNullable<NamedRoom>) => Promise<RoomRow | null>;
  /** A soulmate request of this person has ended; the write holds their stream. */
  tellAsked: (writing: Writing, uid: Uid) => Promise<void>;
  /** Notes who was invited to the room: by its host, whose invitation lets in, or by a guest (null). */
  saveInvitation: (db: Db, roomId: RoomRow['roomId'], uid: Uid, byHostAtMs: number | null) => Promise<void>;
  notify: Notify;
}

export function notificationsService(deps: NotificationsDeps) {
  const { record } = deps;

  async function invite(
    { caller, other, write }: Pair,
    { clientId, room }: Payload<'notifications/invite'>,
  ): Promise<Result<Nothing>> {
    const streams = (db: Db) => deps.streamsOfDelivery(db, other);
    return await write(streams, (writing) =>
      once(
        writing,
        caller.uid,
        clientId,
        ['notifications/invite', other, ...(room ? [room.kind, room.code] : [])],
        () => inviteInside(writing, caller, other, room),
      ),
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
      isMine: (await deps.isTunemate(db, me.uid, uid)) || (await deps.soulmateOf(db, me.uid)) === uid,
      isBlocked: await deps.isBlockedBetween(db, me.uid, uid),
    });
    if (code) return refuse(code);
    const room = named ? await deps.roomOf(db, caller.uid, named) : await deps.currentRoomOf(db, caller);
    if (named && !room) return refuse('room/not-member');
    const byHostAtMs = room?.host === me.uid ? writing.nowMs : null;
    if (room) await deps.saveInvitation(db, room.roomId, uid, byHostAtMs);
    const invitation = {
      type: 'now-playing',
      message: invitationMessage(me.name, room?.name ?? null),
      senderName: me.name,
      senderUid: me.uid,
      room: room && shownOf(room, byHostAtMs),
    } as const;
    await deps.deliver(writing, uid, invitation, room?.roomId);
    const letsInto = room && byHostAtMs !== null ? { kind: room.kind, code: room.code } : null;
    writing.afterCommit(() => deps.notify(uid, { type: 'invitation', uid: me.uid, name: me.name, room: letsInto }));
    return accept({});
  }

  async function dismiss(caller: Caller, { id }: Payload<'notifications/dismiss'>): Promise<Result<Nothing>> {
    const streams = async (db: Db) => {
      const notice = await findNotification(db, caller.uid, id);
      return [caller.uid, ...(notice ? [notice.senderUid] : [])].map((uid) => userStream(uid));
    };
    return await record.write(streams, async (writing) => {
      const notice = await findNotification(writing.db, caller.uid, id);
      if (!notice) return refuse('access/not-found');
      await withdraw(writing, caller.uid, id);
      if (notice.type === 'soulmate') await deps.tellAsked(writing, notice.senderUid);
      return accept({});
    });
  }

  async function markRead(caller: Caller): Promise<Result<Nothing>> {
    return await record.write([userStream(caller.uid)], async (writing) => {
      if ((await markAllRead(writing.db, caller.uid)) > 0) {
        await writing.append(userStream(caller.uid), { type: 'notifications/read' });
      }
      return accept({});
    });
  }

  return {
    handlers: {
      'notifications/invite': invite,
      'notifications/dismiss': dismiss,
      'notifications/markRead': markRead,
    } satisfies Partial<Handlers>,
  };
}

function shownOf({ kind, code, name }: RoomRow, byHostAtMs: number | null): NonNullable<Notification['room']> {
  const letsInUntil = byHostAtMs === null ? null : byHostAtMs + invitationLetsInMs;
  return { kind, code, name, letsInUntil, hasEnded: false };
}
