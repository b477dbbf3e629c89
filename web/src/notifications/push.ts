/** Push messages on this device while the app is closed: subscribes at the browser and the server. */
import type { ErrorCode, Result } from '@tunemate/protocol';
import type { CallRoute } from '../connection/http.ts';
import { workerPath } from '../language/worker-path.ts';

/** 'denied': the user or the browser refused, and only the browser's settings can change that. */
type PushAnswer = 'on' | 'denied' | ErrorCode;

export interface Push {
  /** False on plain http, and on iOS outside the home screen. */
  isSupported(): boolean;
  /** True when this browser is subscribed. */
  isOn(): Promise<boolean>;
  /** Asks for permission: call it from a click. */
  subscribe(): Promise<PushAnswer>;
  /** Before signing out too. Never throws. */
  unsubscribe(): Promise<void>;
  /** After signing in: a device that is on is subscribed for this session and the server's key. Shows no question. */
  renew(): Promise<void>;
}

export type PushBrowser = Pick<typeof globalThis, 'navigator' | 'isSecureContext'> & {
  readonly Notification?: Pick<typeof Notification, 'permission' | 'requestPermission'>;
  readonly PushManager?: unknown;
};

export function createPush(callRoute: CallRoute, browser: PushBrowser): Push {
  const isSupported = () =>
    browser.isSecureContext &&
    'serviceWorker' in browser.navigator &&
    browser.PushManager !== undefined &&
    browser.Notification !== undefined;

  async function current(): Promise<PushSubscription | null> {
    if (!isSupported() || browser.Notification?.permission !== 'granted') return null;
    const worker = await browser.navigator.serviceWorker.getRegistration('/');
    return (await worker?.pushManager.getSubscription()) ?? null;
  }

  async function register(subscription: PushSubscription): Promise<Result<unknown>> {
    const { endpoint, keys } = subscription.toJSON();
    return await callRoute('POST /api/push/subscribe', {
      endpoint: endpoint ?? '',
      keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    });
  }

  async function subscribeHere(publicKey: string): Promise<PushSubscription> {
    const { serviceWorker } = browser.navigator;
    await serviceWorker.register(workerPath, { scope: '/' });
    const { pushManager } = await serviceWorker.ready;
    const known = await pushManager.getSubscription();
    // A subscription for an earlier key of this server receives no messages any more.
    if (known && keyOf(known) !== publicKey) await known.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  }

  async function subscribe(): Promise<PushAnswer> {
    if (!isSupported() || (await browser.Notification?.requestPermission()) !== 'granted') return 'denied';
    const key = await callRoute('GET /api/push/key', {});
    if (!key.ok) return key.error.code;
    try {
      const answer = await register(await subscribeHere(key.value.publicKey));
      return answer.ok ? 'on' : answer.error.code;
    } catch {
      // The browser's own push service can't be reached, or it has none.
      return 'server/unavailable';
    }
  }

  async function unsubscribe(): Promise<void> {
    const subscription = await current().catch(() => null);
    if (!subscription) return;
    await callRoute('POST /api/push/unsubscribe', { endpoint: subscription.endpoint });
    await subscription.unsubscribe().catch(() => false);
  }

  return {
    isSupported,
    isOn: async () => (await current().catch(() => null)) !== null,
    subscribe,
    unsubscribe,
    async renew() {
      const subscription = await current().catch(() => null);
      const key = subscription === null ? null : await callRoute('GET /api/push/key', {});
      if (subscription === null || !key?.ok) return;
      const { publicKey } = key.value;
      if (keyOf(subscription) === publicKey) return void (await register(subscription));
      // A server with another database has another key, for which the old subscription receives nothing.
      await callRoute('POST /api/push/unsubscribe', { endpoint: subscription.endpoint });
      await subscribeHere(publicKey).then(register, () => undefined);
    },
  };
}

/** The server key a subscription was made for, in base64url as the server writes it. */
function keyOf({ options }: PushSubscription): string | null {
  const key = options.applicationServerKey;
  if (!key) return null;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
