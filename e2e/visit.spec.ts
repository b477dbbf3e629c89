/** The music goes on while two people in a room read and answer private messages on other screens. */
import { expect, test } from '@playwright/test';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/process';
import {
  closeVisits,
  haveAccount,
  isPlaying,
  type Person,
  player,
  playFromLibrary,
  spreadMs,
  visitor,
} from './person.ts';
import { pressInRow } from './people-story.ts';
import { comeTogether, tracks } from './room-story.ts';

let server: ServerProcess;
test.beforeAll(async () => {
  server = await startServerProcess();
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await server.dispose();
});

/** Notes on the page whatever stops or restarts its player from now on, and where the music was when. */
async function record(person: Person): Promise<void> {
  await player(person).evaluate((element: HTMLMediaElement) => {
    const heard: string[] = [];
    for (const name of ['pause', 'emptied', 'loadstart', 'abort'])
      element.addEventListener(name, () => heard.push(name));
    Object.assign(window, { heard, startedAt: [performance.now(), element.currentTime], recorded: element });
  });
}

/** What was heard besides the music, and by how many milliseconds the music fell behind the clock since `record`. */
async function recorded(person: Person) {
  return await player(person).evaluate((element: HTMLMediaElement) => {
    const kept = window as unknown as { heard: string[]; startedAt: [number, number]; recorded: HTMLMediaElement };
    const [thenMs, thenSeconds] = kept.startedAt;
    const lagMs = performance.now() - thenMs - (element.currentTime - thenSeconds) * 1000;
    return { heard: kept.heard, isSame: kept.recorded === element, lagMs };
  });
}

async function openChatWith({ page }: Person, other: string): Promise<void> {
  await pressInRow(page, other, 'Chat');
  await expect(page.getByRole('heading', { name: other, level: 1 })).toBeVisible();
}

test('VISIT-1: music plays on while a private message is read and answered on other screens', async ({ browser }) => {
  const host = await visitor(browser, server.url, 'Mara');
  const guest = await visitor(browser, server.url, 'Ivo');
  await haveAccount(host, server);
  await haveAccount(guest, server);
  await comeTogether(host, guest, 'audio', 'Kitchen Radio');
  await playFromLibrary(host, 'audio', tracks.audio);
  for (const person of [host, guest]) await expect.poll(() => isPlaying(person)).toBe(true);
  await expect.poll(async () => Math.abs(await spreadMs(host, guest))).toBeLessThan(100);
  for (const person of [host, guest]) await record(person);

  for (const person of [host, guest]) {
    await person.page.getByRole('link', { name: 'Tunemate home' }).click();
    await expect(person.page.getByRole('region', { name: 'Room', exact: true })).toContainText('Playing');
  }
  await openChatWith(host, 'Ivo');
  await host.page.getByRole('textbox', { name: 'Message' }).fill('Do you hear the keys?');
  await host.page.keyboard.press('Enter');
  await openChatWith(guest, 'Mara');
  await expect(guest.page.getByText('Do you hear the keys?').first()).toBeVisible();
  await guest.page.getByRole('textbox', { name: 'Message' }).fill('From the second verse on');
  await guest.page.keyboard.press('Enter');
  await expect(host.page.getByText('From the second verse on').first()).toBeVisible();

  for (const person of [host, guest]) {
    await person.page.getByRole('link', { name: /^Return to room: / }).click();
    await expect(person.page.getByRole('heading', { name: 'Kitchen Radio', level: 1 })).toBeVisible();
    const { heard, isSame, lagMs } = await recorded(person);
    console.log(`${person.name}: ${lagMs.toFixed(0)} ms behind the clock, interrupted by ${String(heard.length)}`);
    expect(heard).toEqual([]);
    expect(isSame).toBe(true);
    expect(Math.abs(lagMs)).toBeLessThan(250);
  }
  await expect(guest.page.getByText('Host is reconnecting…')).toHaveCount(0);
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
});
