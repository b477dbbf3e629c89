/** What the log says of background tasks that fail. */
import { expect, test } from 'vitest';
import { createBackground } from './background.ts';
import type { Log } from './ports.ts';

test('a task that fails again and again is logged at each doubling, and anew after a run that did not fail', async () => {
  const logged: unknown[] = [];
  const note = (fields: object, event: string) => void logged.push([event, 'times' in fields && fields.times]);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const background = createBackground(log);
  let isBroken = true;
  background.every(1_000_000, 'a-task', () => (isBroken ? Promise.reject(new Error('away')) : Promise.resolve()));
  for (let run = 0; run < 20; run += 1) await background.runAll();
  expect(logged).toEqual([1, 2, 4, 8, 16].map((times) => ['background.failed', times]));
  isBroken = false;
  await background.runAll();
  isBroken = true;
  await background.runAll();
  expect(logged.slice(5)).toEqual([['background.failed', 1]]);
  await background.stop();
});
