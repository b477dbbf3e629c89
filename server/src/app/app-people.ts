/**
 * Composes tunemates, soulmate, notifications and private chats. They do not import each other; what one needs of
 * another is passed in here.
 */
import { mergeLists } from '@tunemate/domain';
import { userStream, type EphemeralEvent, type RoomKind, type StreamId, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { RoomRow } from '../access/subjects.ts';
import type { AccountHook } from '../accounts/accounts-deps.ts';
import { deliver, streamsOfDelivery } from './app-inbox.ts';
import { type BlocksDeps, blocksService } from '../chats/blocks-service.ts';
import {
  forgetBlocksOf,
  isBlockedBetween,
  partedSince,
  withoutBlocks,
  withoutPresenceOverBlock,
} from '../chats/blocks-store.ts';
import { conversationsService } from '../chats/conversations-service.ts';
import { haveChat, unreadOf } from '../chats/conversations-store.ts';
import { messagesService } from '../chats/messages-service.ts';
import { ownBlocks, ownChats, ownPhotos } from '../chats/own-chats.ts';
import { pairResolver } from '../chats/pairs.ts';
import { receiptsService } from '../chats/receipts-service.ts';
import { forgetNotificationsOf, peopleNotifiedBy, withdraw, withdrawBetween } from '../notifications/inbox.ts';
import { notificationsService } from '../notifications/notifications-service.ts';
import {
  findNotification,
  findNotificationFrom,
  inboxesOf,
  notificationsOf,
} from '../notifications/notifications-store.ts';
import type { Ids, Log, Notify } from '../system/ports.ts';
import { roomsOfPerson } from '../presence/connections-store.ts';
import { markShownChanged } from '../presence/people-updates.ts';
import { knownBy } from '../presence/watchers-store.ts';
import type { Caller } from '../realtime/caller.ts';
import { saveInvitation } from '../rooms/join/invitations-store.ts';
import { membershipByCode } from '../rooms/members/membership-store.ts';
import { roomById } from '../rooms/lifecycle/rooms-store.ts';
import { tellAsked, toAsked } from '../soulmate/sent-requests.ts';
import { clearSoulmateOf, part, soulmateCardOf } from '../soulmate/soulmate-link.ts';
import { soulmateService } from '../soulmate/soulmate-service.ts';
import { leftBy, soulmateOf } from '../soulmate/soulmate-store.ts';
import type { OwnPeople } from '../session/own-snapshot.ts';
import { peopleOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { connect, disconnect, removeFromAllLists, peopleMetBy, tunematesOf } from '../tunemates/tunemate-lists.ts';
import { tunematesService } from '../tunemates/tunemates-service.ts';
import { entriesOfPeople, isTunemate } from '../tunemates/tunemates-store.ts';

type Db = Kysely<Schema>;

export interface PeopleDeps {
  record: StreamRecord;
  ids: Ids;
  log: Log;
  /** Sends an ephemeral event to all tabs of one person, on every process. */
  sendEphemeral: (to: StreamId, news: EphemeralEvent) => void;
  notify: Notify;
  /** The name or presence of this person has changed. */
  shownChanged: (uid: Uid) => void;
  /** Takes a blocked person out of the blocker's rooms. */
  dismissal: BlocksDeps['dismissal'];
}

/** The live room that this person is in: that of the tab that asks before any other's. */
async function currentRoomOf(db: Db, caller: Caller): Promise<RoomRow | null> {
  for (const ref of await roomsOfPerson(db, caller.uid, caller.connectionId)) {
    const room = await roomById(db, ref.kind, ref.roomId);
    if (room?.isActive) return room;
  }
  return null;
}

/** The live room of this code, where this person is in it. */
async function roomOf(db: Db, uid: Uid, { kind, code }: { kind: RoomKind; code: string }): Promise<RoomRow | null> {
  const facts = await membershipByCode(db, kind, code, uid);
  return facts?.isInside && facts.room.isActive ? facts.room : null;
}

/** Either has the other on a list, or they are soulmates: then the limit for strangers does not apply. */
async function areConnected(db: Db, a: Uid, b: Uid): Promise<boolean> {
  return (await isTunemate(db, a, b)) || (await isTunemate(db, b, a)) || (await soulmateOf(db, a)) === b;
}

/** Tunemates, and people one has a chat with, may be asked to be one's soulmate. */
async function isAcquainted(db: Db, uid: Uid, other: Uid): Promise<boolean> {
  return (await isTunemate(db, uid, other)) || (await haveChat(db, uid, other));
}

/** Who may see this person's presence beside the members of their rooms. */
async function watchersOf(db: Db, uid: Uid): Promise<Uid[]> {
  return await withoutBlocks(db, uid, (await knownBy(db, [uid])).get(uid) ?? []);
}

/** For a block: ends what ties two people to each other. The write holds the streams of both. */
async function untie(writing: Writing, one: Uid, other: Uid): Promise<void> {
  await part(writing, one, other);
  await disconnect(writing, one, other);
  for (const sender of await withdrawBetween(writing, one, other)) await tellAsked(writing, sender);
}

/** The person, and everyone whose lists, soulmate link or inbox change with the deletion. */
async function streamsOfRemoval(db: Db, uid: Uid): Promise<StreamId[]> {
  const beloved = await leftBy(db, uid);
  const others = [...(await peopleMetBy(db, uid)), ...(await peopleNotifiedBy(db, uid)), ...(beloved ? [beloved] : [])];
  return [uid, ...others].map((each) => userStream(each));
}

/** What these people see of others, read for all of them together. */
async function ownPeopleOf(
  db: Db,
  who: readonly { uid: Uid; soulmate: Uid | null }[],
): Promise<ReadonlyMap<Uid, OwnPeople>> {
  if (who.length === 0) return new Map();
  const uids = who.map(({ uid }) => uid);
  const entries = Map.groupBy(await entriesOfPeople(db, uids), ({ uid }) => uid);
  const seen = new Set([...entries.values()].flat().map(({ mate }) => mate));
  for (const { soulmate } of who) if (soulmate !== null) seen.add(soulmate);
  const cards = await peopleOf(db, [...seen]);
  const parted = seen.size === 0 ? new Map() : await partedSince(db, uids);
  const inboxes = await inboxesOf(db, uids);
  const unread = await unreadOf(db, uids);
  return new Map(
    who.map(({ uid, soulmate }) => {
      const card = (other: Uid | null) => {
        const person = other === null ? undefined : cards.get(other);
        return person ? withoutPresenceOverBlock(parted, uid, person) : null;
      };
      const own = entries.get(uid) ?? [];
      const ofKind = (kind: RoomKind) => own.filter((entry) => entry.kind === kind).map(({ mate }) => mate);
      const { notifications = [], asked = [] } = inboxes.get(uid) ?? {};
      return [
        uid,
        {
          lists: { tunemates: ofKind('video'), audioConnections: ofKind('audio') },
          soulmate: card(soulmate),
          tunemates: mergeLists(own).flatMap(({ uid: mate, metIn }) => {
            const person = card(mate);
            return person ? [{ ...person, metIn }] : [];
          }),
          notifications,
          asked: toAsked(asked),
          unreadChats: unread.get(uid) ?? 0,
        },
      ];
    }),
  );
}

/** What the deletion of an account removes, and what its export contains. */
const accountHookOf = ({ record, shownChanged }: PeopleDeps): AccountHook => ({
  /** Removes both sides of every link of the account. Chats stay: their other people are notified after the commit. */
  onDeleting: async (uid) =>
    await record.write(
      (db) => streamsOfRemoval(db, uid),
      async (writing) => {
        await removeFromAllLists(writing, uid);
        await clearSoulmateOf(writing, uid);
        for (const asker of await forgetNotificationsOf(writing, uid)) await tellAsked(writing, asker);
        await forgetBlocksOf(writing.db, uid);
        writing.afterCommit(() => shownChanged(uid));
      },
    ),
  /** Other people who know them are notified after the commit. */
  onRenaming: async (writing, uid) => {
    await markShownChanged(writing.db, uid, writing.nowMs);
    writing.afterCommit(() => shownChanged(uid));
  },
  exports: {
    blocked: (uid) => ownBlocks(record.db, uid),
    chats: (uid, origin) => ownChats(record.db, uid, origin),
    photos: (uid, origin) => ownPhotos(record.db, uid, origin),
    tunemates: async (uid) => (await tunematesOf(record.db, uid)).map(({ presence: _presence, ...mate }) => mate),
    soulmate: async (uid) => {
      const card = await soulmateCardOf(record.db, uid);
      return card && { uid: card.uid, name: card.name };
    },
    notifications: (uid) => notificationsOf(record.db, uid),
  },
});

export function createPeople(deps: PeopleDeps) {
  const { record, ids, log, sendEphemeral, notify, dismissal } = deps;
  const tunemates = tunematesService();
  const notifications = notificationsService({
    record,
    deliver: (writing, ...news) => deliver(writing, ids, ...news),
    streamsOfDelivery,
    isTunemate,
    soulmateOf,
    isBlockedBetween,
    currentRoomOf,
    roomOf,
    tellAsked,
    saveInvitation,
    notify,
  });
  const soulmate = soulmateService({
    record,
    log,
    inbox: {
      deliver: (writing, recipient, news) => deliver(writing, ids, recipient, news),
      streamsOfDelivery,
      withdraw,
      find: findNotification,
      findFrom: findNotificationFrom,
    },
    isAcquainted,
    isBlockedBetween,
    tunematesOf: async (db, uid) => (await tunematesOf(db, uid)).map((mate) => mate.uid),
    notify,
  });

  const messages = messagesService({ record, log, areConnected, notify });
  const conversations = conversationsService({ record, isTunemate, soulmateOf });
  const receipts = receiptsService({ record, tell: (to, news) => sendEphemeral(userStream(to), news) });
  const blocks = blocksService({ record, watchersOf, untie, dismissal });

  return {
    meet: connect,
    ownPeopleOf,
    handlers: {
      ...tunemates.handlers,
      ...notifications.handlers,
      ...soulmate.handlers,
      ...messages.handlers,
      ...conversations.handlers,
      ...receipts.handlers,
      ...blocks.handlers,
    },
    resolve: pairResolver(record),
    accountHook: accountHookOf(deps),
  };
}
