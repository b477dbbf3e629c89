/**
 * What goes wrong on an evening is said as it is, and the music goes on for everyone else: searches are used up, a
 * phone falls asleep while it asks to join, the host's phone falls asleep, the room is locked.
 */
import { expect, type Page, test } from '@playwright/test';
import { type FakeDataApi, sendJson, startFakeDataApi } from '@tunemate/testkit/fakes/fake-data-api';
import { serveFakeYouTube } from '@tunemate/testkit/browsers/fake-youtube';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { sees } from './notices.ts';
import { askToJoin, closeVisits, haveAccount, isPlaying, player, positionOf, visitor } from './person.ts';
import { comeTogether, tracks } from './room-story.ts';

let api: FakeDataApi;
let server: ServerProcess;
test.beforeAll(async () => {
  api = await startFakeDataApi();
  api.answer = ({ call, parameters }, response) => {
    if (call === 'playlistItems') return sendJson(response, playlistOf(parameters['playlistId'] ?? ''));
    sendJson(response, { error: { code: 403, errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] } }, 403);
  };
  const env = { YOUTUBE_API_URL: api.url, YOUTUBE_API_KEY: 'test', RATE_LIMIT_SCALE: '20' };
  server = await startServerProcess({ env });
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await server.dispose();
  await api.close();
});

/** 50 videos in the service's own shape; `id` ends in a digit. */
const playlistOf = (id: string): object => ({
  items: Array.from({ length: 50 }, (_, index) => {
    const videoId = `full-${id.slice(-1)}-${String(index).padStart(4, '0')}`;
    const thumbnails = { default: { url: `https://i.ytimg.com/vi/${videoId}/default.jpg` } };
    const resourceId = { kind: 'youtube#video', videoId };
    return { snippet: { title: `Track ${String(index)} of ${id}`, thumbnails, resourceId } };
  }),
});

/** A phone, whose connection can fall silent, as that of one that sleeps: nothing is said, and nothing is closed. */
async function phone(page: Page): Promise<{ sleep: () => void; wake: () => void }> {
  let isAwake = true;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.routeWebSocket(/\/socket(?:\?|$)/, async (here) => {
    if (!isAwake) {
      await here.close();
      return;
    }
    const there = here.connectToServer();
    here.onMessage((message) => isAwake && there.send(message));
    there.onMessage((message) => isAwake && here.send(message));
  });
  return { sleep: () => void (isAwake = false), wake: () => void (isAwake = true) };
}

test('on a bad evening every sentence is true (BLOCK-205)', async ({ browser }) => {
  const host = await visitor(browser, server.url, 'Mara');
  const guest = await visitor(browser, server.url, 'Ivo');
  const late = await visitor(browser, server.url, 'Ada');
  const [hostPhone, latePhone] = [await phone(host.page), await phone(late.page)];
  for (const person of [host, guest, late]) {
    await serveFakeYouTube(person.context);
    await haveAccount(person, server);
  }
  const code = await comeTogether(host, guest, 'video', 'Bad Weather');

  await test.step('searches are used up, and the library still works', async () => {
    await host.page.getByLabel('Search videos').fill(tracks.audio);
    await host.page.keyboard.press('Enter');
    await expect(
      host.page.getByText('No more YouTube searches today. The library and pasted links still work.'),
    ).toBeVisible();
    await expect(host.page.getByText('No results found')).toHaveCount(0);
    await host.page
      .getByRole('button', { name: new RegExp(tracks.audio) })
      .first()
      .click();
    await expect.poll(() => isPlaying(guest)).toBe(true);
  });
  await test.step('a full queue takes no more, and says so', async () => {
    for (const playlist of ['PLevening1', 'PLevening2', 'PLevening3', 'PLevening4']) {
      await host.page.getByLabel('Search videos').fill(`https://www.youtube.com/playlist?list=${playlist}`);
      await host.page.keyboard.press('Enter');
      await expect(host.page.getByText(`Track 49 of ${playlist}`).first()).toBeAttached();
      await host.page.getByRole('button', { name: 'Add all' }).click();
      // The film is in the queue too, so the last video of the last list finds no place.
      const notice = playlist.endsWith('4') ? 'The queue is full (200).' : /^50 tracks added to the queue/;
      await expect(host.page.getByText(notice).first()).toBeVisible();
    }
    await host.page.getByRole('button', { name: 'Cancel', exact: true }).click();
  });

  await askToJoin(late, 'video', code);
  await sees(host.page, /^New Join Request from/);
  await expect(host.page.getByRole('button', { name: 'Accept Ada' })).not.toHaveCount(0);
  // From the beginning, so that it does not end while the host's phone is asleep.
  await host.page.getByRole('slider', { name: 'Seek' }).press('Home');
  await expect.poll(() => positionOf(guest)).toBeLessThan(10);
  await expect.poll(() => isPlaying(guest)).toBe(true);
  const interrupted = await player(guest).evaluateHandle((element: HTMLMediaElement) => {
    const events: string[] = [];
    // The end of the film is none: there the player pauses, and goes back to the beginning.
    const note = ({ type }: Event) => {
      const { currentTime, duration } = element;
      if (currentTime > 1 && currentTime < duration - 1) events.push(`${type} at ${String(currentTime)} s`);
    };
    for (const name of ['pause', 'emptied', 'abort']) element.addEventListener(name, note);
    return events;
  });
  const sent = guest.moves();
  latePhone.sleep();
  hostPhone.sleep();

  await test.step('the host’s phone sleeps: guests read so, and their music goes on', async () => {
    await expect(guest.page.getByText('Host is reconnecting…')).toBeVisible({ timeout: 120_000 });
    expect(await isPlaying(guest)).toBe(true);
    hostPhone.wake();
    await expect(guest.page.getByText('Host is reconnecting…')).toHaveCount(0);
    await expect(host.page.getByText('You (Host)')).toBeVisible();
    await expect(host.page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    // The room itself pauses where its host's player waits for data.
    expect((await interrupted.jsonValue()).length).toBeLessThanOrEqual(guest.moves() - sent);
  });

  await test.step('a request lapses while its phone sleeps, and both sides read so', async () => {
    // A minute after the page that waits said so last.
    await expect(host.page.getByRole('button', { name: 'Accept Ada' })).toHaveCount(0, { timeout: 120_000 });
    latePhone.wake();
    await expect(
      late.page.getByText('Your request has lapsed, because this page was away for more than a minute.'),
    ).toBeVisible();
    await expect(late.page.getByLabel('Room code')).toHaveValue(code);
  });

  await test.step('a locked room says that it takes no requests, and takes them again once it is open', async () => {
    await host.page.getByRole('button', { name: 'Room settings' }).click();
    await host.page.getByRole('button', { name: 'Lock room', exact: true }).click();
    const ask = late.page.getByRole('button', { name: 'Join Session' });
    await expect(guest.page.getByText('Locked', { exact: true })).toBeVisible();
    await ask.click();
    await expect(late.page.getByRole('alertdialog')).toContainText('This room is not taking requests now');
    await late.page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    await host.page.getByRole('button', { name: 'Unlock room', exact: true }).click();
    await host.page.keyboard.press('Escape');
    await expect(guest.page.getByText('Locked', { exact: true })).toHaveCount(0);
    await ask.click();
    await host.page.getByRole('button', { name: 'Accept' }).first().click();
    await expect(late.page.getByRole('heading', { name: 'Bad Weather', level: 1 })).toBeVisible();
  });

  await test.step('a blocked person leaves as if removed, and waits unseen when they ask again', async () => {
    await host.page.getByRole('region', { name: 'Participants' }).getByRole('button', { name: /Ada/ }).click();
    await host.page.getByRole('dialog', { name: 'Ada' }).getByRole('button', { name: 'Block' }).click();
    await host.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
    await expect(late.page.getByRole('alertdialog')).toContainText('The host removed you from this room');
    await late.page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
    await expect(late.page).toHaveURL('/');
    await expect(guest.page.getByRole('region', { name: 'Participants' })).not.toContainText('Ada');
  });
  expect([...host.complaints, ...guest.complaints, ...late.complaints]).toEqual([]);
});
