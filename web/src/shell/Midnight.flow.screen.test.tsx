import type { RoomHistory, RoomId, UserSnapshot } from '@tunemate/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mara } from '../../testing/connection-fixtures.ts';
import { ok, type FakeServer } from '../../testing/screens/fake-server.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aMessage, aNotification, ivoUid } from '../../testing/screens/people.ts';

const beforeMidnight = new Date(2026, 5, 1, 23, 59, 40).getTime();
const sentAt = new Date(2026, 5, 1, 20, 15).getTime();

const evening: RoomHistory = {
  ...{ roomId: 'R'.repeat(22) as RoomId, kind: 'video', code: null, name: 'Slow Burn' },
  ...{ tracks: 1, from: sentAt, to: sentAt },
};

/** Opens a page twenty seconds before midnight, on which nothing else happens. */
async function openBeforeMidnight(path: string, own: Partial<UserSnapshot> = {}): Promise<() => string> {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.setSystemTime(beforeMidnight);
  onTestFinished(() => void vi.useRealTimers());
  const message = aMessage(ivoUid, 1, { timestamp: sentAt });
  await openPage(path, {
    own: { notifications: [aNotification({ timestamp: sentAt })], user: mara, ...own },
    prepare(server: FakeServer) {
      server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo', { timestamp: sentAt })] }));
      server.on('chats/open', () => ok(aConversation('Ivo', { messages: [message] })));
      server.on('notifications/markRead', () => ok({}));
      server.on('rooms/histories', () => ok({ isKept: true, histories: [evening] }));
    },
  });
  return () => document.querySelector('main')?.textContent ?? '';
}

test.each([
  ['/chats', '20:15', '01/06/2026'],
  ['/notifications', '20:15', '01/06/2026'],
  [`/chat/${ivoUid}`, 'Today', 'Yesterday'],
  ['/', 'Today · 1 track since 20:15', 'Yesterday · 1 track since 20:15'],
])('what %s says of yesterday changes at midnight', async (path, today, yesterday) => {
  const words = await openBeforeMidnight(path);
  await expect.poll(words).toContain(today);
  expect(words()).not.toContain(yesterday);
  vi.advanceTimersByTime(60_000);
  await expect.poll(words).toContain(yesterday);
  if (today.startsWith('Today')) expect(words()).not.toContain(today);
});

test('what the home says of a request to a soulmate changes at midnight', async () => {
  const asked = { uid: ivoUid, name: 'Ivo', askedAt: sentAt };
  const words = await openBeforeMidnight('/', { asked: [asked] });
  await expect.poll(words).toContain('today');
  vi.advanceTimersByTime(60_000);
  await expect.poll(words).toContain('Monday');
});

test('a page that slept over midnight changes as soon as it is looked at', async () => {
  const words = await openBeforeMidnight('/chats');
  await expect.poll(words).toContain('20:15');
  vi.setSystemTime(beforeMidnight + 8 * 3_600_000);
  window.dispatchEvent(new Event('focus'));
  await expect.poll(words).toContain('01/06/2026');
});
