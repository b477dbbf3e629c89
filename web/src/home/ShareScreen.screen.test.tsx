import type { YourRoom } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { page } from 'vitest/browser';
import { type FakeServer, ok } from '../../testing/screens/fake-server.ts';
import { arrivedAt, button, gone, heading, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { openPage, signedOut } from '../../testing/screens/open-page.tsx';
import { ivoUid } from '../../testing/screens/people.ts';
import { openRoom, testRoomCode } from '../../testing/screens/rooms.ts';

const room: YourRoom = {
  kind: 'video',
  code: '7F3A9C',
  name: 'Friday Slow Burn',
  host: ivoUid,
  hostName: 'Ivo',
  people: 2,
  endsAt: null,
  isPlaying: false,
  title: null,
  thumbnail: null,
};
const shared = '/share?title=A+song&text=%3Cb%3Ehi%3C%2Fb%3E+https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ';

const prepareCreating = (stand: FakeServer): void => {
  stand.on('rooms/mine', () => ok({ rooms: [] }));
  stand.on('rooms/create', () => ok({ code: testRoomCode }));
  stand.on('catalogue/search', () => ok({ status: 'ok', items: [] }));
};
async function createRoom(): Promise<void> {
  await button('Create Audio Room').click();
  await nameRoom();
}
async function nameRoom(): Promise<void> {
  await arrivedAt('/create-audio-room');
  await page.getByRole('textbox').fill('Friday Slow Burn');
  await button('Create Room').click();
}

test('a shared link is shown as text, and only a press leads into a room to search it', async () => {
  const { server } = await openPage(shared, {
    prepare: (stand) => stand.on('rooms/mine', () => ok({ rooms: [room] })),
  });
  await shown(heading('Shared with Tunemate'));
  await shown(words('https://youtu.be/dQw4w9WgXcQ'));
  await shown(button('Search in Friday Slow Burn'));
  expect(server.asked('catalogue/search')).toEqual([]);
  expect(document.querySelector('main b')).toBeNull();
  await expectAccessible('all');
  server.leaveUnanswered();
  await button('Search in Friday Slow Burn').click();
  await expect.poll(() => location.pathname).toBe('/tunemate/7F3A9C');
});

test("without a room one is created first; a room's link leads to its door, and nothing is asked before a press", async () => {
  const { server } = await openPage('/share?url=https%3A%2F%2Ftune.example%2Fjoin%3Fcode%3D0A1B2C');
  await leadsTo(link('Go to this room'), '/join?code=0A1B2C');
  await shown(button('Create Video Room'));
  expect([...server.asked('rooms/create'), ...server.asked('rooms/askToJoin')]).toEqual([]);
  await button('Create Audio Room').click();
  await expect.poll(() => location.pathname).toBe('/create-audio-room');
});

test('what was shared is read once, so that a percent sign in it stays one', async () => {
  await openPage(`/share?text=${encodeURIComponent('90%25 of it')}`, {
    prepare: (stand) => stand.on('rooms/mine', () => ok({ rooms: [] })),
  });
  await shown(words('90%25 of it'));
});

test('what was shared is searched in the room that is created for it', async () => {
  const { server } = await openRoom('audio', { path: shared, prepare: prepareCreating });
  await createRoom();
  await link('Enter Room').click();
  await expect.poll(() => server.asked('catalogue/search')).toMatchObject([{ query: 'https://youtu.be/dQw4w9WgXcQ' }]);
});

test('who goes elsewhere before the room is created has given the search up', async () => {
  const { server } = await openRoom('audio', { path: shared, prepare: prepareCreating });
  await button('Create Audio Room').click();
  await link('Back to Home').click();
  await arrivedAt('/');
  await link('Create Audio Room').click();
  await nameRoom();
  await link('Enter Room').click();
  await shown(heading('Friday Slow Burn'));
  expect(server.asked('catalogue/search')).toEqual([]);
});

test('who is signed out signs in first, and goes on with what was shared', async () => {
  await openPage(shared, { session: signedOut });
  await expect.poll(() => new URLSearchParams(location.search).get('next')).toBe(shared);
  await gone(heading('Shared with Tunemate'));
});

test.each([
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '<a href="javascript:alert(1)">Go to this room</a>',
  'javascript:alert(1)',
])('what was shared is text, whatever is in it: %s', async (markup) => {
  const before = document.querySelectorAll('img, script, a[href^="javascript"]').length;
  await openPage(`/share?${String(new URLSearchParams({ title: markup, text: markup }))}`);
  await shown(words(markup));
  await gone(link('Go to this room'));
  expect(document.querySelectorAll('img, script, a[href^="javascript"]')).toHaveLength(before);
});
