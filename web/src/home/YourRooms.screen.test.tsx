import type { YourRoom } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { maraUid } from '../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { button, gone, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { ivoUid, longName } from '../../testing/screens/people.ts';

const room = (more: Partial<YourRoom>): YourRoom => ({
  kind: 'video',
  code: '7F3A9C',
  name: 'Friday Slow Burn',
  host: maraUid,
  hostName: 'Mara Lindqvist',
  people: 21,
  endsAt: null,
  isPlaying: true,
  title: 'Slow Satellite',
  thumbnail: null,
  ...more,
});
const others = room({
  kind: 'audio',
  code: 'B04E21',
  name: longName,
  host: ivoUid,
  hostName: 'Ivo Baranov',
  people: 12,
  isPlaying: false,
});
const list = () => page.getByRole('list', { name: 'Your rooms' });

test('lists rooms with their state and a link into each', async () => {
  const quiet = room({ code: '0A1B2C', name: 'Kitchen Radio', people: 1, isPlaying: false, title: null });
  await openPage('/', { prepare: (server) => server.on('rooms/mine', () => ok({ rooms: [room({}), quiet, others] })) });
  await shown(list());
  await shown(words('You host · 21 people'));
  await shown(words('Slow Satellite'));
  await shown(words('You host · nobody else'));
  await shown(words('No music selected'));
  await shown(words('Ivo Baranov · 12 people'));
  await shown(words('Paused: Slow Satellite'));
  await leadsTo(link('Return to Friday Slow Burn'), '/tunemate/7F3A9C');
  await leadsTo(link(`Return to ${longName}`), '/audio-room/B04E21');
  // Only the host can end a room.
  await gone(button(`End ${longName}`));
  await expectAccessible('all');
});

test('a name of a host as long as names may be, in one word, is broken and not cut', async () => {
  await lookOnPhone();
  const hostName = 'Donaudampfschifffahrtsgesellschaftskapitänsmützen!';
  const rooms = [room({ host: ivoUid, hostName })];
  await openPage('/', { prepare: (server) => server.on('rooms/mine', () => ok({ rooms })) });
  await shown(list());
  const line = words(`${hostName} · 21 people`).element().closest('div > span');
  expect(line?.scrollWidth).toBeLessThanOrEqual(line?.clientWidth ?? 0);
});

test('ends the user’s own room after a confirmation, and draws nothing without rooms', async () => {
  let rooms = [room({})];
  const { server } = await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/mine', () => ok({ rooms }));
      fake.on('rooms/leave', () => {
        rooms = [];
        return ok({});
      });
    },
  });
  await shown(words('Return'));
  await button('End Friday Slow Burn').click();
  await shown(words('The room closes for everyone in it.'));
  await button('Cancel').click();
  expect(server.asked('rooms/leave')).toEqual([]);
  await button('End Friday Slow Burn').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
  await gone(list());
  expect(server.asked('rooms/leave')).toEqual([{ kind: 'video', code: '7F3A9C', ends: true }]);
});

test('the only room keeps its name whole on a phone', async () => {
  await lookOnPhone();
  await openPage('/', { prepare: (server) => server.on('rooms/mine', () => ok({ rooms: [room({})] })) });
  await shown(list());
  for (const line of list()
    .getByText(/^(Friday Slow Burn|You host · 21 people)$/)
    .elements()) {
    expect(line.scrollWidth, line.textContent).toBeLessThanOrEqual(line.clientWidth);
  }
  await expectAccessible('this');
});

test('the user’s own room shows when it ends without its host', async () => {
  const endsAt = new Date(2026, 10, 22, 21, 45).getTime();
  await openPage('/', { prepare: (server) => server.on('rooms/mine', () => ok({ rooms: [room({ endsAt })] })) });
  await shown(words(/^Ends at (21:45|0?9:45.PM) unless you return$/));
  await expectAccessible('all');
});

test('a room that could not be ended shows why, and stays in the list', async () => {
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/mine', () => ok({ rooms: [room({})] }));
      fake.on('rooms/leave', () => refused('room/host-changed'));
    },
  });
  await button('End Friday Slow Burn').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
  await shown(words('The room could not be ended'));
  await button('OK').click();
  await shown(list());
});
