/**
 * How well real pages keep together: drift against server time, spread between listeners, and how soon they are in step
 * again. Runs everything three times, prints the medians and writes results/sync.md and results/sync.svg.
 * Usage: npm run bench -- sync [--quick --only=PART_OF_A_TITLE]   (--quick: once, and shorter)
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveFakeYouTube } from '@tunemate/testkit/browsers/fake-youtube';
import { videoIdNumber } from '@tunemate/testkit/fakes/fake-data-api';
import type { Page } from 'playwright-core';
import { measure } from './sync-median.ts';
import { markdown, plot } from './sync-report.ts';
import type { RunPlan, RunResult } from './sync-run.ts';
import { writePage } from '../report/write-page.ts';

const isQuick = process.argv.includes('--quick');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
const steadySeconds = isQuick ? 6 : 20;
const runs = isQuick ? 1 : 3;
const audio = { kind: 'audio', track: 'Sunday Kitchen', steadySeconds } as const;

const plans: RunPlan[] = [
  { ...audio, title: 'Loopback' },
  { ...audio, title: '150 ms ± 50 ms each way, stalls of a second', isFarAway: true },
  { ...audio, title: 'The second listener’s clock is 3 h ahead', skewMs: 3 * 3_600_000, isSteadyOnly: true },
  {
    kind: 'video',
    track: 'Poppy Season',
    steadySeconds: Math.min(steadySeconds, 10),
    title: 'Video room',
    isSteadyOnly: true,
  },
  {
    kind: 'audio',
    track: videoIdNumber(1),
    steadySeconds,
    title: 'A stand-in for YouTube: rates in steps of 0.25, starts of 0.3 to 2 s',
    prepare: playStandIn,
    boundMs: 150,
  },
];

const results: RunResult[] = [];
for (const plan of plans) {
  if (only !== undefined && !plan.title.toLowerCase().includes(only.toLowerCase())) continue;
  results.push(await measure(plan, runs));
}

const folder = join(import.meta.dirname, '../results');
const command = ['npm run bench -- sync', ...(isQuick ? ['--quick'] : [])].join(' ');
if (only === undefined) {
  writePage('sync', markdown(results, command));
  await writeFile(join(folder, 'sync.svg'), plot(results));
}

/** The stand-in's own play-head is the witness, not what it tells the page. */
async function playStandIn(page: Page): Promise<void> {
  await serveFakeYouTube(page);
  await page.addInitScript(() => {
    window.benchPosition = () => window.fakeYouTube?.position() ?? null;
  });
}
