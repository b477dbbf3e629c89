/**
 * A history of 5,000 messages is read from the newest to the first and back, as a person would who looks for an old
 * line: screen by screen. What it costs the page is measured by the browser itself.
 */
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { pairId, type Uid } from '@tunemate/protocol';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { insertUser } from '@tunemate/testkit/worlds/people';
import { openDatabase } from '../server/src/storage/database.ts';
import { log, uidOf } from './person.ts';
import { costsOf } from './page-costs.ts';
import { test } from './with-server.ts';

const messages = 5000;
const friend = 'OldFriendOfTheHouse000' as Uid;
/** A task of the page longer than this is felt. */
const mostTaskMs = 200;
/** Rows in the page at any time: a tall screen of short messages, and some above and below. */
const mostRows = 80;
/** Most of the log's height on this screen, as one turns a page. */
const stepPx = 900;
/** With fewer rows above those in the page, the log fetches older messages. */
const fewAbove = 12;
const screen = { width: 1280, height: 1200 };

// A trace would be measured too. The code of the page is compiled as it is for people.
test.use({ trace: 'off', launchOptions: chromiumLaunch({ prefersShell: true }) });

const words =
  'so the second side begins with rain and somebody counting in before the drums fall over the chairs '.split(' ');
/** Lines of one word and of forty, so that no height can be guessed. */
const textOf = (number: number): string =>
  `#${String(number)} ${Array.from({ length: 1 + ((number * 7) % 41) }, (_, n) => words[(number + n) % words.length]).join(' ')}`;

/** Two people's history over a hundred days, all of it read. */
async function writeHistory(dataDir: string, me: Uid): Promise<void> {
  const database = openDatabase(`sqlite:${join(dataDir, 'tunemate.sqlite')}`);
  const pair = pairId.parse([me, friend].sort().join('_'));
  const lastAtMs = Date.now();
  const atMs = (number: number): number => lastAtMs - (messages - number) * 30 * 60_000;
  await database.db.transaction().execute(async (db) => {
    await insertUser(db, { uid: friend, name: 'Noor', nowMs: 0 });
    for (let number = 1; number <= messages; number += 1) {
      const sender = number % 5 < 2 ? me : friend;
      const row = { pair_id: pair, number, client_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` };
      const said = { sender, text: textOf(number), image: null, timestamp_ms: atMs(number) };
      await db
        .insertInto('private_messages')
        .values({ ...row, ...said })
        .execute();
    }
    const side = { pair_id: pair, last_number: messages, last_at_ms: lastAtMs, started_at_ms: atMs(1) };
    const read = { delivered_up_to: messages, read_up_to: messages };
    await db
      .insertInto('conversations')
      .values([
        { ...side, ...read, uid: me, other: friend },
        { ...side, ...read, uid: friend, other: me },
      ])
      .execute();
  });
  await database.close();
}

/** Follows the message that the reader looks at, from before a turn of the wheel until nothing moves. */
interface Step {
  /** How far the message moved beyond the turn of the wheel: older messages came, or heights were estimated wrongly. */
  jumpPx: number;
  rows: number;
  isAtEdge: boolean;
  numbers: number[];
}

/**
 * Runs in the page. False while older messages are on their way: where they come a moment after the wheel turned, the
 * log has reached the edge of what was there, and nothing shows that any more.
 */
function isLoadedAbove(fewAbove: number): boolean {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[role="log"] [data-index]'));
  const indexOf = (row: HTMLElement | undefined) => Number(row?.dataset['index']);
  const numberOf = (row: HTMLElement) => /#(\d+) /.exec(row.textContent ?? '')?.[1];
  const named = rows.find((row) => numberOf(row) !== undefined);
  const isFirstLoaded = named !== undefined && indexOf(named) >= Number(numberOf(named)) - 1;
  return isFirstLoaded || indexOf(rows[0]) >= fewAbove;
}

/** Turns the wheel once and waits until nothing moves. */
async function turn(page: Page, deltaPx: number): Promise<Step> {
  await page.waitForFunction(isLoadedAbove, fewAbove);
  await page.evaluate(watchFinger, deltaPx);
  await page.mouse.wheel(0, deltaPx);
  return await page.evaluate(() => (globalThis as unknown as { finger: { rest: () => Promise<Step> } }).finger.rest());
}

/** Runs in the page. */
function watchFinger(deltaPx: number): void {
  // Ten seconds: on a busy machine a turn of the wheel can be late.
  const mostFrames = 600;
  const box = document.querySelector('[role="log"]');
  if (box === null) throw new Error('there is no log');
  const rows = () => Array.from(box.querySelectorAll<HTMLElement>('[data-index]'));
  const nameOf = (row: HTMLElement) => /#\d+ /.exec(row.textContent ?? '')?.[0];
  const area = box.getBoundingClientRect();
  // The message that stays in sight after the turn.
  const fingerPx = area.top + area.height * (deltaPx < 0 ? 0.2 : 0.8);
  const looked = rows().findLast((row) => row.getBoundingClientRect().top <= fingerPx && nameOf(row) !== undefined);
  const name = looked && nameOf(looked);
  const place = () =>
    rows()
      .find((row) => nameOf(row) === name)
      ?.getBoundingClientRect().top ?? null;
  const edgePx = () => (deltaPx < 0 ? box.scrollTop : box.scrollHeight - box.scrollTop - box.clientHeight);
  const fromPx = place();
  const wasAtEdge = edgePx() <= 1;
  async function rest(): Promise<Step> {
    let nowPx = place();
    // An edge that was reached stays one, unless older messages come.
    for (let still = 0, frames = 0; still < 3 && frames < mostFrames; frames += 1) {
      await new Promise((resolve) => void requestAnimationFrame(resolve));
      still = place() === nowPx && (nowPx !== fromPx || wasAtEdge) ? still + 1 : 0;
      nowPx = place();
    }
    const isAtEdge = edgePx() <= 1;
    // At an edge the log scrolls less far than the wheel turns, but never back and never further.
    const jumpPx = (to: number, from: number) => {
      const turnedPx = (from - to) * Math.sign(deltaPx);
      const leastPx = isAtEdge ? 0 : Math.abs(deltaPx);
      return Math.max(leastPx - turnedPx, turnedPx - Math.abs(deltaPx), 0);
    };
    return {
      jumpPx: nowPx === null || fromPx === null ? Number.POSITIVE_INFINITY : jumpPx(nowPx, fromPx),
      rows: rows().length,
      isAtEdge,
      numbers: rows()
        .flatMap((row) => nameOf(row)?.slice(1).trim() ?? [])
        .map(Number),
    };
  }
  Object.assign(globalThis, { finger: { rest } });
}

test('5,000 messages scroll to the first and back without a long task, and keep the place', async ({
  member,
  server,
}) => {
  // A thousand turns of the wheel, each waited out: minutes, and many on a busy machine.
  test.setTimeout(1_500_000);
  const me = await member('Sami');
  await writeHistory(server.dataDir, await uidOf(me));
  const { page } = me;
  await page.setViewportSize(screen);
  // The wheel then turns in one frame.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`/chat/${friend}`);
  await expect(log(page).getByText(`#${String(messages)} `)).toBeInViewport();
  await log(page).hover();
  const steps: Step[] = [];
  const costs = await costsOf(page, async () => {
    for (const [deltaPx, end] of [
      [-stepPx, 1],
      [stepPx, messages],
    ] as const) {
      for (;;) {
        const step = await turn(page, deltaPx);
        steps.push(step);
        if (step.isAtEdge && step.numbers.includes(end)) break;
      }
    }
  });
  const rows = Math.max(...steps.map((step) => step.rows));
  console.log('5,000 messages, to the first and back', { turns: steps.length, rows, ...costs });

  expect(new Set(steps.flatMap(({ numbers }) => numbers)).size).toBe(messages);
  const twice = steps.filter(({ numbers }) => new Set(numbers).size !== numbers.length);
  expect(twice).toEqual([]);
  // At the ends the log scrolls less far than the wheel turns.
  const between = steps.filter(({ numbers }) => !numbers.includes(1) && !numbers.includes(messages));
  expect(between.filter(({ jumpPx }) => jumpPx > 1)).toEqual([]);
  expect(rows).toBeLessThanOrEqual(mostRows);
  expect(costs.tasks).toBeGreaterThan(steps.length);
  expect(costs.longestMs).toBeLessThanOrEqual(mostTaskMs);
  await expect(log(page).getByText(`#${String(messages)} `)).toBeInViewport();
  expect(me.complaints).toEqual([]);
});
