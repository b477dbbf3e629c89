/** Tracks for tests of rooms. They look like tracks of a library, and no library holds them. */
import type { NamedTrack, VideoId } from '@tunemate/protocol';

/** The same number is the same track. */
export const trackOf = (n: number, durationSeconds = 90): NamedTrack => ({
  videoId: `lib_${String(n).padStart(16, '0')}` as VideoId,
  title: `Track ${String(n)}`,
  durationSeconds,
});
