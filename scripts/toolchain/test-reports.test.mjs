import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPlaywrightReport, readVitestReport } from './test-reports.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function written(report) {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(report));
  return path;
}

test('a run that left no report counts as one failure', () => {
  const nothing = join(folder, 'nothing.json');
  expect(readVitestReport(nothing)).toEqual({ passed: 0, failed: 1, notRun: 0, failures: [] });
  expect(readPlaywrightReport([nothing])).toEqual({ passed: 0, failed: 1, notRun: 0, failures: [] });
});

test('vitest: failed tests and files that could not be loaded are printed with the first lines of their reason', () => {
  const why = [
    '\u001B[31mAssertionError\u001B[39m: no',
    '',
    ...Array.from({ length: 20 }, (_, line) => `line ${line}`),
  ];
  const lines = [
    { files: ['a.test.ts', 'b.test.ts', 'c.test.ts', 'd.test.ts'] },
    { file: 'a.test.ts', passed: 3, notRun: 2, failures: [] },
    { file: 'b.test.ts', passed: 1, notRun: 0, failures: [{ title: 'bad', message: why.join('\n') }] },
    { file: 'c.test.ts', passed: 0, notRun: 0, failures: [{ title: 'c.test.ts', message: 'SyntaxError' }] },
    { errors: [{ title: 'outside any test', message: 'a promise was rejected' }] },
  ];
  const path = join(folder, 'results.jsonl');
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { passed, failed, notRun, failures } = readVitestReport(path);
  expect({ passed, failed, notRun }).toEqual({ passed: 4, failed: 4, notRun: 2 });
  expect(failures.map(({ title }) => title)).toEqual(['bad', 'c.test.ts', 'outside any test', 'd.test.ts']);
  expect(failures[0].message.split('\n')).toEqual([
    'AssertionError: no',
    ...Array.from({ length: 7 }, (_, line) => `line ${line}`),
  ]);
});

test('Playwright: failed journeys of every depth are printed, and errors before the first', () => {
  const spec = (title, status, message) => ({ title, tests: [{ status, results: [{ error: { message } }] }] });
  const report = {
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        specs: [spec('well', 'expected')],
        suites: [{ specs: [spec('ill', 'unexpected', 'waited in vain')] }],
      },
    ],
  };
  expect(readPlaywrightReport([written(report)])).toEqual({
    passed: 4,
    failed: 2,
    notRun: 2,
    failures: [
      { title: 'before any test', message: 'no browser' },
      { title: 'ill', message: 'waited in vain' },
    ],
  });
});
