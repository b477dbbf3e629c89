/** The table of a mutation report: for each workspace and file, how many mutants there were and how many were noticed. */

const noticed = new Set(['Killed', 'Timeout']);
const missed = new Set(['Survived', 'NoCoverage']);

/** @param {{ files: Record<string, { mutants: { status: string }[] }> }} report in Stryker's own format */
export function mutationTable({ files }) {
  const rows = Object.entries(files).map(([path, { mutants }]) => ({
    path,
    noticed: mutants.filter(({ status }) => noticed.has(status)).length,
    missed: mutants.filter(({ status }) => missed.has(status)).length,
  }));
  const workspaces = [...new Set(rows.map(({ path }) => path.split('/')[0]))].map((workspace) =>
    sum(
      workspace,
      rows.filter(({ path }) => path.startsWith(`${workspace}/`)),
    ),
  );
  const worstFirst = rows.toSorted((a, b) => score(a) - score(b) || b.missed - a.missed);
  return [
    '# Mutation testing',
    '',
    'Written by `npm run mutation`. A mutant is one changed expression; it is noticed when a unit test fails.',
    '',
    ...tableOf(workspaces),
    '',
    ...tableOf(worstFirst.filter(({ missed: count }) => count > 0)),
    '',
  ].join('\n');
}

const score = ({ noticed: found, missed: lost }) => (found + lost === 0 ? 1 : found / (found + lost));

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
