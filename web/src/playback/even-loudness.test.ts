import type { Value, VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { cell } from '../store/cell.ts';
import { createDeviceSound } from './device-sound.ts';
import { doesIgnoreVolume, keepLoudnessEven } from './even-loudness.ts';
import type { PlaybackView } from './playback-view.ts';

const id = (letter: string) => `lib_${letter.repeat(16)}` as VideoId;
type Loudness = Value<'library/loudness'>;

function listening(answers: Readonly<Record<string, Loudness>>, letters: string, at = 0, ignoresVolume = false) {
  const view = cell(viewOf(letters, at));
  const deviceSound = createDeviceSound(memoryStorage());
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const copies: string[] = [];
  const end = keepLoudnessEven({
    view,
    deviceSound,
    ignoresVolume,
    askForCopy: (track, gain) => {
      copies.push(`${track.slice(-1)} ${String(gain)}`);
      return Promise.resolve();
    },
    ask: (track, signal) => {
      asked.push(track);
      signals.push(signal);
      return Promise.resolve({ ok: true, value: answers[track] ?? { track: null, peaks: null, album: null } });
    },
  });
  const decibels = (letter: string) => {
    const factor = deviceSound.factors.get().get(id(letter));
    return factor === undefined ? null : Math.round(20 * Math.log10(factor));
  };
  return { view, deviceSound, asked, signals, copies, end, decibels };
}

/** As far as it is asked for. */
function viewOf(letters: string, at: number): PlaybackView {
  const queue = Array.from(letters, (letter) => ({
    videoId: letter === 'y' ? ('dQw4w9WgXcQ' as VideoId) : id(letter),
  }));
  return { playing: { track: queue[at] ?? null, queue, currentIndex: at } } as unknown as PlaybackView;
}

const settled = () => new Promise((done) => setTimeout(done, 0));
const of = (track: number): Loudness => ({ track, peaks: 'z', album: null });

test('the current track and the next one get a factor, each asked for once; a video of YouTube is left alone', async () => {
  const room = listening({ [id('a')]: of(-8), [id('b')]: of(-16) }, 'aby');
  await settled();
  expect([room.decibels('a'), room.decibels('b')]).toEqual([-14, -6]);
  room.view.set(viewOf('aby', 1));
  room.view.set(viewOf('aby', 1));
  await settled();
  expect(room.asked).toEqual([id('a'), id('b')]);
  expect(room.deviceSound.factors.get().size).toBe(1);
});

test('nothing is asked again for a room that was left', async () => {
  const room = listening({}, 'a');
  expect(room.signals.map(({ aborted }) => aborted)).toEqual([false]);
  room.end();
  expect(room.signals.map(({ aborted }) => aborted)).toEqual([true]);
  await settled();
});

test('a track keeps its factor while it plays, and gets that of its album once the whole is queued when it begins', async () => {
  const album = { lufs: -12, tracks: [id('a'), id('b')] };
  const room = listening(
    { [id('a')]: { track: -8, peaks: 'z', album }, [id('b')]: { track: -16, peaks: 'z', album } },
    'a',
  );
  await settled();
  expect(room.decibels('a')).toBe(-14);
  room.view.set(viewOf('ab', 0));
  await settled();
  expect([room.decibels('a'), room.decibels('b')]).toEqual([-14, -10]);
  room.view.set(viewOf('ab', 1));
  room.view.set(viewOf('ab', 0));
  expect(room.decibels('a')).toBe(-10);
});

test('a track whose loudness is not known yet begins as most music does, and is as recorded once it has none', async () => {
  const room = listening({ [id('a')]: of(-8) }, 'a');
  expect(room.decibels('a')).toBe(-10);
  await settled();
  expect(room.decibels('a')).toBe(-14);
  room.view.set(viewOf('b', 0));
  expect(room.decibels('b')).toBe(-10);
  await settled();
  expect(room.decibels('b')).toBeNull();
});

test('where the device ignores the volume, a copy of each loud track is asked for once, by the gain that counts', async () => {
  const album = { lufs: -12.04, tracks: [id('c'), id('d')] };
  const answers = { [id('a')]: of(-8), [id('b')]: of(-23), [id('c')]: { track: -9, peaks: 'z', album } };
  const room = listening(answers, 'abcd', 0, true);
  await settled();
  for (const at of [1, 2, 1, 2]) room.view.set(viewOf('abcd', at));
  await settled();
  expect(room.copies).toEqual(['a -140', 'c -100']);
  const usual = listening(answers, 'ab');
  await settled();
  expect(usual.copies).toEqual([]);
  const deaf = {
    get volume() {
      return 1;
    },
    set volume(_ignored: number) {},
  };
  expect([doesIgnoreVolume({ volume: 1 }), doesIgnoreVolume(deaf)]).toEqual([false, true]);
});

test('switched off, and after the room, no track has a factor; an unmeasured one is asked for again', async () => {
  const answers: Record<string, Loudness> = { [id('a')]: of(-8) };
  const room = listening(answers, 'ab');
  await settled();
  room.deviceSound.setEven(false);
  expect(room.deviceSound.factors.get().size).toBe(0);
  room.deviceSound.setEven(true);
  expect(room.decibels('a')).toBe(-14);
  answers[id('b')] = of(-10);
  room.view.set(viewOf('ab', 1));
  await settled();
  expect(room.decibels('b')).toBe(-12);
  room.end();
  expect(room.deviceSound.factors.get().size).toBe(0);
});

test('an answer that comes after the room changes nothing of the next room', async () => {
  const before = listening({ [id('a')]: of(-8) }, 'a');
  before.end();
  const factors = new Map([[id('b'), 0.5]]);
  before.deviceSound.factors.set(factors);
  await settled();
  expect(before.deviceSound.factors.get()).toBe(factors);
});
