/**
 * What people hear: two real browsers in one room of a real server, recorded without a sound card, compared by their
 * samples. Prints what was heard beside what the pages said, writes results/heard.md, and ends with 1 when a pair of
 * browsers was further apart than its bound.
 * Usage: npm run bench:heard [-- --quick --long --runs=3 --guest=firefox --trace]
 * (--quick: one run of 10 steady seconds, --long: ten steady minutes, --trace: every stretch by itself)
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startLoopbackSound } from '@tunemate/testkit/loopback-sound';
import type { HeardPhase } from './heard-judge.ts';
import { figuresOf, type HeardFigures, markdown, rowOf } from './heard-report.ts';
import { type HeardPlan, listen } from './heard-room.ts';

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

const plans: HeardPlan[] = (['chromium', 'firefox'] as const)
  .filter((guest) => onlyGuest === undefined || guest === onlyGuest)
  .map((guest) => ({ guest, format: 'AAC in M4A', track: 'Paper Lanterns', steadySeconds }));

function trace({ name, stretches }: HeardPhase): void {
  const words = (ms: number | null): string => (ms === null ? '?' : ms.toFixed(1)).padStart(7);
  for (const { atMs, heardMs, hostMs, guestMs } of stretches) {
    const said = `host says ${words(hostMs)}, guest ${words(guestMs)}`;
    console.log(`${(atMs / 1000).toFixed(1)} s, ${name}: heard ${words(heardMs)}, ${said}`);
  }
}

/** A recording begins with a silent sound system of its own, so that no run hears the one before. */
async function listenOnce(plan: HeardPlan): Promise<HeardPhase[]> {
  const sound = await startLoopbackSound();
  try {
    const phases = await listen(sound, plan);
    if (given.includes('--trace')) phases.forEach(trace);
    return phases;
  } finally {
    await sound.stop();
  }
}

const figures: HeardFigures[] = [];
let isOutside = false;
for (const plan of plans) {
  const heard: HeardPhase[][] = [];
  for (let run = 0; run < runs; run += 1) heard.push(await listenOnce(plan));
  for (const [index] of (heard[0] ?? []).entries()) {
    const phases = heard.flatMap((run) => run[index] ?? []);
    const figure = figuresOf(pairOf[plan.guest], plan.format, phases);
    figures.push(figure);
    if (figure.heardP95Ms <= inStepBoundMs[plan.guest]) continue;
    isOutside = true;
    console.error(`${figure.pair}, ${figure.phase}: heard ${figure.heardP95Ms.toFixed(1)} ms apart, outside the bound`);
  }
}
console.table(figures.map(rowOf));
const folder = join(import.meta.dirname, 'results');
await mkdir(folder, { recursive: true });
const command = ['npm run bench:heard', ...(given.length > 0 ? ['--', ...given] : [])].join(' ');
await writeFile(join(folder, 'heard.md'), markdown(figures, command, runs));
if (isOutside) process.exitCode = 1;
