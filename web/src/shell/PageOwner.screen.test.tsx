import type { SessionState } from '@tunemate/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { aSnapshot, mara, uidOf } from '../../testing/connection-fixtures.ts';
import { pageLoads } from '../../testing/screens/browser.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { arrivedAt, button, field, heading, shown } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, ivoUid } from '../../testing/screens/people.ts';

const adaUid = uidOf('Ada');
const ivo = { ...mara, uid: ivoUid, name: 'Ivo' };
const asIvo: SessionState = { status: 'signed-in', user: ivo };

test('a page on which another user signs in reloads before it connects as them (CONN-W1)', async () => {
  const { server } = await openPage('/soulmate', {
    prepare: (stand) => stand.on('POST /api/accounts/sign-in', () => ok(asIvo)),
  });
  await shown(heading('Soulmate Streaming Room'));
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  server.on('GET /api/session', () => ok({ status: 'signed-out' }));
  server.closeLink({ code: 'auth/required' });
  await arrivedAt('/login?next=%2Fsoulmate');
  await field('Email').fill('ivo@example.test');
  await field('Password').fill('correct horse battery');
  await button('Sign In').click();
  await expect.poll(() => pageLoads().length).toBe(1);
  expect(server.asked('session/hello')).toHaveLength(1);
});

test('each hello but the first, which comes with the page, names its owner, and the page reloads when the session is another user’s (CONN-W1)', async () => {
  const { server } = await openPage(`/chat/${adaUid}`, {
    prepare: (stand) => stand.on('chats/open', () => ok(aConversation('Ada'))),
  });
  await shown(heading('Ada'));
  server.disconnect();
  await field('Message').fill('for Ada, of Mara');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('log', { name: 'Messages' }).getByText('Sending')).toBeInTheDocument();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  server.on('GET /api/session', () => ok(asIvo));
  server.on('session/hello', ({ uid }) => (uid === mara.uid ? refused('auth/required') : ok(aSnapshot({ user: ivo }))));
  server.on('chats/send', () => refused('auth/required'));
  server.reconnect();
  await expect.poll(pageLoads).toEqual([`/chat/${adaUid}`]);
  // A load that takes long is not begun anew.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(pageLoads()).toHaveLength(1);
  expect(server.asked('session/hello').map(({ uid }) => uid)).toEqual([undefined, mara.uid]);
});

test('a page whose first hello is another user’s than its session is loaded anew (CONN-W1)', async () => {
  const { server } = await openPage('/', {
    prepare: (stand) => stand.on('session/hello', () => ok(aSnapshot({ user: ivo }))),
  });
  await expect.poll(() => pageLoads().length).toBe(1);
  expect(server.asked('chats/list')).toEqual([]);
});
