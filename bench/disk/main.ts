/**
 * What becomes of messages where the disk is slow, or the power goes: others who read meanwhile, and states rebuilt from a
 * record of all writes.
 * Usage: npm run bench -- disk [states] [folder of another version, to be compared on a quiet disk]
 * `npm run bench -- disk quiet FOLDER` compares alone, and writes nothing.
 */
import { rebuildStates, type RebuiltStates } from '@tunemate/testkit/losses/rebuilt-states';
import { percentile } from '@tunemate/testkit/percentile';
import { writePage } from '../report/write-page.ts';
import { compareQuiet, type Quiet } from './quiet-disk.ts';
import { onSlowDisk, type SlowDisk } from './slow-disk.ts';

const [wanted = '10000', other] = process.argv.slice(2);
const statesAtOnce = 2500;
const messagesPerSecond = 3;

if (wanted === 'quiet' && other !== undefined) {
  console.log(quietTable(await compareQuiet(other)));
  process.exit(0);
}

const cuts: RebuiltStates[] = [];
for (let seed = 1; cuts.reduce((sum, { states }) => sum + states, 0) < Number(wanted); seed += 1) {
  const disk = seed % 2 === 0 ? ('failing' as const) : undefined;
  const states = Math.min(statesAtOnce, Number(wanted));
  const found = await rebuildStates({ rounds: 100, states, seed, ...(disk && { disk }) });
  console.log(JSON.stringify(found));
  cuts.push(found);
}
const slow: [number, SlowDisk][] = [];
for (const [syncMs, seconds] of [
  [0, 20],
  [500, 20],
  [2000, 40],
] as const)
  slow.push([syncMs, await onSlowDisk({ syncMs, seconds, perSecond: messagesPerSecond })]);
const quiet = other === undefined ? null : await compareQuiet(other);
writeReport();
process.exit(cuts.every(({ faulty }) => faulty === 0) ? 0 : 1);

function writeReport(): void {
  const sum = (read: (found: RebuiltStates) => number) => String(cuts.reduce((total, found) => total + read(found), 0));
  writePage(
    'disk',
    `# Disks that are slow, fail, or lose their power

\`npm run bench -- disk ${process.argv.slice(2, 3).join(' ')}\`

A program writes through the storage of the server; each of its writes and syncs is recorded. For random moments the files
are rebuilt as a power cut may leave them, pictures and recordings too (a name is there once its folder was synced, before
that perhaps): what was synced is there; of the rest nothing, everything, the first part, or any
4 KiB blocks or 512-byte sectors, each as of any time since. In every second run syncs fail now and then, and what they
should have written is dropped. Each state must open, be whole, and hold what was acknowledged or shown before.

| figure | measured | goal |
| --- | --- | --- |
| states | ${sum(({ states }) => states)} | 10000 |
| writes; syncs; failed syncs | ${sum(({ writes }) => writes)}; ${sum(({ syncs }) => syncs)}; ${sum(({ failedSyncs }) => failedSyncs)} | |
| times that the log began anew | ${sum(({ beginnings }) => beginnings)} | |
| rows with pictures or a recording that were acknowledged | ${sum(({ uploads }) => uploads)} | |
| changes acknowledged | ${sum(({ acknowledged }) => acknowledged)} | |
| states that lack what was acknowledged or shown, or are damaged | ${sum(({ faulty }) => faulty)} | 0 |

A server of its own, two people who write to each other, ${String(messagesPerSecond)} messages a second; others read, 20 times a second
each. Milliseconds: p50, p99, longest.

| each sync takes longer by | \`/healthz\` | \`clock/probe\` | \`chats/list\` | messages answered | they took | refused |
| --- | --- | --- | --- | --- | --- | --- |
${slow.map(rowOf).join('\n')}

The goal for others is 50 ms (p99). A person's messages are stored in their order, one after the other, so each has a sync
of its own; those of different people share one.
${quiet === null ? '' : quietTable(quiet)}`,
  );
}

function rowOf([syncMs, { healthz, clock, chats, answered, sent, refused }]: [number, SlowDisk]): string {
  const times = (some: readonly number[]) =>
    [0.5, 0.99, 1].map((share) => String(Math.round(percentile(some, share)))).join(', ');
  const cells = [`${String(syncMs)} ms`, times(healthz), times(clock), times(chats)];
  return `| ${[...cells, `${String(answered.length)} of ${String(sent)}`, times(answered), String(refused.length)].join(' | ')} |`;
}

function quietTable({ rounds }: Quiet): string {
  const ratio = (read: (round: Quiet['rounds'][number]) => number) => percentile(rounds.map(read), 0.5).toFixed(2);
  return `
This version against the one before, in turns on the same disk (medians of ${String(rounds.length)} rounds):

| figure | this one / before | goal |
| --- | --- | --- |
| processor time of a message, one after the other | ${ratio(({ one }) => one.cpu)} | <= 1 |
| messages a second, one after the other | ${ratio(({ one }) => one.perSecond)} | >= 1 |
| processor time of a message, 40 people at once | ${ratio(({ many }) => many.cpu)} | <= 1 |
| messages a second, 40 people at once | ${ratio(({ many }) => many.perSecond)} | >= 1 |
`;
}
