import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { pageLoads } from '../../../testing/screens/browser.ts';
import { type FakeServer, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aTunemate } from '../../../testing/screens/people.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }));
afterEach(() => void vi.useRealTimers());

const tooLong = words('A part of this page is missing. Reload it.');
const theo = uidOf('Theo');

/** Half a minute goes by while the server stays as it is. */
async function wait(): Promise<void> {
  for (let second = 0; second < 30; second += 1) {
    await vi.advanceTimersByTimeAsync(1000);
    await new Promise(requestAnimationFrame);
  }
}

type Name = Parameters<FakeServer['on']>[0];
const away = { 'never answers': silence, 'is busy': () => refused('server/busy') } as const;

test.each<readonly [path: string, name: Name, how: keyof typeof away]>([
  ['/chats', 'chats/list', 'never answers'],
  ['/chats', 'chats/list', 'is busy'],
  [`/chat/${theo}`, 'chats/open', 'never answers'],
  [`/chat/${theo}`, 'chats/open', 'is busy'],
  [`/our-music/${theo}`, 'music/pair', 'never answers'],
  [`/our-music/${theo}`, 'music/pair', 'is busy'],
  [`/our-music/${theo}/blend`, 'music/blend', 'never answers'],
  [`/our-music/${theo}/year`, 'music/year', 'is busy'],
  ['/tunemate/7F3A9C', 'rooms/enter', 'never answers'],
  ['/audio-room/7F3A9C', 'rooms/enter', 'is busy'],
  ['/account#signIn', 'GET /api/accounts/sessions', 'never answers'],
])('%s ends in a sentence and a way out where %s %s', async (path, name, how) => {
  await openPage(path, {
    own: { tunemates: [aTunemate('Theo')] },
    prepare(server) {
      server.leaveUnanswered();
      server.on(name, away[how]);
    },
  });
  await wait();
  await shown(tooLong.first());
  await expectAccessible();
  await gone(words('Loading...'));
  await button('Reload').first().click();
  expect(pageLoads()).toEqual([path.split('#')[0]]);
});

test.each(['/', '/notifications', '/chats'])(
  '%s ends in a sentence and a way out where the server takes the connection and does not greet',
  async (path) => {
    await openPage(path, { prepare: (server) => server.on('session/hello', silence) });
    await wait();
    await shown(words('This is not on this device. It is shown once there is a connection.').first());
    await gone(words('Loading...'));
    await shown(button('Try Again'));
  },
);

test('a page behind a dialog that waits for the user is not late', async () => {
  await openPage('/audio-room/7F3A9C', {
    prepare: (server) => server.on('rooms/enter', () => refused('room/not-member')),
  });
  await shown(modal('Access Denied! You must wait for host approval'));
  await wait();
  await gone(tooLong);
});
