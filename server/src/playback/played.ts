/**
 * What a room has played: decides when a track counts, and stores it in the transaction that starts it. A track counts
 * when it starts playing for everybody; one that another replaces within seconds was skipped, and does not count.
 */
import { currentItem, type RoomPlayback } from '@tunemate/playback';
import { type PlaybackChange, type QueuedTrack, type RoomId, videoId } from '@tunemate/protocol';
import { z } from 'zod';
import type { Db } from '../storage/schema.ts';

/** The entry of the track that played last: its number within the room, and when the track began. */
export const noted = z.strictObject({ videoId, number: z.number().int().positive(), atMs: z.number() });
export type Noted = z.infer<typeof noted>;

const skippedWithinMs = 10_000;
/** More tracks of one room are not kept. */
export const mostPlayed = 500;
const trimmedEvery = 50;

/** The entry after a change. The same track played again right after itself makes no second one. Pure. */
export function notedAfter(
  before: Noted | undefined,
  { timeline: { isPlaying, trackKey } }: Pick<RoomPlayback<QueuedTrack>, 'timeline'>,
  nowMs: number,
): Noted | undefined {
  if (!isPlaying || trackKey === null || trackKey === before?.videoId) return before;
  const last = before?.number ?? 0;
  const isSkipped = before !== undefined && nowMs - before.atMs < skippedWithinMs;
  return { videoId: videoId.parse(trackKey), number: isSkipped ? last : last + 1, atMs: nowMs };
}

interface Noting extends Pick<RoomPlayback<QueuedTrack>, 'queue'> {
  readonly noted?: Noted | undefined;
}

/** Stores the entry of a track that begins, or whose title or length became known: one statement, and none otherwise. */
export async function notePlayed(
  db: Db,
  roomId: RoomId,
  before: Noting,
  { noted: entry, queue }: Noting,
  change: PlaybackChange,
): Promise<void> {
  const track = currentItem(queue);
  if (entry === undefined || track?.videoId !== entry.videoId) return;
  const isNew = entry !== before.noted;
  if (!isNew && !tellsOfTrack(change)) return;
  const { title, durationSeconds, proposedBy } = track;
  const values = {
    track: JSON.stringify({ videoId: track.videoId, title, durationSeconds }),
    proposed_by: proposedBy ?? null,
    at_ms: entry.atMs,
  };
  await db
    .insertInto('played_tracks')
    .values({ room_id: roomId, number: entry.number, ...values })
    .onConflict((conflict) => conflict.columns(['room_id', 'number']).doUpdateSet(values))
    .execute();
  if (!isNew || entry.number % trimmedEvery !== 0) return;
  await db
    .deleteFrom('played_tracks')
    .where('room_id', '=', roomId)
    .where('number', '<=', entry.number - mostPlayed)
    .execute();
}

const tellsOfTrack = (change: PlaybackChange): boolean =>
  change.type === 'playback/queueChanged' && (change.edit.type === 'measured' || change.edit.type === 'named');
