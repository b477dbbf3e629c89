/** Tracks that are loud from their first sample to their last: any silence between two of them is the player's. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';

/** Their titles; one word finds them all. */
export const steadyWord = 'Steady';
export const steadyTitles = ['one', 'two', 'three', 'four'].map((word) => `${steadyWord} ${word}`);

/** Writes them into a folder as AAC, each of so many seconds of noise of its own. Throws `ServiceUnavailable`. */
export function makeSteadyTracks(folder: string, seconds: number): void {
  const ffmpeg = ffmpegPath();
  for (const [index, title] of steadyTitles.entries()) {
    const noise = `anoisesrc=duration=${String(seconds)}:color=pink:seed=${String(index + 1)}:sample_rate=44100`;
    const file = join(folder, `${title}.m4a`);
    const given = ['-v', 'error', '-y', '-f', 'lavfi', '-i', noise];
    const made = ['-c:a', 'aac', '-b:a', '128k', '-metadata', `title=${title}`, file];
    const { status } = spawnSync(ffmpeg, [...given, ...made], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error(`ffmpeg could not make ${title}`);
  }
}
