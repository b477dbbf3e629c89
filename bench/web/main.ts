/**
 * What a visit costs on a slow phone over a poor line, and whether a page that stays open grows. Prints and writes
 * results/web.md, and ends with 1 when something misses its goal.
 * Usage: npm run bench -- web [--quick] [--waterfall] [page…]   (--quick: one visit of each page and a tenth of an hour,
 * not written down; --waterfall: prints what each visit fetched when; with names of pages only these, not written down)
 */
import { setTimeout as pause } from 'node:timers/promises';
import { loadBarrierMs } from '@tunemate/playback';
import { hour, weighHours } from './web-memory.ts';
import { grows, markdown, missed, type PageFigures, rowOf } from './web-report.ts';
import type { Page } from 'playwright-core';
import { newVisitor, openBrowser, type Plan, type Visit, visit } from './web-visit.ts';
import { openWebWorld, type WebWorld } from './web-world.ts';
import { writePage } from '../report/write-page.ts';

const given = process.argv.slice(2);
const isQuick = given.includes('--quick');
const named = given.filter((each) => !each.startsWith('--'));
const runs = isQuick ? 1 : 3;

interface PagePlan extends Pick<Plan, 'ready' | 'plays' | 'press'> {
  readonly page: string;
  readonly path: (world: WebWorld) => string;
  readonly isSignedIn: boolean;
  readonly goals: PageFigures['goals'];
  /** The installed app shows it before the server answers. */
  readonly isKept?: boolean;
}

async function writeMessage(page: Page): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.click();
  await field.pressSequentially('Side 60 is the best', { delay: 80 });
  await page.keyboard.press('Enter');
}

const still = { isSignedIn: true, plays: false, press: null, goals: { cls: 0 } } as const;
const plans: readonly PagePlan[] = [
  { ...still, page: 'login', path: () => '/login', isSignedIn: false, ready: 'Sign In' },
  {
    ...still,
    page: 'home',
    path: () => '/',
    ready: 'Create Audio Room',
    goals: { lcpMs: 2000, tbtMs: 150, cls: 0 },
    isKept: true,
  },
  {
    ...still,
    page: 'a room',
    path: ({ roomPath }) => roomPath,
    ready: 'Kitchen Radio',
    plays: true,
    press: async (page) => {
      await page.getByRole('button', { name: 'Click here to Start Chat' }).click();
      await writeMessage(page);
    },
    goals: { cls: 0, soundMs: 3000, inpMs: 200 },
  },
  {
    ...still,
    page: 'a chat',
    path: ({ chatPath }) => chatPath,
    ready: 'Side 59, and what was on it',
    press: writeMessage,
    goals: { cls: 0, inpMs: 200 },
    isKept: true,
  },
];

const world = await openWebWorld();
const browser = await openBrowser();
const pages: PageFigures[] = [];
try {
  for (const { page, path, isSignedIn, ready, plays, press, goals, isKept } of plans) {
    if (named.length > 0 && !named.includes(page)) continue;
    const cold: Visit[] = [];
    const returning: Visit[] = [];
    const installed: Visit[] = [];
    for (let run = 0; run < runs; run += 1) {
      const context = await newVisitor(browser, world.url, isSignedIn ? world.guest : null);
      for (const visits of [cold, returning, ...(isKept ? [installed] : [])]) {
        if (plays) {
          await world.play(run);
          // The server holds the start for players, and the host has none.
          await pause(loadBarrierMs + 500);
        }
        const plan = { path: path(world), ready, plays, press, isInstalled: visits === installed };
        const visited = await visit(context, plan);
        if (given.includes('--waterfall')) console.log([page, ...visited.requests].join('\n'));
        visits.push(visited);
      }
      await context.close();
    }
    pages.push({ page, how: 'cold', visits: cold, goals });
    // The goals are for who comes the first time; a return is only to be no worse in what moves.
    pages.push({ page, how: 'returning', visits: returning, goals });
    if (isKept) pages.push({ page, how: 'installed', visits: installed, goals });
  }
  console.table(pages.map(rowOf));
  if (named.length === 0) await weighAndWrite();
} finally {
  await browser.close();
  await world.close();
}

/** The page that stays open, what misses its goal, and the report. */
async function weighAndWrite(): Promise<void> {
  const plan = isQuick ? { messages: hour.messages / 10, changes: hour.changes / 10 } : hour;
  const weights = await weighHours(browser, world, plan);
  console.table(weights);
  const problems = [...missed(pages), ...(grows(weights) ? ['a page that stays open grows'] : [])];
  problems.forEach((line) => console.error(line));
  if (problems.length > 0) process.exitCode = 1;
  if (isQuick) return;
  writePage('web', markdown(pages, weights, 'npm run bench -- web'));
}
