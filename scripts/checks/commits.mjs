/**
 * Holds the subjects of commits to 72 characters, as .githooks/commit-msg does before a commit is made. Decides by the
 * author's date which commits count, so that a shallow clone and a rebased branch are judged like the whole history.
 */
import { spawnSync } from 'node:child_process';
import { root } from '../toolchain/paths.mjs';

const longest = 72;
/** Earlier subjects were not checked, and some are longer. */
const checkedSince = Date.parse('2026-11-25T14:00:00Z');

/** @typedef {{ readonly hash: string, readonly writtenAtMs: number, readonly author: string, readonly subject: string }} Commit */

/** @param {readonly Commit[]} commits */
export function longSubjects(commits) {
  return commits
    .filter(({ writtenAtMs, author }) => writtenAtMs >= checkedSince && !author.endsWith('[bot]'))
    .filter(({ subject }) => lengthOf(subject) > longest)
    .map(({ hash, subject }) => `${hash}: the subject has ${lengthOf(subject)} characters, not ${longest}: ${subject}`);
}

/** The commits of this clone, newest first; none where there is no git, as in an archive. @returns {Commit[]} */
export function readCommits() {
  const format = ['%h', '%at', '%an', '%s'].join('%x09');
  const { status, stdout } = spawnSync('git', ['log', '--no-merges', `--format=${format}`], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) return [];
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [hash, seconds, author, ...subject] = line.split('\t');
      return { hash, writtenAtMs: Number(seconds) * 1000, author, subject: subject.join('\t') };
    });
}

/** In characters, as `wc -m` counts them in the hook. */
const lengthOf = (subject) => Array.from(subject).length;
