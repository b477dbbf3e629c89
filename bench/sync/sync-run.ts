/**
 * One run of the sync measurement: starts, plays steadily, seeks, pauses, lets a guest come late, cuts a line, blocks
 * a page, and turns what was seen into the rows of a table. Decides nothing about how that is printed.
 */
import { percentile } from '@tunemate/testkit/percentile';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { probeUnansweredMs, type Timeline } from '@tunemate/playback';
import type { RoomKind } from '@tunemate/protocol';
import type { TcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import {
  absolutePercentile,
  inStepBoundMs,
  convergence,
  type Drift,
  drifts,
  longestBeyond,
  silence,
  spread,
  within,
} from './sync-figures.ts';
import { type Listener, openSyncRoom, type SyncRoom, type SyncRoomOptions } from './sync-room.ts';

/** What a run is made of. */
export interface RunPlan extends Omit<SyncRoomOptions, 'skewMs'> {
  readonly title: string;
  readonly kind: RoomKind;
  readonly skewMs?: number;
  readonly steadySeconds: number;
  /** What the host types and starts. */
  readonly track: string;
  /** 150 ms ± 50 ms each way, with stalls of a second. */
  readonly isFarAway?: boolean;
  readonly isSteadyOnly?: boolean;
  /** In step: within this of the timeline. */
  readonly boundMs?: number;
}

/** One figure; `goalMs` is null where none was set. */
export interface Figure {
  readonly title: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly goalMs: number | null;
  readonly samples: number;
}

export interface RunResult {
  readonly title: string;
  readonly figures: Figure[];
  /** The steady stretch, for the plot. */
  readonly curves: { name: string; drifts: Drift[] }[];
}

const startGoalMs = 500;
const settleMs = 5000;
const roundTripKnownMs = probeUnansweredMs + 1500;
const convergeWithinMs = 8000;
const offlineMs = 5000;
const stallPageMs = 2000;
/** What a coarse player may be off for a while, and for how long (SYNC-34). */
const coarseReachMs = 500;
const coarseReachForMs = 5000;
const coarseSpreadMs = 80;
const chanceOfStall = 0.01;
const stallLineMs = 1000;
const rollEveryMs = 250;

interface Moment {
  readonly cause: string;
  readonly who: readonly Listener[];
  readonly fromMs: number;
  readonly goalMs: number | null;
}

export async function run(plan: RunPlan): Promise<RunResult> {
  const { kind, skewMs = 0, prepare } = plan;
  const room = await openSyncRoom({ kind, skewMs, prepare });
  const endFaults = plan.isFarAway === true ? makeFarAway(room.listeners.map(({ line }) => line)) : () => undefined;
  const moments: Moment[] = [];
  try {
    const everyone = [room.host, ...room.listeners];
    const note = (cause: string, who: readonly Listener[], fromMs: number, goalMs: number | null): void =>
      void moments.push({ cause, who, fromMs, goalMs });
    const noteCommand = async (cause: string, command: () => Promise<void>): Promise<void> => {
      const started = room.nextTimeline(({ isPlaying }) => isPlaying);
      await command();
      note(cause, everyone, (await started).atServerMs - room.serverAheadMs, 1500);
      await pause(settleMs);
    };
    // The lines became far while the room was open: how far, each tab tells with its next probe.
    if (plan.isFarAway === true) await pause(roundTripKnownMs);
    await noteStart(room, plan, note);
    const steadyFromMs = nowMs();
    await pause(plan.steadySeconds * 1000);
    const steadyUntilMs = nowMs();
    let pausedAtMs = Number.NaN;
    if (plan.isSteadyOnly !== true) {
      const { page } = room.host;
      await noteCommand('seek', () => page.getByRole('slider', { name: 'Seek' }).press('PageDown'));
      const paused = room.nextTimeline(({ isPlaying }) => !isPlaying);
      await page.getByRole('button', { name: 'Pause' }).click();
      pausedAtMs = (await paused).atServerMs - room.serverAheadMs;
      await pause(2000);
      await noteCommand('resume', () => page.getByRole('button', { name: 'Play', exact: true }).click());
      await disturb(room, plan.kind, note);
    }
    await room.collect();
    return figuresOf(plan, room, { moments, pausedAtMs, steadyFromMs, steadyUntilMs });
  } finally {
    endFaults();
    await room.close();
  }
}

type Note = (cause: string, who: readonly Listener[], fromMs: number, goalMs: number | null) => void;

const nowMs = (): number => performance.timeOrigin + performance.now();

/** The start counts from when the last players were ready and the server said when. */
async function noteStart(room: SyncRoom, plan: RunPlan, note: Note): Promise<void> {
  const { page } = room.host;
  await page.getByLabel(/^Search (?:tracks|videos)$/u).fill(plan.track);
  await page.keyboard.press('Enter');
  const started = room.nextTimeline(({ isPlaying }) => isPlaying);
  await page
    .getByRole('button', { name: new RegExp(plan.track, 'iu') })
    .first()
    .click();
  await started;
  await pause(settleMs);
  const first = startOf(room.timelines);
  if (first !== undefined)
    note('start', [room.host, ...room.listeners], first.atServerMs - room.serverAheadMs, startGoalMs);
  await pause(settleMs);
}

/** The final time of the first start: the load barrier may release it early. */
function startOf(timelines: readonly Timeline[]): Timeline | undefined {
  return timelines.findLast(({ isPlaying, positionSeconds }) => isPlaying && positionSeconds === 0);
}

/** Late joins, five seconds without a line, and a page that does nothing else for two. */
async function disturb(room: SyncRoom, kind: RoomKind, note: Note): Promise<void> {
  const [first, second] = room.listeners;
  if (first === undefined || second === undefined) throw new Error('no guest came');
  await room.collect();
  await openHome(second.page);
  await pause(1000);
  await typeCode(second.page, kind, room.code);
  note('late join, from pressing Join', [second], nowMs(), 2000);
  await second.page.keyboard.press('Enter');
  await pause(settleMs);
  await room.collect();
  await openHome(second.page);
  await room.collect();
  await second.page.goto(room.path);
  const openedAtMs = await second.page.evaluate(() => (window.benchEpochMs?.() ?? 0) - performance.now());
  note('late join, from opening the page', [second], openedAtMs, 2000);
  await pause(settleMs);
  first.line.close();
  await pause(offlineMs);
  first.line.reopen();
  note('back after 5 s offline', [first], nowMs(), 1500);
  await pause(settleMs);
  await second.page.evaluate((stallMs) => {
    const untilMs = performance.now() + stallMs;
    while (performance.now() < untilMs);
  }, stallPageMs);
  note('after a page blocked for 2 s', [second], nowMs(), 1500);
  await pause(settleMs);
}

/** Home as a new tab opens it. A tab that was in the room would go on playing it there, and join nothing later. */
async function openHome(page: Page): Promise<void> {
  await page.goto('/healthz');
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/');
}

/** From home to the join form, ready to be sent. */
async function typeCode(page: Page, kind: RoomKind, code: string): Promise<void> {
  await page
    .getByRole('link', { name: kind === 'video' ? 'Join Tunemate Video Room' : 'Join Tunemate Audio Room' })
    .click();
  await page.getByRole('textbox', { name: 'Room code' }).fill(code);
}

function makeFarAway(lines: readonly TcpFaultProxy[]): () => void {
  for (const line of lines) line.setDelay(100, 100);
  const timer = setInterval(() => {
    for (const line of lines) {
      if (Math.random() >= chanceOfStall) continue;
      line.stall();
      setTimeout(() => line.resume(), stallLineMs);
    }
  }, rollEveryMs);
  return () => clearInterval(timer);
}

interface Seen {
  readonly moments: readonly Moment[];
  readonly pausedAtMs: number;
  readonly steadyFromMs: number;
  readonly steadyUntilMs: number;
}

function figuresOf(plan: RunPlan, room: SyncRoom, seen: Seen): RunResult {
  const everyone = [room.host, ...room.listeners];
  const driftOf = new Map(everyone.map((one) => [one, drifts(one.samples, room.timelines, room.serverAheadMs)]));
  const steady = (one: Listener): number[] => within(driftOf.get(one) ?? [], seen.steadyFromMs, seen.steadyUntilMs);
  const isCoarse = plan.boundMs !== undefined;
  const figures = everyone.map((one) => figure(`drift, ${one.name}`, steady(one), isCoarse ? 150 : 20));
  const [first, second] = room.listeners.map((one) => driftOf.get(one) ?? []);
  const apart = spread(first ?? [], second ?? [], seen.steadyFromMs, seen.steadyUntilMs);
  figures.push(figure('spread between the two listeners', apart, isCoarse ? coarseSpreadMs : 20));
  if (isCoarse) {
    const longest = everyone.map((one) => longestBeyond(driftOf.get(one) ?? [], coarseReachMs));
    figures.push(figure(`longest further off than ${String(coarseReachMs)} ms`, longest, coarseReachForMs));
  }
  for (const { cause, who, fromMs, goalMs } of seen.moments) {
    const bound = plan.boundMs ?? inStepBoundMs;
    const took = who.map((one) => convergence(driftOf.get(one) ?? [], fromMs, fromMs + convergeWithinMs, bound));
    figures.push(figure(`in step: ${cause}`, took, goalMs));
  }
  if (!Number.isNaN(seen.pausedAtMs)) {
    const took = everyone.map((one) => silence(one.samples, seen.pausedAtMs));
    figures.push(figure('silent: pause', took, null));
  }
  const curves = everyone.map((one) => ({
    name: one.name,
    drifts: (driftOf.get(one) ?? []).filter(({ atMs }) => atMs >= seen.steadyFromMs && atMs < seen.steadyUntilMs),
  }));
  return { title: plan.title, figures, curves };
}

/** A player that never came in step makes the figure NaN, so that the others can't hide it. */
function figure(title: string, values: readonly number[], goalMs: number | null): Figure {
  const isLost = values.some(Number.isNaN);
  const of = (share: number): number =>
    isLost ? Number.NaN : title.startsWith('drift') ? absolutePercentile(values, share) : percentile(values, share);
  return { title, p50Ms: of(0.5), p95Ms: of(0.95), goalMs, samples: values.length };
}
