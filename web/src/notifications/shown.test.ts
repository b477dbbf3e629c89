/** Which notifications of this device go when the page learns what is read, deleted or over. */
import type { Notification as Notice } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { closeSeen } from './shown.ts';

const now = 10_000_000;
const notice = (type: Notice['type'], senderUid: string, isRead = false) =>
  ({ type, senderUid, isRead }) as unknown as Notice;

async function left(tags: readonly (string | [string, number])[], unread: Parameters<typeof closeSeen>[1]) {
  const shown = tags.map((each) => {
    const [tag, timestamp] = typeof each === 'string' ? [each, now] : each;
    return { tag, timestamp, isClosed: false, close: () => undefined };
  });
  for (const each of shown) each.close = () => void (each.isClosed = true);
  const registration = { getNotifications: () => Promise.resolve(shown) };
  const container = { getRegistration: () => Promise.resolve(registration) } as unknown as ServiceWorkerContainer;
  await closeSeen(container, unread, now);
  return shown.filter(({ isClosed }) => !isClosed).map(({ tag }) => tag);
}

test('messages go when their chat is read or gone, and stay while it is not known', async () => {
  const tags = ['message:ann', 'message:ben'];
  expect(await left(tags, { writers: new Set(['ben']), notices: null })).toEqual(['message:ben']);
  expect(await left(tags, { writers: null, notices: [] })).toEqual(tags);
});

test('requests and invitations go when their notice is read or gone', async () => {
  const tags = ['invitation:ann', 'soulmate:ann', 'tunemate:ben', 'invitation:cleo'];
  const notices = [notice('now-playing', 'ann'), notice('soulmate', 'ann', true), notice('tunemate', 'ben')];
  expect(await left(tags, { writers: null, notices })).toEqual(['invitation:ann', 'tunemate:ben']);
  expect(await left(tags, { writers: null, notices: null })).toEqual(tags);
});

test('a request to join goes once it has lapsed', async () => {
  const tags: [string, number][] = [
    ['joinRequest:ann', now - 31 * 60_000],
    ['joinRequest:ben', now - 60_000],
  ];
  expect(await left(tags, { writers: null, notices: null })).toEqual(['joinRequest:ben']);
});

test.each([
  undefined,
  { getRegistration: () => Promise.reject(new Error('forbidden')) },
  { getRegistration: () => Promise.resolve(undefined) },
  { getRegistration: () => Promise.resolve({}) },
])('a browser that has none, or forbids it, ends nothing', async (container) => {
  await expect(
    closeSeen(container as unknown as ServiceWorkerContainer, { writers: new Set(), notices: [] }, now),
  ).resolves.toBeUndefined();
});
