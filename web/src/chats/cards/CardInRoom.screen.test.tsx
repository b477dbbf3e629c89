/** A card of a track that is played while the user hosts a room: the room is silent here, and goes on for everybody. */
import type { TrackCard, VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, gone, heading, link, shown, words } from '../../../testing/screens/find.ts';
import { aConversation, aConversationRow, aMessage, ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const kitchen = 'lib_0123456789abcdef' as VideoId;
const card: TrackCard = {
  ...{ videoId: kitchen, state: 'here', isFilm: false, title: 'Sunday Kitchen', artist: null },
  ...{ album: null, durationSeconds: 375, thumbnail: null },
};

test('a card that plays is heard on this device alone: the room it hosts is silent here, and gets no command', async () => {
  const text = `${location.origin}/library/${kitchen}`;
  const { server } = await openRoom('audio', {
    playing: { tracks: [aTrack('a')], isPlaying: true },
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1, { text })] })));
      stand.on('chats/mark', () => ok({}));
      stand.on('catalogue/cards', () => ok({ cards: [card] }));
    },
  });
  await shown(heading('Friday Slow Burn'));
  const ofRoom = () => document.querySelector<HTMLMediaElement>('[data-testid="player-media"]');
  await expect.poll(() => ofRoom()?.muted).toBe(false);
  history.pushState(null, '', `/chat/${ivoUid}`);
  await shown(link(/^Return to room: /));
  // The page reports the length of what plays once its file has loaded, and where it is when the machine has stalled it.
  const reports = new Set(['measured', 'reanchor']);
  const commands = () =>
    server.asked('playback/write').flatMap(({ intent }) => (reports.has(intent.type) ? [] : [intent.type]));
  const before = commands();
  await button('Play here').click();
  const ofCard = () => document.querySelector<HTMLMediaElement>(`[src="/media/${kitchen}"]`);
  await expect.poll(() => ofCard()?.paused).toBe(false);
  await shown(words('Your room is silent while this plays.'));
  await expect.poll(() => ofRoom()?.muted).toBe(true);
  expect(ofRoom()).not.toBe(ofCard());
  await page.getByRole('log').getByRole('button', { name: 'Pause' }).click();
  await gone(words('Your room is silent while this plays.'));
  await expect.poll(() => ofRoom()?.muted).toBe(false);
  await button('Play here').click();
  await expect.poll(() => ofRoom()?.muted).toBe(true);
  // The card leaves the screen.
  await link(/^Return to room: /).click();
  await shown(heading('Friday Slow Burn'));
  await expect.poll(() => ofRoom()?.muted).toBe(false);
  await gone(button('Play here'));
  expect(commands()).toEqual(before);
});
