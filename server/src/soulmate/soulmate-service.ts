/**
 * Soulmates: asking, taking a request back, accepting, declining, parting. Every write of a link holds the streams of
 * both people, so that competing accepts and partings happen one after the other.
 */
import { decideToAccept, refusalToAsk, soulmateMessage } from '@tunemate/domain';
import {
  type Notification,
  userStream,
  type Payload,
  type SoulmateCard,
  type StreamId,
  type Uid,
  type Result,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Pair } from '../access/subjects.ts';
import { accept, type Log, type Notify, refuse } from '../system/ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { keepAnswer, once } from '../storage/idempotency.ts';
import { personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { tellAsked } from './sent-requests.ts';
import { linkSoulmates, part as partInside, soulmateCardOf } from './soulmate-link.ts';
import { soulmateSideOf, soulmateOf, takenAmong } from './soulmate-store.ts';

type Db = Kysely<Schema>;
type Nothing = Record<string, never>;

/** What soulmates need of the inbox. For `withdraw` and `deliver` the write must hold the recipient's stream. */
export interface SoulmateInbox {
  /** Holding also what `streamsOfDelivery` names. */
  deliver: (writing: Writing, recipient: Uid, news: Omit<Notification, 'id' | 'timestamp' | 'isRead'>) => Promise<void>;
  streamsOfDelivery: (db: Db, recipient: Uid) => Promise<readonly StreamId[]>;
  withdraw: (writing: Writing, recipient: Uid, id: string) => Promise<void>;
  find: (db: Db, uid: Uid, id: string) => Promise<Notification | null>;
  findFrom: (db: Db, uid: Uid, sender: Uid, type: Notification['type']) => Promise<Notification | null>;
}

export interface SoulmateDeps {
  record: StreamRecord;
  log: Log;
  inbox: SoulmateInbox;
  /** `other` is on one of uid's lists, or the two have a chat. */
  isAcquainted: (db: Db, uid: Uid, other: Uid) => Promise<boolean>;
  /** True when either of the two has blocked the other. */
  isBlockedBetween: (db: Db, a: Uid, b: Uid) => Promise<boolean>;
  /** Everybody on this person's lists. */
  tunematesOf: (db: Db, uid: Uid) => Promise<Uid[]>;
  notify: Notify;
}

const acceptName = 'soulmate/accept';

export function soulmateService(deps: SoulmateDeps) {
  const { record, log, inbox } = deps;

  async function ask({ caller, other, write }: Pair, { clientId }: Payload<'soulmate/ask'>): Promise<Result<Nothing>> {
    const streams = (db: Db) => inbox.streamsOfDelivery(db, other);
    return await write(streams, (writing) =>
      once(writing, caller.uid, clientId, ['soulmate/ask', other], () => askInside(deps, writing, caller.uid, other)),
    );
  }

  async function acceptRequest(
    caller: Caller,
    { id }: Payload<'soulmate/accept'>,
  ): Promise<Result<{ soulmate: SoulmateCard }>> {
    const me = caller.uid;
    return await record.write(streamsOfNotice(inbox, me, id), async (writing) => {
      // A second accept gets the answer of the first: the notification it names has been removed by then.
      const accepted = await once(writing, me, id, acceptName, () => acceptInside(writing, me, id));
      if (!accepted.ok) return accepted;
      const soulmate = await soulmateCardOf(writing.db, me);
      return soulmate?.uid === accepted.value.sender ? accept({ soulmate }) : refuse('access/not-found');
    });
  }

  async function acceptInside(writing: Writing, uid: Uid, id: string): Promise<Result<{ sender: Uid }>> {
    const { db } = writing;
    const notice = await inbox.find(db, uid, id);
    const me = await soulmateSideOf(db, uid);
    if (!me || notice?.type !== 'soulmate') return refuse('access/not-found');
    const sender = notice.senderUid;
    const isBlocked = await deps.isBlockedBetween(db, uid, sender);
    const decision = decideToAccept(me, await soulmateSideOf(db, sender), isBlocked);
    await inbox.withdraw(writing, uid, id);
    await tellAsked(writing, sender);
    if (decision.type === 'refuse') return refuse(decision.code);
    if (decision.type === 'bond') {
      await linkSoulmates(writing, uid, sender);
      await consumeCrossingRequest(deps, writing, uid, sender);
      log.info({ a: uid, b: sender }, 'soulmate.linked');
    }
    return accept({ sender });
  }

  async function decline(caller: Caller, { id }: Payload<'soulmate/decline'>): Promise<Result<Nothing>> {
    return await record.write(streamsOfNotice(inbox, caller.uid, id), async (writing) => {
      const notice = await inbox.find(writing.db, caller.uid, id);
      if (notice?.type !== 'soulmate') return refuse('access/not-found');
      await inbox.withdraw(writing, caller.uid, id);
      await tellAsked(writing, notice.senderUid);
      return accept({});
    });
  }

  /** Ends the link with the soulmate at the time of the request, not with a later one. */
  async function part(caller: Caller): Promise<Result<Nothing>> {
    const soulmate = await soulmateOf(record.db, caller.uid);
    if (soulmate === null) return accept({});
    await record.write([userStream(caller.uid), userStream(soulmate)], (writing) =>
      partInside(writing, caller.uid, soulmate),
    );
    return accept({});
  }

  return {
    handlers: {
      'soulmate/ask': ask,
      'soulmate/accept': acceptRequest,
      'soulmate/decline': decline,
      'soulmate/takeBack': (pair) => takeBack(inbox, pair),
      'soulmate/taken': async ({ uid }) =>
        accept({ uids: await takenAmong(record.db, await deps.tunematesOf(record.db, uid)) }),
      'soulmate/part': part,
    } satisfies Partial<Handlers>,
  };
}

/** The streams of both people of a request. */
const streamsOfNotice = (inbox: SoulmateInbox, uid: Uid, id: string) => async (db: Db) => {
  const notice = await inbox.find(db, uid, id);
  return (notice ? [uid, notice.senderUid] : [uid]).map(userStream);
};

async function takeBack(inbox: SoulmateInbox, { caller, other, write }: Pair): Promise<Result<Nothing>> {
  return await write([], async (writing) => {
    const notice = await inbox.findFrom(writing.db, other, caller.uid, 'soulmate');
    if (notice) await inbox.withdraw(writing, other, notice.id);
    // Told all the same: whoever takes back what is gone was shown it.
    await tellAsked(writing, caller.uid);
    return accept({});
  });
}

async function askInside(deps: SoulmateDeps, writing: Writing, uid: Uid, asked: Uid): Promise<Result<Nothing>> {
  const { db } = writing;
  const me = await soulmateSideOf(db, uid);
  const person = await personOf(db, uid);
  if (!me || !person) return refuse('auth/required');
  const code = refusalToAsk({
    me,
    other: await soulmateSideOf(db, asked),
    isAcquainted: await deps.isAcquainted(db, uid, asked),
    isBlocked: await deps.isBlockedBetween(db, uid, asked),
  });
  if (code) return refuse(code);
  await deps.inbox.deliver(writing, asked, {
    type: 'soulmate',
    message: soulmateMessage(person.name),
    senderName: person.name,
    senderUid: uid,
    room: null,
  });
  await tellAsked(writing, uid);
  writing.afterCommit(() => deps.notify(asked, { type: 'soulmate', uid, name: person.name }));
  return accept({});
}

/** Both had asked each other: the link answers the other request too, and accepting that one gets the same answer. */
async function consumeCrossingRequest({ inbox }: SoulmateDeps, writing: Writing, uid: Uid, sender: Uid): Promise<void> {
  const crossing = await inbox.findFrom(writing.db, sender, uid, 'soulmate');
  if (!crossing) return;
  await inbox.withdraw(writing, sender, crossing.id);
  await tellAsked(writing, uid);
  await keepAnswer(writing, sender, crossing.id, acceptName, { sender: uid });
}
