/**
 * The table of mutation scores: for each workspace and file, how many mutants there were and how many were noticed. A
 * mutant is one changed expression; it is noticed when a test fails or runs for ever.
 */

const noticedStatuses = new Set(['Killed', 'Timeout']);
const missedStatuses = new Set(['Survived', 'NoCoverage']);

/** @typedef {{ path: string, noticed: number, missed: number }} Row */

/** @param {{ files: Record<string, { mutants: { status: string }[] }> }} report in Stryker's own format @returns {Row[]} */
export function rowsOfReport({ files }) {
  return Object.entries(files).map(([path, { mutants }]) => ({
    path,
    noticed: mutants.filter(({ status }) => noticedStatuses.has(status)).length,
    missed: mutants.filter(({ status }) => missedStatuses.has(status)).length,
  }));
}

/** @param {Row[]} rows */
export function mutationTable(rows) {
  const measured = rows.filter(({ noticed, missed }) => noticed + missed > 0);
  const workspaces = [...new Set(measured.map(({ path }) => workspaceOf(path)))].toSorted((a, b) => (a < b ? -1 : 1));
  const sums = workspaces.map((workspace) =>
    sum(
      workspace,
      measured.filter(({ path }) => workspaceOf(path) === workspace),
    ),
  );
  const worstFirst = measured.toSorted(
    (a, b) => score(a) - score(b) || b.missed - a.missed || (a.path < b.path ? -1 : 1),
  );
  return [...tableOf(sums), '', ...tableOf(worstFirst), ''].join('\n');
}

const workspaceOf = (path) => path.split('/')[0];
const score = ({ noticed, missed }) => noticed / (noticed + missed);

const sum = (path, rows) => ({
  path,
  noticed: rows.reduce((total, row) => total + row.noticed, 0),
  missed: rows.reduce((total, row) => total + row.missed, 0),
});

const tableOf = (rows) => [
  '| where | noticed | missed | score |',
  '| --- | --- | --- | --- |',
  ...rows.map((row) => `| ${row.path} | ${row.noticed} | ${row.missed} | ${(100 * score(row)).toFixed(1)} % |`),
];
