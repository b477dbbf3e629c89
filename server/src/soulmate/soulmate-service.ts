/**
 * Soulmates: asking, accepting, declining, parting (SOUL-14). Whoever touches a bond holds the own streams of
 * both people, so that competing accepts and partings happen one after the other.
 */
import { decideToBond, refusalToAsk, soulmateMessage } from '@tunemate/domain';
import { type Notification, ownStream, type Payload, type SoulmateCard, type Uid } from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Log, type Notify, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { keepAnswer, once } from '../storage/idempotency.ts';
import { isKnown, personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { bond, part as partInside, soulmateCardOf } from './bonding.ts';
import { bondSideOf, soulmateOf } from './soulmate-store.ts';

type Db = Kysely<Schema>;
type Nothing = Record<string, never>;

/** What this word needs of the inbox. `withdraw` and `deliver` want the recipient's own stream held. */
export interface SoulmateInbox {
  deliver: (writing: Writing, recipient: Uid, news: Omit<Notification, 'id' | 'timestamp' | 'isRead'>) => Promise<void>;
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
  notify: Notify;
}

const acceptName = 'soulmate/accept';

export function soulmateService(deps: SoulmateDeps) {
  const { record, log, inbox } = deps;

  async function ask(caller: Caller, { uid, clientId }: Payload<'soulmate/ask'>): Promise<Outcome<Nothing>> {
    if (!(await isKnown(record.db, uid))) return refuse('access/not-found');
    return await record.write([ownStream(caller.uid), ownStream(uid)], (writing) =>
      once(writing, caller.uid, clientId, ['soulmate/ask', uid], () => askInside(writing, caller.uid, uid)),
    );
  }

  async function askInside(writing: Writing, uid: Uid, asked: Uid): Promise<Outcome<Nothing>> {
    const { db } = writing;
    const me = await bondSideOf(db, uid);
    const person = await personOf(db, uid);
    if (!me || !person) return refuse('auth/required');
    const code = refusalToAsk({
      me,
      other: await bondSideOf(db, asked),
      isAcquainted: await deps.isAcquainted(db, uid, asked),
      isBlocked: await deps.isBlockedBetween(db, uid, asked),
    });
    if (code) return refuse(code);
    await inbox.deliver(writing, asked, {
      type: 'soulmate',
      message: soulmateMessage(person.name),
      senderName: person.name,
      senderUid: uid,
      room: null,
    });
    writing.afterCommit(() => deps.notify(asked, { type: 'soulmate', uid, name: person.name }));
    return accept({});
  }

  async function acceptRequest(
    caller: Caller,
    { id }: Payload<'soulmate/accept'>,
  ): Promise<Outcome<{ soulmate: SoulmateCard }>> {
    const me = caller.uid;
    const streams = async (db: Db) => {
      const notice = await inbox.find(db, me, id);
      return (notice ? [me, notice.senderUid] : [me]).map(ownStream);
    };
    return await record.write(streams, async (writing) => {
      // A second accept finds the first one's answer: the notification it names is gone by then.
      const accepted = await once(writing, me, id, acceptName, () => acceptInside(writing, me, id));
      if (!accepted.ok) return accepted;
      const soulmate = await soulmateCardOf(writing.db, me);
      return soulmate?.uid === accepted.value.sender ? accept({ soulmate }) : refuse('access/not-found');
    });
  }

  async function acceptInside(writing: Writing, uid: Uid, id: string): Promise<Outcome<{ sender: Uid }>> {
    const { db } = writing;
    const notice = await inbox.find(db, uid, id);
    const me = await bondSideOf(db, uid);
    if (!me || notice?.type !== 'soulmate') return refuse('access/not-found');
    const sender = notice.senderUid;
    const isBlocked = await deps.isBlockedBetween(db, uid, sender);
    const decision = decideToBond(me, await bondSideOf(db, sender), isBlocked);
    await inbox.withdraw(writing, uid, id);
    if (decision.type === 'refuse') return refuse(decision.code);
    if (decision.type === 'bond') {
      await bond(writing, uid, sender);
      await consumeCrossingRequest(writing, uid, sender);
      log.info({ a: uid, b: sender }, 'soulmate.bonded');
    }
    return accept({ sender });
  }

  /** The other had been asked too: that request is answered by the same bond, and accepting it finds that answer. */
  async function consumeCrossingRequest(writing: Writing, uid: Uid, sender: Uid): Promise<void> {
    const crossing = await inbox.findFrom(writing.db, sender, uid, 'soulmate');
    if (!crossing) return;
    await inbox.withdraw(writing, sender, crossing.id);
    await keepAnswer(writing, sender, crossing.id, acceptName, { sender: uid });
  }

  async function decline(caller: Caller, { id }: Payload<'soulmate/decline'>): Promise<Outcome<Nothing>> {
    return await record.write([ownStream(caller.uid)], async (writing) => {
      const notice = await inbox.find(writing.db, caller.uid, id);
      if (notice?.type !== 'soulmate') return refuse('access/not-found');
      await inbox.withdraw(writing, caller.uid, id);
      return accept({});
    });
  }

  /** Parts from the soulmate of the moment of asking; someone who came after is left alone. */
  async function part(caller: Caller): Promise<Outcome<Nothing>> {
    const soulmate = await soulmateOf(record.db, caller.uid);
    if (soulmate === null) return accept({});
    await record.write([ownStream(caller.uid), ownStream(soulmate)], (writing) =>
      partInside(writing, caller.uid, soulmate),
    );
    return accept({});
  }

  return { ask, accept: acceptRequest, decline, part };
}
export type SoulmateService = ReturnType<typeof soulmateService>;
