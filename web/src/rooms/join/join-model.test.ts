import { createFakeClock } from '../../../testing/fake-clock.ts';
import { createFakeConnection } from '../../../testing/fake-connection.ts';
import { type UserChange, roomKinds } from '@tunemate/protocol';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LenientStorage } from '../../store/lenient-storage.ts';
import { sentenceOf, sentences } from '../../words/errors.ts';
import { createJoinModel } from './join-model.ts';
import { factsOf } from '../room-kinds.ts';
import { testRoomCode } from '../../../testing/room-fixtures.ts';
import { joinWords } from './join-words.ts';

type Answer = (UserChange & { type: 'rooms/requestAnswered' })['answer'];

describe.each(roomKinds)('joining a room of kind %s', (kind) => {
  const facts = factsOf(kind);

  function page() {
    const connection = createFakeConnection();
    const time = createFakeClock();
    return { connection, time, model: createJoinModel(connection, kind, time.schedule) };
  }

  async function waiting() {
    const all = page();
    void all.model.ask(' 7f3a9c ');
    await all.connection.last('rooms/askToJoin').answer({ code: testRoomCode, status: 'pending' });
    return all;
  }

  describe('after a reload', () => {
    /** A page that waited `agoMs` ago in this tab, opened again at an address with `linked`. */
    async function again({ agoMs = 0, linked = '', opened = kind }) {
      const stored = new Map<string, string>();
      const kept: LenientStorage = {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      };
      const time = createFakeClock();
      vi.useFakeTimers({ toFake: ['Date'], now: 0 });
      onTestFinished(() => void vi.useRealTimers());
      const before = createFakeConnection();
      void createJoinModel(before, kind, time.schedule, '', kept).ask('7f3a9c');
      await before.last('rooms/askToJoin').answer({ code: testRoomCode, status: 'pending' });
      vi.setSystemTime(agoMs);
      const connection = createFakeConnection();
      return { connection, kept, model: createJoinModel(connection, opened, time.schedule, linked, kept) };
    }

    test.each(['', testRoomCode])('waits on, and comes in once accepted (address names %j)', async (linked) => {
      const { connection, model } = await again({ linked });
      expect(model.status.get()).toEqual({ status: 'waiting', code: testRoomCode });
      await connection.last('rooms/renewRequest').answer({ status: 'pending' });
      connection.pushToUser(answered('accepted'));
      expect(model.status.get()).toEqual({ status: 'admitted', code: testRoomCode });
    });

    test('comes in when the host accepted meanwhile', async () => {
      const { connection, model } = await again({});
      await connection.last('rooms/renewRequest').answer({ status: 'accepted' });
      expect(model.status.get()).toEqual({ status: 'admitted', code: testRoomCode });
    });

    test.each([
      ['the request has lapsed', { agoMs: 60_000 }],
      ['the address names another room', { linked: '000000' }],
      ['the page is that of the other kind', { opened: kind === 'video' ? 'audio' : 'video' } as const],
    ])('asks nothing when %s', async (_when, how) => {
      const { connection, model } = await again(how);
      expect(model.status.get()).toEqual({ status: 'idle', message: null });
      expect(connection.asked).toEqual([]);
    });

    test('asks nothing after the user has left the waiting page', async () => {
      const { connection, kept, model } = await again({});
      await connection.last('rooms/renewRequest').answer({ status: 'pending' });
      model.close();
      expect(kept.getItem('tunemate/asked')).toBeNull();
    });
  });

  const answered = (answer: Answer, code = testRoomCode) =>
    ({ type: 'rooms/requestAnswered', kind, code, answer }) as const;

  test.each(['', '   ', '\t'])('shows that the code is missing when it is blank (%j)', async (typed) => {
    const { connection, model } = page();
    await model.ask(typed);
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: facts.codeMissing } });
    expect(connection.asked).toEqual([]);
  });

  test('shows the sentence of the kind when there is no such room', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    expect(model.status.get()).toEqual({ status: 'asking' });
    await connection.last('rooms/askToJoin').refuse('room/not-found');
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: facts.notFoundWhenJoining } });
    model.acknowledge();
    expect(model.status.get()).toEqual({ status: 'idle', message: null });
  });

  test('an invitation to a room that has ended shows that it has ended', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C', true);
    await connection.last('rooms/askToJoin').refuse('room/not-found');
    const message = { message: facts.notFoundWhenJoining, text: 'The room of this invitation has ended.' };
    expect(model.status.get()).toEqual({ status: 'idle', message });
  });

  test('shows the same sentence for a room that has ended', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('room/ended');
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: facts.notFoundWhenJoining } });
  });

  test('admits the host and members without waiting', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').answer({ code: testRoomCode, status: 'member' });
    expect(model.status.get()).toEqual({ status: 'admitted', code: testRoomCode });
  });

  test('waits for an answer of the host in all other cases, and asks only once', async () => {
    const { connection, model } = await waiting();
    expect(model.status.get()).toEqual({ status: 'waiting', code: testRoomCode });
    await model.ask('7F3A9C');
    expect(connection.count('rooms/askToJoin')).toBe(1);
  });

  test('is admitted when the host accepts', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('accepted'));
    expect(model.status.get()).toEqual({ status: 'admitted', code: testRoomCode });
  });

  test('shows that the host declined, and when to ask again', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('rejected'));
    expect(model.status.get()).toEqual({
      status: 'idle',
      message: { message: 'The host declined your request.', text: 'You can ask again in 30 seconds.' },
    });
  });

  test('shows how long to wait when asking again too early', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('limit/too-many', 12_300);
    const now = model.status.get();
    expect(now.status === 'idle' && now.message?.text).toBe('You can ask again in 13 seconds.');
  });

  test('shows no time when the server sends none', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('limit/too-many');
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: 'That was a little fast.' } });
  });

  test('shows after the fifth decline, and when asking again, that it was the last request', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('rejected-for-good'));
    expect(model.status.get()).toEqual({
      status: 'idle',
      message: { message: 'The host declined your request.', text: joinWords.declinedForGood },
    });
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('room/declined-for-good');
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: sentences['room/declined-for-good'] } });
  });

  test('goes back to the form, which shows why, once the request has expired', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('lapsed'));
    expect(model.status.get()).toEqual({ status: 'idle', message: null, hasLapsed: true });
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').answer({ code: testRoomCode, status: 'pending' });
    expect(model.status.get().status).toBe('waiting');
  });

  test('renews the request every 15 seconds, for as long as the page waits', async () => {
    const { connection, model, time } = await waiting();
    for (const times of [1, 2, 3]) {
      time.advance(14_999);
      expect(connection.count('rooms/renewRequest')).toBe(times - 1);
      time.advance(1);
      await connection.last('rooms/renewRequest').answer({ status: 'pending' });
      expect(connection.count('rooms/renewRequest')).toBe(times);
    }
    model.close();
    time.advance(60_000);
    expect(connection.count('rooms/renewRequest')).toBe(3);
  });

  test('renews nothing once the host has answered', async () => {
    const { connection, time } = await waiting();
    connection.pushToUser(answered('rejected'));
    time.advance(60_000);
    expect(connection.count('rooms/renewRequest')).toBe(0);
  });

  test('shows that the room ended while waiting', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('ended'));
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: facts.ended } });
  });

  test('ignores answers about other rooms', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('accepted', 'AAAAAA' as typeof testRoomCode));
    expect(model.status.get().status).toBe('waiting');
  });

  test.each([
    ['accepted', 'admitted'],
    ['pending', 'waiting'],
    ['rejected', 'idle'],
    ['none', 'idle'],
    ['lapsed', 'idle'],
    ['rejected-for-good', 'idle'],
  ] as const)('learns after a reconnect that the request is %s', async (status, expected) => {
    const { connection, model } = await waiting();
    connection.sendUserSnapshot();
    await connection.last('rooms/renewRequest').answer({ status });
    expect(model.status.get().status).toBe(expected);
  });

  test('shows after a reconnect that the room ended', async () => {
    const { connection, model } = await waiting();
    connection.sendUserSnapshot();
    await connection.last('rooms/renewRequest').refuse('room/not-found');
    expect(model.status.get()).toEqual({ status: 'idle', message: { message: facts.ended } });
  });

  test('cancels the request when the user leaves the screen', async () => {
    const { connection, model } = await waiting();
    model.close();
    expect(connection.last('rooms/cancelRequest').payload).toEqual({ kind, code: testRoomCode });
  });

  test('cancels a request that was still being sent when the user left the screen', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    model.close();
    expect(connection.count('rooms/cancelRequest')).toBe(0);
    await connection.last('rooms/askToJoin').answer({ code: testRoomCode, status: 'pending' });
    expect(connection.count('rooms/cancelRequest')).toBe(1);
  });

  test('does not cancel an accepted request when the user leaves the screen for the room', async () => {
    const { connection, model } = await waiting();
    connection.pushToUser(answered('accepted'));
    model.close();
    expect(connection.count('rooms/cancelRequest')).toBe(0);
  });

  test('shows an error when the server does not answer', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('server/unavailable');
    const now = model.status.get();
    expect(now.status === 'idle' && now.message?.message).toBe(sentenceOf({ code: 'server/unavailable' }));
  });

  test('cancels a request to join that got no answer, because the server may have stored it', async () => {
    const { connection, model } = page();
    void model.ask(' 7f3a9c ');
    await connection.last('rooms/askToJoin').refuse('server/unavailable');
    expect(connection.last('rooms/cancelRequest').payload).toEqual({ kind, code: testRoomCode });
  });

  test('cancels nothing when the server refused the request', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('room/not-found');
    expect(connection.count('rooms/cancelRequest')).toBe(0);
  });

  test('cancels a request that got no answer before the user left the screen', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    model.close();
    await connection.last('rooms/askToJoin').refuse('server/unavailable');
    expect(connection.count('rooms/cancelRequest')).toBe(1);
  });

  test('is admitted when the host accepts a request that got no answer, before it is cancelled', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('server/unavailable');
    connection.pushToUser(answered('rejected'));
    expect(model.status.get().status).toBe('idle');
    connection.pushToUser(answered('accepted'));
    expect(model.status.get()).toEqual({ status: 'admitted', code: testRoomCode });
  });

  test('is not admitted once the request that got no answer is cancelled', async () => {
    const { connection, model } = page();
    void model.ask('7F3A9C');
    await connection.last('rooms/askToJoin').refuse('server/unavailable');
    await connection.last('rooms/cancelRequest').answer({});
    connection.pushToUser(answered('accepted'));
    expect(model.status.get().status).toBe('idle');
  });
});
