/**
 * Web push as far as one machine goes: the person opts in, the server encrypts for the keys that their browser gave, and
 * the real service worker gets what a push service would have handed to the browser.
 */
import { join } from 'node:path';
import { type Browser, type BrowserContext, expect, test } from '@playwright/test';
import { createDeviceKeys, type PushServer, startPushServer } from '@tunemate/testkit/push-device';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/socket-world';

let world: SocketWorld;
let service: PushServer;
test.beforeAll(async () => {
  service = await startPushServer();
  world = await openSocketWorld({ webDir: join(import.meta.dirname, '../web/dist') });
});
test.afterAll(async () => {
  await world.close();
  await service.close();
});

const path = '/device-of-noor';
const device = createDeviceKeys();

/** Runs in every page: subscribing answers as a browser does whose push service is ours. */
function subscribeHere({ endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } }): void {
  const kept = 'test/push-key';
  const subscription = (applicationServerKey: string) => ({
    endpoint,
    options: { applicationServerKey: Uint8Array.from(atob(applicationServerKey), (one) => one.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: () => Promise.resolve(true),
  });
  const known = () => {
    const key = localStorage.getItem(kept);
    return key === null ? null : subscription(key);
  };
  Object.assign(PushManager.prototype, {
    getSubscription: () => Promise.resolve(known()),
    subscribe(options: { applicationServerKey: string }) {
      localStorage.setItem(kept, options.applicationServerKey.replaceAll('-', '+').replaceAll('_', '/'));
      return Promise.resolve(known());
    },
  });
}

/** The service worker of the app, and what it shows. */
async function watchWorker(context: BrowserContext) {
  const origin = world.app.url;
  // A blank page is no window of the app.
  const session = await context.newCDPSession(await context.newPage());
  let registrationId = '';
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`)?.registrationId ?? registrationId;
  });
  await session.send('ServiceWorker.enable');
  await expect.poll(() => registrationId).not.toBe('');
  const worker = async () => context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return {
    /** Waits until it is shown: a look at what is shown has missed one for good that was on its way. */
    async deliver(data: string): Promise<void> {
      const before = await context.serviceWorkers()[0]?.evaluate(countShown);
      await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
      if (before === undefined) return;
      await expect.poll(async () => (await worker()).evaluate(countShown)).toBeGreaterThan(before);
    },
    shown: async () => await (await worker()).evaluate(readShown),
    /** Returns the address of the window that was opened; null when an open window was used. */
    tap: async (path: string) => await (await worker()).evaluate(tapShown, path),
  };
}

/** The parts of a service worker that these functions use. */
type Scope = EventTarget & {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: unknown };
  NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
  WindowClient: { prototype: { focus: unknown } };
};

/** Runs in the worker: how many notifications it has shown since this was first asked. */
function countShown(): number {
  const scope = globalThis as unknown as Scope & { countOfShown?: number };
  if (scope.countOfShown === undefined) {
    scope.countOfShown = 0;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (title, options) => {
      await show(title, options);
      scope.countOfShown = (scope.countOfShown ?? 0) + 1;
    };
  }
  return scope.countOfShown;
}

/** Runs in the worker. */
async function readShown(): Promise<{ title: string; body: string; path: string }[]> {
  const { registration } = globalThis as unknown as Scope;
  const shown = await registration.getNotifications();
  return shown.map(({ title, body, data }) => ({ title, body, path: (data as { path: string }).path }));
}

/** Runs in the worker. Only a real tap may open or focus a window, so both calls are recorded instead. */
async function tapShown(path: string): Promise<{ opened: string | null; focused: string | null }> {
  const scope = globalThis as unknown as Scope;
  const notification = (await scope.registration.getNotifications()).find(
    ({ data }) => (data as { path: string }).path === path,
  );
  if (notification === undefined) throw new Error(`nothing shown leads to ${path}`);
  const { promise, resolve } = Promise.withResolvers<{ opened: string | null; focused: string | null }>();
  scope.clients.openWindow = (url: string) => Promise.resolve(resolve({ opened: url, focused: null }));
  scope.WindowClient.prototype.focus = function (this: { url: string }) {
    resolve({ opened: null, focused: this.url });
    return Promise.resolve(this);
  };
  scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  return await promise;
}

/** The person's own browser, signed in and able to subscribe. */
async function browserOf(browser: Browser, { cookie }: Person): Promise<BrowserContext> {
  const { url } = world.app;
  const context = await browser.newContext({ baseURL: url });
  await context.grantPermissions(['notifications'], { origin: url });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  await context.addInitScript(subscribeHere, { endpoint: `${service.url}${path}`, keys: device.keys });
  return context;
}

test('PUSH-30 a person who opted in is shown each kind of push message while away, and a tap opens its screen', async ({
  browser,
}) => {
  const [noor, sami] = [await world.person('Noor'), await world.arrive('Sami')];
  const context = await browserOf(browser, noor);
  const page = await context.newPage();
  const room = await test.step('a room of hers, and a tunemate', async () => {
    const tab = await world.connect(noor);
    const made = await world.room(tab, 'audio');
    await world.letIn(tab, sami, made);
    tab.leave();
    return made;
  });
  await page.goto('/account');
  await page.getByRole('switch', { name: 'Tell me while Tunemate is closed' }).click();
  await expect(page.getByRole('switch', { name: 'Tell me while Tunemate is closed' })).toBeChecked();
  const worker = await watchWorker(context);
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
