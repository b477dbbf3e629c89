import { describe, expect, test } from 'vitest';
import type { PlayerEvent } from '@tunemate/playback';
import { lenientStorage } from '../../store/lenient-storage.ts';
import { createPlayerMemory, LaterPlayer } from './page-player.ts';
import { createFakePlayer } from '../../../testing/fake-player.ts';

describe('the stored latencies of a device’s players', () => {
  function storageWith(value: string | null) {
    let kept = value;
    return { getItem: () => kept, setItem: (_: string, text: string) => void (kept = text) };
  }

  test('are kept until the next visit', () => {
    const storage = storageWith(null);
    createPlayerMemory(storage).write({ version: 1, players: {} });
    expect(createPlayerMemory(storage).read()).toEqual({ version: 1, players: {} });
  });

  test.each([null, '', '{', `"${'x'.repeat(100_000)}"`])('are empty where storage holds %.10j', (kept) => {
    expect(createPlayerMemory(storageWith(kept)).read()).toBeNull();
  });

  test('are empty where storage is forbidden', () => {
    const memory = createPlayerMemory(
      lenientStorage(() => {
        throw new Error('forbidden');
      }),
    );
    memory.write({ version: 1 });
    expect(memory.read()).toBeNull();
  });
});

describe('a player whose code is fetched with its first track', () => {
  function later() {
    const brought: { resolve: () => void; reject: () => void }[] = [];
    const real = createFakePlayer();
    const player = new LaterPlayer(
      () =>
        new Promise((resolve, reject) => {
          brought.push({ resolve: () => resolve(real), reject: () => reject(new Error('no network')) });
        }),
    );
    const events: PlayerEvent['type'][] = [];
    player.subscribe(({ type }) => events.push(type));
    const settle = () => new Promise<void>((resolve) => void setTimeout(resolve));
    return { player, real, brought, events, settle };
  }

  test('loads the last requested track, at its volume, once the code is fetched', async () => {
    const { player, real, brought, events, settle } = later();
    player.setLoudness({ volume: 0.4, isMuted: false });
    expect(player.snapshot().phase).toBe('empty');
    player.load('first', 3);
    player.load('second', 7);
    expect(player.snapshot()).toMatchObject({ phase: 'loading', positionSeconds: 7 });
    expect(brought).toHaveLength(1);
    brought[0]?.resolve();
    await settle();
    expect(real.commands).toEqual(['load second']);
    expect(real.loudness()).toEqual({ volume: 0.4, isMuted: false });
    expect(events).toEqual(['changed']);
    player.play();
    real.emit({ type: 'ended' });
    expect([player.snapshot().phase, events.at(-1)]).toEqual(['playing', 'ended']);
    expect(player.found()).toBeNull();
  });

  test('plays nothing after an unload during the fetch', async () => {
    const { player, real, brought, settle } = later();
    player.load('first', 0);
    player.unload();
    brought[0]?.resolve();
    await settle();
    expect(real.commands).toEqual([]);
    expect(player.snapshot().phase).toBe('empty');
  });

  test('reports a network failure, and fetches again with the next track', async () => {
    const { player, real, brought, events, settle } = later();
    player.load('first', 0);
    brought[0]?.reject();
    await settle();
    expect([player.snapshot().phase, events]).toEqual(['failed', ['failed']]);
    player.load('first', 0);
    expect(player.snapshot().phase).toBe('loading');
    brought[1]?.resolve();
    await settle();
    expect(real.commands).toEqual(['load first']);
  });

  test('is disposed when the fetch ends after the user left the room', async () => {
    const { player, real, brought, events, settle } = later();
    player.load('first', 0);
    player.dispose();
    brought[0]?.resolve();
    await settle();
    expect(real.commands).not.toContain('load first');
    expect(events).toEqual([]);
  });
});
