/**
 * Tracks as they are stored, with the queue, with what rooms played and with saved queues. What a title may be was checked
 * when it was written: a press reads up to 200 of them, and to check each again takes more time and memory than the press.
 */
import { type NamedTrack, queuedTrack } from '@tunemate/protocol';
import { z } from 'zod';

const storedTrack = z.strictObject({
  videoId: z.string().brand<'VideoId'>(),
  title: z.string(),
  durationSeconds: z.number().nullable(),
  startSeconds: z.number().optional(),
}) satisfies z.ZodType<NamedTrack>;

export const storedTracks = z.array(storedTrack);

/** With the guest who proposed it. */
export const storedQueuedTrack = storedTrack.extend({ proposedBy: queuedTrack.shape.proposedBy });

export const readStoredTrack = (json: string): NamedTrack => storedTrack.parse(JSON.parse(json));

export const bytesOfTrack = (track: NamedTrack): number => Buffer.byteLength(JSON.stringify(track));

/** The first of these tracks, as many as have so many bytes at most. */
export function tracksWithin<Item extends NamedTrack>(tracks: readonly Item[], mostBytes: number): Item[] {
  let bytes = 0;
  const end = tracks.findIndex((track) => (bytes += bytesOfTrack(track)) > mostBytes);
  return end < 0 ? [...tracks] : tracks.slice(0, end);
}
