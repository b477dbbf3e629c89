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

const sheet = (text) => styleProblems([{ path: 'web/src/a.css', text }]);

test('finds a rule that lights what a finger pressed last', () => {
  const [found, ...others] = sheet('.a {\n  color: red;\n}\n.b,\n.a:hover {\n  color: blue;\n}');
  expect(found).toMatch(/a\.css:5: :hover/);
  expect(others).toEqual([]);
  expect(sheet('@media (hover: hover) {\n.a {}\n}\n.a:hover {}')).toHaveLength(1);
});

test('lets pass hovering where a pointer hovers', () => {
  expect(sheet('/* :hover { */\n@media (hover: hover) and (width > 48em) {\n  .a:hover {}\n}')).toEqual([]);
});
