import { roomKinds } from '@tunemate/protocol';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { arrivedAt, button, gone, heading, shown, words } from '../../testing/screens/find.ts';
import { aTrack, mediaElement, openRoom, untilHeard } from '../../testing/screens/rooms.ts';
import { navigate } from '../store/address.ts';

const playing = { tracks: [aTrack('a', { title: 'Walking Home' }), aTrack('b')], isPlaying: true } as const;
const asGuest = { isHost: false, playing: { ...playing, controller: 'another tab' } } as const;

/** The handlers of media keys that the page has registered. */
const keys = new Map<string, MediaSessionActionHandler>();
const press = (action: MediaSessionAction, more: Partial<MediaSessionActionDetails> = {}): void =>
  keys.get(action)?.({ action, ...more });
const known = (): string[] => Array.from(keys.keys()).toSorted();

beforeEach(() => {
  keys.clear();
  navigator.mediaSession.setActionHandler = (action, handler) => {
    if (handler === null) keys.delete(action);
    else keys.set(action, handler);
  };
});
afterEach(() => {
  Reflect.deleteProperty(navigator.mediaSession, 'setActionHandler');
});

describe.each(roomKinds)('on the lock screen of a room of kind %s', (kind) => {
  test('audio rooms have an audio element, video rooms a video element', async () => {
    await openRoom(kind, { playing });
    await shown(heading('Friday Slow Burn'));
    expect(mediaElement().tagName).toBe(kind.toUpperCase());
  });
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('on the lock screen of a room', () => {
  const kind = 'audio';
  test("a pause by the device is shown on every screen, and lasts until 'Back to live'", async () => {
    await openRoom(kind, asGuest);
    const element = await untilHeard();
    element.pause();
    await shown(words('Paused on this device'));
    await expectAccessible();
    navigate('/chats');
    await arrivedAt('/chats');
    await shown(words('Paused on this device · Friday Slow Burn'));
    expect(element.paused).toBe(true);
    await button('Back to live').click();
    await expect.poll(() => element.paused).toBe(false);
    await gone(words('Paused on this device · Friday Slow Burn'));
  });

  test('a pause by the device of the host pauses the room', async () => {
    const room = await openRoom(kind, { playing });
    (await untilHeard()).pause();
    await expect.poll(room.intents).toEqual([{ type: 'pause' }]);
  });

  test('the lock screen shows title, room and state, and is empty once the visit is over', async () => {
    const room = await openRoom(kind, asGuest);
    await untilHeard();
    await expect
      .poll(() => navigator.mediaSession.metadata)
      .toMatchObject({ title: 'Walking Home', artist: 'Friday Slow Burn' });
    await expect.poll(() => navigator.mediaSession.playbackState).toBe('playing');
    room.move({ isPlaying: false });
    await expect.poll(() => navigator.mediaSession.playbackState).toBe('paused');
    room.tell({ type: 'rooms/ended' });
    await button('OK').click();
    await expect.poll(() => navigator.mediaSession.metadata).toBeNull();
    expect(known()).toEqual([]);
  });

  test('a device that takes nothing there has the room, and the way out of it', async () => {
    const refuse = (): never => {
      throw new DOMException('not here', 'NotSupportedError');
    };
    const { mediaSession } = navigator;
    for (const name of ['metadata', 'playbackState'] as const)
      Object.defineProperty(mediaSession, name, { configurable: true, get: () => null, set: refuse });
    Object.assign(mediaSession, { setActionHandler: refuse, setPositionState: refuse });
    onTestFinished(() => {
      for (const name of ['metadata', 'playbackState', 'setPositionState']) Reflect.deleteProperty(mediaSession, name);
    });
    const room = await openRoom(kind, asGuest);
    await untilHeard();
    room.tell({ type: 'rooms/ended' });
    await button('OK').click();
    await gone(heading('Friday Slow Burn'));
  });

  test('the host goes on with a suggestion from there, as on the page', async () => {
    const room = await openRoom(kind, { playing: { tracks: [aTrack('a')], isPlaying: true, afterTrack: 'suggested' } });
    await untilHeard();
    await expect.poll(known).toContain('nexttrack');
    press('nexttrack');
    await expect.poll(() => room.intents().at(-1)?.type).toBe('next');
  });

  test('the host controls the room from there', async () => {
    const room = await openRoom(kind, { playing });
    await untilHeard();
    await expect.poll(known).toContain('seekto');
    press('pause');
    press('seekto', { seekTime: 42 });
    await expect
      .poll(room.intents)
      .toEqual([{ type: 'pause' }, expect.objectContaining({ type: 'seek', currentTime: 42 })]);
    expect(known()).toEqual(expect.arrayContaining(['nexttrack', 'pause', 'play', 'previoustrack', 'seekto']));
  });

  test('a guest pauses this device there, and returns to live', async () => {
    const room = await openRoom(kind, asGuest);
    const element = await untilHeard();
    await expect.poll(known).toEqual(['pause', 'play']);
    press('pause');
    await expect.poll(() => element.paused).toBe(true);
    await shown(words('Paused on this device'));
    press('play');
    await expect.poll(() => element.paused).toBe(false);
    expect(room.intents()).toEqual([]);
  });
});

test('where the browser wants a tap first, the lock screen offers to play, which is that tap', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('a tap is needed', 'NotAllowedError'));
  onTestFinished(() => void (HTMLMediaElement.prototype.play = play));
  await openRoom('audio', asGuest);
  await shown(button('Tap to listen'));
  await expect.poll(() => navigator.mediaSession.playbackState).toBe('paused');
  HTMLMediaElement.prototype.play = play;
  press('play');
  await untilHeard();
  await expect.poll(() => navigator.mediaSession.playbackState).toBe('playing');
});

test('the screen stays on while a film plays in sight, and no longer', async () => {
  let locks = 0;
  const release = async (): Promise<void> => {
    locks -= 1;
    await Promise.resolve();
  };
  navigator.wakeLock.request = () => {
    locks += 1;
    return Promise.resolve(Object.assign(new EventTarget(), { release }) as unknown as WakeLockSentinel);
  };
  const film = { tracks: [aTrack('f')], isPlaying: true, controller: 'another tab' } as const;
  const room = await openRoom('video', { isHost: false, playing: film });
  await expect.poll(() => locks).toBe(1);
  navigate('/chats');
  await expect.poll(() => locks).toBe(0);
  history.back();
  await expect.poll(() => locks).toBe(1);
  room.move({ isPlaying: false });
  await expect.poll(() => locks).toBe(0);
  Reflect.deleteProperty(navigator.wakeLock, 'request');
});
