import { expect, onTestFinished, test, vi } from 'vitest';
import { cell } from './cell.ts';
import { createKept } from './kept.ts';

/** A cache of the browser, as far as `kept` uses it. */
function cacheStorage(): CacheStorage {
  const stored = new Map<string, string>();
  const cache = {
    put: async (key: string, response: Response) => void stored.set(key, await response.text()),
    match: (key: string) => Promise.resolve(stored.has(key) ? new Response(stored.get(key)) : undefined),
  };
  return { open: () => Promise.resolve(cache) } as unknown as CacheStorage;
}

test('what would be stored within a second is stored at once when the page may be about to go', async () => {
  // No second passes.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const device = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const kept = createKept(cacheStorage(), device, 'this version');
  const chat = cell('before');
  onTestFinished(kept.follow('chat', chat, chat.get));
  kept.start();
  chat.set('now');
  kept.storeNow();
  // A poll would let the second pass.
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  for (let turns = 0; turns < 100 && (await kept.read('chat')) === undefined; turns += 1) await turn();
  expect(await kept.read('chat')).toBe('now');
});
