/**
 * A film night: a host lets everybody in by the link, twelve come, and they watch a film with subtitles and in full
 * screen, react, and see one removed and the room handed over. Nobody's film stops meanwhile.
 */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { connect, makePeople, type Member } from '@tunemate/testkit/crowd';
import type { Person as Account } from '@tunemate/testkit/people';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/process';
import { makeTempDir, type TempDir } from '@tunemate/testkit/temp-dir';
import {
  closeVisits,
  createRoom,
  haveAccount,
  isPlaying,
  type Person,
  player,
  playFromLibrary,
  positionOf,
  spreadMs,
  visitor,
} from './person.ts';
import { offerOnLeaving, press, remove } from './moderation-story.ts';

const room = 'Harbour Film Night';
const film = 'Two Reels';
const sentence = 'Ich habe das Fenster offen gelassen.';
/** Guests without a browser: a machine bears only a few real pages. */
const listeners = 9;

let data: TempDir;
let media: TempDir;
let server: ServerProcess;
let accounts: Account[];
const members: Member[] = [];

test.beforeAll(async () => {
  data = await makeTempDir('film-night');
  media = await makeTempDir('film-night-media');
  await cp(join(import.meta.dirname, '../library/media/two-reels.mp4'), join(media.path, 'two-reels.mp4'));
  await writeFile(join(media.path, 'two-reels.de.srt'), `1\n00:00:00,000 --> 00:59:00,000\n${sentence}\n`);
  accounts = await makePeople(`sqlite:${join(data.path, 'tunemate.sqlite')}`, listeners);
  server = await startServerProcess({ dataDir: data.path, env: { MEDIA_DIR: media.path } });
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  for (const { line } of members) line.disconnect();
  await server.dispose();
  await data.remove();
  await media.remove();
});

/** Notes on the page, ten times a second, where the film is, and whatever stops or restarts its player. */
async function record(person: Person): Promise<void> {
  await player(person).evaluate((element: HTMLMediaElement) => {
    const night = { stops: [] as string[], readings: [] as [number, number][] };
    for (const name of ['pause', 'emptied', 'loadstart', 'abort'])
      element.addEventListener(name, () => void night.stops.push(name));
    setInterval(() => void (element.paused || night.readings.push([performance.now(), element.currentTime])), 100);
    Object.assign(window, { night });
  });
}

/**
 * What stopped the player since, and the longest, in milliseconds, that the film stood still without a pause while the
 * page did not: a busy machine lets a page wait.
 */
async function recorded({ page }: Person): Promise<{ stops: string[]; stillMs: number; readings: number }> {
  return await page.evaluate(() => {
    const { night } = window as unknown as { night: { stops: string[]; readings: [number, number][] } };
    let stillMs = 0;
    let stood = 0;
    for (const [index, [atMs, seconds]] of night.readings.entries()) {
      const [beforeMs, before] = night.readings[index - 1] ?? [atMs, Number.NaN];
      // One reading after a page or a pause that lasted says nothing of the time between.
      stood = seconds === before ? stood + Math.min(atMs - beforeMs, 200) : 0;
      stillMs = Math.max(stillMs, stood);
    }
    return { stops: night.stops, stillMs, readings: night.readings.length };
  });
}

async function comeByLink({ page }: Person, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Join Session' }).click();
  await expect(page.getByRole('heading', { name: room, level: 1 })).toBeVisible();
}

/** Lets everybody with the link in, and answers the link. */
async function openTheDoor({ page }: Person): Promise<string> {
  await page.getByRole('button', { name: 'Room settings' }).click();
  // Checked once the server has answered.
  await page.getByRole('radio', { name: /^Everybody with the link/ }).click();
  await expect(page.getByRole('radio', { name: /^Everybody with the link/ })).toBeChecked();
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('button', { name: /^Invite/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Copy Link' }).click();
  await expect(page.getByText(/[Ll]ink copied/).first()).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Close' }).click();
  return link;
}

test('SUB-W1, PICT-3, ORDER-9: twelve watch a film, with subtitles, in full screen, over a removal and another host', async ({
  browser,
}) => {
  const [mara, ada, samir, noor] = await Promise.all(
    ['Mara', 'Ada', 'Samir', 'Noor'].map((name) => visitor(browser, server.url, name)),
  );
  if (!mara || !ada || !samir || !noor) throw new Error('four people come');
  for (const person of [mara, ada, samir, noor]) await haveAccount(person, server);
  const code = await createRoom(mara, 'video', room);
  const link = await openTheDoor(mara);
  for (const person of [ada, samir, noor]) await comeByLink(person, link);
  for (const account of accounts) {
    const member = await connect(server.url, account);
    members.push(member);
    expect(await member.ask('rooms/askToJoin', { kind: 'video', code })).toMatchObject({ status: 'member' });
    await member.ask('rooms/enter', { kind: 'video', code });
  }
  await expect(mara.page.getByRole('region', { name: 'Participants' })).toContainText('13');

  await playFromLibrary(mara, 'video', film);
  for (const person of [mara, ada, samir, noor]) await expect.poll(() => isPlaying(person)).toBe(true);
  await expect.poll(async () => Math.abs(await spreadMs(mara, ada))).toBeLessThan(250);
  await expect.poll(() => positionOf(noor)).toBeGreaterThan(1);
  for (const person of [mara, ada, noor]) await record(person);
  const told = new Map([mara, ada, noor].map((person) => [person, person.moves()]));
  /** The room itself pauses where its host's player waits for data; nothing else may. */
  const expectUnstopped = (person: Person, stops: readonly string[]): void => {
    expect(stops.filter((stop) => stop !== 'pause')).toEqual([]);
    expect(stops.length).toBeLessThanOrEqual(person.moves() - (told.get(person) ?? 0));
  };

  await test.step('subtitles for one, full screen for another, and a stamp for all', async () => {
    await ada.page.getByRole('button', { name: 'Subtitles' }).click();
    await ada.page.getByRole('radio', { name: 'Deutsch' }).check();
    await expect(ada.page.getByText(sentence)).toBeVisible();
    await ada.page.keyboard.press('Escape');
    await expect(noor.page.getByText(sentence)).toHaveCount(0);
    await ada.page.getByRole('button', { name: 'Full screen', exact: true }).click();
    await expect(ada.page.getByRole('button', { name: 'Exit full screen' })).toBeVisible();
    await expect(ada.page.getByRole('main').getByText('13 here')).toBeVisible();
    await expect(ada.page.getByText(sentence)).toBeVisible();
    await ada.page.getByRole('button', { name: 'Chat', exact: true }).click();
    await ada.page.getByRole('group', { name: 'React to what plays' }).getByRole('button', { name: 'Fire' }).click();
    await expect(ada.page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  });

  await test.step('one is removed', async () => {
    await remove(mara, samir);
    await expect(ada.page.getByRole('main').getByText('12 here')).toBeVisible();
  });

  await test.step('the host hands over and leaves', async () => {
    await offerOnLeaving(mara, ada, room);
    const beforeLeaving = await recorded(mara);
    expectUnstopped(mara, beforeLeaving.stops);
    await press(ada, 'Take over');
    await expect(mara.page).toHaveURL('/');
    await expect(noor.page.getByText('Ada', { exact: true }).first()).toBeVisible();
  });

  for (const person of [ada, noor]) {
    const { stops, stillMs, readings } = await recorded(person);
    console.log(`${person.name}: ${String(readings)} readings, still for ${stillMs.toFixed(0)} ms at most`);
    expectUnstopped(person, stops);
    expect(readings).toBeGreaterThan(10);
    expect(stillMs).toBeLessThan(1500);
  }
  await ada.page.getByRole('button', { name: 'Exit full screen' }).click();
  await ada.page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect.poll(() => isPlaying(noor)).toBe(false);
  expect([mara, ada, samir, noor].flatMap(({ complaints }) => complaints)).toEqual([]);
});
