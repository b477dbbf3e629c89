import type { RoomCode } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { copiedBy } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, link, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { openRoom } from '../../../testing/screens/rooms.ts';

const [opened, other] = ['http://192.168.1.20:3000', 'http://10.8.0.3:3000'];
const linkChoices = [
  { origin: opened, of: 'wlan0', isOpened: true },
  { origin: other, of: 'wg0', isOpened: false },
];
const path = '/join?code=7F3A9C';

async function create(choices: typeof linkChoices): Promise<void> {
  await openPage('/create', {
    config: { linkChoices: choices },
    prepare: (stand) => stand.on('rooms/create', () => ok({ code: '7F3A9C' as RoomCode })),
  });
  await field('Room name').fill('Friday Slow Burn');
  await userEvent.keyboard('{Enter}');
  await shown(link('Enter Room'));
}

const copied = (): Promise<string> => copiedBy(() => button('Copy Link').click());

test('on the machine of the server a link names the address in the network, and the host chooses another', async () => {
  await create(linkChoices);
  await shown(words('Works for people in your network.'));
  await shown(words('Last opened from elsewhere with this one'));
  await expectAccessible('all');
  await expect.poll(copied).toBe(opened + path);
  await field(/^10\.8\.0\.3/).click();
  await expect.poll(copied).toBe(other + path);
  localStorage.removeItem('tunemate/link-origin');
});

test('the settings of a room let the host choose the address too', async () => {
  await openRoom('video', { config: { linkChoices } });
  await button('Room settings').click();
  await field(/^10\.8\.0\.3/).click();
  await button('Close').click();
  await expect.poll(() => copiedBy(() => button('Link').click())).toMatch(new RegExp(`^${other}/join\\?code=`));
  await shown(words('Room link copied to clipboard!'));
  localStorage.removeItem('tunemate/link-origin');
});

test('with one address there is nothing to choose, and with none the link names the page’s own', async () => {
  await create(linkChoices.slice(0, 1));
  await shown(words('Works for people in your network.'));
  await gone(words('Address in links'));
});

test('a page that was opened at an address of its own names that one', async () => {
  await create([]);
  await gone(words('Works for people in your network.'));
  await expect.poll(copied).toBe(location.origin + path);
});
