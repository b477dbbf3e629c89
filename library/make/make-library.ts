/**
 * Prints the library: `node library/make/make-library.ts [piece-id …]`. Needs ffmpeg; about three minutes.
 * Everything comes from the scores, the drawings and fixed seeds in this folder, and is written to
 * library/media, library/covers and library/library.json.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { encodeAudio, encodeFilm } from './encode.ts';
import { pieceSeconds } from './music/piece.ts';
import { renderPiece } from './music/render-piece.ts';
import { artist, releases } from './pieces.ts';
import type { Release } from './pieces.ts';
import { coverOf } from './pictures/covers.ts';
import { toPcm16 } from './sound/master.ts';

const libraryDir = join(import.meta.dirname, '..');
const mimes = { m4a: 'audio/mp4', mp4: 'video/mp4' } as const;

async function print(release: Release, workDir: string): Promise<void> {
  const { piece, format } = release;
  const coverPath = join(libraryDir, 'covers', `${piece.id}.png`);
  const outPath = join(libraryDir, 'media', `${piece.id}.${format}`);
  await sharp(Buffer.from(coverOf(piece.id)))
    .png({ palette: true, colours: 32, effort: 10 })
    .toFile(coverPath);
  const pcm = toPcm16(renderPiece(piece));
  if (release.format === 'mp4') {
    const pcmPath = join(workDir, `${piece.id}.pcm`);
    await writeFile(pcmPath, pcm);
    await encodeFilm(piece, pcmPath, pieceSeconds(piece), release.frameAt, outPath);
  } else {
    await encodeAudio(piece, pcm, coverPath, outPath);
  }
}

/** What the server reads instead of the tags: paths are relative to the manifest. */
function manifest(): object {
  const items = releases.map(({ piece, format, ...release }) => ({
    id: piece.id,
    file: `media/${piece.id}.${format}`,
    ...('firstFile' in release ? { firstFile: release.firstFile } : {}),
    title: piece.title,
    artist,
    kind: format === 'mp4' ? 'video' : 'audio',
    durationSeconds: Math.round(pieceSeconds(piece) * 100) / 100,
    cover: `covers/${piece.id}.png`,
    mime: mimes[format],
  }));
  return { licence: 'CC0-1.0', items };
}

const wanted = new Set(process.argv.slice(2));
const workDir = await mkdtemp(join(tmpdir(), 'library-'));
try {
  for (const release of releases) {
    if (wanted.size > 0 && !wanted.has(release.piece.id)) continue;
    const startedMs = performance.now();
    await print(release, workDir);
    console.log(`${release.piece.title}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
  await writeFile(join(libraryDir, 'library.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
} finally {
  await rm(workDir, { recursive: true });
}
