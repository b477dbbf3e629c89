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
