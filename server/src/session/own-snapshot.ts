/**
 * The snapshot of a person's own state, as of one number of their stream. Snapshots asked for at one moment are read
 * together.
 */
import { mergeLists } from '@tunemate/domain';
import type { Hearing, Result, RoomKind, Uid, UserDocument, UserSnapshot } from '@tunemate/protocol';
import { unreadOf } from '../chats/chat-list-store.ts';
import { inboxesOf } from '../notifications/notifications-store.ts';
import { partedSince, withoutPresenceOverBlock } from '../people/blocks.ts';
import { cardsOf } from '../storage/people.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { gather } from '../system/gather.ts';
import { accept, type Clock, refuse } from '../system/ports.ts';
import { entriesOfPeople } from '../tunemates/tunemates.ts';

type Lists = Pick<UserDocument, 'tunemates' | 'audioConnections'>;
type OwnAccount = Omit<UserDocument, keyof Lists>;

/** What a person sees of other people, and of what waits for them. */
export interface OwnPeople extends Pick<
  UserSnapshot,
  'soulmate' | 'tunemates' | 'hears' | 'notifications' | 'asked' | 'unreadChats' | 'chatsWaiting'
> {
  lists: Lists;
}

export interface OwnSnapshotDeps {
  record: StreamRecord;
  clock: Clock;
  /** The accounts of those of these sessions that still hold, by session. */
  accountsOf: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, OwnAccount>>;
  shownTo: ShownTo;
}

/** What is shown to each of these people of what others hear. */
type ShownTo = (db: Db, uids: readonly Uid[]) => Promise<ReadonlyMap<Uid, Hearing[]>>;

/** Answers the snapshot as of `seq`, or auth/required once the session or the account has ended. */
export function userSnapshotReader({ record: { db }, clock, accountsOf, shownTo }: OwnSnapshotDeps) {
  const read = gather(
    async (all: readonly { sessionId: string }[]) => {
      const accounts = await accountsOf(all.map(({ sessionId }) => sessionId));
      const byUid = new Map(Array.from(accounts.values(), (account) => [account.uid, account]));
      const people = await ownPeopleOf(db, [...byUid.values()], shownTo);
      return all.map(({ sessionId }) => {
        const account = accounts.get(sessionId);
        const own = account && people.get(account.uid);
        return own ? { account, own } : null;
      });
    },
    { waitsForCrowd: true },
  );

  /** `seq` was read before: a change made while reading is delivered again, and applying it twice is safe. */
  return async (who: { sessionId: string }, seq: number): Promise<Result<UserSnapshot>> => {
    const found = await read(who);
    if (!found) return refuse('auth/required');
    const { lists, ...own } = found.own;
    // A person who reads their own snapshot is online, whatever was published last.
    return accept({ seq, user: { ...found.account, ...lists, online: true }, ...own, serverNowMs: clock.now() });
  };
}

/** What each of these people sees of others, in the same few statements for any number of them. */
export async function ownPeopleOf(
  db: Db,
  who: readonly { uid: Uid; soulmate: Uid | null }[],
  shownTo: ShownTo,
): Promise<ReadonlyMap<Uid, OwnPeople>> {
  if (who.length === 0) return new Map();
  const uids = who.map(({ uid }) => uid);
  const entries = Map.groupBy(await entriesOfPeople(db, uids), ({ uid }) => uid);
  const seen = new Set([...entries.values()].flat().map(({ mate }) => mate));
  for (const { soulmate } of who) if (soulmate !== null) seen.add(soulmate);
  const { cards, isOneHeard } = await cardsOf(db, [...seen]);
  const hears = isOneHeard ? await shownTo(db, uids) : new Map<Uid, Hearing[]>();
  const parted = seen.size === 0 ? new Map() : await partedSince(db, uids);
  const inboxes = await inboxesOf(db, uids);
  const inChats = await unreadOf(db, uids);
  return new Map(
    who.map(({ uid, soulmate }) => {
      const card = (other: Uid | null) => {
        const person = other === null ? undefined : cards.get(other);
        return person ? withoutPresenceOverBlock(parted, uid, person) : null;
      };
      const own = entries.get(uid) ?? [];
      const ofKind = (kind: RoomKind) => own.filter((entry) => entry.kind === kind).map(({ mate }) => mate);
      const { notifications = [], asked = [] } = inboxes.get(uid) ?? {};
      const { unread, waiting } = inChats.get(uid) ?? { unread: 0, waiting: 0 };
      return [
        uid,
        {
          lists: { tunemates: ofKind('video'), audioConnections: ofKind('audio') },
          soulmate: card(soulmate),
          tunemates: mergeLists(own).flatMap(({ uid: mate, metIn }) => {
            const person = card(mate);
            return person ? [{ ...person, metIn }] : [];
          }),
          ...(hears.has(uid) && { hears: hears.get(uid) }),
          notifications,
          asked,
          unreadChats: unread,
          ...(waiting > 0 && { chatsWaiting: waiting }),
        },
      ];
    }),
  );
}
