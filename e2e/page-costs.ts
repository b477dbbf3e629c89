/**
 * What a page costs the browser, as its own trace tells: the tasks of the page's main thread, by the processor time that
 * each took, and how long frames were apart. Processor time, because other programs of the machine are not the page's.
 */
import type { CDPSession, Page } from '@playwright/test';
import { percentile } from '@tunemate/testkit/percentile';

/** A task of any thread of the browser. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds: on the clock, and on the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface PageCosts {
  readonly tasks: number;
  /** The longest task: on the processor, and on the clock. */
  readonly longestMs: number;
  readonly longestOnClockMs: number;
  readonly frames: number;
  readonly frameMedianMs: number;
  readonly frameP99Ms: number;
}

/** Runs `act` on the only page that is open, and answers what it cost. */
export async function costsOf(page: Page, act: () => Promise<void>): Promise<PageCosts> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) if (isOfInterest(event)) events.push(event);
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['toplevel', '__metadata'] },
  });
  await page.evaluate(watchFrames);
  await act();
  const gapsMs = await page.evaluate(() => (globalThis as unknown as { frameGapsMs: number[] }).frameGapsMs);
  await ended(session);
  await session.detach();
  const main = new Set(events.filter(({ args }) => args?.name === mainThread).map(threadOf));
  const tasks = events.filter((event) => event.name === taskName && main.has(threadOf(event)));
  const longest = (values: number[]) => values.reduce((most, one) => Math.max(most, one), 0) / 1000;
  return {
    tasks: tasks.length,
    longestMs: longest(tasks.map(({ tdur = 0 }) => tdur)),
    longestOnClockMs: longest(tasks.map(({ dur = 0 }) => dur)),
    frames: gapsMs.length,
    frameMedianMs: percentile(gapsMs, 0.5),
    frameP99Ms: percentile(gapsMs, 0.99),
  };
}

const mainThread = 'CrRendererMain';
const taskName = 'ThreadControllerImpl::RunTask';
const threadOf = ({ pid, tid }: TraceEvent): string => `${String(pid)} ${String(tid)}`;
const isOfInterest = ({ name, args }: TraceEvent): boolean => name === taskName || args?.name === mainThread;

async function ended(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => void session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.end');
  await complete;
}

function watchFrames(): void {
  const gaps: number[] = [];
  Object.assign(globalThis, { frameGapsMs: gaps });
  let beforeMs = performance.now();
  const look = (): void => {
    const nowMs = performance.now();
    gaps.push(nowMs - beforeMs);
    beforeMs = nowMs;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
