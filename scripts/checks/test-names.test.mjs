import { expect, test } from 'vitest';
import { unnamedTests } from './test-names.mjs';

test.each([
  ['a/x.test.ts', 'a/x.ts'],
  ['a/x.subject.test.ts', 'a/x.ts'],
  ['a/X.screen.test.tsx', 'a/X.tsx'],
  ['a/x.golden.test.ts', 'a/x.golden.json'],
  ['a/visit.flow.test.ts', 'a/x.ts'],
])('%s passes beside %s', (path, source) => {
  expect(unnamedTests([path, source])).toEqual([]);
});

test.each([
  ['whose source has another name', ['a/y.test.ts', 'a/x.ts']],
  ['whose source is in another folder', ['a/x.test.ts', 'b/x.ts']],
  ['beside a test of its name alone', ['a/x.test.ts', 'a/x.screen.test.tsx', 'a/X.tsx']],
])('finds a test %s', (_why, paths) => {
  expect(unnamedTests(paths)).toContain(`${paths[0]}: no file beside it has its name`);
});

test('finds that more than one test in ten is of a flow', () => {
  const sources = Array.from({ length: 9 }, (_, at) => [`a/x${at}.ts`, `a/x${at}.test.ts`]).flat();
  expect(unnamedTests([...sources, 'a/in.flow.test.ts'])).toEqual([]);
  expect(unnamedTests([...sources, 'a/in.flow.test.ts', 'a/out.flow.screen.test.tsx'])).toEqual([]);
  expect(unnamedTests([...sources, ...['in', 'out', 'on'].map((name) => `a/${name}.flow.test.ts`)])).toHaveLength(1);
});
