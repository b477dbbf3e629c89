import { expect, test } from 'vitest';
import { readSpecs, ruleProblems } from './rules.mjs';

const spec = ['# Rooms', '- **JOIN-3** A code is looked up.', '- **SYNC-V2** A guest follows.'].join('\n');
const tests = (text) => [{ path: 'server/src/rooms/lifecycle/rooms.test.ts', text }];

test('finds nothing when every rule is named by a title and every title by a rule', () => {
  expect(
    ruleProblems(spec, tests(`test('finds the code (JOIN-3)', f); describe.each(kinds)('%s (SYNC-V2)', g)`)),
  ).toEqual([]);
});

test('names a rule that no title names, though a comment may', () => {
  expect(ruleProblems(spec, tests(`// SYNC-V2\ntest('finds the code (JOIN-3)', f)`))).toEqual([
    'SYNC-V2 is named by no test',
  ]);
});

test('names a title whose rule is not there', () => {
  const problems = ruleProblems(spec, tests(`test('fine (JOIN-3, SYNC-V2)', f); test('is gone (JOIN-4)', g)`));
  expect(problems).toEqual([expect.stringContaining('JOIN-4')]);
});

test('names a title that begins with its rule', () => {
  const problems = ruleProblems(spec, tests(`test('JOIN-3: finds the code', f); test('follows (SYNC-V2)', g)`));
  expect(problems).toEqual([expect.stringContaining('before the behaviour')]);
});

test('does not take UTF-8 or SHA-256 for rules', () => {
  expect(
    ruleProblems(spec, tests(`test('hashes with SHA-256 (JOIN-3, SYNC-V2)', f); test('UTF-8 is counted', g)`)),
  ).toEqual([]);
});

test('names a rule that is written twice, and documents without any', () => {
  expect(ruleProblems(`${spec}\n- **JOIN-3** Again.`, tests(`test('both (JOIN-3, SYNC-V2)', f)`))).toEqual([
    'JOIN-3 is written twice',
  ]);
  expect(ruleProblems('# Nothing', [])).toHaveLength(1);
});

test('reads the rules of all workspaces that have some', () => {
  expect(readSpecs()).toMatch(/\*\*SYNC-1\*\*[^]*\*\*WIRE-1\*\*[^]*\*\*ACCESS-1\*\*/);
});
