/**
 * What people hear: two real browsers in one room of a real server, recorded without a sound card, compared by their
 * samples. Prints what was heard beside what the pages said, writes results/heard.md, and ends with 1 when a pair of
 * browsers was further apart than its bound.
 * Usage: npm run bench -- heard [--quick --long --runs=3 --guest=firefox --keep=runs.json --trace]
 * (--quick: one run of 10 steady seconds, --long: ten steady minutes, --keep: adds to the runs of earlier commands,
 * --trace: prints every stretch)
 */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { HeardPhase } from '@tunemate/testkit/heard/judge';
import type { BrowserName } from '@tunemate/testkit/heard/page';
import { type LoopbackSound, startLoopbackSound } from '@tunemate/testkit/browsers/loopback-sound';
import { figuresOf, type HeardFigures, isInside, markdown, rowOf } from './heard-report.ts';
import { type HeardPlan, listen, listenBetweenTracks } from './heard-plan.ts';
import { writePage } from '../report/write-page.ts';

const given = process.argv.slice(2);
const valueOf = (name: string): string | undefined =>
  given.find((argument) => argument.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const isQuick = given.includes('--quick');
const onlyGuest = valueOf('guest');
const runs = Number(valueOf('runs') ?? (isQuick ? 1 : 3));
const steadySeconds = given.includes('--long') ? 600 : isQuick ? 10 : 60;

/** The p95 that a pair must keep; wide, since the machine has other work. */
const inStepBoundMs = { chromium: 25, firefox: 40 } as const;
const pairOf = { chromium: 'Chromium and Chromium', firefox: 'Chromium and Firefox' } as const;

const allPlans: HeardPlan[] = (['chromium', 'firefox'] as const).map((guest) => {
  return { guest, format: 'AAC in M4A', track: 'Paper Lanterns', steadySeconds };
});
const plans = allPlans.filter(({ guest }) => onlyGuest === undefined || guest === onlyGuest);

function trace({ name, stretches }: HeardPhase): void {
  const words = (ms: number | null): string => (ms === null ? '?' : ms.toFixed(1)).padStart(7);
  for (const { atMs, heardMs, hostMs, guestMs } of stretches) {
    const said = `host says ${words(hostMs)}, guest ${words(guestMs)}`;
    console.log(`${(atMs / 1000).toFixed(1)} s, ${name}: heard ${words(heardMs)}, ${said}`);
  }
}

/** A recording begins with a silent sound system of its own, so that no run hears the one before. */
async function withSound<T>(work: (sound: LoopbackSound) => Promise<T>): Promise<T> {
  const sound = await startLoopbackSound();
  try {
    return await work(sound);
  } finally {
    await sound.stop();
  }
}

async function listenOnce(plan: HeardPlan): Promise<HeardPhase[]> {
  const phases = await withSound((sound) => listen(sound, plan));
  phases.push(await withSound((sound) => listenBetweenTracks(sound, plan.guest)));
  if (given.includes('--trace')) phases.forEach(trace);
  return phases;
}

/** Every run of each pair; those of earlier commands too where --keep names a file, so that each may be short. */
const keep = valueOf('keep');
const heard: Partial<Record<BrowserName, HeardPhase[][]>> =
  keep === undefined || !existsSync(keep)
    ? {}
    : (JSON.parse(await readFile(keep, 'utf8')) as Partial<Record<BrowserName, HeardPhase[][]>>);
for (const plan of plans) {
  const of = (heard[plan.guest] ??= []);
  for (let run = 0; run < runs; run += 1) of.push(await listenOnce(plan));
  if (keep !== undefined) await writeFile(keep, JSON.stringify(heard));
}

const figures: HeardFigures[] = [];
for (const { guest, format } of allPlans) {
  const of = heard[guest] ?? [];
  for (const [index] of (of[0] ?? []).entries()) {
    const figure = figuresOf(
      pairOf[guest],
      format,
      of.flatMap((run) => run[index] ?? []),
    );
    figures.push(figure);
    if (isInside(figure, inStepBoundMs[guest])) continue;
    process.exitCode = 1;
    const { pair, phase, heardP95Ms, unclear } = figure;
    const words = `heard ${heardP95Ms.toFixed(1)} ms apart, ${String(unclear)} stretches unclear`;
    console.error(`${pair}, ${phase}: ${words}: outside the bound of ${String(inStepBoundMs[guest])} ms`);
  }
}
console.table(figures.map(rowOf));
const typed = given.map((argument) => (argument.startsWith('--keep=') ? '--keep=runs.json' : argument));
const command = ['npm run bench -- heard', ...typed].join(' ');
writePage('heard', markdown(figures, command));
