/**
 * Presence through real faults: a browser that dies, a device that sleeps, a line that is silent for a while, a server
 * that dies. One person stays at home and watches the sidebar, and the page records every state that it shows.
 */
import { expect, type Page, test } from '@playwright/test';
import { pingWord } from '@tunemate/protocol';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { type OwnBrowser, startOwnBrowser } from './own-browser.ts';
import { moveIn, openChat, type Resident, tunemateRow } from './people-story.ts';
import { askToJoin, haveAccount, closeVisits, createRoom, entry, log, type Person, visitor, write } from './person.ts';

let server: ServerProcess;
const own: OwnBrowser[] = [];

test.beforeAll(async () => {
  server = await startServerProcess({ env: { RATE_LIMIT_SCALE: '0' } });
});
test.afterAll(async () => {
  await closeVisits();
  await Promise.all(own.map((each) => each.dispose()));
  await server.dispose();
});

interface Guest extends Person {
  own: OwnBrowser;
  /** Resolves when the server is about to ping this page, so that a silence from then on is noticed soonest. */
  pingIsNear: () => Promise<void>;
}

async function arrive(name: string): Promise<Guest> {
  const started = await startOwnBrowser(server.url);
  own.push(started);
  const person = await visitor(started.browser, server.url, name);
  const pingIsNear = followPings(person.page);
  await haveAccount(person, server);
  return { ...person, own: started, pingIsNear };
}

/** The server pings within 25 s after a connection opened, and then every 25 s. */
function followPings(page: Page): Guest['pingIsNear'] {
  let nextPingAtMs = 0;
  const beat = () => (nextPingAtMs = Date.now() + 25_000);
  page.on('websocket', (socket) => {
    beat();
    socket.on('framereceived', ({ payload }) => payload === pingWord && beat());
  });
  return async () => {
    const isNear = () => nextPingAtMs - Date.now() < 4000 && nextPingAtMs - Date.now() > 1000;
    await expect.poll(isNear, { intervals: [500] }).toBe(true);
  };
}

/** Everyone becomes a tunemate of the watcher by being let into a room of theirs, and goes home. */
async function meetAll(watcher: Resident, others: readonly Person[]): Promise<void> {
  const code = await createRoom(watcher, 'audio', 'Night Shift');
  for (const person of others) {
    await askToJoin(person, 'audio', code);
    await watcher.page.getByRole('button', { name: 'Accept' }).first().click();
    await expect(person.page.getByRole('heading', { name: 'Night Shift', level: 1 })).toBeVisible();
    await person.page.goto('/');
    await expect(tunemateRow(watcher.home, person.name)).toContainText('Online');
  }
}

/** Writes down every state that the sidebar shows of each tunemate, and answers what it was so far. */
async function recordStates(home: Page): Promise<(name: string) => Promise<string[]>> {
  await home.evaluate(() => {
    const seen: Record<string, string[]> = {};
    Object.assign(globalThis, { seenStates: seen });
    const look = (): void => {
      for (const row of document.querySelectorAll('ul[aria-label="Tunemates"] > li')) {
        const states = (seen[row.querySelector('strong')?.textContent ?? ''] ??= []);
        const state = row.textContent.includes('Online, met') ? 'Online' : 'Offline';
        if (states.at(-1) !== state) states.push(state);
      }
    };
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  return async (name) =>
    await home.evaluate(
      (whose) => (globalThis as unknown as { seenStates: Record<string, string[]> }).seenStates[whose] ?? [],
      name,
    );
}

/** Waits until the sidebar says offline, and prints how long that took. */
async function expectOffline(home: Page, name: string, after: string, sinceMs: number): Promise<void> {
  await expect(tunemateRow(home, name)).toContainText('Offline');
  console.log(`offline after ${after}: ${((Date.now() - sinceMs) / 1000).toFixed(1)} s`);
}

test('presence is true within 45 s of a killed browser, a sleeping device and a killed server', async ({ browser }) => {
  const noor = await moveIn(browser, server, 'Noor');
  const [sami, ines, ada] = await Promise.all([arrive('Sami'), arrive('Ines'), arrive('Ada')]);
  await meetAll(noor, [sami, ines, ada]);
  await openChat(ines, 'Noor');
  await write(ines.page, 'Good night');
  await openChat(noor, 'Ines');
  await openChat(ada, 'Noor');
  await expect(tunemateRow(noor.home, 'Ada')).toContainText('Online');
  const statesOf = await recordStates(noor.home);

  await test.step('a killed browser and a sleeping one go offline; one that answered 32 s ago never does', async () => {
    const isDue = ada.pingIsNear();
    const killedAtMs = Date.now();
    await sami.own.kill();
    const asleepAtMs = Date.now();
    await ines.own.sleep(ines.page);
    await isDue;
    await write(ada.page, 'Into the tunnel');
    await expect(entry(ada.page, 'Into the tunnel')).toContainText(/Delivered|Read/);
    await ada.own.sleep(ada.page);
    const wakesAda = noor.home.waitForTimeout(32_000).then(() => ada.own.wake(ada.page));
    await Promise.all([
      wakesAda,
      expectOffline(noor.home, 'Sami', 'kill -9 of the browser', killedAtMs),
      expectOffline(noor.home, 'Ines', 'going to sleep', asleepAtMs),
    ]);
    await expect(noor.page.getByRole('main').getByText('Offline')).toBeVisible();
  });

  await test.step('a device that wakes up is online again, and each message sent meanwhile is there once', async () => {
    await write(noor.page, 'Slept well?');
    await ines.own.wake(ines.page);
    await expect(tunemateRow(noor.home, 'Ines')).toContainText('Online');
    await expect(log(ines.page).getByText('Slept well?')).toHaveCount(1);
    await write(ines.page, 'Like a stone');
    await expect(log(noor.page).getByText('Like a stone')).toHaveCount(1);
    await expect(log(ines.page).getByText('Slept well?')).toHaveCount(1);
  });

  await test.step('after kill -9 of the server only people who left meanwhile are offline', async () => {
    await server.kill();
    await ines.own.kill();
    await server.restart();
    const restartedAtMs = Date.now();
    await expectOffline(noor.home, 'Ines', 'the restart of the server', restartedAtMs);
    expect(await statesOf('Ada')).toEqual(['Online']);
    expect(await statesOf('Sami')).toEqual(['Online', 'Offline']);
    expect(await statesOf('Ines')).toEqual(['Online', 'Offline', 'Online', 'Offline']);
    await write(ada.page, 'Out again');
    await expect(entry(ada.page, 'Out again')).toContainText(/Delivered|Read/);
  });
  // A killed server refuses, and resets what had just reached it.
  expect(noor.complaints.filter((line) => !/ERR_CONNECTION_(?:REFUSED|RESET)/.test(line))).toEqual([]);
});
