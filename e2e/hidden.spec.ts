/** A guest whose tab is hidden, as behind a locked screen: the next track starts in the element that played the last. */
import { expect } from '@playwright/test';
import { isPlaying, playFromLibrary, player, positionOf } from './person.ts';
import { comeTogether, tracks } from './room-story.ts';
import { test } from './with-server.ts';

/**
 * What Chromium and Firefox do to a hidden tab: timers fire once a second and no frame is drawn. Playwright keeps tabs in
 * sight, so the page's own clocks are replaced. Workers go on, as they do in both.
 */
function hideTab(): void {
  const { setTimeout, setInterval } = window;
  const onceASecond = (ms = 0): number => Math.ceil(Math.max(ms, 1) / 1000) * 1000;
  Object.assign(window, {
    setTimeout: (run: () => void, ms?: number, ...more: unknown[]) => setTimeout(run, onceASecond(ms), ...more),
    setInterval: (run: () => void, ms?: number, ...more: unknown[]) => setInterval(run, onceASecond(ms), ...more),
    requestAnimationFrame: () => 0,
  });
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  Object.defineProperty(document, 'hidden', { get: () => true });
  document.dispatchEvent(new Event('visibilitychange'));
}

test('behind a locked screen the tracks of an audio room go on in one element', async ({ member }) => {
  const [host, guest] = [await member('Mara'), await member('Ivo')];
  await comeTogether(host, guest, 'audio', 'Kitchen Radio');
  await playFromLibrary(host, 'audio', tracks.audio);
  await expect.poll(() => isPlaying(guest)).toBe(true);
  await host.page.getByRole('radiogroup', { name: 'After the track' }).getByText('Go on with Suggested').click();
  await player(guest).evaluate((element) => element.setAttribute('data-first', ''));
  const first = await player(guest).evaluate((element: HTMLMediaElement) => element.currentSrc);
  await guest.page.evaluate(hideTab);

  await host.page.getByRole('slider', { name: 'Seek' }).press('End');
  const source = () => player(guest).evaluate((element: HTMLMediaElement) => element.currentSrc);
  await expect.poll(source).not.toBe(first);
  await expect.poll(() => isPlaying(guest)).toBe(true);
  await expect.poll(() => positionOf(guest)).toBeGreaterThan(1);
  expect(await player(guest).getAttribute('data-first')).toBe('');
  // Another element may fetch what comes next; it makes no sound.
  const sounding = guest.page
    .locator('audio')
    .evaluateAll((all: HTMLAudioElement[]) => all.filter((one) => !one.paused));
  expect(await sounding).toHaveLength(1);
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
});
