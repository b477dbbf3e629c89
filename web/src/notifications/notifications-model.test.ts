import { aLiveConnection } from '../../testing/fake-link.ts';
import type { Notification, RoomCode } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { aSnapshot, batchOf, uidOf } from '../../testing/connection-fixtures.ts';
import { createNotificationsModel, unreadCount } from './notifications-model.ts';

const own = `user:${uidOf('M')}`;

function note(id: string, timestamp: number, over: Partial<Notification> = {}): Notification {
  return {
    id,
    type: 'now-playing',
    message: 'invited you to listen together',
    senderName: 'Ivo Marsh',
    senderUid: uidOf('I'),
    timestamp,
    isRead: false,
    room: null,
    ...over,
  };
}

async function setUp(notifications: Notification[]) {
  const { connection, server, welcome } = aLiveConnection(createFakeClock());
  const model = createNotificationsModel(connection);
  await welcome(aSnapshot({ notifications }));
  const ids = () => model.notifications.get()?.map(({ id }) => id);
  return { model, server, ids };
}

test('notifications are sorted newest first, in whichever order they arrive', async () => {
  const { ids, server } = await setUp([note('a', 1), note('c', 3)]);
  server.push(batchOf(own, 1, [{ type: 'notifications/added', notification: note('b', 2), removed: [] }]));
  expect(ids()).toEqual(['c', 'b', 'a']);
});

test('notifications that the server pruned are removed, and a repeated invitation replaces the first', async () => {
  const { ids, server } = await setUp([note('a', 1), note('b', 2)]);
  server.push(batchOf(own, 1, [{ type: 'notifications/added', notification: note('b', 5), removed: ['a'] }]));
  expect(ids()).toEqual(['b']);
  server.push(batchOf(own, 2, [{ type: 'notifications/removed', id: 'b' }]));
  expect(ids()).toEqual([]);
});

test('the number of unread notifications becomes zero when all were seen', async () => {
  const { model, server } = await setUp([note('a', 1), note('b', 2, { isRead: true })]);
  expect(unreadCount(model.notifications.get() ?? [])).toBe(1);
  const marking = model.markRead();
  await server.answer('notifications/markRead', { ok: true, value: {} });
  await marking;
  server.push(batchOf(own, 1, [{ type: 'notifications/read' }]));
  expect(unreadCount(model.notifications.get() ?? [])).toBe(0);
  await model.markRead();
  expect(server.waiting).toEqual([]);
});

test('the invitations to a room that has ended say so at once, and no others', async () => {
  const roomOf = (code: string) =>
    ({ kind: 'video', code: code as RoomCode, name: 'Friday', letsInUntil: null, hasEnded: false }) as const;
  const { model, server } = await setUp([
    note('a', 1, { room: roomOf('AAAAAA') }),
    note('b', 2, { room: roomOf('BBBBBB') }),
  ]);
  const code = 'BBBBBB' as RoomCode;
  server.push(batchOf(own, 1, [{ type: 'notifications/roomEnded', kind: 'video', code }]));
  expect(model.notifications.get()?.map(({ id, room }) => [id, room?.hasEnded])).toEqual([
    ['b', true],
    ['a', false],
  ]);
});
