/**
 * One visit of a page over a throttled line on a slowed processor, and what it cost: the largest paint, how long the
 * main thread was blocked, what moved, and bytes. Chromium throttles what HTTP brings; a socket's frames are counted
 * but not slowed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import type { Person } from '@tunemate/testkit/worlds/people';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { watchRequests } from './web-waterfall.ts';

export interface Visit {
  readonly lcpMs: number;
  /** The sum of what each task took beyond 50 ms, from the first paint on. */
  readonly tbtMs: number;
  readonly cls: number;
  readonly kilobytes: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  /** When a player was first heard; null where nothing plays. */
  readonly soundMs: number | null;
  /** The longest time from a press or a key to the next paint; null where nothing is pressed. */
  readonly inpMs: number | null;
}

/** With what was fetched when, a line for each. */
type WatchedVisit = Visit & { readonly requests: readonly string[] };

/** What the page keeps of itself. */
interface Noted {
  fcpMs: number;
  lcpMs: number;
  cls: number;
  tasks: { startMs: number; durationMs: number }[];
  soundMs: number | null;
  inpMs: number;
}

const line = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, offline: false };
const slowdown = 4;
/** After the page said what it is: what comes late counts too. */
const settleMs = 4000;
const soundWithinMs = 30_000;
const blockingMs = 50;

export async function openBrowser(): Promise<Browser> {
  const { executablePath, args } = chromiumLaunch({ autoplay: true });
  return await chromium.launch({ executablePath, args });
}

/** A browser that was never here, signed in as `person`, or not signed in. */
export async function newVisitor(browser: Browser, url: string, person: Person | null): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', viewport: { width: 1280, height: 800 } });
  const [name = '', value = ''] = person?.cookie.split('=') ?? [];
  if (person !== null) await context.addCookies([{ name, value, url }]);
  await context.addInitScript(note);
  return context;
}

export interface Plan {
  readonly path: string;
  /** Words that are there once the page can be used. */
  readonly ready: string;
  readonly plays: boolean;
  /** What is pressed and typed once the page is at rest. */
  readonly press: ((page: Page) => Promise<void>) | null;
  readonly isInstalled?: boolean;
}

/** Opens a page of its own, waits until it is to be seen, and heard where it plays, and presses. */
export async function visit(context: BrowserContext, plan: Plan): Promise<WatchedVisit> {
  const { path, ready, plays, press, isInstalled = false } = plan;
  const page = await context.newPage();
  if (isInstalled) await page.addInitScript(beInstalled);
  const session = await context.newCDPSession(page);
  const requests = watchRequests(session);
  const bytes = await throttle(session);
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByText(ready).first().waitFor({ timeout: 120_000 });
  if (plays) await heard(page);
  await pause(settleMs);
  const { fcpMs, lcpMs, cls, tasks, soundMs } = await page.evaluate(
    () => (globalThis as unknown as { noted: Noted }).noted,
  );
  const inpMs = press === null ? null : await pressed(page, press);
  await page.close();
  const after = tasks.filter(({ startMs }) => startMs >= fcpMs).map(({ durationMs }) => durationMs);
  return {
    lcpMs,
    tbtMs: after.reduce((sum, each) => sum + each - blockingMs, 0),
    // To three places, as it is reported everywhere.
    cls: Math.round(cls * 1000) / 1000,
    kilobytes: bytes.count / 1000,
    longTasks: tasks.length,
    longestTaskMs: Math.max(0, ...tasks.map(({ durationMs }) => durationMs)),
    soundMs,
    inpMs,
    requests: requests(),
  };
}

async function pressed(page: Page, press: (page: Page) => Promise<void>): Promise<number> {
  // Without a screen, Chromium reports the paints of a page on which nothing else moves only with the next that moves.
  await page.evaluate(() => {
    const dot = document.createElement('div');
    dot.style.cssText = 'position: fixed; top: 0; left: 0; width: 2px; height: 2px; background: gray';
    document.body.append(dot);
    let at = 0;
    setInterval(() => (dot.style.left = `${String((at += 1) % 8)}px`), 50);
  });
  await press(page);
  // The browser reports a press behind the paint that follows it.
  await pause(1000);
  return await page.evaluate(() => (globalThis as unknown as { noted: Noted }).noted.inpMs);
}

/** A page that never plays says so by an endless time. */
async function heard(page: Page): Promise<void> {
  const plays = () => (globalThis as unknown as { noted: Noted }).noted.soundMs !== null;
  await page.waitForFunction(plays, null, { timeout: soundWithinMs, polling: 100 }).catch(() => undefined);
}

async function throttle(session: CDPSession): Promise<{ count: number }> {
  const bytes = { count: 0 };
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes.count += encodedDataLength));
  session.on('Network.webSocketFrameReceived', ({ response }) => void (bytes.count += response.payloadData.length));
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', line);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return bytes;
}

/** Runs in the page: Chromium without a window installs nothing. */
function beInstalled(): void {
  const ask = globalThis.matchMedia.bind(globalThis);
  globalThis.matchMedia = (query) => ask(query.includes('display-mode') ? 'all' : query);
}

/** Runs in the page, before anything of it. */
function note(): void {
  const noted: Noted = { fcpMs: 0, lcpMs: 0, cls: 0, tasks: [], soundMs: null, inpMs: 0 };
  Object.assign(globalThis, { noted });
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') noted.fcpMs = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => void (noted.lcpMs = startTime));
  watch('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) noted.cls += value;
  });
  watch('longtask', ({ startTime, duration }) => void noted.tasks.push({ startMs: startTime, durationMs: duration }));
  const takeEvent = (entry: PerformanceEntry): void => {
    const { interactionId, duration } = entry as PerformanceEventTiming;
    if (interactionId > 0) noted.inpMs = Math.max(noted.inpMs, duration);
  };
  // The types of the browser do not know the threshold.
  const events = { type: 'event', buffered: true, durationThreshold: 16 };
  new PerformanceObserver((list) => list.getEntries().forEach(takeEvent)).observe(events);
  // A player that warms up is muted and does not count.
  const isHeard = (each: HTMLMediaElement) =>
    !each.paused && !each.muted && each.readyState > 2 && each.currentTime > 0;
  const look = setInterval(() => {
    if (![...document.querySelectorAll('audio, video')].some((each) => isHeard(each as HTMLMediaElement))) return;
    noted.soundMs = performance.now();
    clearInterval(look);
  }, 20);
}
