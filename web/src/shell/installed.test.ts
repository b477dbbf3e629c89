/** What an installed app keeps up: the number on its picture, its push messages; and what a browser forbids of it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ConversationRow } from '@tunemate/protocol';
import { aSnapshot, mara, uidOf } from '../../testing/connection-fixtures.ts';
import { aConversationRow } from '../../testing/screens/people.ts';
import type { ChatsModel } from '../chats/chats-model.ts';
import { cell } from '../store/cell.ts';
import { type InstalledApp, keepInstalled } from './installed.ts';

/** `areLoaded`: the code of private chats came before that of the installed app. `more` is the browser's. */
function installed(areLoaded: boolean, more: (started: string[]) => object = () => ({})) {
  const [started, calls]: [string[], string[]] = [[], []];
  let signIn = (): void => undefined;
  const connected: (() => void)[] = [];
  const unread = cell(2);
  const list = { unread, rows: cell<readonly ConversationRow[] | null>(null), isKept: () => isKept };
  let isKept = true;
  const loaded = { list } as unknown as ChatsModel;
  const take = (rows: readonly ConversationRow[], areKept: boolean): void => {
    isKept = areKept;
    list.rows.set(rows);
  };
  const chats = cell<ChatsModel | null>(areLoaded ? loaded : null);
  const shown: (number | undefined)[] = [];
  const app = {
    kept: { start: () => void started.push('store'), readHome: () => undefined, followHome: () => () => undefined },
    connection: { status: cell({ status: 'live' }), onUserSnapshot: (then: () => void) => connected.push(then) },
    session: { session: cell({ status: 'signed-in', user: mara }), onSignedIn: (then: () => void) => (signIn = then) },
    callRoute: (name: string) => {
      calls.push(name);
      return Promise.resolve({ ok: true, value: { publicKey: 'S0VZ' } });
    },
    ...{ tunemates: { tunemates: cell([]) }, notifications: { notifications: cell([]) }, yourRooms: cell(null), chats },
  } as unknown as InstalledApp;
  const setAppBadge = (count?: number) => {
    shown.push(count);
    return Promise.resolve();
  };
  const plain = { navigator: { setAppBadge, userAgent: '' }, addEventListener: () => void started.push('offer') };
  const browser = Object.defineProperties(plain, Object.getOwnPropertyDescriptors(more(started)));
  keepInstalled(app, aSnapshot(), browser as unknown as Window & typeof globalThis);
  const connect = (): void => connected.forEach((then) => then());
  return { unread, shown, started, calls, connect, take, signIn: () => signIn(), load: () => chats.set(loaded) };
}

test.each([true, false])(
  'a message that arrives later is counted, private chats being loaded before: %s',
  (areLoaded) => {
    const { unread, shown, load } = installed(areLoaded);
    load();
    unread.set(3);
    unread.set(4);
    expect(shown.at(-1)).toBe(4);
  },
);

test('what the page shows is stored again for a user who signs in after a session that ended', () => {
  const { started, connect } = installed(false);
  connect();
  expect(started.filter((each) => each === 'store')).toHaveLength(2);
});

test('the notification of a message stays while the page knows no more than what this device stored', async () => {
  const [close, looked] = [vi.fn(), vi.fn()];
  const getNotifications = () => {
    looked();
    return Promise.resolve([{ tag: `message:${uidOf('Theo')}`, close }]);
  };
  const serviceWorker = { getRegistration: () => Promise.resolve({ getNotifications }) };
  const { take } = installed(true, () => ({ navigator: { serviceWorker, userAgent: '' } }));
  looked.mockClear();
  take([aConversationRow('Theo')], true);
  await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(0);
  await new Promise(setImmediate);
  expect(close).not.toHaveBeenCalled();
  take([aConversationRow('Theo')], false);
  await expect.poll(() => close.mock.calls.length).toBe(1);
});

const forbidden = (): never => {
  throw new DOMException('The operation is insecure', 'SecurityError');
};
test.each<[string, object]>([
  [
    'its workers',
    {
      navigator: {
        userAgent: '',
        setAppBadge: () => undefined,
        get serviceWorker() {
          return forbidden();
        },
      },
    },
  ],
  ['the picture of the app', { navigator: { userAgent: '', setAppBadge: forbidden } }],
  ['a navigator without anything', { navigator: {} }],
  [
    'notifications',
    {
      get Notification() {
        return forbidden();
      },
    },
  ],
  [
    'the question whether it is secure',
    {
      get isSecureContext() {
        return forbidden();
      },
    },
  ],
])('a browser that forbids %s has the other parts of the app', (_what, more) => {
  // Of a second visit.
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'tunemate/visited' ? '1' : null) });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(installed(false, () => more).started).toEqual(['store', 'offer']);
});

test('a device whose push messages are on is registered as the app opens, and for the next user who signs in', async () => {
  const toJSON = () => ({ endpoint: 'https://push.example.com/1', keys: { p256dh: 'p', auth: 'a' } });
  const options = { applicationServerKey: Uint8Array.from(atob('S0VZ'), (each) => each.charCodeAt(0)).buffer };
  const pushManager = { getSubscription: () => Promise.resolve({ options, toJSON }) };
  const serviceWorker = { getRegistration: () => Promise.resolve({ pushManager, getNotifications: () => [] }) };
  const { calls, signIn } = installed(false, () => ({
    navigator: { serviceWorker, userAgent: '' },
    ...{ isSecureContext: true, PushManager: {}, Notification: { permission: 'granted' } },
  }));
  const once = ['GET /api/push/key', 'POST /api/push/subscribe'];
  await expect.poll(() => calls).toEqual(once);
  signIn();
  await expect.poll(() => calls).toEqual([...once, ...once]);
});
