/** Reads what vitest and Playwright write about a run: how many tests passed and failed, and why. */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ title: string, message: string }} Failure
 * @typedef {{ passed: number, failed: number, notRun: number, failures: Failure[] }} RunResult
 */

const linesOfMessage = 8;
/** A part without a report did not get as far as its tests: that is a failure too. */
const withoutReport = { passed: 0, failed: 1, notRun: 0, failures: [] };

/** What vitest reported. @returns {RunResult} */
export function readVitestReport(path) {
  const report = readJson(path);
  if (report === undefined) return withoutReport;
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed');
    // A file that can't be loaded fails without a failed test of its own.
    if (status === 'failed' && failed.length === 0) return [failure(name, message)];
    return failed.map(({ fullName, failureMessages }) => failure(fullName, failureMessages.join('\n')));
  });
  return { passed: report.numPassedTests, failed: failures.length, notRun: report.numPendingTests, failures };
}

/** What Playwright reported. @returns {RunResult} */
export function readPlaywrightReport(path) {
  const report = readJson(path);
  if (report === undefined) return withoutReport;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = [
    ...report.errors.map(({ message }) => failure('before any test', message)),
    ...report.suites.flatMap(specsOf).flatMap(({ title, tests }) => {
      const failed = tests.filter(({ status }) => status === 'unexpected');
      return failed.map(({ results }) => failure(title, results.at(-1)?.error?.message));
    }),
  ];
  return { passed: expected + flaky, failed: unexpected + report.errors.length, notRun: skipped, failures };
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

function failure(title, message = 'without a message') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return { title, message: lines.slice(0, linesOfMessage).join('\n') };
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
