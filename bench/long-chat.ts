/**
 * A chat of 20,000 messages in Chromium: from the press to the message on the screen, when the chat is opened, at a jump to
 * a day years ago, and on the way back to the newest; and whether the page grows with each such trip. Writes
 * results/long-chat.md; ends with 1 when something misses its goal.
 * Usage: npm run bench -- long-chat
 */
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { pairId } from '@tunemate/protocol';
import { percentile } from '@tunemate/testkit/percentile';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import type { CDPSession, Page } from 'playwright-core';
import { storedTerms } from '../server/src/chats/messages-store.ts';
import { openDatabase } from '../server/src/storage/database.ts';
import { newVisitor, openBrowser } from './web/web-visit.ts';

const messages = 20_000;
const trips = 15;
const day = 86_400_000;
/** Twenty messages a day, so the chat is as old as that. */
const perDay = 20;
const goals = [
  { slowdown: 1, goalMs: 200 },
  { slowdown: 4, goalMs: 600 },
] as const;
const mostGrowth = 1.1;

const words =
  'so the second side begins with rain and somebody counting in before the drums fall over the chairs'.split(' ');
const textOf = (number: number): string =>
  `#${String(number)} ${Array.from({ length: 1 + ((number * 7) % 30) }, (_, n) => words[(number + n) % words.length]).join(' ')}`;

/** Both have read all of it. */
async function fill(url: string, [me, friend]: readonly [Person, Person], lastAtMs: number): Promise<void> {
  const { db, close } = openDatabase(url);
  const pair_id = pairId.parse([me.uid, friend.uid].toSorted().join('_'));
  for (let from = 0; from < messages; from += 100) {
    const rows = Array.from({ length: 100 }, (_, index) => {
      const number = from + index + 1;
      const text = textOf(number);
      return {
        ...{ pair_id, number, client_id: `c${String(number)}`, sender: number % 5 < 2 ? me.uid : friend.uid, text },
        ...{ image: null, timestamp_ms: lastAtMs - ((messages - number) * day) / perDay },
        terms: storedTerms(db, pair_id, text),
      };
    });
    await db.insertInto('private_messages').values(rows).execute();
  }
  const side = { pair_id, last_number: messages, last_at_ms: lastAtMs, started_at_ms: 0 };
  const read = { delivered_up_to: messages, read_up_to: messages };
  const sides = [
    { ...side, ...read, uid: me.uid, other: friend.uid },
    { ...side, ...read, uid: friend.uid, other: me.uid },
  ];
  await db.insertInto('conversations').values(sides).execute();
  await close();
}

/** Runs in the page: from the next click until the message with this number is in sight, in milliseconds. */
function watch(number: number): void {
  const took = new Promise<number>((resolve) => {
    addEventListener(
      'click',
      () => {
        const fromMs = performance.now();
        const look = (): void => {
          const row = document.querySelector(`[data-number="${String(number)}"]`)?.getBoundingClientRect();
          if (row && row.height > 0 && row.top >= 0 && row.bottom <= innerHeight) resolve(performance.now() - fromMs);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
  Object.assign(globalThis, { took });
}

async function timed(page: Page, number: number, press: () => Promise<void>): Promise<number> {
  await page.evaluate(watch, number);
  await press();
  return await page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
}

interface Trip {
  open: number;
  day: number;
  newest: number;
}

/** Opens the chat from the list, goes to a day, comes back to the newest message, and leaves. */
async function trip(page: Page, lastAtMs: number, n: number): Promise<Trip> {
  const open = await timed(page, messages, () =>
    page
      .getByRole('link', { name: /Listener 1/ })
      .first()
      .click(),
  );
  await page.getByRole('button', { name: 'Search messages' }).click();
  const date = new Date(lastAtMs - (300 + n * 40) * day);
  date.setHours(0, 0, 0, 0);
  const first = messages - Math.floor(((lastAtMs - date.getTime()) * perDay) / day);
  await page.getByLabel('Day', { exact: true }).fill(date.toLocaleDateString('sv'));
  const toDay = await timed(page, first, () => page.getByRole('button', { name: 'Go to day' }).click());
  const newest = await timed(page, messages, () => page.getByRole('button', { name: 'Jump to newest' }).click());
  await page.getByRole('link', { name: 'Back' }).first().click();
  return { open, day: toDay, newest };
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

const data = await makeTempDir('bench-long-chat');
const url = `sqlite:${join(data.path, 'tunemate.sqlite')}`;
const [me, friend] = await makePeople(url, 2);
if (!me || !friend) throw new Error('nobody came');
const lastAtMs = Date.now() - day;
await fill(url, [me, friend], lastAtMs);
const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
const browser = await openBrowser();
const rows: string[] = [];
let isMissed = false;
try {
  const context = await newVisitor(browser, server.url, me);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await page.goto('/chats');
  const heaps: number[] = [];
  for (const { slowdown, goalMs } of goals) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    // The first trip fetches the code of what it uses.
    await trip(page, lastAtMs, trips);
    heaps.push(await heapBytes(session));
    const done: Trip[] = [];
    for (let n = 0; n < trips; n += 1) done.push(await trip(page, lastAtMs, n));
    heaps.push(await heapBytes(session));
    for (const [name, key] of [
      ['open', 'open'],
      ['to a day', 'day'],
      ['back to the newest', 'newest'],
    ] as const) {
      const took = done.map((one) => one[key]);
      const p95 = percentile(took, 0.95);
      isMissed ||= p95 > goalMs;
      const each = [percentile(took, 0.5), p95].map((value) => `${value.toFixed(0)} ms`).join(' | ');
      rows.push(`| ${name} | ${String(slowdown)}x | ${each} | ${String(goalMs)} ms |`);
    }
  }
  const [before = 0, ...after] = heaps;
  // What the first trips left stays; what as many more add is growth.
  isMissed ||= (after.at(-1) ?? 0) > (after[0] ?? 0) * mostGrowth;
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const report = `# A chat of 20,000 messages

\`npm run bench -- long-chat\`

Chromium, a real server on the same machine. From the press until the message is in sight, ${String(trips)} times each, at the
processor's own speed and 4 times slower. Load average ${loadavg()[0]?.toFixed(0) ?? ''} on two cores.

| what | slower | half within | 95 % within | goal |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

The page's heap after one trip: ${mb(before)}; after ${String(trips + 1)}, ${String(trips + 2)} and ${String(2 * trips + 2)}: ${after.map(mb).join(', ')}.
`;
  console.log(report);
  await writeFile(join(import.meta.dirname, 'results', 'long-chat.md'), report);
} finally {
  await browser.close();
  await server.dispose();
  await data.remove();
}
process.exitCode = isMissed ? 1 : 0;
