/** Push on this device: what the browser and the server are asked, and in which order; and what its worker shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { CallRoute } from '../connection/http.ts';
import { createPush, type PushBrowser } from './push.ts';

/** `serverKeys`: what the server answers when it is asked, the last one again and again. */
function stage({ permission = 'granted', isSecureContext = true } = {}, serverKeys = ['S0VZ']) {
  const calls: string[] = [];
  let asked = 0;
  const nextKey = () => serverKeys[Math.min(asked++, serverKeys.length - 1)];
  let isSubscribed = false;
  const subscription = {
    endpoint: 'https://push.example.com/1',
    options: { applicationServerKey: Uint8Array.from(atob('S0VZ'), (each) => each.charCodeAt(0)).buffer },
    toJSON: () => ({ endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: () => {
      isSubscribed = false;
      calls.push('browser unsubscribes');
      return Promise.resolve(true);
    },
  };
  const registration = {
    pushManager: {
      getSubscription: () => Promise.resolve(isSubscribed ? subscription : null),
      subscribe: ({ applicationServerKey }: { applicationServerKey: string }) => {
        isSubscribed = true;
        calls.push(`browser subscribes with ${applicationServerKey}`);
        return Promise.resolve(subscription);
      },
    },
  };
  const serviceWorker = {
    register: (path: string) => void calls.push(`register ${path}`),
    ready: Promise.resolve(registration),
    getRegistration: () => Promise.resolve(registration),
  };
  const Notification = { permission, requestPermission: () => Promise.resolve(permission) };
  const browser = { navigator: { serviceWorker }, isSecureContext, Notification, PushManager: {} };
  const callRoute = ((name: string, payload: object) => {
    calls.push(`${name} ${JSON.stringify(payload)}`);
    return Promise.resolve({ ok: true, value: name === 'GET /api/push/key' ? { publicKey: nextKey() } : {} });
  }) as unknown as CallRoute;
  return { calls, push: createPush(callRoute, browser as unknown as PushBrowser) };
}

const subscribed =
  'POST /api/push/subscribe {"endpoint":"https://push.example.com/1","keys":{"p256dh":"p","auth":"a"}}';

test('switching on asks the browser, subscribes with the key of the server and sends the subscription to the server', async () => {
  const { push, calls } = stage();
  expect([push.isSupported(), await push.isOn()]).toEqual([true, false]);
  expect(await push.subscribe()).toBe('on');
  expect(calls).toEqual(['GET /api/push/key {}', 'register /worker.js', 'browser subscribes with S0VZ', subscribed]);
  expect(await push.isOn()).toBe(true);
});

test('switching off unsubscribes at the server first and leaves no subscription in the browser', async () => {
  const { push, calls } = stage();
  await push.subscribe();
  calls.length = 0;
  await push.unsubscribe();
  expect(calls).toEqual([
    'POST /api/push/unsubscribe {"endpoint":"https://push.example.com/1"}',
    'browser unsubscribes',
  ]);
  expect(await push.isOn()).toBe(false);
});

test('a device that is on subscribes again after signing in; one that is off does nothing', async () => {
  const { push, calls } = stage();
  await push.renew();
  expect(calls).toEqual([]);
  await push.subscribe();
  calls.length = 0;
  await push.renew();
  expect(calls).toEqual(['GET /api/push/key {}', subscribed]);
});

test('a device subscribed for another key of the server is subscribed anew after signing in', async () => {
  const { push, calls } = stage({}, ['S0VZ', 'T1RI']);
  await push.subscribe();
  calls.length = 0;
  await push.renew();
  expect(calls).toEqual([
    'GET /api/push/key {}',
    'POST /api/push/unsubscribe {"endpoint":"https://push.example.com/1"}',
    'register /worker.js',
    'browser unsubscribes',
    'browser subscribes with T1RI',
    subscribed,
  ]);
});

test.each<[string, object, string | null, string | null]>([
  ['Chrome, which names both', { newSubscription: 'new' }, 'S0VZ', null],
  [
    'a browser that names the old one',
    { oldSubscription: { options: { applicationServerKey: 'b2xk' } } },
    'S0VZ',
    'S0VZ',
  ],
  ['the same without an answer', { oldSubscription: { options: { applicationServerKey: 'b2xk' } } }, null, 'b2xk'],
  ['Firefox, which names none', {}, 'S0VZ', 'S0VZ'],
  ['Firefox, signed out', {}, null, 'nothing'],
])('the worker sends the server a subscription that was renewed by %s', async (_browser, event, key, madeFor) => {
  const listeners = new Map<string, (event: object) => void>();
  const sent: [string, RequestInit | undefined][] = [];
  const made: object[] = [];
  const toJSON = () => ({ endpoint: 'https://push.example.com/2', keys: { p256dh: 'p', auth: 'a' } });
  const pushManager = { subscribe: (options: object) => (made.push(options), Promise.resolve({ toJSON })) };
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    registration: { pushManager },
  };
  const answer = key === null ? { ok: false } : { ok: true, value: { publicKey: key } };
  runInNewContext(readFileSync(join(import.meta.dirname, '../../public/worker.js'), 'utf8'), {
    self,
    fetch: (path: string, init?: RequestInit) => (sent.push([path, init]), Promise.resolve({ json: () => answer })),
  });
  const pending: unknown[] = [];
  listeners.get('pushsubscriptionchange')?.({
    ...('newSubscription' in event ? { newSubscription: { toJSON } } : event),
    waitUntil: (promise: unknown) => void pending.push(promise),
  });
  await Promise.all(pending);
  const isMade = madeFor !== null && madeFor !== 'nothing';
  expect(made).toEqual(isMade ? [{ userVisibleOnly: true, applicationServerKey: madeFor }] : []);
  expect(sent.filter(([, init]) => init !== undefined).map(([path, init]) => [path, init?.body])).toEqual(
    madeFor === 'nothing'
      ? []
      : [['/api/push/subscribe', '{"endpoint":"https://push.example.com/2","keys":{"p256dh":"p","auth":"a"}}']],
  );
});

test('without permission or on an insecure page no request is sent to the server', async () => {
  const denied = stage({ permission: 'denied' });
  expect(await denied.push.subscribe()).toBe('denied');
  const insecure = stage({ isSecureContext: false });
  expect([insecure.push.isSupported(), await insecure.push.subscribe()]).toEqual([false, 'denied']);
  expect([...denied.calls, ...insecure.calls]).toEqual([]);
});

test.each([
  ['message', { uid: 'u1' }, 'Mara sent you a message', '/chat/u1'],
  ['soulmate', { uid: 'u1' }, 'Mara asks to be your soulmate', '/notifications'],
  ['invitation', { uid: 'u1', room: null }, 'Mara invites you to listen together', '/notifications'],
  [
    'invitation',
    { uid: 'u1', room: { kind: 'video', code: 'ABC123' } },
    'Mara invites you to listen together',
    '/join?code=ABC123',
  ],
  [
    'invitation',
    { uid: 'u1', room: { kind: 'audio', code: 'ABC123' } },
    'Mara invites you to listen together',
    '/join-audio-room?code=ABC123',
  ],
  ['joinRequest', { uid: 'u1', kind: 'video', code: 'ABC123' }, 'Mara wants to join your room', '/tunemate/ABC123'],
  ['joinRequest', { uid: 'u1', kind: 'audio', code: 'ABC123' }, 'Mara wants to join your room', '/audio-room/ABC123'],
])('the worker shows a %s with its sender, and a tap opens its screen', async (type, more, text, path) => {
  const listeners = new Map<string, (event: object) => void>();
  const shown: { body: string; data: { path: string } }[] = [];
  const opened: string[] = [];
  const taps: string[] = [];
  const caches = { open: () => Promise.resolve({ put: (link: string) => void taps.push(link) }) };
  const self = {
    location: { origin: 'https://music.example.org' },
    caches,
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    registration: { showNotification: (_title: string, options: (typeof shown)[0]) => void shown.push(options) },
    clients: { matchAll: () => Promise.resolve([]), openWindow: (url: string) => void opened.push(url) },
  };
  runInNewContext(readFileSync(join(import.meta.dirname, '../../public/worker.js'), 'utf8'), {
    self,
    URL,
    Response,
  });
  const pending: unknown[] = [];
  const waitUntil = (promise: unknown) => void pending.push(promise);
  listeners.get('push')?.({ data: { json: () => ({ type, name: 'Mara', ...more }) }, waitUntil });
  // The next one of a person takes the place of this one, with its sound.
  expect(shown).toMatchObject([{ body: text, data: { path }, renotify: true }]);
  listeners.get('notificationclick')?.({ notification: { close: () => undefined, data: shown[0]?.data }, waitUntil });
  await Promise.all(pending);
  expect(opened).toEqual([`https://music.example.org${path}`]);
  // The address of the screen says nothing of the tap; the page learns it from this record.
  expect(taps).toEqual([path]);
});
