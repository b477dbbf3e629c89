/**
 * Web push as far as one machine goes: a browser whose push service is ours, and its real service worker, which gets what
 * a push service would have handed to the browser.
 */
import { type BrowserContext, expect, type Page } from '@playwright/test';
import type { DeviceKeys } from '@tunemate/testkit/fakes/push-device';

/** Lets this browser subscribe: at `endpoint`, with the keys of `device`. */
export async function havePush(
  context: BrowserContext,
  origin: string,
  endpoint: string,
  { keys }: DeviceKeys,
): Promise<void> {
  await context.grantPermissions(['notifications'], { origin });
  await context.addInitScript(subscribeHere, { endpoint, keys });
}

/** The person opts in on the account screen. */
export async function optIn(page: Page): Promise<void> {
  await page.goto('/account#notifications');
  const choice = page.getByRole('switch', { name: 'Tell me while Tunemate is closed' });
  await choice.click();
  await expect(choice).toBeChecked();
}

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

/** The service worker of the app at `origin`, and what it shows. The app must have opted in. */
export async function watchWorker(context: BrowserContext, origin: string) {
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
