/** YouTube in both kinds of room, with stand-ins for its player and its data API: nothing leaves this machine. */
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { type RoomKind, roomKinds } from '@tunemate/protocol';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import {
  type FakeDataApi,
  foundVideos,
  sendJson,
  startFakeDataApi,
  videoIdNumber,
} from '@tunemate/testkit/fakes/fake-data-api';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { serveFakeYouTube } from '@tunemate/testkit/browsers/fake-youtube';
import { startTcpFaultProxy, type TcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { sees } from './notices.ts';
import { askToJoin, haveAccount, kindWords, type Person, visitor, closeVisits } from './person.ts';
import { comeTogether } from './room-story.ts';

const notEmbeddable = videoIdNumber(3);
let api: FakeDataApi;
let server: ServerProcess;
/** The guests' connection to the server, and the browser that uses it. */
let line: TcpFaultProxy;
let farBrowser: Browser;

test.beforeAll(async () => {
  api = await startFakeDataApi();
  const videos = { items: [{ id: videoIdNumber(1), snippet: { title: 'Song 1 of the evening', categoryId: '10' } }] };
  api.answer = ({ call }, response) => sendJson(response, call === 'videos' ? videos : foundVideos(5));
  const env = { YOUTUBE_API_URL: api.url, YOUTUBE_API_KEY: 'test', RATE_LIMIT_SCALE: '2' };
  server = await startServerProcess({ env });
  const { hostname, port } = new URL(server.url);
  line = await startTcpFaultProxy({ targetPort: Number(port) });
  const { executablePath, args } = chromiumLaunch({ autoplay: true, prefersShell: true, isBrief: true });
  const throughLine = `--host-resolver-rules=MAP ${hostname}:${port} 127.0.0.1:${String(line.port)}`;
  farBrowser = await chromium.launch({ executablePath, args: [...args, throughLine] });
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await farBrowser.close();
  await line.stop();
  await server.dispose();
  await api.close();
});

async function comes(from: Browser, name: string): Promise<Person> {
  const person = await visitor(from, server.url, name);
  await serveFakeYouTube(person.context, { broken: { [notEmbeddable]: 150 } });
  await haveAccount(person, server);
  return person;
}

const playingId = (page: Page) =>
  page.evaluate(() => (window.fakeYouTube?.state() === 1 ? window.fakeYouTube.videoId() : null));
const seeksOf = (page: Page) =>
  page.evaluate(() => window.fakeYouTube?.commands.filter((command) => command.startsWith('seekTo')).length ?? 0);

/** How far the second page's sound is ahead of the first's, in seconds; NaN while either is silent. */
async function apartSeconds(first: Page, second: Page): Promise<number> {
  const read = (page: Page) =>
    page.evaluate(() => {
      const position = window.fakeYouTube?.position() ?? null;
      return position === null ? Number.NaN : position - (performance.timeOrigin + performance.now()) / 1000;
    });
  const [a, b] = await Promise.all([read(first), read(second)]);
  return b - a;
}

async function expectBothPlay(host: Page, guest: Page, number: number): Promise<void> {
  for (const page of [host, guest]) {
    await expect.poll(() => playingId(page)).toBe(videoIdNumber(number));
  }
}

async function expectInStep(host: Page, guest: Page): Promise<void> {
  await expect.poll(async () => Math.abs(await apartSeconds(host, guest))).toBeLessThan(0.3);
}

/** Five seconds without a connection, in which the sound never stops; then the person presses Try Again. */
async function playOnWithoutLine(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const stops = await page.evaluateHandle(() => {
    const seen = { silent: 0 };
    setInterval(() => (seen.silent += window.fakeYouTube?.position() === null ? 1 : 0), 50);
    return seen;
  });
  line.close();
  await page.waitForTimeout(1000);
  await meanwhile();
  await page.waitForTimeout(4000);
  const notice = page.getByText('Reconnecting…');
  await expect(notice).toBeVisible();
  expect(await stops.evaluate(({ silent }) => silent)).toBe(0);
  line.reopen();
  const tryAgain = page.getByRole('button', { name: 'Try Again' });
  // An attempt that began while offline has to fail first.
  await expect(async () => {
    if (await notice.isVisible()) await tryAgain.click({ timeout: 1000 });
    await expect(notice).toHaveCount(0, { timeout: 1000 });
  }).toPass({ timeout: 60_000 });
}

async function find({ page }: Person, kind: RoomKind, query: string): Promise<void> {
  await page.getByLabel(kindWords[kind].search).fill(query);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Song 5/u }).first()).toBeVisible();
}

async function pick({ page }: Person, number: number): Promise<void> {
  await page
    .getByRole('list', { name: 'Search Results' })
    .getByRole('button', { name: new RegExp(`^Song ${String(number)}`, 'u') })
    .click();
}

/** What each kind of room does that the other does not. */
const ownStory: Record<RoomKind, (host: Person, guest: Person) => Promise<void>> = {
  async video(host, guest) {
    await find(host, 'video', 'what comes then');
    await host.page.getByRole('button', { name: 'Add Song 2 to the queue' }).click();
    await host.page.getByRole('button', { name: 'Add Song 3 to the queue' }).click();
    await host.page.getByRole('button', { name: 'Cancel' }).click();
    await host.page.getByRole('button', { name: 'Next', exact: true }).click();
    await expectBothPlay(host.page, guest.page, 2);
    await host.page.getByRole('slider', { name: 'Seek' }).press('End');
    await sees(host.page, /^Song 3 cannot be played\. Its owner does not allow it/);
    await expectBothPlay(host.page, guest.page, 1);
  },
  async audio(host, guest) {
    await host.page.getByRole('slider', { name: 'Seek' }).press('End');
    await expect.poll(() => playingId(guest.page)).toBeNull();
    await expect(host.page.getByText(/00:00 \/ 04:00/u)).toBeVisible();
    await find(host, 'audio', 'what comes then');
    await pick(host, 3);
    await sees(host.page, /^Song 3 cannot be played\. Its owner does not allow it/);
    await find(host, 'audio', 'and then');
    await pick(host, 1);
    await expectBothPlay(host.page, guest.page, 1);
  },
};

/**
 * Players follow, lines break and tabs take over in the same way in both kinds of room (a check holds that they share their
 * code), so that is done in one of them.
 */
const followedIn: RoomKind = 'video';

async function follow(host: Person, guest: Person, late: Person, code: string): Promise<void> {
  await test.step('1 s off is nudged, 3 s off is one seek', async () => {
    await guest.page.waitForTimeout(6000);
    const before = await seeksOf(guest.page);
    await guest.page.evaluate(() => window.fakeYouTube?.shift(-1));
    await expectInStep(host.page, guest.page);
    expect(await seeksOf(guest.page)).toBe(before);
    await guest.page.evaluate(() => window.fakeYouTube?.shift(-3));
    await expectInStep(host.page, guest.page);
    expect(await seeksOf(guest.page)).toBe(before + 1);
  });
  await test.step('5 s offline: the player plays on, and then follows to where the host went meanwhile', async () => {
    await playOnWithoutLine(guest.page, () => Promise.resolve());
    await expectInStep(host.page, guest.page);
    const before = await seeksOf(guest.page);
    await playOnWithoutLine(guest.page, () => host.page.getByRole('slider', { name: 'Seek' }).press('PageDown'));
    await expectInStep(host.page, guest.page);
    expect(await seeksOf(guest.page)).toBe(before + 1);
  });
  await test.step('a guest who joins late hears the same', async () => {
    await askToJoin(late, followedIn, code);
    await host.page.getByRole('button', { name: 'Accept' }).first().click();
    await expect.poll(() => playingId(late.page)).toBe(videoIdNumber(1));
    await expectInStep(host.page, late.page);
    await late.page.close();
  });
}

async function reloadAndTakeOver(host: Person, guest: Person): Promise<void> {
  await test.step('late join, and a reload of the host', async () => {
    for (const { page } of [guest, host]) {
      await page.reload();
      await expectBothPlay(host.page, guest.page, 1);
      await expectInStep(host.page, guest.page);
    }
    await expect(host.page.getByRole('button', { name: 'Pause' })).toBeVisible();
  });
  await test.step("the host's second tab takes over", async () => {
    const second = await host.context.newPage();
    await second.goto(host.page.url());
    await expect(second.getByText('Playing in another tab')).toBeVisible();
    await second.getByRole('button', { name: 'Take over' }).click();
    await expect(second.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect(host.page.getByText('Playing in another tab')).toBeVisible();
  });
}

for (const kind of roomKinds) {
  test(`YouTube plays for everyone in a room of kind ${kind}`, async ({ browser }) => {
    const host = await comes(browser, `Noor ${kind}`);
    const guest = await comes(farBrowser, `Sami ${kind}`);
    api.calls.splice(0);
    const code = await comeTogether(host, guest, kind, 'Long Way Round');

    await test.step('search and pick', async () => {
      await find(host, kind, 'evening song');
      await pick(host, 1);
      await expectBothPlay(host.page, guest.page, 1);
      await expectInStep(host.page, guest.page);
      // No thumbnail can be fetched here: the placeholder is shown, and no broken image.
      await expect(host.page.locator('img')).toHaveCount(0);
    });
    if (kind === followedIn) await follow(host, guest, await comes(browser, 'Ines'), code);
    await test.step('steps of this kind of room only', () => ownStory[kind](host, guest));
    if (kind === followedIn) await reloadAndTakeOver(host, guest);
    expectCallsOfTheSpec(kind);
  });
}

/** Every call of the Data API is a known one, with exactly its parameters. */
function expectCallsOfTheSpec(kind: RoomKind): void {
  const search = { key: 'test', part: 'snippet', type: 'video', maxResults: '5' };
  const typed = ['evening song', 'what comes then', ...(kind === 'audio' ? ['and then'] : [])];
  const wanted = typed.map((query) =>
    kind === 'video' ? { ...search, q: query } : { ...search, q: `${query} audio`, videoCategoryId: '10' },
  );
  const searches = api.calls.filter(({ call }) => call === 'search').map(({ parameters }) => parameters);
  const isRelated = (parameters: Readonly<Record<string, string>>) => 'relevanceLanguage' in parameters;
  expect(searches.filter((each) => !isRelated(each))).toEqual(wanted);
  const related = searches.filter(isRelated);
  if (kind === 'video') return expect(related).toEqual([]);
  expect(related[0]).toEqual({ ...search, q: 'Song 1 of', videoCategoryId: '10', relevanceLanguage: 'en' });
  const videos = api.calls.filter(({ call }) => call === 'videos').map(({ parameters }) => parameters);
  expect(videos[0]).toEqual({ key: 'test', part: 'snippet', id: videoIdNumber(1) });
}
