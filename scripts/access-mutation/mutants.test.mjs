import { expect, test } from 'vitest';
import { allMutants } from './mutants.mjs';

test('each access check that is to be taken out stands once in the code, with a test that is to notice', () => {
  const checks = allMutants().map(({ what }) => what);
  expect(new Set(checks).size).toBe(checks.length);
  expect(checks).toEqual(expect.arrayContaining([expect.stringMatching(/^server\/src\/realtime\/requests\.ts: /)]));
});
