/**
 * What people hear: two real browsers in one room of a real server, recorded without a sound card, compared by their
 * samples. Prints what was heard beside what the badges said, writes results/heard.md, and ends with 1 when a pair of
 * browsers was further apart than its bound.
 * Usage: npm run bench:heard [-- --quick --long --guest=firefox]   (--quick: 10 steady seconds, --long: ten minutes)
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startLoopbackSound } from '@tunemate/testkit/loopback-sound';
import { percentile } from '@tunemate/testkit/percentile';
import { type HeardPhase, type HeardPlan, listen } from './heard-room.ts';

const isQuick = process.argv.includes('--quick');
const onlyGuest = process.argv.find((argument) => argument.startsWith('--guest='))?.slice('--guest='.length);
const steadySeconds = process.argv.includes('--long') ? 600 : isQuick ? 10 : 60;

/** The p95 that a pair must keep; wide, since the machine has other work. */
const inStepBoundMs = { chromium: 25, firefox: 40 } as const;

const plans: HeardPlan[] = (['chromium', 'firefox'] as const)
  .filter((guest) => onlyGuest === undefined || guest === onlyGuest)
  .map((guest) => ({ guest, format: 'AAC in M4A', track: 'Paper Lanterns', steadySeconds }));

function rowOf({ plan, name, offsetsMs, unclear, badgeMs, silenceMs, rateChanges }: HeardPhase) {
  const sizes = offsetsMs.map(Math.abs);
  const [p95Ms, worstMs] = [percentile(sizes, 0.95), percentile(sizes, 1)];
  return {
    pair: `Chromium and ${plan.guest === 'firefox' ? 'Firefox' : 'Chromium'}`,
    format: plan.format,
    phase: name,
    'median (signed)': percentile(offsetsMs, 0.5).toFixed(1),
    p95: p95Ms.toFixed(1),
    worst: worstMs.toFixed(1),
    badges: badgeMs,
    'beyond the badges': Math.max(0, worstMs - badgeMs).toFixed(1),
    'longest silence': silenceMs,
    'rate changes': rateChanges,
    'windows (unclear)': `${String(offsetsMs.length)} (${String(unclear)})`,
    'inside its bound': p95Ms <= inStepBoundMs[plan.guest] ? 'yes' : 'no',
  };
}

function markdown(rows: readonly ReturnType<typeof rowOf>[]): string {
  const lines = rows.map((row) => `| ${Object.values(row).join(' | ')} |`);
  const heads = Object.keys(rows[0] ?? {});
  const load = loadavg()
    .map((each) => each.toFixed(1))
    .join(', ');
  return `# What is heard

\`npm run bench:heard${process.argv.slice(2).length > 0 ? ` -- ${process.argv.slice(2).join(' ')}` : ''}\`

Two real browsers in one room of a real server, each on a channel of a sound system without a card, recorded on one
clock. Heard is how far the guest is ahead of the host (behind when negative), by the cross-correlation of stretches of one
second, in milliseconds; p95 and worst without the sign. 'Badges' is the most that both pages' badges together admitted, and
'beyond the badges' what no page knew. A stretch whose comparison has no clear answer is counted, not guessed. Bounds:
p95 ${String(inStepBoundMs.chromium)} ms (Chromium) and ${String(inStepBoundMs.firefox)} ms (Firefox). One run; load average at the end: ${load}.

| ${heads.join(' | ')} |
|${heads.map(() => '---').join('|')}|
${lines.join('\n')}
`;
}

const sound = await startLoopbackSound();
const rows: ReturnType<typeof rowOf>[] = [];
try {
  for (const plan of plans) rows.push(...(await listen(sound, plan)).map(rowOf));
} finally {
  await sound.stop();
}
console.table(rows);
const folder = join(import.meta.dirname, 'results');
await mkdir(folder, { recursive: true });
await writeFile(join(folder, 'heard.md'), markdown(rows));
const outside = rows.filter((row) => row['inside its bound'] === 'no');
for (const { pair, phase, p95 } of outside)
  console.error(`${pair}, ${phase}: heard ${p95} ms apart, outside the bound`);
if (outside.length > 0) process.exitCode = 1;
