/**
 * What a page that only plays asks of a listener's device: the processor time of its main thread and how often it
 * recalculates styles, for half a minute of an audio room and a video room, on a wide window and a phone's, beside a page
 * with nothing but an `<audio>`. Ends with 1 when a room misses its goal.
 * Usage: npm run bench -- listening [--quick]   (--quick: 6 seconds each)
 */
import { setTimeout as pause } from 'node:timers/promises';
import { loadBarrierMs } from '@tunemate/playback';
import type { BrowserContext, Page } from 'playwright-core';
import { newVisitor, openBrowser } from './web/web-visit.ts';
import { openWebWorld } from './web/web-world.ts';

const seconds = process.argv.includes('--quick') ? 6 : 30;
const goals = { mainThreadMs: 30, styleRecalculations: 5 };
/** After the sound began: what a page does once is not what playing costs. */
const settleMs = 8000;
const sizes = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/** What a page cost in each second. */
interface Cost {
  readonly page: string;
  readonly mainThreadMs: number;
  readonly styleRecalculations: number;
  readonly layouts: number;
}

const browser = await openBrowser();
const costs: Cost[] = [];
try {
  for (const kind of ['audio', 'video'] as const) {
    const world = await openWebWorld(kind);
    try {
      const context = await newVisitor(browser, world.url, world.guest);
      if (kind === 'audio') costs.push(await weigh(context, 'a bare <audio>', (page) => openBare(page, world.media)));
      for (const [size, viewport] of Object.entries(sizes)) {
        costs.push(
          await weigh(context, `${kind} room, ${size}`, async (page) => {
            await page.setViewportSize(viewport);
            await world.play(0);
            // The server holds the start for players, and the host has none.
            await pause(loadBarrierMs + 500);
            await page.goto(world.roomPath);
          }),
        );
      }
      await context.close();
    } finally {
      await world.close();
    }
  }
} finally {
  await browser.close();
}
console.table(costs);
const [bare] = costs;
const isMissed = (cost: Cost) =>
  cost !== bare && (cost.mainThreadMs > goals.mainThreadMs || cost.styleRecalculations > goals.styleRecalculations);
for (const { page } of costs.filter(isMissed)) console.error(`${page} misses its goal: ${JSON.stringify(goals)}`);
if (costs.some(isMissed)) process.exitCode = 1;

async function openBare(page: Page, media: string): Promise<void> {
  const body = `<audio src="${media}" autoplay loop></audio>`;
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('/bare');
}

async function weigh(context: BrowserContext, name: string, open: (page: Page) => Promise<void>): Promise<Cost> {
  const page = await context.newPage();
  await open(page);
  await page.waitForFunction(plays, null, { polling: 100 });
  await pause(settleMs);
  const session = await context.newCDPSession(page);
  // Processor time, because other programs of the machine are not the page's.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return new Map(metrics.map(({ name: key, value }) => [key, value]));
  };
  const before = await read();
  await pause(seconds * 1000);
  const after = await read();
  await page.close();
  const perSecond = (key: string) => ((after.get(key) ?? Number.NaN) - (before.get(key) ?? Number.NaN)) / seconds;
  return {
    page: name,
    mainThreadMs: Math.round(perSecond('TaskDuration') * 10_000) / 10,
    styleRecalculations: Math.round(perSecond('RecalcStyleCount') * 10) / 10,
    layouts: Math.round(perSecond('LayoutCount') * 10) / 10,
  };
}

/** Runs in the page. */
function plays(): boolean {
  return [...document.querySelectorAll<HTMLMediaElement>('audio, video')].some(
    (each) => !each.paused && !each.muted && each.currentTime > 0,
  );
}
