/** How long changes and answers are kept. */
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { openRoomWorld } from '@tunemate/testkit/worlds/room-world';
import { roomStream, type VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { pruneChanges } from './storage/retention.ts';

const minuteMs = 60_000;

describeEachDialect('pruning', (makeDatabaseUrl) => {
  async function stage() {
    const w = await openRoomWorld(await makeDatabaseUrl());
    const [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    const room = await w.roomOf(host, 'video');
    await w.letIn(host, guest, room);
    const stream = roomStream(valueOf(await w.handlers['rooms/enter'](host, room)).room.roomId);
    const say = (text: string) => w.handlers['rooms/sendMessage'](host, { ...room, clientId: newClientId(), text });
    const kept = async () => (await w.changesOf(stream)).map(({ type }) => type);
    const round = pruneChanges(w);
    return { w, host, guest, room, stream, say, kept, round };
  }

  test('changes are forgotten after ten minutes, and numbers go on rising', async () => {
    const { w, say, kept, round, stream } = await stage();
    valueOf(await say('one'));
    const head = await w.record.head(stream);
    w.clock.advance(9 * minuteMs);
    await round();
    expect(await kept()).toEqual(['rooms/participantJoined', 'rooms/messageSent']);
    valueOf(await say('two'));
    w.clock.advance(2 * minuteMs);
    await round();
    expect(await kept()).toEqual(['rooms/messageSent']);
    expect(await w.record.head(stream)).toBe(head + 1);
    await w.close();
  });

  test('rows written since the last round survive a jump of the clock', async () => {
    const { w, say, kept, round } = await stage();
    w.clock.advance(minuteMs);
    await round();
    valueOf(await say('before the machine slept'));
    w.clock.advance(600 * minuteMs);
    await round();
    expect(await kept()).toEqual(['rooms/messageSent']);
    await w.close();
  });

  test('the deletion of an account is kept for a day, so that no process misses it', async () => {
    const { w, guest, room, kept, round } = await stage();
    valueOf(await w.handlers['rooms/leave'](guest, room));
    w.clock.advance(23 * 60 * minuteMs);
    await round();
    await round();
    expect(await kept()).toEqual(['rooms/participantLeft']);
    w.clock.advance(2 * 60 * minuteMs);
    await round();
    expect(await kept()).toEqual([]);
    await w.close();
  });

  test('a message sent again within a day is the same message; later its answer is forgotten', async () => {
    const { w, host, room, round } = await stage();
    const message = { ...room, clientId: newClientId(), text: 'one' };
    const first = valueOf(await w.handlers['rooms/sendMessage'](host, message));
    const kept = async () => (await w.database.db.selectFrom('idempotency').select('room_id').execute()).length;
    const before = await kept();
    w.clock.advance(23 * 60 * minuteMs);
    await round();
    expect(valueOf(await w.handlers['rooms/sendMessage'](host, message))).toEqual(first);
    expect(await kept()).toBe(before);
    w.clock.advance(2 * 60 * minuteMs);
    await round();
    expect(await kept()).toBe(0);
    await w.close();
  });

  test('the answer to a playback request is deleted after an hour', async () => {
    const { w, host, room, round } = await stage();
    const { tabId } = host;
    valueOf(await w.handlers['playback/takeControl'](host, { ...room, tabId }));
    const track = { videoId: 'lib_0123456789abcdef' as VideoId, title: 'Rain', durationSeconds: 90 };
    const press = { ...room, tabId, clientId: newClientId(), intent: { type: 'choose' as const, track } };
    valueOf(await w.handlers['playback/write'](host, press));
    const kept = () =>
      w.database.db.selectFrom('idempotency').select('client_id').where('client_id', '=', press.clientId).execute();
    w.clock.advance(59 * minuteMs);
    await round();
    expect(await kept()).toHaveLength(1);
    w.clock.advance(2 * minuteMs);
    await round();
    expect(await kept()).toEqual([]);
    await w.close();
  });
});
