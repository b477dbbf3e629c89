import { expect, test } from 'vitest';
import { countingClientIds, manualTimer } from '../../testing/connection-fixtures.ts';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { createFakePlayer } from '../../testing/fake-player.ts';
import { playbackDocument, track } from '../../testing/playback-fixtures.ts';
import { testRoomCode } from '../../testing/room-fixtures.ts';
import { beginSpeech } from '../store/speech.ts';
import { startClockSync } from './clock-sync.ts';
import { createDeviceSound } from './device-sound.ts';
import { createPlaybackModel } from './playback-model.ts';
import { createPlayerMemory } from './players/page-player.ts';

test('a room is turned down while voices are recorded or heard on this page, and the own volume stays', () => {
  const storage = { getItem: () => null, setItem: () => undefined };
  const [connection, timer, player] = [createFakeConnection(), manualTimer(), createFakePlayer()];
  const { nowMs, schedule } = timer;
  const deviceSound = createDeviceSound(storage);
  createPlaybackModel(
    {
      ...{ connection, kind: 'audio', code: testRoomCode, isHost: false, player, deviceSound, nowMs, schedule },
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
