/**
 * Makes a picture of each film that has none: a frame from its first part, by ffmpeg, kept in the data folder. A page is
 * promised a picture only once it is there.
 */
import type { LibraryItem } from '../library/library-item.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { madeOfLibrary } from './exact-copies.ts';
import type { MediaWork } from './media-work.ts';
import { hasFfmpeg, inputOf, runFfmpeg } from '../../system/ffmpeg.ts';

/** Films begin in the dark. */
const takenAt = 0.15;
/** As far into a film whose length is unknown. */
const unknownLengthSeconds = 10;
/** Wide enough for the largest place that shows it. */
const widthPixels = 640;
/** A film that takes longer is broken. */
const longestMs = 60_000;

const needsFrame = ({ kind, cover }: LibraryItem): boolean =>
  kind === 'video' && (cover.in === 'nowhere' || cover.in === 'frame');

export const filmFrames = (work: MediaWork) =>
  madeOfLibrary(work, 'frames', {
    needs: needsFrame,
    findMake: async (ending) => ((await hasFfmpeg(ending)) ? takeFrame : null),
  });

export type FilmFrames = ReturnType<typeof filmFrames>;

/** Frames are shown this often while others are made. */
const showEveryMs = 5000;

/** Makes the missing frames of a library, and shows them. */
export async function keepFramesUp(frames: FilmFrames, library: Pick<MediaLibrary, 'list' | 'showFrames'>) {
  const showing = setInterval(() => library.showFrames(), showEveryMs);
  try {
    await frames.keepUp(library.list());
  } finally {
    clearInterval(showing);
    library.showFrames();
  }
}

async function takeFrame({ path, durationSeconds }: LibraryItem, to: string, signal: AbortSignal): Promise<void> {
  const atSeconds = (durationSeconds ?? unknownLengthSeconds) * takenAt;
  // Of the next frames the one that is most like the others: no flash, no cut.
  const filter = `thumbnail=25,scale='min(${String(widthPixels)},iw)':-2`;
  const picture = ['-map', '0:v:0', '-frames:v', '1', '-vf', filter, '-q:v', '4', '-f', 'mjpeg', to];
  const before = ['-ss', atSeconds.toFixed(2)];
  await runFfmpeg([...inputOf(path, before), ...picture], AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
}
