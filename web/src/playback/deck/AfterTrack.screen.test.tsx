/** What happens after the track in an audio room, and its queue. */
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, shown } from '../../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const tracks = [aTrack('a'), aTrack('b')];
const choices = (): Locator => page.getByRole('radiogroup', { name: 'After the track' });
const choice = (name: string): Locator => choices().getByRole('radio', { name });
const queue = (): Locator => page.getByRole('region', { name: 'Queue' });

test('the host of an audio room sets what happens after the track, also by keyboard', async () => {
  const room = await openRoom('audio', { playing: { tracks: tracks.slice(0, 1) } });
  await expect.element(choice('Stop')).toBeChecked();
  await gone(queue());
  await expectAccessible('all');
  await choices().getByText('Go on with Suggested').click();
  await expect.poll(room.intents).toEqual([{ type: 'setAfterTrack', afterTrack: 'suggested' }]);
  room.tell({ type: 'playback/afterTrackChanged', revision: 2, afterTrack: 'suggested' });
  await expect.element(choice('Go on with Suggested')).toBeChecked();
  (choice('Go on with Suggested').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.poll(() => room.intents().at(-1)).toEqual({ type: 'setAfterTrack', afterTrack: 'queue' });
  room.tell({ type: 'playback/afterTrackChanged', revision: 3, afterTrack: 'queue' });
  await shown(queue());
  await lookOnPhone();
  await expectAccessible('all');
});

test('an audio room shows its queue once it is used, and results can be added to it', async () => {
  const room = await openRoom('audio', {
    playing: { tracks },
    prepare: (server) =>
      server.on('catalogue/search', () => ok({ status: 'ok', items: [{ ...aTrack('c'), source: 'library' }] })),
  });
  await shown(queue().getByText('Track b'));
  await shown(page.getByRole('region', { name: 'Suggested' }));
  await expectAccessible('all');
  await queue()
    .getByRole('button', { name: /^2.*Track b/ })
    .click();
  await expect.poll(room.intents).toMatchObject([{ type: 'jump', currentIndex: 1 }]);
  await field('Search tracks').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Add Track c to the queue').click();
  await expect.poll(() => room.intents().at(-1)).toMatchObject({ type: 'enqueue', track: { title: 'Track c' } });
});

test('a guest, and a host whose other tab has the controls, have no such setting', async () => {
  await openRoom('audio', { isHost: false, playing: { tracks, controller: 'another tab' } });
  await shown(queue().getByText('Track b'));
  await gone(queue().getByRole('button', { name: /Track b/ }));
  await gone(choices());
});
