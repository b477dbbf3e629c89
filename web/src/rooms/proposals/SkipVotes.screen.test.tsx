/** Votes to skip, and the host's settings for guests. */
import type { Participant } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const guest = (name: string, online = true): Participant => ({ uid: uidOf(name), name, online });
const [ada, noor] = [guest('Ada'), guest('Noor', false)];
const tracks = [aTrack('a'), aTrack('b')];

test('a guest votes to skip, and reads how many of the guests who are here do', async () => {
  const room = await openRoom('audio', {
    isHost: false,
    guests: [ada, noor],
    skipVotes: [noor.uid],
    playing: { tracks, controller: 'another tab' },
    prepare: (server) => server.on('playback/voteToSkip', () => ok({})),
  });
  await button('Vote to skip').click();
  expect(room.server.asked('playback/voteToSkip')).toMatchObject([{ videoId: aTrack('a').videoId, isOn: true }]);
  room.tell({ type: 'rooms/skipVoted', uid: maraUid, isOn: true });
  await expect.element(button('Vote to skip, 1 of 2')).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible('all');
  await button('Vote to skip, 1 of 2').click();
  expect(room.server.asked('playback/voteToSkip').at(-1)).toMatchObject({ isOn: false });
  room.tell({ type: 'rooms/skipVotesCleared' });
  await expect.element(button('Vote to skip')).toHaveAttribute('aria-pressed', 'false');
});

test('the host reads the tally on the desk, and has the next track there', async () => {
  const room = await openRoom('audio', { guests: [ada], playing: { tracks } });
  await shown(button('Skip votes, none'));
  room.tell({ type: 'rooms/skipVoted', uid: ada.uid, isOn: true });
  await button('1 of 1 Skip votes').click();
  await shown(words('Skip: 1 of 1'));
  await expectAccessible('all');
  await button('Next track').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'next' });
});

test('the host sets in the room’s settings that everyone can add, and that a majority skips', async () => {
  const room = await openRoom('video', { prepare: (server) => server.on('rooms/set', () => ok({})) });
  await button('Room settings').click();
  const everyone = page.getByRole('switch', { name: /^Everyone can add/ });
  await expect.element(everyone).toHaveAttribute('aria-checked', 'false');
  await expectAccessible('all');
  await everyone.click();
  room.tell({ type: 'rooms/set', settings: { everyoneAdds: true } });
  await expect.element(everyone).toHaveAttribute('aria-checked', 'true');
  await page.getByRole('switch', { name: /^Skip at a majority/ }).click();
  expect(room.server.asked('rooms/set')).toMatchObject([
    { settings: { everyoneAdds: true } },
    { settings: { majoritySkips: true } },
  ]);
});

test('the host slows the chat in the room’s settings, and ends that', async () => {
  const room = await openRoom('audio', { prepare: (server) => server.on('rooms/set', () => ok({})) });
  await button('Room settings').click();
  const row = (name: string) => page.getByRole('radio', { name });
  await expect.element(row('As often as they like')).toBeChecked();
  await expectAccessible();
  await row('Every 15 seconds').click();
  room.tell({ type: 'rooms/set', settings: { slowSeconds: 15 } });
  await expect.element(row('Every 15 seconds')).toBeChecked();
  await row('As often as they like').click();
  expect(room.server.asked('rooms/set')).toMatchObject([
    { settings: { slowSeconds: 15 } },
    { settings: { slowSeconds: null } },
  ]);
});
