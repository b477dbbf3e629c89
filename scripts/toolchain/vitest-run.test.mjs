import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leftOut, readVitestReport } from './test-reports.mjs';
import { runVitest } from './vitest-run.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitest-run-'));
  const config = { root: folder, test: { globals: true, include: ['*.test.mjs'], maxWorkers: 3 } };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file of tests that leaves a mark and blocks its process, the first time or each time. */
function writeBlocking(name, isAlways) {
  const marks = JSON.stringify(join(folder, `${name}.`));
  const code = `import { existsSync, writeFileSync } from 'node:fs';
    test('blocks', () => {
      if (${String(!isAlways)} && existsSync(${marks} + 1)) return;
      writeFileSync(${marks} + (existsSync(${marks} + 1) ? 2 : 1), '');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  writeFileSync(join(folder, `${name}.test.mjs`), code);
}

test('files that block their process run once more, and no other does; one that blocks again is a failure', async () => {
  writeFileSync(join(folder, 'free.test.mjs'), `test('good', () => {}); test('bad', () => expect(1).toBe(2));`);
  writeBlocking('once', false);
  writeBlocking('always', true);
  const report = join(folder, 'results.jsonl');
  let isFirstRun = true;
  const isStuck = () => {
    const [there, lines] = [readdirSync(folder), readFileSync(report, 'utf8')];
    const hasEnded = (name) => lines.includes(`"file":"${join(folder, name)}.test.mjs"`);
    // The second run is not stuck before it has begun, however long that takes.
    if (!isFirstRun) return there.includes('always.2') && hasEnded('once');
    isFirstRun = !(hasEnded('free') && there.includes('once.1') && there.includes('always.1'));
    return !isFirstRun;
  };
  const { ok } = await runVitest(['--silent=true'], report, { isStuck, cwd: folder, output: 'ignore' });
  const { passed, failures } = readVitestReport(report);
  expect({ ok, passed }).toEqual({ ok: false, passed: 2 });
  expect(failures.map(({ title }) => title)).toEqual(['bad', join(folder, 'always.test.mjs')]);
});

test('a test that fails by waiting runs once more with longer limits, and one that fails at once does not', async () => {
  const mark = (name) => JSON.stringify(join(folder, name));
  const once = (name, first) => `test('${name}', async () => {
    writeFileSync(${mark(`${name}.`)} + (existsSync(${mark(`${name}.1`)}) ? 2 : 1), '');
    if (!existsSync(${mark(`${name}.2`)})) ${first};
  }, 50);`;
  const head = `import { existsSync, writeFileSync } from 'node:fs';`;
  writeFileSync(join(folder, 'waits.test.mjs'), `${head} ${once('waits', 'await new Promise(() => undefined)')}`);
  writeFileSync(join(folder, 'fails.test.mjs'), `${head} ${once('fails', 'expect(1).toBe(2)')}`);
  const report = join(folder, 'results.jsonl');
  const how = { isStuck: () => false, cwd: folder, isPatient: false, output: 'ignore' };
  const { ok } = await runVitest(['--silent=true'], report, how);
  const { passed, failed, failures } = readVitestReport(report);
  expect({ ok, passed, failed }).toEqual({ ok: false, passed: 1, failed: 1 });
  expect(failures[0].title).toBe('fails');
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['fails.1', 'waits.1', 'waits.2']));
  expect(readdirSync(folder)).not.toContain('fails.2');
});

test('what the short form leaves out is said by number, and what it does not leave out is not', () => {
  const report = join(folder, 'results.jsonl');
  const line = (file, leftOutHere) =>
    JSON.stringify({ file, passed: 1, notRun: 0, failures: [], leftOut: leftOutHere });
  const lines = [
    line('a.test.ts', { onPostgres: 3, elsewhere: 0, looks: 4 }),
    line('b.test.ts', { onPostgres: 2, elsewhere: 0, looks: 1 }),
  ];
  writeFileSync(report, lines.join('\n'));
  expect(leftOut(report, 79)).toBe(
    'Not run here: 5 tests on PostgreSQL, 5 looks of screens, 160 of 200 seeds a world, 79 journeys. npm test -- --all runs them, and so does CI.',
  );
});
