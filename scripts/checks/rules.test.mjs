import { expect, test } from 'vitest';
import { ruleProblems } from './rules.mjs';

const spec = ['# Rooms', '- **JOIN-3** A code is looked up.', '- **SYNC-V2** A guest follows.'].join('\n');
const tests = (text) => [{ path: 'server/src/rooms/lifecycle/rooms.test.ts', text }];

test('finds nothing when every rule is named by a title and every title by a rule', () => {
  expect(ruleProblems(spec, tests(`it('JOIN-3: finds the code', f); describe.each(kinds)('%s (SYNC-V2)', g)`))).toEqual(
    [],
  );
});

test('names a rule that no title names, though a comment may', () => {
  expect(ruleProblems(spec, tests(`// SYNC-V2\nit('JOIN-3: finds the code', f)`))).toEqual([
    'SYNC-V2 is named by no test',
  ]);
});

test('names a title whose rule is not there', () => {
  const problems = ruleProblems(
    spec,
    tests(`it('JOIN-3, SYNC-V2: fine', f); it('JOIN-4: gone', g); it('LEAVE-1: gone', h)`),
  );
  expect(problems).toHaveLength(2);
  expect(problems[0]).toContain('JOIN-4');
  expect(problems[1]).toContain('LEAVE-1');
});

test('does not take UTF-8 or SHA-256 for rules', () => {
  expect(
    ruleProblems(spec, tests(`it('JOIN-3 SYNC-V2: hashes with SHA-256', f); it('counts UTF-8 bytes', g)`)),
  ).toEqual([]);
});

test('names a rule that is written twice, and a SPEC.md without any', () => {
  expect(ruleProblems(`${spec}\n- **JOIN-3** Again.`, tests(`it('JOIN-3, SYNC-V2', f)`))).toEqual([
    'SPEC.md has JOIN-3 twice',
  ]);
  expect(ruleProblems('# Nothing', [])).toHaveLength(1);
});
