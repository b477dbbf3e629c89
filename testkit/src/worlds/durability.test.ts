/** The short form of `npm run bench -- durability`. */
import { expect, test } from 'vitest';
import { runDurability } from './durability.ts';

test('over kill -9 and cut lines no acknowledged message, edit, reaction, deletion or arrangement is lost, doubled or out of order, and no tick goes back (DUR-1)', async () => {
  const report = await runDurability({
    pairs: 4,
    seconds: 8,
    leastMessages: 12,
    sendsPerSecond: 60,
    kills: 2,
    cuts: 6,
    closings: 6,
    seed: 7,
  });
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report.acts).toBeGreaterThan(50);
  expect(report.tabsClosed).toBeGreaterThan(0);
  expect(report).toMatchObject({ lost: 0, doubled: 0, outOfOrder: 0, actsLost: 0, ticksBack: 0 });
}, 90_000);
