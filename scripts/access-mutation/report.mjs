/** The tables of bench/results/access.md: how many answers the tests compare, and which test falls without each check. */

/**
 * @param {readonly { file: string, checks: number }[]} counted
 * @param {readonly { what: string, fell: string | null }[]} outcomes
 */
export function accessTables(counted, outcomes) {
  const total = counted.reduce((sum, { checks }) => sum + checks, 0);
  const survivors = outcomes.filter(({ fell }) => fell === null).length;
  return [
    '# Access checks',
    '',
    '`npm run mutation -- access`',
    '',
    'A check is one answer, or the news of one tab, compared with what the tables say: every request as every role, on a first',
    'tab, a second tab and one that was cut off and came back, and over HTTP; on SQLite, and on PostgreSQL with two processes.',
    '',
    '| tests | checks |',
    '| --- | --- |',
    ...counted.map(({ file, checks }) => `| ${file} | ${String(checks)} |`),
    `| all (goal: 2000) | ${String(total)} |`,
    '',
    `Then each check of the server is taken out in turn: ${String(outcomes.length)}, of which ${String(survivors)} went unnoticed (goal: 0).`,
    '',
    '| taken out | the first test that falls |',
    '| --- | --- |',
    ...outcomes.map(({ what, fell }) => `| ${cell(what)} | ${fell === null ? '**none**' : cell(fell)} |`),
    '',
  ].join('\n');
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
