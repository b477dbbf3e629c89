import { expect, test, vi } from 'vitest';
import { forgetUser } from './forget-user.ts';

const ofUser = {
  'tunemate/drafts/M': '{"I":"Half a secret"}',
  'tunemate/outbox/M': '[]',
  'tunemate/acts/M': '[]',
  'tunemate/played-voices': 'v1',
  'tunemate/hidden-previews': 'p1',
  'tunemate/visit': 'M audio 7F3A9C',
  'tunemate/asked': 'audio 7F3A9C 1',
  'tunemate/kept-home': '{}',
  'tunemate/typed-text': '{}',
  'tunemate/queue-answered': '7F3A9C',
  'tunemate/recent-emoji': '🎧',
};
/** The sign-up that this tab waits for belongs to no user who was signed in. */
const ofDevice = { 'tunemate/look': 'dark', 'tunemate/visited': '1', 'tunemate/signed-up': '{}', other: 'x' };

function storage(content: Record<string, string>): Storage {
  return Object.defineProperty({ ...content }, 'removeItem', {
    value(this: object, key: string) {
      Reflect.deleteProperty(this, key);
    },
  }) as unknown as Storage;
}

test('what a user left is deleted from both storages, and the settings of the device stay', async () => {
  const [localStorage, sessionStorage] = [storage({ ...ofUser, ...ofDevice }), storage({ ...ofUser, ...ofDevice })];
  await forgetUser({ localStorage, sessionStorage, navigator: {} });
  for (const each of [localStorage, sessionStorage]) expect(Object.keys(each)).toEqual(Object.keys(ofDevice));
});

test('pressed and shown notifications go too; a browser that forbids everything is left as it is', async () => {
  const close = vi.fn();
  const drop = vi.fn(() => Promise.resolve(true));
  const registration = { getNotifications: () => Promise.resolve([{ close }, { close }]) };
  const navigator = {
    serviceWorker: { getRegistration: () => Promise.resolve(registration) } as unknown as ServiceWorkerContainer,
  };
  await forgetUser({
    localStorage: storage({}),
    sessionStorage: storage({}),
    caches: { delete: drop },
    navigator,
  });
  expect(close).toHaveBeenCalledTimes(2);
  expect(drop).toHaveBeenCalledWith('tunemate-taps');
  const forbidden = {
    get localStorage(): Storage {
      throw new DOMException('no', 'SecurityError');
    },
    get sessionStorage(): Storage {
      throw new DOMException('no', 'SecurityError');
    },
    caches: { delete: () => Promise.reject(new Error('no')) },
    navigator: {
      serviceWorker: {
        getRegistration: () => Promise.reject(new Error('no')),
      } as unknown as ServiceWorkerContainer,
    },
  };
  await expect(forgetUser(forbidden)).resolves.toBeUndefined();
});
