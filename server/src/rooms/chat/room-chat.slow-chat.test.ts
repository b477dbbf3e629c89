/** A slow chat over real databases: who waits, for how long, and what does not shorten the wait. */
import { roomStream } from '@tunemate/protocol';
import { codeOf, newClientId, refusalOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { openSocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';

describeEachDialect('a slow chat', (makeDatabaseUrl) => {
  async function stage(kind: 'video' | 'audio' = 'video') {
    const w = await openRoomWorld(await makeDatabaseUrl());
    const [host, ivo, ada] = [await w.person('Mara'), await w.person('Ivo'), await w.person('Ada')];
    const room = await w.roomOf(host, kind);
    for (const guest of [ivo, ada]) await w.letIn(host, guest, room);
    const slow = (seconds: 5 | 15 | 60 | null) =>
      w.handlers['rooms/set'](host, { ...room, settings: { slowSeconds: seconds } });
    const say = (sender: Caller, clientId = newClientId()) =>
      w.handlers['rooms/sendMessage'](sender, { ...room, clientId, text: 'hello' });
    const waitOf = async (sender: Caller) => {
      const answer = await say(sender);
      return answer.ok ? 0 : answer.error;
    };
    return { w, host, ivo, ada, room, slow, say, waitOf };
  }
  const wait = (ms: number) => ({ code: 'limit/too-many', retryAfterMs: ms });

  test.each(['video', 'audio'] as const)(
    'a guest of a %s room waits, each for themselves, and the host does not (SLOW-1)',
    async (kind) => {
      const { w, host, ivo, ada, slow, waitOf } = await stage(kind);
      valueOf(await slow(15));
      expect([await waitOf(ivo), await waitOf(ada)]).toEqual([0, 0]);
      w.clock.advance(4000);
      expect([await waitOf(ivo), await waitOf(ada)]).toEqual([wait(11_000), wait(11_000)]);
      expect([await waitOf(host), await waitOf(host)]).toEqual([0, 0]);
      w.clock.advance(11_000);
      expect([await waitOf(ivo), await waitOf(ada)]).toEqual([0, 0]);
    },
  );

  test('deleting the message, leaving and coming back do not shorten the wait (SLOW-1)', async () => {
    const { w, host, ivo, room, slow, say, waitOf } = await stage();
    valueOf(await slow(60));
    const { id } = valueOf(await say(ivo)).message;
    valueOf(await w.handlers['rooms/deleteMessage'](ivo, { ...room, messageId: id }));
    expect(await waitOf(ivo)).toEqual(wait(60_000));
    valueOf(await w.handlers['rooms/leave'](ivo, room));
    w.clock.advance(30_000);
    await w.letIn(host, ivo, room);
    expect(await waitOf(ivo)).toEqual(wait(30_000));
  });

  test('a guest edits a message once meanwhile, the host as often as before (SLOW-3)', async () => {
    const { w, host, ivo, room, slow, say } = await stage();
    valueOf(await slow(60));
    const edit = async (tab: typeof ivo, messageId: string, edits: number) =>
      codeOf(
        await w.handlers['rooms/editMessage'](tab, {
          ...room,
          ...{ messageId, clientId: newClientId(), text: `words ${String(edits)}`, edits },
        }),
      );
    const [ofIvo, ofHost] = [valueOf(await say(ivo)).message.id, valueOf(await say(host)).message.id];
    expect([await edit(ivo, ofIvo, 1), await edit(ivo, ofIvo, 2)]).toEqual(['ok', 'access/forbidden']);
    expect([await edit(host, ofHost, 1), await edit(host, ofHost, 2)]).toEqual(['ok', 'ok']);
    valueOf(await slow(null));
    expect(await edit(ivo, ofIvo, 2)).toBe('ok');
  });

  test('a message that is sent again for lack of an answer gets its answer and no wait (SLOW-2)', async () => {
    const { ivo, slow, say } = await stage();
    valueOf(await slow(60));
    const clientId = newClientId();
    const { message } = valueOf(await say(ivo, clientId));
    expect(valueOf(await say(ivo, clientId)).message).toEqual(message);
  });

  test('the time is in the snapshot, each change is broadcast once, and null ends it', async () => {
    const { w, ivo, room, slow, waitOf } = await stage();
    const shown = async () => valueOf(await w.handlers['rooms/enter'](ivo, room)).room;
    const { roomId } = await shown();
    expect((await shown()).slowSeconds).toBeNull();
    for (const seconds of [15, 15, 5] as const) valueOf(await slow(seconds));
    expect((await shown()).slowSeconds).toBe(5);
    expect([await waitOf(ivo), await waitOf(ivo)]).toEqual([0, wait(5000)]);
    valueOf(await slow(null));
    expect(await waitOf(ivo)).toBe(0);
    expect((await shown()).slowSeconds).toBeNull();
    const sent = (await w.changesOf(roomStream(roomId))).filter(({ type }) => type === 'rooms/set');
    expect(sent).toEqual([15, 5, null].map((slowSeconds) => ({ type: 'rooms/set', settings: { slowSeconds } })));
  });

  test('messages at the moment of the change are before or after it: after it one of each guest (SLOW-1)', async () => {
    const { w, host, ivo, ada, room, slow, say } = await stage();
    const all = await Promise.all([
      ...Array.from({ length: 5 }, () => [say(ivo), say(ada)]).flat(),
      slow(60),
      ...Array.from({ length: 5 }, () => [say(ivo), say(ada), say(host)]).flat(),
    ]);
    const { roomId } = valueOf(await w.handlers['rooms/enter'](host, room)).room;
    const changes = await w.changesOf(roomStream(roomId));
    const slowedAt = changes.findIndex(({ type }) => type === 'rooms/set');
    const sentBy = ({ uid }: Caller, some: typeof changes) =>
      some.filter((change) => change.type === 'rooms/messageSent' && change.message.sender === uid).length;
    for (const guest of [ivo, ada]) {
      const [before, after] = [changes.slice(0, slowedAt), changes.slice(slowedAt)].map((some) => sentBy(guest, some));
      expect(after).toBe(before === 0 ? 1 : 0);
    }
    expect(sentBy(host, changes)).toBe(5);
    expect(all.filter(({ ok }) => ok)).toHaveLength(
      1 + changes.filter(({ type }) => type === 'rooms/messageSent').length,
    );
  });

  test('a new host does not wait, and the former host does', async () => {
    const { w, host, ivo, room, slow, say, waitOf } = await stage();
    valueOf(await slow(60));
    valueOf(await say(host));
    valueOf(await w.handlers['rooms/offerHosting'](host, { ...room, uid: ivo.uid, leaves: false }));
    valueOf(await w.handlers['rooms/answerHosting'](ivo, { ...room, tabId: 'B'.repeat(22), takes: true } as never));
    expect([await waitOf(ivo), await waitOf(ivo)]).toEqual([0, 0]);
    expect(await waitOf(host)).toEqual(wait(60_000));
    expect(refusalOf(await slow(null))).toBe('room/host-only');
  });

  test('guests who write at full pace are refused with the wait, keep their connections and hear the room', async () => {
    const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const [host, ivo, ada] = [await w.arrive('Mara'), await w.arrive('Ivo'), await w.arrive('Ada')];
    const { room, roomId } = await w.roomWith(host, 'video', ivo, ada);
    valueOf(await host.ask('rooms/set', { ...room, settings: { slowSeconds: 15 } }));
    const flood = (tab: Tab) =>
      Promise.all(
        Array.from({ length: 50 }, () =>
          tab.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'me first' }),
        ),
      );
    for (const answers of await Promise.all([ivo, ada].map(flood))) {
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      for (const answer of answers) {
        if (!answer.ok)
          expect(answer.error).toMatchObject({ code: 'limit/too-many', retryAfterMs: expect.any(Number) });
      }
    }
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'welcome' }));
    const heard = (tab: Tab) =>
      tab.changes(roomStream(roomId)).filter(({ type }) => type === 'rooms/messageSent').length;
    await expect.poll(() => [host, ivo, ada].map(heard)).toEqual([3, 3, 3]);
  });
});
