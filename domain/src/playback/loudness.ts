/** How much players turn a track down or up, so that all tracks of the library are as loud. */
import type { Value, VideoId } from '@tunemate/protocol';

/**
 * What tracks are brought to, in LUFS. No player can play above full scale, so this is as loud as a quiet recording is:
 * louder tracks are turned down to it.
 */
export const evenLufs = -22;
/** What a page does to a track at most: 12 dB up, and as much down as the loudest recording needs. */
const [leastFactor, mostFactor] = [0.04, 4];

/** The same as a gain in tenths of a decibel, for copies; 0 of a track that is not turned down. */
export const gainOf = (factor: number): number => Math.min(0, Math.round(200 * Math.log10(factor)));

/** Of the volume; the album's where all of it is in the queue. Null while the loudness is not known. */
export function loudnessFactor(
  { track, album }: Pick<Value<'library/loudness'>, 'track' | 'album'>,
  queued: readonly { readonly videoId: VideoId }[],
): number | null {
  const ids = new Set(queued.map(({ videoId }) => videoId));
  const ofAlbum = album?.tracks.every((id) => ids.has(id)) === true ? album.lufs : null;
  const lufs = ofAlbum ?? track;
  if (lufs === null || !Number.isFinite(lufs)) return null;
  return Math.min(mostFactor, Math.max(leastFactor, 10 ** ((evenLufs - lufs) / 20)));
}
