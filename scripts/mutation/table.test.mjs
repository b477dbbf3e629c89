import { expect, test } from 'vitest';
import { mutationTable, rowsOfReport } from './table.mjs';

const mutants = (...statuses) => ({ mutants: statuses.map((status) => ({ status })) });
const report = {
  files: {
    'domain/src/a.ts': mutants('Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'RuntimeError'),
    'domain/src/b.ts': mutants('Killed', 'Killed'),
    'protocol/src/only-types.ts': mutants('Ignored'),
  },
};

test('a mutant that no test runs is missed, and one that never ran is not counted', () => {
  expect(rowsOfReport(report)[0]).toEqual({ path: 'domain/src/a.ts', noticed: 2, missed: 2 });
});

test('the table sums up workspaces and puts the worst file first', () => {
  const table = mutationTable(rowsOfReport(report))
    .split('\n')
    .filter((line) => line.startsWith('| '));
  expect(table).toEqual([
    '| where | noticed | missed | score |',
    '| --- | --- | --- | --- |',
    '| domain | 4 | 2 | 66.7 % |',
    '| where | noticed | missed | score |',
    '| --- | --- | --- | --- |',
    '| domain/src/a.ts | 2 | 2 | 50.0 % |',
    '| domain/src/b.ts | 2 | 0 | 100.0 % |',
  ]);
});
