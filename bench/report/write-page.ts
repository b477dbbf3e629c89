/** Writes the pages of bench/results, each with the commit and the date of its run (scripts/checks/figures.mjs reads them). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { commitOf } from '@tunemate/testkit/commits';
import measured from '../measured.json' with { type: 'json' };

import { draw, heardPictures, loadPictures, type Picture } from './pictures.ts';

const root = join(import.meta.dirname, '../..');
const results = join(root, 'bench/results');

/** The commit when the run began: one that is made meanwhile is not what was measured. */
const commit = commitOf('HEAD');

/** Where and when: `Measured at 1a2b3c4d on 2026-11-29.` */
function measuredAt(page: keyof typeof measured): string {
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...measured[page].of], { cwd: root });
  const uncommitted = changed.length > 0 ? ', with changes that are not committed,' : '';
  return `Measured at ${commit}${uncommitted} on ${new Date().toISOString().slice(0, 10)}.`;
}

/** The table that says of each goal whether it is met. */
export const goalsTable = (met: Readonly<Record<string, boolean>>): string =>
  [
    '| goal | met |',
    '| --- | --- |',
    ...Object.entries(met).map(([goal, isMet]) => `| ${goal} | ${isMet ? 'yes' : 'no'} |`),
  ].join('\n');

/** Rows with the same keys, which head the table. */
export function tableOf(rows: readonly Readonly<Record<string, string>>[]): string {
  const heads = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => `| ${Object.values(row).join(' | ')} |`);
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...lines].join('\n');
}

/** What measured, and how much else it had to do. */
export function machine(): string {
  const load = loadavg().map((each) => each.toFixed(1));
  const processor = `${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}`;
  return `Machine: ${processor}, shared with other work. Load average at the end: ${load.join(', ')}.`;
}

/** Writes `text`, whose first paragraph is its title and whose second the command, with commit and date behind these. */
export function writePage(page: keyof typeof measured, text: string): void {
  const [title = '', command = '', ...rest] = text.split('\n\n');
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${page}.md`), [title, command, measuredAt(page), ...rest].join('\n\n'));
  drawPictures(page);
}

const picturesOf: Partial<Record<string, (page: string) => Picture[]>> = { heard: heardPictures, load: loadPictures };

/** Draws what docs/benchmarks.md shows of a page, with the commit and date of the page's tables. */
export function drawPictures(page: string): void {
  const text = readFileSync(join(results, `${page}.md`), 'utf8');
  const stamps = [...new Set([...text.matchAll(/^Measured (at [^.]+)\./gmu)].map(([, at = '']) => at))];
  const age = text.includes('Old: to be measured again') ? ' Old: the code has changed since.' : '';
  for (const picture of picturesOf[page]?.(text) ?? []) {
    const source = `npm run bench -- ${page}, ${stamps.join(' and ')}.${age}`;
    writeFileSync(join(results, `${picture.file}.svg`), draw(picture, source));
  }
}
