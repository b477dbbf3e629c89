/** Pages in WebKit: login, home, a room and its chat, with a guest in Chromium. Not run where there is no WebKitGTK. */
import { expect } from '@playwright/test';
import type { PlainPage } from '@tunemate/testkit/browsers/plain-page';
import { openWebkitPage } from '@tunemate/testkit/browsers/webkit';
import { orNotRun } from './not-run.ts';
import { askToJoin, write } from './person.ts';
import { createRoomPlainly, plainPerson, sayPlainly, signInPlainly } from './plain-story.ts';
import { test } from './with-server.ts';

let page: PlainPage | null = null;
test.beforeAll(async () => {
  page = await orNotRun(() => openWebkitPage());
});
test.afterAll(async () => {
  await page?.close();
});

test('in WebKitGTK a user signs in, opens a room, lets a guest in, and the two talk', async ({ member, server }) => {
  if (page === null) return;
  const host = await plainPerson(page, 'Mara', server);
  await signInPlainly(host);
  const code = await createRoomPlainly(host, 'audio', 'Late Tram');
  const guest = await member('Ivo');
  await askToJoin(guest, 'audio', code);
  await host.screen.press('button', 'Accept');
  await expect(guest.page.getByRole('heading', { name: 'Late Tram', level: 1 })).toBeVisible();
  await sayPlainly(host, 'Hello from Mara');
  await expect(guest.page.getByText('Hello from Mara').first()).toBeVisible();
  await guest.page.getByRole('button', { name: 'Click here to Start Chat' }).click();
  await write(guest.page, 'Hello from Ivo');
  await host.screen.says('Hello from Ivo');
  // The way back in: a reload keeps the session and the room.
  await host.screen.page.reload();
  await host.screen.has('heading', 'Late Tram');
  await host.screen.says('Hello from Ivo');
});
