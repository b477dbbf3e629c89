/** A room that its host has left to the house lives while a person is inside, and is the host's again when they are back. */
import { roomStream } from '@tunemate/protocol';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { afterEach, beforeEach, expect, test } from 'vitest';

const minuteMs = 60_000;

describeEachDialect('a room that is left to the house', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeEach(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterEach(() => w.close());

  async function stage() {
    const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const opened = await w.roomWith(host, 'audio', guest);
    const { room } = opened;
    valueOf(await host.ask('rooms/letHousePlay', room));
    const isLive = async () =>
      (await w.db.selectFrom('audiorooms').select('is_active').executeTakeFirstOrThrow()).is_active === 1;
    return { host, guest, isLive, ...opened };
  }

  test('goes on with Suggested and stays open without the host, who is not warned, while a guest is inside', async () => {
    const { host, guest, room, isLive } = await stage();
    const { room: shown, playback } = valueOf(await guest.ask('rooms/enter', room));
    expect([shown.housePlays, playback.kind === 'audio' && playback.afterTrack]).toEqual([true, 'suggested']);
    host.cut();
    await expect.poll(() => guest.changes().map(({ type }) => type)).toContain('rooms/hostAway');
    await w.pass(11 * minuteMs);
    await w.pass(60 * minuteMs);
    expect(await isLive()).toBe(true);
    expect(await w.db.selectFrom('notifications').select('type').where('uid', '=', host.uid).execute()).toEqual([]);
    const back = await w.connect(host);
    expect(valueOf(await back.ask('rooms/mine', {})).rooms[0]?.endsAt).toBeNull();
    valueOf(await back.ask('rooms/enter', room));
    await expect
      .poll(async () => valueOf(await guest.ask('rooms/enter', room)).room)
      .toMatchObject({ housePlays: false, hostAwaySince: null });
  });

  test('ends 15 minutes after the last person has gone (HOST-21)', async () => {
    const { host, guest, isLive } = await stage();
    host.cut();
    await w.pass(30 * minuteMs);
    guest.cut();
    const emptySince = () => w.db.selectFrom('audiorooms').select('empty_since_ms').executeTakeFirstOrThrow();
    await expect.poll(emptySince).not.toEqual({ empty_since_ms: null });
    await w.pass(14 * minuteMs);
    expect(await isLive()).toBe(true);
    await w.pass(minuteMs);
    expect(await isLive()).toBe(false);
  });

  test('is the room of a guest who takes it over inside, and ends 15 minutes after they have gone (HOST-11)', async () => {
    const { host, guest, room, roomId, isLive } = await stage();
    const other = await w.arrive('Ada');
    await w.letIn(host, other, room);
    valueOf(await other.ask('rooms/enter', room));
    valueOf(await host.ask('rooms/offerHosting', { ...room, uid: guest.uid, leaves: true }));
    valueOf(await guest.ask('rooms/answerHosting', { ...room, tabId: guest.tabId, takes: true }));
    expect(valueOf(await other.ask('rooms/enter', room)).room).toMatchObject({ host: guest.uid, housePlays: false });
    guest.cut();
    await expect.poll(() => other.changes(roomStream(roomId)).at(-1)).toMatchObject({ type: 'rooms/hostAway' });
    await w.pass(15 * minuteMs);
    expect(await isLive()).toBe(false);
  });

  test('is for the host alone to say', async () => {
    const { guest, room } = await stage();
    expect(codeOf(await guest.ask('rooms/letHousePlay', room))).toBe('room/host-only');
  });
});
