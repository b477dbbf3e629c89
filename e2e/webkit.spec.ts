/** Pages in WebKit: login, home, a room and its chat, with a guest in Chromium. Not run where there is no WebKitGTK. */
import { expect, test } from '@playwright/test';
import type { PlainPage } from '@tunemate/testkit/plain-page';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/process';
import { openWebkitPage } from '@tunemate/testkit/webkit';
import { orNotRun } from './not-run.ts';
import { askToJoin, closeVisits, haveAccount, visitor } from './person.ts';
import { createRoomPlainly, plainPerson, sayPlainly, signInPlainly } from './plain-story.ts';

let server: ServerProcess;
let page: PlainPage | null = null;
test.beforeAll(async () => {
  server = await startServerProcess();
  page = await orNotRun(() => openWebkitPage());
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await page?.close();
  await server.dispose();
});

test('FF-W2 in WebKitGTK somebody signs in, opens a room, lets a guest in, and the two talk', async ({ browser }) => {
  if (page === null) return;
  const host = await plainPerson(page, 'Mara', server);
  await signInPlainly(host);
  const code = await createRoomPlainly(host, 'audio', 'Late Tram');
  const guest = await visitor(browser, server.url, 'Ivo');
  await haveAccount(guest, server);
  await askToJoin(guest, 'audio', code);
  await host.screen.press('button', 'Accept');
  await expect(guest.page.getByRole('heading', { name: 'Late Tram', level: 1 })).toBeVisible();
  await sayPlainly(host, 'Hello from Mara');
  await expect(guest.page.getByText('Hello from Mara').first()).toBeVisible();
  await guest.page.getByRole('button', { name: 'Click here to Start Chat' }).click();
  await guest.page.getByRole('textbox', { name: 'Message' }).fill('Hello from Ivo');
  await guest.page.keyboard.press('Enter');
  await host.screen.says('Hello from Ivo');
  // The way back in: a reload keeps the session and the room.
  await host.screen.page.reload();
  await host.screen.has('heading', 'Late Tram');
  await host.screen.says('Hello from Ivo');
});
