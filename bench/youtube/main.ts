/**
 * YouTube as rooms use it: its frame's own figures, and how well three pages keep together with it. With a line to
 * YouTube it is for a person, who sees what the frame shows; with --stand-in it runs without one. Writes results/youtube.md,
 * and ends with 1 when the stand-in's listeners are further apart than their goal.
 * Usage: npm run bench -- youtube --video=ID | --stand-in [--quick]   (--quick: once, and shorter)
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { videoIdNumber } from '@tunemate/testkit/fakes/fake-data-api';
import type { YouTubeWorld } from '@tunemate/testkit/browsers/fake-youtube-player';
import { startServerProcess } from '@tunemate/testkit/services/process';
import type { Page } from 'playwright-core';
import { measure } from '../sync/sync-median.ts';
import { tables } from '../sync/sync-report.ts';
import type { RunPlan, RunResult } from '../sync/sync-run.ts';
import { measureFrame } from './youtube-frame.ts';
import { playStandIn, playYouTube } from './youtube-witness.ts';

const { values } = parseArgs({
  options: { video: { type: 'string' }, 'stand-in': { type: 'boolean' }, quick: { type: 'boolean' } },
});
const { 'stand-in': isStandIn = false, quick: isQuick = false } = values;
const video = isStandIn ? videoIdNumber(1) : values.video;
if (video === undefined) {
  console.error('Name a video of at least four minutes that plays outside YouTube (--video=ID), or take --stand-in.');
  process.exit(2);
}
const runs = isQuick ? 1 : 3;

const room = { kind: 'audio', track: video, steadySeconds: isQuick ? 10 : 20, boundMs: 150 } as const;
const standIn = (world: Partial<YouTubeWorld>) => (page: Page) => playStandIn(page, world);
const advert = { adverts: { [video]: { seconds: 3, reported: 1 } } } as const;
const plans: readonly RunPlan[] = isStandIn
  ? [
      { ...room, title: 'Rates in steps of 0.25', prepare: standIn({}) },
      { ...room, title: 'Rates near 1 are taken too', prepare: standIn({ rates: 'any' }), isSteadyOnly: true },
      {
        ...room,
        title: 'One listener’s video begins with an advert of 3 s',
        prepare: (page, name) => playStandIn(page, name === 'listener 1' ? advert : {}),
        isSteadyOnly: true,
      },
    ]
  : [{ ...room, title: 'A room', prepare: playYouTube }];

const server = await startServerProcess({ env: { LOG_LEVEL: 'warn' } });
const frameRows = await measureFrame(server.url, video, isStandIn ? standIn({}) : async () => {});
await server.dispose();
console.log(frameRows.join('\n'));

const results: RunResult[] = [];
for (const plan of plans) {
  results.push(await measure(plan, runs));
}

const typed = [
  'npm run bench -- youtube',
  isStandIn ? '--stand-in' : `--video=${video}`,
  ...(isQuick ? ['--quick'] : []),
];
const witness = isStandIn
  ? `The stand-in's own play-head is the witness. Its delays are random within what was read of the real one: first starts
0.3 to 2 s, later ones 0.1 to 0.35 s, seeks 80 to 350 ms, messages 8 to 50 ms; it tells its position every 200 to 300 ms,
up to 20 ms wrong. What YouTube itself does can differ: run it with a line to YouTube.`
  : "YouTube's frame is asked itself, by its messages: what it does not tell can't be seen here.";
const markdown = `# YouTube

\`${typed.join(' ')}\`

${witness} In rooms 'in step' is within 150 ms of the room's time, and stays there for half a second. Medians of ${String(runs)} ${runs === 1 ? 'run' : 'runs'}
with three Chromium pages in one room of a real server, on a machine with other work.

## The frame

| milliseconds | median | worst | times |
|---|---|---|---|
${frameRows.join('\n')}

${tables(results)}
`;
const folder = join(import.meta.dirname, '../results');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'youtube.md'), markdown);

const spreads = results.flatMap(({ title, figures }) =>
  figures.filter((figure) => figure.title.startsWith('spread')).map((figure) => ({ ...figure, title })),
);
for (const { title, p95Ms, goalMs } of isStandIn ? spreads : []) {
  if (goalMs === null || p95Ms <= goalMs) continue;
  process.exitCode = 1;
  console.error(`${title}: the listeners were ${p95Ms.toFixed(1)} ms apart (p95), over ${String(goalMs)} ms`);
}
