import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, mediaElement, openRoom } from '../../../testing/screens/rooms.ts';

const guest = {
  isHost: false,
  playing: { tracks: [aTrack('a')], isPlaying: true, controller: 'another tab' },
} as const;
const when = () => page.getByRole('slider', { name: 'When this device plays' });
const place = (): string | null => document.querySelector('[data-place]')?.getAttribute('data-place') ?? null;

test('the delay of this device is set by buttons, shown in words and kept', async () => {
  await openRoom('audio', guest);
  await button('Sound and sync').click();
  await shown(words('with everyone'));
  await expectAccessible();
  (when().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(when()).toHaveAttribute('aria-valuetext', '10 ms later');
  await userEvent.keyboard('{PageDown}');
  await expect.element(when()).toHaveAttribute('aria-valuetext', '40 ms earlier');
  await button('10 ms later').click();
  await expect.element(when()).toHaveAttribute('aria-valuetext', '30 ms earlier');
  await button('Close').click();
  await gone(when());
  await button('Sound and sync').click();
  await shown(words('30 ms earlier'));
  await button('Back to 0').click();
  await shown(words('with everyone'));
  await gone(button('Back to 0'));
});

test('the setting by ear plays ticks, mutes the music meanwhile, and changes the delay by 10 ms', async () => {
  await openRoom('video', guest);
  await expect.poll(() => mediaElement().muted).toBe(false);
  await button('Sound and sync').click();
  await button('Start ticking').click();
  await expect.poll(() => mediaElement().muted).toBe(true);
  const seen = new Set<string | null>();
  await expect.poll(() => seen.add(place()).size).toBeGreaterThan(3);
  await expectAccessible();
  await button('This one is late').click();
  await shown(words('10 ms earlier'));
  await button('This one is early').click();
  await shown(words('with everyone'));
  await button('They sound as one').click();
  await expect.poll(() => mediaElement().muted).toBe(false);
  await shown(button('Start ticking'));
});

test('closing the sheet ends the ticks', async () => {
  await openRoom('audio', guest);
  await button('Sound and sync').click();
  await button('Start ticking').click();
  await expect.poll(() => mediaElement().muted).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => mediaElement().muted).toBe(false);
});

test('a loud track is turned down beside the own volume, unless this person switches that off', async () => {
  const loud = { track: -8, peaks: 'z', album: null };
  // The first answer is lost with the line.
  const answers = [refused('server/unavailable')];
  const room = await openRoom('audio', {
    ...guest,
    prepare: (server) => server.on('library/loudness', () => answers.shift() ?? ok(loud)),
  });
  const own = () => (page.getByRole('slider', { name: 'Volume' }).element() as HTMLInputElement).valueAsNumber;
  // Rounded, a little less than nothing is -0.
  const decibels = () => Math.round(20 * Math.log10(mediaElement().volume / own())) + 0;
  await expect.poll(decibels, { message: 'beside the own volume' }).toBe(-14);
  const asked = room.server.asked('library/loudness').length;
  await button('Sound and sync').click();
  const even = page.getByRole('switch', { name: /^Same loudness for all tracks/ });
  await expect.element(even).toBeChecked();
  await expectAccessible('all');
  // At once: a moment later the follower may change the rate for its own reasons.
  const press = (): void => {
    const { playbackRate } = mediaElement();
    (even.element() as HTMLElement).click();
    expect(mediaElement().playbackRate).toBe(playbackRate);
  };
  press();
  await expect.poll(decibels).toBe(0);
  expect(localStorage.getItem('tunemate/device-sound')).toContain('"isEven":false');
  press();
  await expect.poll(decibels).toBe(-14);
  expect(room.server.asked('library/loudness')).toHaveLength(asked);
});
