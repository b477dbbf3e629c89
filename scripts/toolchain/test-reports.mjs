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

/**
 * What vitest reported, by results-reporter.mjs: a line of JSON each.
 * @typedef {{ files: string[] }} Started
 * @typedef {{ file: string, ms: number, passed: number, notRun: number, failures: Failure[] }} Ended
 * @typedef {Started | Ended | { errors: Failure[] }} Line
 * @returns {RunResult}
 */
export function readVitestReport(path) {
  const lines = readLines(path);
  if (lines.length === 0) return withoutReport;
  const ended = lines.filter(({ file }) => file !== undefined);
  const sum = (key) => ended.reduce((total, line) => total + line[key], 0);
  const failures = [
    ...lines.flatMap((line) => line.failures ?? line.errors ?? []).map(({ title, message }) => failure(title, message)),
    ...unfinishedFiles(path).map((file) => failure(file, 'did not end')),
  ];
  return { passed: sum('passed'), failed: failures.length, notRun: sum('notRun'), failures };
}

/** The files of a run that have no result. */
export function unfinishedFiles(path) {
  const lines = readLines(path);
  const ended = new Set(lines.map(({ file }) => file));
  return [...new Set(lines.flatMap(({ files = [] }) => files))].filter((file) => !ended.has(file));
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

/** @returns {Line[]} */
function readLines(path) {
  try {
    const text = readFileSync(path, 'utf8').split('\n');
    return text.filter((line) => line !== '').map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
