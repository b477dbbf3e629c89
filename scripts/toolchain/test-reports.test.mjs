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
  expect(readPlaywrightReport(nothing)).toEqual({ passed: 0, failed: 1, notRun: 0, failures: [] });
});

test('vitest: failed tests and files that could not be loaded are printed with the first lines of their reason', () => {
  const why = [
    '\u001B[31mAssertionError\u001B[39m: no',
    '',
    ...Array.from({ length: 20 }, (_, line) => `line ${line}`),
  ];
  const report = {
    numPassedTests: 4,
    numPendingTests: 2,
    testResults: [
      { name: 'a.test.ts', status: 'passed', message: '', assertionResults: [{ status: 'passed' }] },
      {
        name: 'b.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'good', failureMessages: [] },
          { status: 'failed', fullName: 'bad', failureMessages: [why.join('\n')] },
        ],
      },
      { name: 'c.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    ],
  };
  const { passed, failed, notRun, failures } = readVitestReport(written(report));
  expect({ passed, failed, notRun }).toEqual({ passed: 4, failed: 2, notRun: 2 });
  expect(failures.map(({ title }) => title)).toEqual(['bad', 'c.test.ts']);
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
  expect(readPlaywrightReport(written(report))).toEqual({
    passed: 4,
    failed: 2,
    notRun: 2,
    failures: [
      { title: 'before any test', message: 'no browser' },
      { title: 'ill', message: 'waited in vain' },
    ],
  });
});
