import type { NamedTrack, PlaybackIntent, VideoId } from '@tunemate/protocol';
import { describe, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import { countingClientIds } from '../../testing/connection-fixtures.ts';
import { settle } from '../../testing/fake-clock.ts';
import { createFakeConnection } from '../../testing/fake-connection.ts';
import { cell } from '../store/cell.ts';
import {
  createHostCommands,
  createWriter,
  flushWrite,
  nothingWritten,
  requestWrite,
  type WriteDebounce,
} from './host-commands.ts';
import type { PlaybackView } from './playback-view.ts';

const track = (name: string): NamedTrack => ({ videoId: name as VideoId, title: name, durationSeconds: 60 });

function commandsOver(names: readonly string[], currentIndex: number) {
  const written: PlaybackIntent[] = [];
  const line = { isApplied: true };
  const queue = names.map((name) => track(name));
  const timeline = { isPlaying: true };
  const playing = { queue, currentIndex, track: queue[currentIndex] ?? null, timeline };
  const view = cell({ playing, optimisticPlaying: null } as unknown as PlaybackView);
  /** The queue as the room has it now. */
  const arrive = (now: readonly string[], at: number): void =>
    view.set({ playing: { ...playing, queue: now.map((name) => track(name)), currentIndex: at } } as never);
  const writer = {
    write: (intent: PlaybackIntent) => void written.push(intent),
    send: (intent: PlaybackIntent) => {
      written.push(intent);
      return Promise.resolve(line.isApplied);
    },
    writeAgain: (intent: PlaybackIntent) => void written.push(intent),
    writeAll: (intents: readonly PlaybackIntent[]) => Promise.resolve(written.push(...intents)),
    enqueueAll: (items: readonly NamedTrack[]) => Promise.resolve(items.length),
    writeSeek: () => undefined,
    isSeekWaiting: () => false,
    dropSeek: () => undefined,
    close: () => undefined,
  };
  return { commands: createHostCommands(view, writer, () => 42), written, arrive, line };
}

test('tracks added together are removed from the end of the queue, last first', async () => {
  const { commands, written } = commandsOver(['a', 'b', 'a', 'c', 'by a guest'], 0);
  expect(await commands.dequeueAll([track('a'), track('b'), track('c')])).toBe(3);
  expect(written).toEqual([
    { type: 'remove', index: 3, videoId: 'c' },
    { type: 'remove', index: 2, videoId: 'a' },
    { type: 'remove', index: 1, videoId: 'b' },
  ]);
});

test('a playing track and tracks that are no longer queued are not removed', async () => {
  const { commands, written } = commandsOver(['a', 'b'], 1);
  await commands.dequeueAll([track('b'), track('gone'), track('a')]);
  expect(written).toEqual([{ type: 'remove', index: 0, videoId: 'a' }]);
});

test('Next names the track on the screen, which may end meanwhile; a second press before the answer is for one more', async () => {
  const { commands, written } = commandsOver(['a', 'b', 'c'], 0);
  commands.next();
  commands.next();
  await vi.waitFor(() => {
    commands.previous();
    expect(written.at(-1)).toEqual({ type: 'previous', videoId: 'a' });
  });
  expect(written.slice(0, 2)).toEqual([{ type: 'next', videoId: 'a' }, { type: 'next' }]);
});

test('a stray press on a row is taken back: the track returns, and its place with it', async () => {
  const { commands, written, arrive } = commandsOver(['a', 'b', 'c'], 0);
  commands.jump(2);
  arrive(['a', 'b', 'c'], 2);
  await settle();
  commands.undoable.get()?.undo();
  await vi.dynamicImportSettled();
  expect(written).toEqual([
    { type: 'jump', currentIndex: 2, videoId: 'c' },
    { type: 'jump', currentIndex: 0, videoId: 'a', currentTime: 42 },
  ]);
  expect(commands.undoable.get()).toBeNull();
});

test.each([
  [
    'a new one at the head leaves',
    ['a', 'b'],
    0,
    ['x', 'a', 'b'],
    0,
    [
      { type: 'jump', currentIndex: 1, videoId: 'a', currentTime: 42 },
      { type: 'remove', index: 0, videoId: 'x' },
    ],
  ],
  [
    'one from the queue returns to its row',
    ['a', 'b', 'x'],
    0,
    ['x', 'a', 'b'],
    0,
    [
      { type: 'jump', currentIndex: 1, videoId: 'a', currentTime: 42 },
      { type: 'move', from: 0, to: 2, videoId: 'x' },
    ],
  ],
  [
    'one that replaced the track leaves',
    ['a'],
    0,
    ['x'],
    0,
    [
      { type: 'enqueue', track: track('a'), isNext: true },
      { type: 'jump', currentIndex: 1, videoId: 'a', currentTime: 42 },
      { type: 'remove', index: 0, videoId: 'x' },
    ],
  ],
])('a stray choice is taken back: %s', async (_how, before, index, after, now, expected) => {
  const { commands, written, arrive } = commandsOver(before, index);
  commands.choose(track('x'));
  arrive(after, now);
  await settle();
  commands.undoable.get()?.undo();
  await vi.dynamicImportSettled();
  expect(written.slice(1)).toEqual(expected);
});

test('nothing is said to be removed, or to play, that the room refused', async () => {
  const { commands, line } = commandsOver(['a', 'b', 'c'], 0);
  line.isApplied = false;
  for (const press of [() => commands.remove(2), () => commands.jump(1), () => commands.choose(track('x'))]) {
    press();
    await settle();
    expect(commands.undoable.get()).toBeNull();
  }
});

test('a second press that removes a row counts once; after the answer it is a press again', async () => {
  const { commands, written, line } = commandsOver(['a', 'b', 'b'], 0);
  line.isApplied = false;
  commands.remove(1);
  commands.remove(1);
  expect(written).toHaveLength(1);
  await settle();
  commands.remove(1);
  expect(written).toHaveLength(2);
});

test('what can be taken back is named without its artists, whom its two lines may not hold', async () => {
  const { commands } = commandsOver(['a', 'b'], 0);
  commands.choose({ ...track('a'), videoId: 'lib_x' as VideoId, title: 'Rain – Ada, Ivo and all the others' });
  await settle();
  expect(commands.undoable.get()?.words).toBe('Rain plays now');
});

test('a removed row returns to its place, and a row plays next from either side of what plays', async () => {
  const { commands, written, arrive } = commandsOver(['a', 'b', 'c'], 1);
  commands.remove(0);
  arrive(['b', 'c'], 0);
  await settle();
  commands.undoable.get()?.undo();
  await vi.dynamicImportSettled();
  expect(written.slice(1)).toEqual([
    { type: 'enqueue', track: track('a') },
    { type: 'move', from: 2, to: 0, videoId: 'a' },
  ]);
  arrive(['a', 'b', 'c', 'd'], 1);
  commands.playNext(3);
  commands.playNext(0);
  expect(written.slice(3)).toEqual([
    { type: 'move', from: 3, to: 2, videoId: 'd' },
    { type: 'move', from: 0, to: 1, videoId: 'a' },
  ]);
});

test.each([
  [
    'from the middle of the queue',
    ['a', 'b', 'c'],
    1,
    ['a', 'c'],
    1,
    [
      { type: 'enqueue', track: track('b'), isNext: true },
      { type: 'jump', currentIndex: 2, videoId: 'b', currentTime: 42 },
      { type: 'move', from: 2, to: 1, videoId: 'b' },
    ],
  ],
  [
    'from its end',
    ['a', 'b'],
    1,
    ['a'],
    0,
    [
      { type: 'enqueue', track: track('b'), isNext: true },
      { type: 'jump', currentIndex: 1, videoId: 'b', currentTime: 42 },
    ],
  ],
  [
    'the only one',
    ['a'],
    0,
    [],
    0,
    [
      { type: 'enqueue', track: track('a'), isNext: true },
      { type: 'jump', currentIndex: 0, videoId: 'a', currentTime: 42 },
    ],
  ],
])(
  'a removed track that played returns to its place and its second: %s',
  async (_how, before, index, after, now, expected) => {
    const { commands, written, arrive } = commandsOver(before, index);
    commands.remove(index);
    arrive(after, now);
    await settle();
    commands.undoable.get()?.undo();
    await vi.dynamicImportSettled();
    expect(written.slice(1)).toEqual(expected);
  },
);

test('an addition outlasts a lost connection; a pause does not, and neither does what takes a press back', () => {
  const connection = createFakeConnection();
  const ports = { connection, kind: 'audio', code: 'AB12CD', newClientId: countingClientIds() } as const;
  const writer = createWriter(
    { ...ports, nowMs: () => 0, schedule: () => () => undefined, seen: () => undefined },
    () => undefined,
  );
  writer.write({ type: 'pause' });
  void writer.writeAll([{ type: 'jump', currentIndex: 0, videoId: track('a').videoId, currentTime: 42 }]);
  void writer.writeAll([{ type: 'enqueue', track: track('a') }]);
  void writer.enqueueAll([track('b'), track('c')]);
  expect(connection.asked.map(({ isRepeated }) => isRepeated)).toEqual([false, false, true, true]);
});

describe('writes', () => {
  test('a single command is sent at once (SYNC-26)', () => {
    const first = requestWrite<string>(nothingWritten, 'play', 0);
    expect(first.send).toBe('play');
    expect(requestWrite(first.state, 'pause', 300).send).toBe('pause');
  });

  test('commands within 300 ms become one, the last (SYNC-26)', () => {
    const first = requestWrite<string>(nothingWritten, 'play', 0);
    const second = requestWrite(first.state, 'pause', 100);
    const third = requestWrite(second.state, 'next', 200);
    expect([second.send, third.send]).toEqual([null, null]);
    expect(third.state.waiting?.dueAtMs).toBe(500);
    expect(flushWrite(third.state, 499).send).toBeNull();
    const flushed = flushWrite(third.state, 500);
    expect(flushed.send).toBe('next');
    expect(flushWrite(flushed.state, 900).send).toBeNull();
  });

  test('writes are never closer than 300 ms, and the last command is never lost (SYNC-26)', () => {
    const gaps = fc.array(fc.nat(700), { minLength: 1 });
    fc.assert(
      fc.property(gaps, (gapsMs) => {
        let state: WriteDebounce<number> = nothingWritten;
        const sent: { atMs: number; write: number }[] = [];
        const take = (atMs: number, decision: { state: WriteDebounce<number>; send: number | null }): void => {
          state = decision.state;
          if (decision.send !== null) sent.push({ atMs, write: decision.send });
        };
        const flushUntil = (nowMs: number): void => {
          const dueAtMs = state.waiting?.dueAtMs;
          if (dueAtMs !== undefined && dueAtMs <= nowMs) take(dueAtMs, flushWrite(state, dueAtMs));
        };
        let nowMs = 0;
        for (const [index, gapMs] of gapsMs.entries()) {
          nowMs += gapMs;
          flushUntil(nowMs);
          take(nowMs, requestWrite(state, index, nowMs));
        }
        flushUntil(Number.POSITIVE_INFINITY);
        expect(sent.at(-1)?.write).toBe(gapsMs.length - 1);
        for (const [index, one] of sent.entries()) {
          const before = sent[index - 1];
          if (before !== undefined) expect(one.atMs - before.atMs).toBeGreaterThanOrEqual(300);
        }
      }),
    );
  });
});
