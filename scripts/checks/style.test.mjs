import { expect, test } from 'vitest';
import { styleProblems } from './style.mjs';

const planted = (text) => styleProblems([{ path: 'web/src/a.ts', text }]);

test.each([
  ['export const TICK_MS = 250;', 'TICK_MS'],
  ['const BOUND: number = 3;', 'BOUND'],
  ['/* What this is. */', 'the head of a file'],
])('finds %s', (text, named) => {
  expect(planted(text)).toEqual([expect.stringContaining(named)]);
});

test.each([
  ['/** What this is. */\nconst tickMs = 250;'],
  ['// const TICK_MS = 250;'],
  ['const [A, V] = codes; read(process.env.PUBLIC_URL);'],
])('lets pass %s', (text) => {
  expect(planted(text)).toEqual([]);
});
