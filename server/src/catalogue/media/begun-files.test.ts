/** Which file a player gets that goes on with what it began to load. */
import { expect, test } from 'vitest';
import { begunFiles } from './media-routes.ts';

const file = (path: string) => ({ path, mime: 'audio/mp4' });

test('a player gets the rest of the file that it began, and the newest from the first byte on', () => {
  const begun = begunFiles();
  const [old, copy] = [file('old'), file('copy')];
  expect(begun.of('ada', 'song', old, undefined)).toBe(old);
  expect(begun.of('ada', 'song', copy, 'bytes=500-')).toBe(old);
  expect(begun.of('ivo', 'song', copy, 'bytes=500-')).toBe(copy);
  expect(begun.of('ada', 'song', copy, 'bytes=0-')).toBe(copy);
});

test('ten thousand loads are remembered, and of more the latest', () => {
  const begun = begunFiles();
  const [old, copy] = [file('old'), file('copy')];
  for (let n = 0; n <= 10_000; n += 1) begun.of(`person ${String(n)}`, 'song', old, undefined);
  expect(begun.of('person 1', 'song', copy, 'bytes=500-')).toBe(old);
  expect(begun.of('person 0', 'song', copy, 'bytes=500-')).toBe(copy);
});
