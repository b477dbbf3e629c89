import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { countingClientIds, manualTimer } from '../../testing/connection-fixtures.ts';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { createFakePlayer } from '../../testing/fake-player.ts';
import { playbackDocument, track } from '../../testing/playback-fixtures.ts';
import { testRoomCode } from '../../testing/room-fixtures.ts';
import { beginSpeech } from '../store/speech.ts';
import { startClockSync } from './clock-sync.ts';
import {
  createDeviceSound,
  createSoundTurn,
  openTurnChannel,
  type SoundTurn,
  type TurnChannel,
} from './device-sound.ts';
import { createPlaybackModel } from './playback-model.ts';
import { createPlayerMemory } from './players/page-player.ts';

describe('beside speech', () => {
  test('a room is turned down while voices are recorded or heard on this page, and the own volume stays', () => {
    const storage = { getItem: () => null, setItem: () => undefined };
    const [connection, timer, player] = [createFakeConnection(), manualTimer(), createFakePlayer()];
    const { nowMs, schedule } = timer;
    const deviceSound = createDeviceSound(storage);
    createPlaybackModel(
      {
        ...{
          connection,
          kind: 'audio',
          code: testRoomCode,
          part: 'guest',
          isShared: false,
          selfUid: 'self',
          player,
          deviceSound,
          nowMs,
          schedule,
        },
        clockSync: startClockSync({ connection, nowMs, schedule }),
        playerMemory: createPlayerMemory(storage),
        newClientId: countingClientIds(),
        seekToleranceSeconds: 2,
      },
      playbackDocument('audio', { tracks: [track('a', 120)] }),
    );
    deviceSound.setVolume(0.5);
    const [endOne, endOther] = [beginSpeech(), beginSpeech()];
    expect(player.loudness()?.volume).toBeCloseTo(0.15);
    endOne();
    expect(player.loudness()?.volume).toBeCloseTo(0.15);
    endOther();
    expect([player.loudness()?.volume, deviceSound.sound.get().volume]).toEqual([0.5, 0.5]);
  });
});

describe('sound turn', () => {
  /** A browser whose tabs hear each other, each with a clock of its own. */
  function createBrowser() {
    const tabs: { hear: (message: unknown) => void }[] = [];
    let now = 0;
    return {
      at: (ms: number) => (now = ms),
      open(id: string): SoundTurn {
        const self = { hear: (_message: unknown): void => undefined };
        const channel: TurnChannel = {
          listen: (hear) => (self.hear = hear),
          send(message) {
            for (const other of tabs) if (other !== self) other.hear(message);
          },
        };
        tabs.push(self);
        return createSoundTurn(channel, () => now, id);
      },
    };
  }
  const sounding = (...tabs: SoundTurn[]): number => tabs.filter(({ isElsewhere }) => !isElsewhere.get()).length;

  test('of several tabs the one that claimed the sound last sounds', () => {
    const browser = createBrowser();
    const [first, second] = [browser.open('a'), browser.open('b')];
    first.claim();
    expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([false, true]);
    browser.at(1);
    second.claim();
    expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([true, false]);
    browser.at(2);
    first.claim();
    expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([false, true]);
  });

  test('a tab alone sounds, and a tab that is opened beside a sounding one does not before it claims', () => {
    const browser = createBrowser();
    const first = browser.open('a');
    expect(first.isElsewhere.get()).toBe(false);
    first.claim();
    expect(browser.open('b').isElsewhere.get()).toBe(true);
  });

  test('tabs that claim at the same moment agree on one', () => {
    const browser = createBrowser();
    const tabs = ['a', 'b', 'c'].map((id) => browser.open(id));
    for (const tab of tabs) tab.claim();
    expect(sounding(...tabs)).toBe(1);
  });

  test('of the tabs that are left, one sounds', () => {
    const browser = createBrowser();
    const tabs = ['a', 'b', 'c'].map((id, at) => {
      browser.at(at);
      const tab = browser.open(id);
      tab.claim();
      return tab;
    });
    const [first, second, third] = tabs as [SoundTurn, SoundTurn, SoundTurn];
    third.release();
    expect(sounding(first, second)).toBe(1);
  });

  test('a tab that was silent and closes changes nothing', () => {
    const browser = createBrowser();
    const [first, second] = [browser.open('a'), browser.open('b')];
    second.claim();
    browser.at(1);
    first.claim();
    second.release();
    expect(first.isElsewhere.get()).toBe(false);
  });

  test('after the clock of the device was set back, the tab that the user goes to sounds all the same', () => {
    const browser = createBrowser();
    browser.at(3_600_000);
    const [first, second] = [browser.open('a'), browser.open('b')];
    first.claim();
    browser.at(0);
    second.claim();
    expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([true, false]);
    browser.at(1);
    first.claim();
    expect([first.isElsewhere.get(), second.isElsewhere.get()]).toEqual([false, true]);
  });
});

describe('the sound of this device', () => {
  function memory(initial: Record<string, string> = {}): Pick<Storage, 'getItem' | 'setItem'> {
    const kept = new Map(Object.entries(initial));
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
  }

  test('is stored on the device', () => {
    const storage = memory();
    const first = createDeviceSound(storage);
    first.setVolume(0.3);
    first.setOffsetMs(120);
    first.setMuted(true);
    expect(createDeviceSound(storage).sound.get()).toEqual({ volume: 0.3, isMuted: true, offsetMs: 120, isEven: true });
  });

  test('is unmuted when the volume is turned up, and ignores an invalid stored value', () => {
    const model = createDeviceSound(memory({ 'tunemate/device-sound': '{"volume":"loud","offsetMs":null' }));
    expect(model.sound.get()).toEqual({ volume: 1, isMuted: false, offsetMs: 0, isEven: true });
    model.setMuted(true);
    model.setVolume(0.2);
    expect(model.sound.get().isMuted).toBe(false);
  });
});

test.each<[string, unknown]>([
  [
    'forbids channels between tabs, as Firefox without cookies',
    function refuse() {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    },
  ],
  ['has none', undefined],
])('a browser that %s has its sound in this tab', (_manner, channel) => {
  vi.stubGlobal('BroadcastChannel', channel);
  onTestFinished(() => void vi.unstubAllGlobals());
  const turn = createSoundTurn(openTurnChannel(), () => 1, 'a');
  turn.claim();
  expect(turn.isElsewhere.get()).toBe(false);
});
