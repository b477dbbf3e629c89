import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inRoot } from './paths.mjs';
import { serverFlags } from './pinned-node.mjs';

/** Garbage and as many objects in use as make Node take all the room for young ones that it may. */
const program = `
  const kept = [];
  for (let n = 0; n < 600_000; n += 1) kept[n % 100_000] = { n, text: 'x' + n, list: [n, n] };
  const of = (name) => require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === name);
  console.log(of('new_space').space_size);
`;

test('the young objects of the server take 32 MB at most, however much memory the machine has', () => {
  const bytes = Number(execFileSync(process.execPath, [...serverFlags, '-e', program], { encoding: 'utf8' }));
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
});

test.each(['Dockerfile', 'docs/operating.md', 'testkit/src/services/process.ts'])(
  '%s starts the server with the same flags',
  (file) => {
    const words = readFileSync(inRoot(file), 'utf8').replaceAll(/[",']/gu, '');
    expect(words).toContain(serverFlags.join(' '));
  },
);
