import { expect, test } from 'vitest';
import { staleFigures } from './figures.mjs';

const what = { load: { of: ['server/src/realtime'], allows: 100 } };
const history = (changed) => ({
  today: '2026-11-29',
  hasCommit: (commit) => commit === '1a2b3c4d',
  changedLines: (_commit, of) => (of === what.load.of ? changed : 0),
});
const page = (line, name = 'load') => ({ name, text: `# Many people\n\n${line}\n\n| figure | ours |\n` });
const stamped = 'Measured at 1a2b3c4d on 2026-11-20.';

test('a page is kept while no more has changed than it allows', () => {
  expect(staleFigures([page(stamped)], history(100), what)).toEqual([]);
});

test.each([
  ['more has changed than it allows', page(stamped), 101, 'of what it measures 101 lines have changed since 1a2b3c4d'],
  ['it has no commit', page('`npm run bench -- load`'), 0, "has no line 'Measured at COMMIT on DATE.'"],
  [
    'the code was not committed',
    page('Measured at 1a2b3c4d, with changes that are not committed, on 2026-11-20.'),
    0,
    'has no line',
  ],
  ['its commit is none of the history', page('Measured at 9f9f9f9f on 2026-11-20.'), 0, '9f9f9f9f is no commit'],
  ['no bench measures it', page(stamped, 'chats'), 0, 'bench/measured.json does not say what it measures'],
  [
    'the day by which it was to be measured again is over',
    page(`${stamped} Old: to be measured again by 2026-11-28.`),
    101,
    '101 lines',
  ],
])('a page is refused when %s', (_when, planted, changed, problem) => {
  expect(staleFigures([planted], history(changed), what)).toEqual([expect.stringContaining(problem)]);
});

test('each table of a page that was measured in parts is judged by its own commit', () => {
  const both = page(`${stamped}\n\nMeasured at 9f9f9f9f on 2026-11-21. Load averages were 1, 1, 1.`);
  expect(staleFigures([both], history(101), what)).toHaveLength(2);
});

test('an old page is kept until the day that it names', () => {
  expect(staleFigures([page(`${stamped} Old: to be measured again by 2026-11-29.`)], history(101), what)).toEqual([]);
});
