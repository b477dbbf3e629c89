import type { NamedTrack, PlaybackIntent, VideoId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { cell } from '../store/cell.ts';
import { createHostCommands } from './host-commands.ts';
import type { PlaybackView } from './playback-view.ts';

const track = (name: string): NamedTrack => ({ videoId: name as VideoId, title: name, durationSeconds: 60 });

function commandsOver(names: readonly string[], currentIndex: number) {
  const written: PlaybackIntent[] = [];
  const queue = names.map((name) => track(name));
  const view = cell({ playing: { queue, currentIndex } } as unknown as PlaybackView);
  const writer = {
    write: (intent: PlaybackIntent) => void written.push(intent),
    writeAgain: (intent: PlaybackIntent) => void written.push(intent),
    writeAll: (intents: readonly PlaybackIntent[]) => Promise.resolve(written.push(...intents)),
    enqueueAll: (items: readonly NamedTrack[]) => Promise.resolve(items.length),
    writeSeek: () => undefined,
    isSeekWaiting: () => false,
    dropSeek: () => undefined,
    close: () => undefined,
  };
  return { commands: createHostCommands(view, writer), written };
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
