/** Files that ffmpeg makes for players, in a folder that is gone afterwards. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ffmpegPath } from '../services/system-programs.ts';

/** For a list of HLS with pieces of two seconds. */
export const inPieces = ['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod'] as const;

/** One run of ffmpeg for each of the arguments, where `texts` lie. All files by their names. Throws `ServiceUnavailable`. */
export function madeStream(
  runs: readonly (readonly string[])[],
  texts: Readonly<Record<string, string>> = {},
): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'made-stream-'));
  try {
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
    for (const run of runs) execFileSync(ffmpegPath(), ['-v', 'error', ...run], { cwd: folder });
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
