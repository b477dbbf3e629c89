/**
 * Refuses a page of bench/results once more of what it measures has changed since its commit than bench/measured.json
 * allows: in lines, added and removed ones, of all files but tests. That is about a third of the measured lines where a
 * run takes a quiet machine, and less where it takes minutes. A page may say that it is old and is to be measured again by a day; it is refused in commits after that day.
 * Needs the history up to the commit of each page: in a shallow clone it says so and fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { inRoot, root } from '../toolchain/paths.mjs';

/**
 * @typedef {{ readonly name: string, readonly text: string }} Page `name` is that of its file, without `.md`
 * @typedef {{
 *   readonly today: string,
 *   readonly hasCommit: (commit: string) => boolean,
 *   readonly changedLines: (commit: string, of: readonly string[]) => number,
 * }} History `today` is the day of the newest commit, such as 2026-11-29
 */

const measured = JSON.parse(readFileSync(inRoot('bench', 'measured.json'), 'utf8'));
const stamp = /^Measured at (?<commit>[0-9a-f]{7,40}) on \d{4}-\d\d-\d\d\./mu;
const oldUntil = /^Measured at .* Old: to be measured again by (?<day>\d{4}-\d\d-\d\d)\.$/mu;

/** @param {readonly Page[]} pages @param {History} history @param {Record<string, { of: readonly string[], allows: number }>} what @returns {string[]} */
export function staleFigures(pages, history, what = measured) {
  return pages.flatMap(({ name, text }) => {
    const path = `bench/results/${name}.md`;
    if (!Object.hasOwn(what, name)) return [`${path}: bench/measured.json does not say what it measures`];
    const stamps = [...text.matchAll(new RegExp(stamp, 'gmu'))];
    if (stamps.length === 0) return [`${path}: has no line 'Measured at COMMIT on DATE.'`];
    const { of, allows } = what[name];
    const isGranted = (oldUntil.exec(text)?.groups.day ?? '') >= history.today;
    return stamps.flatMap(({ groups: { commit } }) => {
      if (!history.hasCommit(commit)) return [`${path}: ${commit} is no commit before this one`];
      const changed = history.changedLines(commit, of);
      if (changed <= allows || isGranted) return [];
      return [`${path}: of what it measures ${changed} lines have changed since ${commit}; it allows ${allows}`];
    });
  });
}

/** @returns {Page[]} */
export const readPages = () =>
  readdirSync(inRoot('bench', 'results'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => ({
      name: file.slice(0, -'.md'.length),
      text: readFileSync(inRoot('bench', 'results', file), 'utf8'),
    }));

/** What this clone says; in an archive without history nothing is stale. @returns {string[]} */
export function staleFiguresHere() {
  if (!existsSync(inRoot('.git'))) return [];
  if (git('rev-parse', '--is-shallow-repository').stdout.trim() === 'true')
    return ['A shallow clone does not show what has changed since a measurement: git fetch --unshallow'];
  return staleFigures(readPages(), {
    today: git('log', '-1', '--format=%cs').stdout.trim(),
    hasCommit: (commit) => git('merge-base', '--is-ancestor', commit, 'HEAD').status === 0,
    changedLines: (commit, of) =>
      git('diff', '-M', '--numstat', commit, 'HEAD', '--', ...of, ':!*.test.*')
        .stdout.split('\n')
        .reduce((sum, line) => sum + line.split('\t', 2).reduce((both, each) => both + (Number(each) || 0), 0), 0),
  });
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
