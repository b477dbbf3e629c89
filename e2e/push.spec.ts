/** Web push: the person opts in, the server encrypts for the keys that their browser gave, and the worker shows it. */
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, test } from '@playwright/test';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { createDeviceKeys, type PushServer, startPushServer } from '@tunemate/testkit/fakes/push-device';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { haveSession } from './person.ts';
import { havePush, optIn, watchWorker } from './push-story.ts';

test.use({ launchOptions: chromiumLaunch({ isBrief: true }) });

let world: SocketWorld;
let service: PushServer;
test.beforeAll(async () => {
  service = await startPushServer();
  world = await openSocketWorld({ webDir: join(import.meta.dirname, '../web/dist'), isStill: false });
});
test.afterAll(async () => {
  await world.close();
  await service.close();
});

const device = createDeviceKeys();

/** The person's own browser, signed in and able to subscribe at this path of the service. */
async function browserOf(browser: Browser, { cookie }: Person, path: string): Promise<BrowserContext> {
  const { url } = world.app;
  const context = await browser.newContext({ baseURL: url });
  await haveSession(context, url, cookie);
  await havePush(context, url, `${service.url}${path}`, device);
  return context;
}

test('a person who opted in is shown each kind of push message while away, and a tap opens its screen', async ({
  browser,
}) => {
  const [noor, sami] = [await world.person('Noor'), await world.arrive('Sami')];
  const path = '/device-of-noor';
  const context = await browserOf(browser, noor, path);
  const page = await context.newPage();
  const room = await test.step('a room of hers, and a tunemate', async () => {
    const tab = await world.connect(noor);
    const made = await world.room(tab, 'audio');
    await world.letIn(tab, sami, made);
    tab.leave();
    return made;
  });
  await optIn(page);
  const worker = await watchWorker(context, world.app.url);
  await page.close();
  await expect.poll(() => world.openTabs(noor)).toBe(0);

  const ines = await world.arrive('Ines');
  valueOf(await sami.ask('chats/send', { clientId: newClientId(), uid: noor.uid, text: 'a secret line' }));
  valueOf(await sami.ask('soulmate/ask', { clientId: newClientId(), uid: noor.uid }));
  valueOf(await sami.ask('notifications/invite', { clientId: newClientId(), uid: noor.uid }));
  valueOf(await ines.ask('rooms/askToJoin', room));
  await expect.poll(() => service.at(path)).toHaveLength(4);
  for (const { body } of service.at(path)) await worker.deliver(device.open(body));
  const chat = `/chat/${sami.uid}`;
  const title = 'Tunemate';
  await expect
    .poll(async () => (await worker.shown()).toSorted((a, b) => (a.body < b.body ? -1 : 1)))
    .toEqual([
      { title, body: 'Ines wants to join your room', path: `/audio-room/${room.code}` },
      { title, body: 'Sami asks to be your soulmate', path: '/notifications' },
      { title, body: 'Sami invites you to listen together', path: '/notifications' },
      { title, body: 'Sami sent you a message', path: chat },
    ]);

  await test.step('with no window open a tap opens one at the chat', async () => {
    const { opened } = await worker.tap(chat);
    expect(opened).toBe(`${world.app.url}${chat}`);
  });
  const reader = await context.newPage();
  await test.step('an open window goes to the screen of the tap and shows the new message', async () => {
    await reader.goto('/');
    await expect(reader.getByRole('heading', { name: 'Noor', level: 1 })).toBeVisible();
    for (let count = 0; count < 2; count += 1) {
      const { focused } = await worker.tap('/notifications');
      expect(focused).toBe(`${world.app.url}/notifications`);
    }
    await expect(reader).toHaveURL('/notifications');
    await expect(reader.getByText('Sami').first()).toBeVisible();
    await worker.tap(`/audio-room/${room.code}`);
    await expect(reader).toHaveURL(`/audio-room/${room.code}`);
    await expect(reader.getByText('Ines').first()).toBeVisible();
  });
  await test.step('a tap closes its notification, and a window that plays in a room stays in it', async () => {
    expect(await worker.shown()).toEqual([]);
    await worker.deliver(JSON.stringify({ type: 'message', uid: sami.uid, name: 'Sami' }));
    await expect.poll(() => worker.shown()).toHaveLength(1);
    const { opened } = await worker.tap(chat);
    expect(opened).toBe(`${world.app.url}${chat}`);
    await expect(reader).toHaveURL(`/audio-room/${room.code}`);
    await reader.goto(opened ?? '');
    await expect(reader.getByRole('log', { name: 'Messages' }).getByText('a secret line')).toBeVisible();
  });
  await context.close();
});

test('a device that was let go, or has another key, is subscribed anew as the app opens; what was read elsewhere goes', async ({
  browser,
}) => {
  const kim = await world.person('Kim');
  const path = '/device-of-kim';
  const context = await browserOf(browser, kim, path);
  const page = await context.newPage();
  await optIn(page);
  const worker = await watchWorker(context, world.app.url);
  const subscribed = async () =>
    await world.db.selectFrom('push_subscriptions').select('endpoint').where('uid', '=', kim.uid).execute();
  const leave = async () => {
    for (const each of context.pages()) if (each.url() !== 'about:blank') await each.close();
    await expect.poll(() => world.openTabs(kim)).toBe(0);
  };
  const open = async () => {
    const opened = await context.newPage();
    await opened.goto('/');
    await expect(opened.getByRole('heading', { name: 'Kim', level: 1 })).toBeVisible();
    return opened;
  };
  const write = async (name: string) => {
    const before = service.at(path).length;
    const sender = await world.arrive(name);
    const sent = valueOf(await sender.ask('chats/send', { clientId: newClientId(), uid: kim.uid, text: 'hello' }));
    await expect.poll(() => service.at(path)).toHaveLength(before + 1);
    return sent.message;
  };

  await test.step('the service refuses it three times: the server lets it go', async () => {
    await leave();
    service.statuses.set(path, 403);
    for (const name of ['Ann', 'Ben', 'Cleo']) await write(name);
    await expect.poll(subscribed).toEqual([]);
    service.statuses.delete(path);
  });
  await test.step('as the app opens it is subscribed again, and with another key of the server too', async () => {
    const opened = await open();
    await expect.poll(subscribed).toHaveLength(1);
    const keyHere = () => opened.evaluate(() => localStorage.getItem('test/push-key'));
    const own = await keyHere();
    await opened.evaluate(() => localStorage.setItem('test/push-key', btoa('of another database')));
    await opened.reload();
    await expect.poll(keyHere).toBe(own);
    await expect.poll(subscribed).toHaveLength(1);
  });
  await test.step('what was read on another device is shown no more once the app opens', async () => {
    await leave();
    const { pairId, number } = await write('Dora');
    await worker.deliver(device.open(service.at(path).at(-1)?.body ?? Buffer.alloc(0)));
    await expect.poll(() => worker.shown()).toMatchObject([{ body: 'Dora sent you a message' }]);
    const elsewhere = await world.connect(kim);
    valueOf(await elsewhere.ask('chats/mark', { pairId, deliveredUpTo: number, readUpTo: number }));
    elsewhere.leave();
    await open();
    await expect.poll(() => worker.shown()).toEqual([]);
  });
  await context.close();
});
