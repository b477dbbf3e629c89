/** The way to a soulmate on the home screen: choosing, waiting, taking back, listening together. */
import type { RoomCode } from '@tunemate/protocol';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { type FakeServer, ok, refused } from '../../testing/screens/fake-server.ts';
import { arrivedAt, button, gone, heading, link, modal, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aTunemate, ivoUid, presenceOf } from '../../testing/screens/people.ts';
import { openRoom } from '../../testing/screens/rooms.ts';

const [ivo, ada, theo] = [aTunemate('Ivo'), aTunemate('Ada', {}, 'offline'), aTunemate('Theo Brandt')];
const asked = { uid: theo.uid, name: theo.name, askedAt: Date.now() };
const bond = { uid: ivoUid, name: 'Ivo Marsh', presence: presenceOf(ivoUid, 'offline') };
const code = '7F3A9C' as RoomCode;

test('a soulmate is chosen among one’s tunemates; who has one stays in the list and can’t be chosen', async () => {
  const { server } = await openPage('/', {
    own: { tunemates: [ada, ivo, theo] },
    prepare: (stand) => {
      stand.on('soulmate/taken', () => ok({ uids: [ivo.uid] }));
      stand.on('soulmate/ask', () => ok({}));
    },
  });
  await button('Choose').click();
  const choice = modal('Who is your soulmate?');
  await expect.element(choice.getByRole('radio', { name: /^Ivo\s*Has a soulmate/ })).toBeDisabled();
  await expect.element(choice.getByRole('button', { name: 'Ask' })).toBeDisabled();
  await choice.getByRole('radio', { name: /^Theo Brandt\s*Online, met in video/ }).click();
  await expectAccessible();
  await choice.getByRole('button', { name: 'Ask Theo' }).click();
  await shown(words('Invitation sent!'));
  await gone(choice);
  expect(server.asked('soulmate/ask')).toMatchObject([{ uid: theo.uid }]);
});

test('rows that can be chosen carry a mark before one is; a single candidate is chosen already', async () => {
  const visit = { prepare: (stand: FakeServer) => stand.on('soulmate/taken', () => ok({ uids: [] })) };
  const { server } = await openPage('/', { own: { tunemates: [ada, theo] }, ...visit });
  await button('Choose').click();
  const rows = () => [...document.querySelectorAll('[role=radiogroup] label')];
  await expect.poll(() => rows().length).toBe(2);
  for (const row of rows()) {
    const mark = getComputedStyle(row, '::after');
    expect([mark.width, mark.borderRadius, mark.borderTopStyle]).toEqual(['20px', '50%', 'solid']);
  }
  server.tell({ type: 'tunemates/removed', uid: ada.uid, metIn: ['video'] });
  await shown(button('Ask Theo'));
});

test('the sidebar opens the same choice; without tunemates it says where they come from', async () => {
  await openPage('/', { prepare: (stand) => stand.on('soulmate/taken', () => ok({ uids: [] })) });
  await page.getByRole('complementary', { name: 'Menu' }).getByRole('button', { name: 'Add your Soulmate' }).click();
  await shown(modal('Who is your soulmate?').getByText(/^Let someone into your room first/));
  await expectAccessible('this');
});

test('a request that waits shows whom it is for, in the card and the sidebar, and can be taken back', async () => {
  const { server } = await openPage('/', {
    own: { tunemates: [theo], asked: [asked] },
    prepare: (stand) => stand.on('soulmate/takeBack', () => ok({})),
  });
  const card = page.getByRole('region', { name: 'Soulmate' });
  await shown(card.getByText('Asked today, waiting for'));
  await shown(card.getByRole('heading', { name: 'Theo Brandt' }));
  await shown(page.getByRole('complementary', { name: 'Menu' }).getByText('Asked, waiting'));
  await expectAccessible('all');
  await button('Take back').click();
  await modal('Take back your request to Theo Brandt?').getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => server.asked('soulmate/takeBack')).toEqual([{ uid: theo.uid }]);
  server.tell({ type: 'soulmate/asked', asked: [] });
  await shown(heading('Add your Soulmate'));
  await shown(button('Choose'));
});

test('Listen together opens an audio room for the two, invites the soulmate and goes there', async () => {
  const { server } = await openRoom('audio', {
    path: '/',
    own: { soulmate: bond },
    prepare: (stand) => {
      stand.on('rooms/mine', () => ok({ rooms: [] }));
      stand.on('rooms/create', () => ok({ code }));
      stand.on('notifications/invite', () => ok({}));
      stand.on('rooms/lendRemote', () => ok({}));
    },
  });
  await expectAccessible('all');
  await button('Listen together').click();
  await arrivedAt(`/audio-room/${code}`);
  await shown(words('Invitation sent to Ivo Marsh'));
  expect(server.asked('rooms/create')).toMatchObject([{ kind: 'audio', name: 'Mara & Ivo' }]);
  expect(server.asked('notifications/invite')).toMatchObject([{ uid: ivoUid, room: { kind: 'audio', code } }]);
  // The other holds the remote from the start.
  await expect
    .poll(() => server.asked('rooms/lendRemote'))
    .toEqual([{ kind: 'audio', code, uid: ivoUid, isLent: true }]);
});

test('a second press after a lost answer opens no second room', async () => {
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  const { server } = await openRoom('audio', {
    path: '/',
    own: { soulmate: bond },
    prepare: (stand) => {
      stand.on('rooms/mine', () => ok({ rooms: [] }));
      stand.on('notifications/invite', () => ok({}));
      stand.on('rooms/lendRemote', () => ok({}));
      stand.on('rooms/create', () => {
        patience.abort();
        return refused('server/unavailable');
      });
    },
  });
  await button('Listen together').click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  timeout.mockRestore();
  server.on('rooms/create', () => ok({ code }));
  await button('Listen together').click();
  await arrivedAt(`/audio-room/${code}`);
  const [first, second] = server.asked('rooms/create').map(({ clientId }) => clientId);
  expect(second).toBe(first);
});

test('a room that opens late does not take the user away from where they have gone meanwhile', async () => {
  const created = Promise.withResolvers<void>();
  const { server } = await openPage('/', {
    own: { soulmate: bond },
    prepare: (stand) => {
      stand.on('rooms/mine', () => ok({ rooms: [] }));
      stand.on('rooms/create', () => created.promise.then(() => ok({ code })));
      stand.on('notifications/invite', () => ok({}));
      stand.on('rooms/lendRemote', () => ok({}));
    },
  });
  await button('Listen together').click();
  await link(/^Notifications/)
    .first()
    .click();
  await arrivedAt('/notifications');
  created.resolve();
  await shown(words('Invitation sent to Ivo Marsh'));
  await arrivedAt('/notifications');
  expect(server.asked('notifications/invite')).toMatchObject([{ uid: ivoUid }]);
});

test('when no more room can be opened the reason is shown, and no invitation is sent', async () => {
  const { server } = await openPage('/', {
    own: { soulmate: bond },
    prepare: (stand) => stand.on('rooms/create', () => refused('room/too-many-live-rooms')),
  });
  await button('Listen together').click();
  await shown(modal('That did not work').getByText(/^You already host five rooms/));
  expect(server.asked('notifications/invite')).toEqual([]);
});
