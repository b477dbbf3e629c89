import { pairIdOf } from '@tunemate/domain';
import { userStream, type Payload, type PrivateMessage, type Uid } from '@tunemate/protocol';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId } from '@tunemate/testkit/answers';
import { callerOf } from '@tunemate/testkit/worlds/people';
import { openPeopleWorld, type PeopleWorld } from '@tunemate/testkit/worlds/people-world';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markDeleted } from '../accounts/users-store.ts';
import { append } from '../tunemates/tunemates.ts';

const refused = (code: string) => ({ ok: false, error: { code } });
const dayMs = 24 * 60 * 60 * 1000;

describeEachDialect('sending private messages', (makeDatabaseUrl, dialect) => {
  let world: PeopleWorld;
  beforeAll(async () => {
    world = await openPeopleWorld(makeDatabaseUrl, dialect, { processes: 3 });
  });
  afterAll(() => world.close());

  type Extra = Partial<Payload<'chats/send'>> & { process?: number };
  const send = (from: Uid, to: Uid, text = 'hello', { process = 0, ...extra }: Extra = {}) => {
    const { handlers } = world.processes[process % world.processes.length] ?? world;
    return handlers['chats/send'](callerOf(from), { uid: to, text, clientId: newClientId(), ...extra });
  };
  const sent = async (...args: Parameters<typeof send>): Promise<PrivateMessage> => {
    const outcome = await send(...args);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.message;
  };
  const history = async (uid: Uid, other: Uid) => {
    const opened = await world.handlers['chats/open'](callerOf(uid), { uid: other });
    return opened.ok ? opened.value.messages : [];
  };
  async function friends(): Promise<[Uid, Uid]> {
    const [ada, bob] = [await world.addPerson('Ada'), await world.addPerson('Bob')];
    await append(world.record.db, 'video', [{ uid: ada, mate: bob }], 0);
    return [ada, bob];
  }

  describe('exactly once', () => {
    test('stores number, sender and time of the server, and sends the message to both (CHAT-7)', async () => {
      const [ada, bob] = await friends();
      const clientId = newClientId();
      const message = await sent(ada, bob, 'hello', { clientId });
      const pairId = pairIdOf(ada, bob);
      const timestamp = world.clock.now();
      expect(message).toMatchObject({
        pairId,
        number: 1,
        clientId,
        sender: ada,
        text: 'hello',
        image: null,
        timestamp,
      });
      expect(await world.changesOf(ada)).toEqual([
        { type: 'chats/messageSent', message, other: { uid: bob, name: 'Bob' } },
      ]);
      expect(await world.changesOf(bob)).toEqual([
        { type: 'chats/messageSent', message, other: { uid: ada, name: 'Ada' } },
      ]);
    });

    test('answers the same message to the same client id, at once and long after (CHAT-8)', async () => {
      const [ada, bob] = await friends();
      const clientId = newClientId();
      const again = (process: number) => sent(ada, bob, 'once', { clientId, process });
      const answers = await Promise.all([again(0), again(1), again(2), again(1)]);
      world.clock.advance(30 * dayMs);
      answers.push(await again(0));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(await history(bob, ada)).toEqual([answers[0]]);
      expect(await world.record.head(userStream(bob))).toBe(1);
    });

    test('refuses the same client id with another text or another person (CHAT-8)', async () => {
      const [ada, bob] = await friends();
      const clientId = newClientId();
      await sent(ada, bob, 'once', { clientId });
      expect(await send(ada, bob, 'twice', { clientId })).toEqual(refused('input/conflict'));
      expect(await send(ada, await world.addPerson(), 'once', { clientId })).toEqual(refused('input/conflict'));
      expect(await send(bob, ada, 'mine', { clientId })).toMatchObject({ ok: true });
    });

    test('numbers messages of both without a gap when they write at once (CHAT-7)', async () => {
      const [ada, bob] = await friends();
      const texts = Array.from({ length: 24 }, (_, index) => `message ${index}`);
      await Promise.all(
        texts.map((text, process) =>
          process % 2 ? send(ada, bob, text, { process }) : send(bob, ada, text, { process }),
        ),
      );
      const messages = await history(ada, bob);
      expect(messages.map(({ number }) => number)).toEqual(texts.map((_, index) => index + 1));
      expect(messages.map(({ text }) => text).sort()).toEqual(texts.toSorted());
      for (const uid of [ada, bob]) {
        const sent = (await world.changesOf(uid)).flatMap((change) =>
          change.type === 'chats/messageSent' ? [change.message] : [],
        );
        expect(sent).toEqual(messages);
      }
    });

    test('never dates a message before the one it follows (CHAT-9)', async () => {
      const [ada, bob] = await friends();
      const first = await sent(ada, bob);
      world.clock.advance(-60_000);
      expect((await sent(bob, ada)).timestamp).toBe(first.timestamp);
      world.clock.advance(60_000);
    });

    test('returns text as it was written (CHAT-7)', async () => {
      const [ada, bob] = await friends();
      for (const text of ['<svg onload=alert(1)>', '👩‍👩‍👧 \u2028 {{7*7}}', "'; drop table users; --"]) {
        expect((await sent(ada, bob, text)).text).toBe(text);
      }
      expect((await history(bob, ada)).map(({ text }) => text)[2]).toBe("'; drop table users; --");
    });
  });

  describe('recipients', () => {
    test('a message to oneself, without text, or to an unknown, unverified or deleted account is refused', async () => {
      const [ada, bob] = await friends();
      const unknown = 'z'.repeat(22) as Uid;
      expect(await send(ada, ada)).toEqual(refused('input/invalid'));
      expect(await send(ada, bob, '')).toEqual(refused('input/invalid'));
      expect(await send(ada, unknown)).toEqual(refused('access/not-found'));
      expect(await world.record.head(userStream(unknown))).toBe(0);
      const unverified = await world.addPerson();
      await world.record.db.updateTable('users').set({ email_verified: 0 }).where('uid', '=', unverified).execute();
      expect(await send(ada, unverified)).toEqual(refused('access/not-found'));
      await world.record.db.updateTable('users').set({ deleted_at_ms: 1 }).where('uid', '=', bob).execute();
      expect(await send(ada, bob)).toEqual(refused('access/not-found'));
    });

    test('an account that was deleted a moment ago sends nothing; what it had sent is answered as before', async () => {
      const [ada, bob] = await friends();
      const clientId = newClientId();
      const message = await sent(ada, bob, 'in time', { clientId });
      await markDeleted(world.record.db, ada, world.clock.now());
      expect(await send(ada, bob, 'too late')).toEqual(refused('auth/required'));
      expect(await history(bob, ada)).toEqual([message]);
      expect(await sent(ada, bob, 'in time', { clientId })).toEqual(message);
    });

    test('refuses messages between two users when either has blocked the other, and shows only the blocker who did it (CHAT-4)', async () => {
      const [ada, bob] = await friends();
      const block = (isBlocked: boolean) => world.handlers['chats/block'](callerOf(bob), { uid: ada, isBlocked });
      await block(true);
      await block(true);
      expect(await send(ada, bob)).toEqual(refused('access/forbidden'));
      expect(await send(bob, ada)).toEqual(refused('access/forbidden'));
      expect(await world.changesOf(ada)).toEqual([
        { type: 'chats/closed', uid: bob, isClosed: true },
        { type: 'tunemates/removed', uid: bob, metIn: ['video'] },
      ]);
      expect(await world.changesOf(bob)).toEqual([
        { type: 'chats/blocked', uid: ada, isBlocked: true },
        { type: 'chats/closed', uid: ada, isClosed: true },
      ]);
      await block(false);
      expect(await send(ada, bob)).toMatchObject({ ok: true });
      expect(await world.handlers['chats/block'](callerOf(bob), { uid: bob, isBlocked: true })).toEqual(
        refused('input/invalid'),
      );
    });

    test('lets one open ten conversations with strangers a day, and says when the next is possible', async () => {
      const ada = await world.addPerson();
      const strangers = await Promise.all(Array.from({ length: 13 }, () => world.addPerson()));
      const outcomes = await Promise.all(
        strangers.slice(0, 12).map((stranger, process) => send(ada, stranger, 'hello', { process })),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(10);
      const stranger = strangers[12] as Uid;
      const limit = { ok: false, error: { code: 'chat/first-contact-limit', retryAfterMs: dayMs } };
      expect(await send(ada, stranger)).toEqual(limit);
      const mate = await world.addPerson();
      await append(world.record.db, 'audio', [{ uid: mate, mate: ada }], 0);
      expect(await send(ada, mate)).toMatchObject({ ok: true });
      world.clock.advance(dayMs);
      expect(await send(ada, stranger)).toMatchObject({ ok: true });
    });

    test('stops a stranger after five messages until the other answers', async () => {
      const [ada, bob] = [await world.addPerson(), await world.addPerson()];
      const outcomes = await Promise.all(Array.from({ length: 7 }, (_, process) => send(ada, bob, 'hi', { process })));
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(5);
      expect(await send(ada, bob)).toEqual(refused('chat/first-contact-limit'));
      expect(await send(bob, ada, 'hello yourself')).toMatchObject({ ok: true });
      for (let count = 0; count < 7; count += 1) expect(await send(ada, bob)).toMatchObject({ ok: true });
    });
  });
});
