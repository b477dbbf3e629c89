/**
 * A process of its own for the rude visitors, so that what they cost is not mistaken for the server's slowness.
 * Takes one message with what to do, answers how many visits reached their stage, and ends.
 */
import { once } from 'node:events';
import { visitRudely } from '@tunemate/testkit/fuzz/rude';
import type { RudeTarget } from '@tunemate/testkit/fuzz/rude-scripts';
import { seededRandom } from '@tunemate/testkit/seeded-ids';

export interface VisitOrder {
  readonly targets: readonly RudeTarget[];
  readonly firstSeed: number;
  readonly visits: number;
  readonly perSecond: number;
}
export interface VisitAnswer {
  readonly reached: number;
}

process.send?.('ready');
const [order] = (await once(process, 'message')) as [VisitOrder];
const startedMs = performance.now();
const underWay = new Set<Promise<unknown>>();
let reached = 0;
for (let n = 0; n < order.visits; n += 1) {
  const dueMs = startedMs + (n * 1000) / order.perSecond;
  const waitMs = dueMs - performance.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  const target = order.targets[n % order.targets.length];
  if (!target) continue;
  const visit: Promise<unknown> = visitRudely(target, seededRandom(order.firstSeed + n))
    .then(({ wasReached }) => (reached += wasReached ? 1 : 0))
    .finally(() => underWay.delete(visit));
  underWay.add(visit);
}
await Promise.all(underWay);
process.send?.({ reached } satisfies VisitAnswer, () => process.exit(0));
