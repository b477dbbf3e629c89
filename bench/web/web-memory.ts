/**
 * Whether a page that stays open grows: an hour of talk and 200 changes of the track, in a few minutes, then the same
 * again. What the second hour adds to the first is growth; what the first adds is what a page keeps.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { newVisitor } from './web-visit.ts';
import type { WebWorld } from './web-world.ts';

export interface Weight {
  readonly when: string;
  readonly heapMb: number;
  readonly nodes: number;
  readonly listeners: number;
}

export interface HourPlan {
  readonly messages: number;
  readonly changes: number;
}

/** A message every six seconds. */
export const hour: HourPlan = { messages: 600, changes: 200 };

export async function weighHours(
  browser: Browser,
  world: WebWorld,
  { messages, changes }: HourPlan,
): Promise<Weight[]> {
  const context = await newVisitor(browser, world.url, world.guest);
  const page = await context.newPage();
  await page.goto(world.roomPath);
  await page.getByTestId('player-media').waitFor({ state: 'attached' });
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const weights = [await weigh(session, 'on entering')];
  for (const when of ['after an hour', 'after two hours']) {
    for (let n = 0; n < messages; n += 1) {
      await world.sayInRoom(`${when}: message ${String(n)} of somebody who has much to say about this one`);
      if (n % Math.ceil(messages / changes) === 0) await world.play(n);
    }
    // The last track loads, and what left the screen is let go.
    await pause(10_000);
    weights.push(await weigh(session, when));
  }
  await context.close();
  return weights;
}

async function weigh(session: CDPSession, when: string): Promise<Weight> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  return { when, heapMb: usedSize / 2 ** 20, nodes, listeners: jsEventListeners };
}
