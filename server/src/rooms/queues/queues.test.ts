/** Saved queues: saved from a room, read by their owner and by tunemates they are shared with, on both databases. */
import { limits, type Payload, type PlaybackIntent, roomKinds, socketRequests } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRoomWorld, type RoomWorld } from '@tunemate/testkit/worlds/room-world';
import { trackOf } from '@tunemate/testkit/worlds/tracks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../access/caller.ts';
import { notificationsOf } from '../../notifications/notifications-store.ts';
import { queuesService } from './queues.ts';

type Room = Awaited<ReturnType<RoomWorld['roomOf']>>;

describeEachDialect('a saved queue', (makeDatabaseUrl) => {
  let w: RoomWorld;
  let host: Caller;
  let guest: Caller;
  let room: Room;
  beforeEach(async () => {
    w = await openRoomWorld(await makeDatabaseUrl());
    [host, guest] = [await w.person('Mara'), await w.person('Ivo')];
    room = await roomWith([1, 2, 3]);
    // Which makes them tunemates.
    await w.letIn(host, guest, room);
  });
  afterEach(() => w.close());

  async function roomWith(tracks: readonly number[], kind: (typeof roomKinds)[number] = 'video'): Promise<Room> {
    const opened = await w.roomOf(host, kind);
    valueOf(await w.handlers['playback/takeControl'](host, { ...opened, tabId: host.tabId }));
    if (tracks.length > 0) await write(opened, { type: 'enqueueAll', items: tracks.map((n) => trackOf(n, 300)) });
    return opened;
  }
  const write = async (of: Room, intent: PlaybackIntent) =>
    valueOf(await w.handlers['playback/write'](host, { ...of, tabId: host.tabId, clientId: newClientId(), intent }));
  const save = (more: Partial<Payload<'queues/save'>> = {}, caller = host) =>
    w.handlers['queues/save'](caller, { ...room, clientId: newClientId(), name: 'Slow start', of: 'queue', ...more });
  const list = async (caller: Caller) => valueOf(await w.handlers['queues/list'](caller, {})).queues;
  const read = (queueId: string, caller = host) => w.handlers['queues/read'](caller, { queueId });
  const titlesOf = async (queueId: string, caller = host) =>
    valueOf(await read(queueId, caller)).tracks.map(({ title }) => title);
  const share = (queueId: string, isOn = true, uid = guest.uid, caller = host) =>
    w.handlers['queues/share'](caller, { queueId, uid, isOn });
  async function saved(): Promise<string> {
    expect(valueOf(await save())).toEqual({ outcome: 'saved' });
    const [queue] = await list(host);
    if (queue === undefined) throw new Error('not saved');
    return queue.queueId;
  }

  test.each(roomKinds)(
    'holds what a room of kind %s has queued, in its order, after the room has ended',
    async (kind) => {
      room = await roomWith([4, 5], kind);
      const queueId = await saved();
      valueOf(await w.handlers['rooms/leave'](host, room));
      expect((await list(host))[0]).toMatchObject({ kind, name: 'Slow start', tracks: 2, owner: null, sharedWith: [] });
      expect(await titlesOf(queueId)).toEqual(['Track 4', 'Track 5']);
    },
  );

  test('holds what was played, each track once, and nothing is saved of a room that has none', async () => {
    for (const n of [7, 8, 7]) {
      await write(room, { type: 'choose', track: trackOf(n, 300) });
      w.clock.advance(60_000);
    }
    expect(valueOf(await save({ of: 'played' }, guest))).toEqual({ outcome: 'saved' });
    const [queue] = await list(guest);
    expect(await titlesOf(queue?.queueId ?? '', guest)).toEqual(['Track 7', 'Track 8']);
    room = await roomWith([]);
    for (const of of ['queue', 'played'] as const) expect(valueOf(await save({ of }))).toEqual({ outcome: 'nothing' });
  });

  test('is read, renamed, deleted and shared by its owner alone', async () => {
    const queueId = await saved();
    const eve = await w.person('Eve');
    for (const other of [guest, eve]) {
      expect(codeOf(await read(queueId, other))).toBe('access/not-found');
      expect(codeOf(await w.handlers['queues/rename'](other, { queueId, name: 'Mine' }))).toBe('access/not-found');
      expect(codeOf(await share(queueId, true, eve.uid, other))).toBe('access/not-found');
      valueOf(await w.handlers['queues/delete'](other, { queueId }));
      expect(await list(other)).toEqual([]);
    }
    expect((await list(host)).map(({ name }) => name)).toEqual(['Slow start']);
    valueOf(await w.handlers['queues/rename'](host, { queueId, name: 'Late' }));
    expect((await list(host)).map(({ name }) => name)).toEqual(['Late']);
    for (const _twice of [1, 2]) valueOf(await w.handlers['queues/delete'](host, { queueId }));
    expect(codeOf(await read(queueId))).toBe('access/not-found');
  });

  test('is shared with a tunemate, who reads it and changes nothing, until the owner ends that', async () => {
    const queueId = await saved();
    expect(codeOf(await share(queueId, true, guest.uid, guest))).toBe('access/not-found');
    valueOf(await share(queueId));
    expect((await list(host))[0]?.sharedWith).toEqual([{ uid: guest.uid, name: 'Ivo' }]);
    expect(await list(guest)).toMatchObject([{ queueId, owner: { uid: host.uid, name: 'Mara' }, sharedWith: [] }]);
    expect(await titlesOf(queueId, guest)).toHaveLength(3);
    expect(codeOf(await w.handlers['queues/rename'](guest, { queueId, name: 'Mine' }))).toBe('access/not-found');
    expect(codeOf(await share(queueId, true, guest.uid, guest))).toBe('access/not-found');
    valueOf(await share(queueId, false));
    expect([await list(guest), codeOf(await read(queueId, guest))]).toEqual([[], 'access/not-found']);
  });

  test('is taken off their own list by a tunemate, and stays the owner’s and that of others', async () => {
    const queueId = await saved();
    const third = await w.person('Noor');
    await w.letIn(host, third, room);
    for (const mate of [guest, third]) valueOf(await share(queueId, true, mate.uid));
    valueOf(await w.handlers['queues/delete'](guest, { queueId }));
    expect([await list(guest), codeOf(await read(queueId, guest))]).toEqual([[], 'access/not-found']);
    expect((await list(host))[0]?.sharedWith).toEqual([{ uid: third.uid, name: 'Noor' }]);
    expect(await titlesOf(queueId, third)).toHaveLength(3);
  });

  test('tells a tunemate once, in one notification for all that a person shares', async () => {
    const inbox = async () => await notificationsOf(w.database.db, guest.uid);
    const [first, second] = [await saved(), await saved()];
    for (const _twice of [1, 2]) valueOf(await share(first));
    const [news, ...others] = (await inbox()).filter(({ type }) => type === 'queue');
    expect(others).toEqual([]);
    expect(news).toMatchObject({ message: 'Mara shares a saved queue with you', senderUid: host.uid, isRead: false });
    await w.database.db.updateTable('notifications').set({ is_read: 1 }).execute();
    // Which it is already.
    valueOf(await share(first));
    expect((await inbox())[0]?.isRead).toBe(true);
    w.clock.advance(1000);
    valueOf(await share(second));
    expect((await inbox()).filter(({ isRead }) => !isRead)).toMatchObject([{ id: news?.id, type: 'queue' }]);
  });

  test('of very many that others share the latest fifty are listed', async () => {
    const queueId = await saved();
    const { db } = w.database;
    const row = await db
      .selectFrom('saved_queues')
      .selectAll()
      .where('queue_id', '=', queueId)
      .executeTakeFirstOrThrow();
    const ids = Array.from({ length: limits.sharedQueues + 10 }, (_, n) => `q${String(n).padStart(3, '0')}`);
    await db
      .insertInto('saved_queues')
      .values(ids.map((queue_id) => ({ ...row, queue_id })))
      .execute();
    await db
      .insertInto('queue_shares')
      .values(ids.map((queue_id, n) => ({ queue_id, uid: guest.uid, at_ms: w.clock.now() + n })))
      .execute();
    expect((await list(guest)).map((each) => each.queueId)).toEqual(ids.toReversed().slice(0, limits.sharedQueues));
  });

  test('what one person shares hides nothing that another shared before', async () => {
    const other = await w.person('Ada');
    await w.letIn(other, guest, await w.roomOf(other, 'video'));
    const { db } = w.database;
    const queue = { kind: 'video' as const, name: 'Slow start', tracks: '[]', track_count: 1, at_ms: 0 };
    const ids = Array.from({ length: limits.savedQueues }, (_, n) => `many${String(n)}`);
    await db
      .insertInto('saved_queues')
      .values([
        ...ids.map((queue_id) => ({ ...queue, queue_id, uid: host.uid })),
        { ...queue, queue_id: 'one', uid: other.uid },
      ])
      .execute();
    const at_ms = w.clock.now();
    await db
      .insertInto('queue_shares')
      .values([
        { queue_id: 'one', uid: guest.uid, at_ms },
        ...ids.map((queue_id, n) => ({ queue_id, uid: guest.uid, at_ms: at_ms + 1 + n })),
      ])
      .execute();
    const listed = (await list(guest)).map((each) => each.queueId);
    expect(listed).toHaveLength(limits.sharedQueues);
    expect([listed[0], listed.at(-1)]).toEqual([ids.at(-1), 'one']);
  });

  test('is shared with no stranger, and no longer with a person whom a block or a removal has parted, nor when they meet again', async () => {
    const queueId = await saved();
    const eve = await w.person('Eve');
    expect(codeOf(await share(queueId, true, eve.uid))).toBe('access/forbidden');
    valueOf(await share(queueId));
    valueOf(await w.handlers['chats/block'](guest, { uid: host.uid, isBlocked: true }));
    expect(codeOf(await read(queueId, guest))).toBe('access/not-found');
    expect((await list(host))[0]?.sharedWith).toEqual([]);
    expect(codeOf(await share(queueId))).toBe('access/forbidden');
    valueOf(await w.handlers['chats/block'](guest, { uid: host.uid, isBlocked: false }));
    w.clock.advance(60_000);
    room = await roomWith([1]);
    await w.letIn(host, guest, room);
    expect([await list(guest), codeOf(await read(queueId, guest))]).toEqual([[], 'access/not-found']);
    valueOf(await share(queueId));
    expect(await list(guest)).toHaveLength(1);
  });

  test('of a person who has fifty, no more is saved, by two tabs at once either; one client id saves once', async () => {
    const again = newClientId();
    for (const _twice of [1, 2]) valueOf(await save({ clientId: again }));
    expect(await list(host)).toHaveLength(1);
    while ((await list(host)).length < limits.savedQueues - 1) valueOf(await save());
    const answers = await Promise.all([save(), save(), save()]);
    expect(answers.map((answer) => valueOf(answer).outcome).toSorted()).toEqual(['full', 'full', 'saved']);
    expect(await list(host)).toHaveLength(limits.savedQueues);
  });

  test('tells how many of its tracks the library has no more', async () => {
    const queueId = await saved();
    const here = queuesService({
      ...w,
      notify: () => undefined,
      isInLibrary: (item) => item !== trackOf(2).videoId,
    }).handlers;
    const { tracks, gone } = valueOf(await here['queues/read'](host, { queueId }));
    expect([tracks.map(({ title }) => title), gone]).toEqual([['Track 1', 'Track 3'], 1]);
  });

  test('is in the export and goes with the account, and with it what others shared', async () => {
    const queueId = await saved();
    valueOf(await share(queueId));
    const hooks = queuesService({ ...w, notify: () => undefined, isInLibrary: () => true }).accountHook;
    const exported: object[] = [];
    for await (const each of hooks.exports.savedQueues(host.uid)) exported.push(each);
    expect(exported).toMatchObject([
      { name: 'Slow start', tracks: [{ title: 'Track 1' }, {}, {}], sharedWith: [guest.uid] },
    ]);
    expect(await hooks.exports.sharedQueues(guest.uid)).toMatchObject([{ by: host.uid, name: 'Slow start' }]);
    await hooks.onDeleting(guest.uid);
    expect((await list(host))[0]?.sharedWith).toEqual([]);
    valueOf(await share(queueId));
    await hooks.onDeleting(host.uid);
    expect([await list(host), await list(guest)]).toEqual([[], []]);
    expect(await w.database.db.selectFrom('queue_shares').selectAll().execute()).toEqual([]);
  });
});

test('the name of a saved queue is one line of sixty characters, without marks that turn text around', () => {
  const { payload } = socketRequests['queues/rename'];
  const nameOf = (name: string) => payload.safeParse({ queueId: 'q', name }).data?.name;
  expect(nameOf('  \u202eevil\u202c  <b>x</b> ')).toBe('evil <b>x</b>');
  expect([nameOf('x'.repeat(60)), nameOf('x'.repeat(61)), nameOf('a\nb'), nameOf('\u200b')]).toEqual([
    'x'.repeat(60),
    ...[undefined, undefined, undefined],
  ]);
});
