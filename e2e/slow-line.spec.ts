/** A guest on a slow line comes into a room that plays. What arrives is counted, since times depend on the machine. */
import { expect } from '@playwright/test';
import { createRoom, isPlaying, kindWords, playFromLibrary } from './person.ts';
import { test } from './with-server.ts';

const bytesPerSecond = 200_000;
/** The track is 107 s long and 1.3 MB; a player that waits for the picture inside starts with 62 s of it. */
const enoughSeconds = 25;

test('on a slow line music starts with its first seconds, and the first answers come with the page', async ({
  member,
}) => {
  const mara = await member('Mara');
  const code = await createRoom(mara, 'audio', 'Far Away');
  await playFromLibrary(mara, 'audio', 'Sunday Kitchen');
  await expect.poll(() => isPlaying(mara)).toBe(true);

  const { page, context } = mara;
  await page.goto('about:blank');
  const line = await context.newCDPSession(page);
  /** What was asked for, and where all of a script had arrived. */
  const sent: string[] = [];
  const paths = new Map<string, string>();
  line.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    paths.set(requestId, pathname);
    sent.push(pathname);
  });
  line.on('Network.loadingFinished', ({ requestId }) => void sent.push(`all of ${paths.get(requestId) ?? ''}`));
  await line.send('Network.enable');
  await line.send('Network.clearBrowserCache');
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
  await line.send('Network.emulateNetworkConditions', { offline: false, latency: 150, ...throughput });
  await page.addInitScript(() => {
    const ready = (event: Event) => {
      const { buffered } = event.target as HTMLMediaElement;
      Object.assign(window, { arrivedSeconds: buffered.length === 0 ? 0 : buffered.end(buffered.length - 1) });
    };
    // It does not bubble, and there is no player yet.
    document.addEventListener('loadedmetadata', ready, { capture: true, once: true });
  });
  await page.goto(`${kindWords.audio.path}${code}`);
  await page.waitForFunction(() => 'arrivedSeconds' in window);
  const arrived = await page.evaluate(() => (window as unknown as { arrivedSeconds: number }).arrivedSeconds);
  console.log(`the player was ready when ${arrived.toFixed(1)} s of the track had arrived`);
  expect(arrived).toBeLessThan(enoughSeconds);
  // A look at the page counts as a touch. A track that is ready before the first look is not started by the browser.
  const tap = page.getByRole('button', { name: 'Tap to listen' });
  await expect(async () => {
    if (await tap.isVisible()) await tap.click();
    expect(await isPlaying(mara)).toBe(true);
  }).toPass();

  const app = sent.findIndex((each) => each.startsWith('all of /assets/index-'));
  for (const path of ['/api/session', '/api/config']) {
    expect(sent.slice(0, app)).toContain(path);
    expect(sent.filter((each) => each === path)).toHaveLength(1);
  }
  expect(mara.complaints).toEqual([]);
});
