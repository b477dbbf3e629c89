/** Reads what vitest and Playwright write about a run: how many tests passed and failed, and why. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { seedsAtHome } from '@tunemate/testkit/extent';
import { root } from './paths.mjs';

/**
 * @typedef {{ title: string, message: string }} Failure
 * @typedef {{ passed: number, failed: number, notRun: number, failures: Failure[] }} RunResult
 */

const linesOfMessage = 8;
/** Of the simulation's worlds; see playback/testing/simulation.flow.test.ts. */
const allSeeds = 200;
/** A part without a report did not get as far as its tests: that is a failure too. */
const withoutReport = { passed: 0, failed: 1, notRun: 0, failures: [] };

/**
 * What vitest reported, by results-reporter.mjs: a line of JSON each. A file that ran once more has its last result.
 * @typedef {{ files: string[] }} Started
 * @typedef {{ onPostgres: number, elsewhere: number, looks: number }} LeftOut
 * @typedef {{ file: string, project: string, ms: number, passed: number, notRun: number, leftOut: LeftOut,
 *   hasWaited: boolean, failures: Failure[] }} Ended
 * @typedef {Started | Ended | { errors: (Failure & { file?: string })[] }} Line
 * @returns {RunResult}
 */
export function readVitestReport(path) {
  const lines = readLines(path);
  if (lines.length === 0) return withoutReport;
  const ended = endedFiles(lines);
  const sum = (key) => ended.reduce((total, line) => total + line[key], 0);
  const failures = [
    ...[...ended.flatMap((line) => line.failures), ...errorsOf(lines)].map(({ title, message }) =>
      failure(title, message),
    ),
    ...unfinishedFiles(path).map((file) => failure(file, 'did not end')),
  ];
  return { passed: sum('passed'), failed: failures.length, notRun: sum('notRun'), failures };
}

/** What failed outside any test; of a file that ran once more what its last run says. */
function errorsOf(lines) {
  const runs = lines.map(({ files = [] }) => new Set(files));
  return lines.flatMap(({ errors = [] }, at) =>
    errors.filter(({ file }) => !runs.slice(at).some((files) => files.has(file))),
  );
}

/** The last result of each file. @returns {Ended[]} */
function endedFiles(lines) {
  return [...new Map(lines.filter(({ file }) => file !== undefined).map((line) => [line.file, line])).values()];
}

/** The files with a test that failed by waiting: with a longer limit it may pass. */
export function waitedFiles(path) {
  const ended = endedFiles(readLines(path));
  return ended.filter(({ hasWaited, failures }) => hasWaited && failures.length > 0).map(({ file }) => file);
}

const slowestShown = 30;

/** The slowest files of a run of vitest, and how long all files of each project took. @returns {string[]} */
export function timesOf(path) {
  const ended = endedFiles(readLines(path));
  const row = (ms, name) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`;
  const projects = [...new Set(ended.map(({ project }) => project))];
  const msOf = (project) => ended.filter((one) => one.project === project).reduce((all, { ms }) => all + ms, 0);
  return [
    'The slowest files:',
    ...ended
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, slowestShown)
      .map(({ ms, file }) => row(ms, relative(root, file))),
    'All files of a project, which run side by side:',
    ...projects.map((project) => row(msOf(project), project)),
  ];
}

/** What the short form of a run left out, in one line. */
export function leftOut(path, journeys) {
  const ended = endedFiles(readLines(path));
  const sum = (key) => ended.reduce((all, line) => all + line.leftOut[key], 0);
  const counts = [
    [sum('onPostgres'), 'tests on PostgreSQL'],
    [sum('elsewhere'), 'for other services or looks'],
    [sum('looks'), 'looks of screens'],
    [ended.length > 0 ? allSeeds - seedsAtHome : 0, `of ${allSeeds} seeds a world`],
    [journeys, 'journeys'],
  ];
  const said = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `Not run here: ${said.join(', ')}. npm test -- --all runs them, and so does CI.`;
}

/** The files of a run that have no result. */
export function unfinishedFiles(path) {
  const lines = readLines(path);
  const ended = new Set(lines.map(({ file }) => file));
  return [...new Set(lines.flatMap(({ files = [] }) => files))].filter((file) => !ended.has(file));
}

/** What Playwright reported; what failed in one run counts by the next one, if there was one. @returns {RunResult} */
export function readPlaywrightReport([path, again]) {
  const report = readJson(path);
  if (report === undefined) return withoutReport;
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = [
    ...report.errors.map(({ message }) => failure('before any test', message)),
    ...report.suites.flatMap(specsOf).flatMap(({ title, tests }) => {
      const failed = tests.filter(({ status }) => status === 'unexpected');
      return failed.map(({ results }) => {
        const { error, duration } = results.at(-1) ?? {};
        return { ...failure(title, error?.message), ms: duration };
      });
    }),
  ];
  const first = { passed: expected + flaky, failed: unexpected + report.errors.length, notRun: skipped, failures };
  if (again === undefined || readJson(again) === undefined) return first;
  const second = readPlaywrightReport([again]);
  return { ...second, passed: first.passed + second.passed, notRun: first.notRun + second.notRun };
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
