/**
 * How evenly ten tracks of -8 to -23 LUFS are heard one after another: a real browser in a room of a real server, recorded
 * without a sound card. Writes results/loudness.md and ends with 1 when they are further apart than the goal.
 * Usage: npm run bench -- loudness
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sampleRate, startLoopbackSound } from '@tunemate/testkit/browsers/loopback-sound';
import { loudness } from '@tunemate/testkit/heard/offset';
import { queueTracks, startTrack, untilPlaying } from '@tunemate/testkit/heard/page';
import { openHeardRoom } from '@tunemate/testkit/heard/room';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { measuredLufs } from '../server/src/catalogue/media/measured.ts';

const goalLu = 1.5;
const trackSeconds = 10;
/** Every file is measured by then. */
const measuringMs = 20_000;
const [silentShare, blockSeconds] = [0.02, 0.01];
/** Left out at both ends of a track: changes take a moment. */
const marginSeconds = 3;

const numbers = ['one', 'two', 'three', 'four', 'five'];
/** A search shows five. */
const titles = ['Upper', 'Lower'].flatMap((word) => numbers.map((number) => `${word} ${number}`));
const recorded = titles.map((_, at) => -8 - (15 * at) / (titles.length - 1));

/** One tone for all, so that a difference in decibels is one in LU. */
async function make(path: string, title: string, lufs: number): Promise<void> {
  const sine = `sine=frequency=997:duration=${String(trackSeconds)},aformat=channel_layouts=stereo`;
  const write = (db: number) =>
    execFileSync(ffmpegPath(), [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', `${sine},volume=${db.toFixed(3)}dB`],
      ...['-metadata', `title=${title}`, path],
    ]);
  write(0);
  write(lufs - ((await measuredLufs(path, new AbortController().signal)) ?? Number.NaN));
}

/** The loudness of each track, in decibels of full scale: of its middle, where most moments are alike whatever the machine stalls. */
function tracksIn(samples: Float64Array): number[] {
  const size = Math.round(sampleRate * blockSeconds);
  const blocks = Array.from({ length: Math.floor(samples.length / size) }, (_, at) =>
    loudness(samples.subarray(at * size, (at + 1) * size)),
  );
  const begin = blocks.findIndex((block) => block > (Math.max(...blocks) || 1) * silentShare);
  return titles.map((_, track) => {
    const from = begin + (track * trackSeconds + marginSeconds) / blockSeconds;
    const middle = blocks.slice(from, from + (trackSeconds - 2 * marginSeconds) / blockSeconds);
    return 20 * Math.log10(middle.toSorted((x, y) => x - y)[Math.floor(middle.length / 2)] ?? 0);
  });
}

const media = await makeTempDir('bench-loudness');
for (const [at, title] of titles.entries()) await make(join(media.path, `${title}.flac`), title, recorded[at] ?? 0);
const sound = await startLoopbackSound();
const room = await openHeardRoom(sound, 'chromium', { MEDIA_DIR: media.path });
await pause(measuringMs);
const recorder = await sound.record();
const [first = '', ...others] = titles;
await startTrack(room.host, first);
await queueTracks(room.host, 'Upper', others.slice(0, 4));
await queueTracks(room.host, 'Lower', others.slice(4));
await untilPlaying(room.guest);
await pause((titles.length * trackSeconds + 5) * 1000);
await recorder.stop();
const heard = tracksIn(recorder.soFar().right);
await room.close();
await sound.stop();
await media.remove();

const spread = Math.max(...heard) - Math.min(...heard);
const loudest = Math.max(...heard);
const rows = titles.map((_, at) => {
  return `| ${(recorded[at] ?? 0).toFixed(1)} | ${((heard[at] ?? 0) - loudest).toFixed(2)} |`;
});
const report = `# One loudness, as it is heard

\`npm run bench -- loudness\`

Ten files of one tone, recorded at ${String(recorded[0])} to ${String(recorded.at(-1))} LUFS and without tags: the server measures them, a room plays
them one after another, and what the guest's Chromium plays at full volume is recorded without a sound card.

| recorded, LUFS | heard, LU below the loudest |
|---|---|
${rows.join('\n')}

They are within ${spread.toFixed(2)} LU of each other; the goal is ${String(goalLu)}.
`;
await writeFile(join(import.meta.dirname, 'results', 'loudness.md'), report);
console.log(report);
process.exit(spread <= goalLu ? 0 : 1);
