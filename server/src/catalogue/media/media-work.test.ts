/** Who has a turn, and who waits for one: what people play before what no person waits for, and none of them for ever. */
import { createLog } from '../../system/logging.ts';
import { expect, test } from 'vitest';
import { type KindOfFile, mediaWork } from './media-work.ts';

type Kind = KindOfFile | 'loudness';

/** Work of which each item lasts until the test ends it. */
function stage() {
  const work = mediaWork({ dataDir: '/nowhere', log: createLog('silent') });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    work,
    begun,
    make: (kind: Kind, ...items: string[]) =>
      work.run(kind, () =>
        work.each(kind, items, async (item) => {
          begun.push(item);
          await new Promise<void>((resolve) => {
            ends.set(item, resolve);
            work.signal.addEventListener('abort', () => resolve());
          });
          return true;
        }),
      ),
    async end(item: string): Promise<void> {
      await expect.poll(() => ends.has(item), { interval: 1 }).toBe(true);
      ends.get(item)?.();
    },
  };
}

test('two are made that no person waits for and one that a person plays, one of each kind at a time', async () => {
  const { make, begun, work } = stage();
  for (const kind of ['copies', 'loudness', 'frames'] as const) void make(kind, `${kind} 1`, `${kind} 2`);
  await expect.poll(() => begun).toEqual(['copies 1', 'loudness 1']);
  void make('even-copies', 'even 1', 'even 2');
  void make('played-copies', 'subsonic 1');
  await expect.poll(() => begun.slice(2)).toEqual(['even 1']);
  await work.close();
  expect(begun).toHaveLength(3);
});

test('what a person plays comes before all that waits, and the other kinds take turns', async () => {
  const { make, begun, end } = stage();
  const all = [
    ...(['copies', 'loudness', 'frames'] as const).map((kind) => make(kind, `${kind} 1`, `${kind} 2`)),
    make('even-copies', 'even 1'),
    make('played-copies', 'subsonic 1'),
  ];
  for (const item of ['copies', 'even', 'loudness', 'frames']) await end(`${item} 1`);
  for (const item of ['copies 2', 'subsonic 1', 'loudness 2', 'frames 2']) await end(item);
  await Promise.all(all);
  expect(begun).toEqual([
    ...['copies 1', 'loudness 1', 'even 1', 'subsonic 1'],
    ...['frames 1', 'copies 2', 'loudness 2', 'frames 2'],
  ]);
});

test('a kind that is being made is not begun again, and ends where one says that none can be made', async () => {
  const { work } = stage();
  let tried = 0;
  const fails = () => work.each('copies', [1, 2, 3], () => Promise.resolve((tried += 1) < 2));
  await Promise.all([work.run('copies', fails), work.run('copies', fails)]);
  expect(tried).toBe(2);
});

test('one that throws ends its kind alone', async () => {
  const { work, make, begun, end } = stage();
  const other = make('loudness', 'one', 'two');
  const failed = work.run('copies', () => work.each('copies', [1, 2], () => Promise.reject(new Error('no disk'))));
  await expect(failed).rejects.toThrow('no disk');
  for (const item of ['one', 'two']) await end(item);
  await other;
  expect(begun).toEqual(['one', 'two']);
});
