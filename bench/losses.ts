/**
 * What could lose everything: a restore that is killed at many moments, the power of ext4, XFS and btrfs cut after a restore
 * with people on it, and starts with the clock behind. Writes results/losses.md; ends with 1 when something was lost.
 * Usage: npm run bench -- losses [kills] [cuts of each file system]   (default 40 and 4; the long form is 200 and 20)
 */
import { join } from 'node:path';
import { failingStart } from '@tunemate/testkit/services/failing-start';
import { diskKinds } from '@tunemate/testkit/services/disks/power-cut-disk';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { ServiceUnavailable } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import { cutRestores } from '@tunemate/testkit/losses/cut-restores';
import { type PowerCuts, powerCuts } from '@tunemate/testkit/losses/power-cuts';
import { movableClock, storedTimes } from '@tunemate/testkit/losses/stored-times';
import { writePage } from './report/write-page.ts';

const [kills, cuts] = [Number(process.argv[2] ?? 40), Number(process.argv[3] ?? 4)];
const longestMs = 30_000;
const dayMs = 24 * 60 * 60 * 1000;

const restores = cutRestores({ most: kills });
const disks = diskKinds.map(async (kind): Promise<PowerCuts | string> => {
  const afterMs = Array.from({ length: cuts }, (_, n) => Math.round((n * longestMs) / Math.max(1, cuts - 1)));
  return await powerCuts(kind, afterMs).catch((error: unknown) => {
    if (error instanceof ServiceUnavailable) return `${kind}: ${error.message}`;
    throw error;
  });
});
const clocks = [];
for (const days of [3.5, 400]) clocks.push(await startBehind(days));
const restored = await restores;
const onDisks = await Promise.all(disks);

const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
const wrongs = [restored.wrong, ...onDisks.flatMap((each) => (typeof each === 'string' ? [] : [each.wrong]))].flat();
writePage(
  'losses',
  `# What could lose everything

\`npm run bench -- losses ${String(kills)} ${String(cuts)}\`

\`restore --replace\` of one installation over another is killed (SIGKILL) before and after its calls that change something on
the disk, evenly among all of them; after each the real server is started.

| killed | started as before | started as the backup | refused, and brought by the restore run once more | started empty |
| --- | --- | --- | --- | --- |
${row(restored.kills, restored.asBefore, restored.asBackup, restored.refused, restored.empty)}

A backup is restored onto a file system on a loop device, a server starts, 15 messages and 2 pictures are acknowledged, and 0
to 30 s later the power is cut: a copy of the device at that moment, without the machine's cache, takes its place. The server
starts again, and \`check\` reads everything.

| file system | cuts | messages acknowledged | lost | pictures acknowledged | lost |
| --- | --- | --- | --- | --- | --- |
${onDisks
  .map((each) =>
    typeof each === 'string'
      ? row(each, '', '', '', '', '')
      : row(
          ...[each.kind, each.cuts, each.acknowledged.messages, each.lost.messages],
          ...[each.acknowledged.pictures, each.lost.pictures],
        ),
  )
  .join('\n')}

A server that was used until now is started with its clock behind.

| behind | start | stored times | changed |
| --- | --- | --- | --- |
${clocks.map(({ days, said, times, changed }) => row(`${String(days)} days`, said, times, changed)).join('\n')}

Anything else that was wrong: ${wrongs.length === 0 ? 'nothing' : wrongs.join('; ')}.
`,
);
const lost = onDisks.reduce(
  (sum, each) => sum + (typeof each === 'string' ? 0 : each.lost.messages + each.lost.pictures),
  restored.empty + clocks.reduce((sum, { changed }) => sum + changed, 0),
);
console.log(JSON.stringify({ restored, onDisks, clocks, lost, wrongs }));
process.exitCode = lost + wrongs.length === 0 ? 0 : 1;

async function startBehind(days: number) {
  await using dir = await makeTempDir('losses');
  const server = await startServerProcess({ dataDir: dir.path });
  const file = join(dir.path, 'tunemate.sqlite');
  await makePeople(`sqlite:${file}`, 50);
  await server.kill();
  const before = Object.entries(await storedTimes(file));
  const env = { DATA_DIR: dir.path, WRONG_CLOCK_MS: String(-days * dayMs) };
  const { exitCode, said } = await failingStart(env, movableClock);
  const after = await storedTimes(file);
  const changed = before.flatMap(([name, times]) =>
    times.filter((time, index) => after[name]?.[index] !== time),
  ).length;
  const isRefused = exitCode === 1 && said.startsWith('This machine');
  return {
    days,
    said: isRefused ? 'refused in one line' : `ended with ${String(exitCode)}`,
    times: before.reduce((sum, [, times]) => sum + times.length, 0),
    changed,
  };
}
