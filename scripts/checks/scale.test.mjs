/** docs/scale.md says what the tables of bench/results say, and nothing that is not there. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scalePage } from '../../bench/load/scale-page.ts';
import { inRoot } from '../toolchain/paths.mjs';

const read = (...path) => readFileSync(inRoot(...path), 'utf8');
const load = read('bench', 'results', 'load.md');
const audience = existsSync(inRoot('bench', 'results', 'audience.md')) ? read('bench', 'results', 'audience.md') : null;

test('the page of scale is the one that its sources make; `npm run bench -- scale` writes it', () => {
  expect(read('docs', 'scale.md')).toBe(scalePage({ load, audience }));
});

test('a figure that changes changes the page, and one that is gone stops it', () => {
  const faster = load.replace('95 %, all) | 10.9, 13.6 s', '95 %, all) | 8, 9.9 s');
  expect(scalePage({ load: faster, audience })).toContain('10,000 within 9.9 s');
  expect(() => scalePage({ load: load.replace('kill -9, 10000', 'kill -9, 20000'), audience })).toThrow(
    'kill -9, 10000',
  );
});

test('an audience that was measured takes the place of the largest room', () => {
  const measured = `at abc1234 on 2026-01-02.
| 9500 come in with a seat: connect, hello, enter | 18.2 s, 520 a second |
| memory over the empty server | 260 MB, 28 KiB each |
| host's action, one a second, to 9500 | p50 120, p99 240 ms, lost 0, 15.2 CPU ms per 1,000 deliveries |`;
  const page = scalePage({ load, audience: measured });
  for (const words of ['abc1234 on 2026-01-02', '18.2 s, 260 MB', 'p99 240 ms', '9.5 x 15.2 ms = 144 ms']) {
    expect(page).toContain(words);
  }
});

test('it has at most 700 words', () => {
  expect(read('docs', 'scale.md').split(/\s+/).length).toBeLessThanOrEqual(700);
});
