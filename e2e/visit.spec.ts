/** The music goes on while two people in a room read and answer private messages on other screens. */
import { expect } from '@playwright/test';
import { openChatWith } from './people-story.ts';
import { isPlaying, listen, playFromLibrary, spreadMs, write } from './person.ts';
import { comeTogether, tracks } from './room-story.ts';
import { expectUnbroken, record } from './unbroken.ts';
import { test } from './with-server.ts';

test('music plays on while a private message is answered on other screens, one of which can’t be fetched', async ({
  member,
}) => {
  const [host, guest] = [await member('Mara'), await member('Ivo')];
  await comeTogether(host, guest, 'audio', 'Kitchen Radio');
  await playFromLibrary(host, 'audio', tracks.audio);
  for (const person of [host, guest]) await expect.poll(() => isPlaying(person)).toBe(true);
  await expect.poll(async () => Math.abs(await spreadMs(host, guest))).toBeLessThan(100);
  for (const person of [host, guest]) await record(person);

  for (const person of [host, guest]) {
    await person.page.getByRole('link', { name: 'Tunemate home' }).click();
    await expect(person.page.getByRole('region', { name: 'Room', exact: true })).toContainText('Playing');
  }
  await test.step('a screen whose code can’t be fetched says so, and opens once it can', async () => {
    const code = '**/NotificationsScreen-*.js';
    const inbox = guest.page.getByRole('banner').getByRole('link', { name: /^Notifications/ });
    await guest.page.route(code, (route) => route.abort());
    await inbox.click();
    await expect(guest.page.getByText('This screen opens once you are connected again.')).toBeVisible();
    await expect(guest.page.getByRole('region', { name: 'Room', exact: true })).toContainText('Playing');
    await guest.page.unroute(code);
    await guest.page.getByRole('link', { name: 'Tunemate home' }).click();
    await inbox.click();
    await expect(guest.page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible();
    await guest.page.getByRole('link', { name: 'Tunemate home' }).click();
  });
  await openChatWith(host, 'Ivo');
  await write(host.page, 'Do you hear the keys?');
  await openChatWith(guest, 'Mara');
  await expect(guest.page.getByText('Do you hear the keys?').first()).toBeVisible();
  await write(guest.page, 'From the second verse on');
  await expect(host.page.getByText('From the second verse on').first()).toBeVisible();

  for (const person of [host, guest]) {
    await person.page.getByRole('link', { name: /^Return to room: / }).click();
    await expect(person.page.getByRole('heading', { name: 'Kitchen Radio', level: 1 })).toBeVisible();
    await expectUnbroken(person);
  }
  await expect(guest.page.getByText('Host is reconnecting…')).toHaveCount(0);
  await test.step('of two tabs of the guest one sounds: the one in use, and the other once that is closed', async () => {
    const second = { ...guest, page: await guest.context.newPage() };
    await second.page.goto(guest.page.url());
    await listen(second);
    await expect.poll(() => isPlaying(guest)).toBe(false);
    await guest.page.getByRole('button', { name: 'Play here' }).click();
    await expect.poll(() => isPlaying(guest)).toBe(true);
    expect(await isPlaying(second)).toBe(false);
    await second.page.getByRole('button', { name: 'Play here' }).click();
    await expect.poll(() => isPlaying(guest)).toBe(false);
    await second.page.close();
    await expect.poll(() => isPlaying(guest)).toBe(true);
  });
  expect([...host.complaints, ...guest.complaints]).toEqual([]);
});
