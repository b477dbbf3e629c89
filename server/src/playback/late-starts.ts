/**
 * Tracks that would start only when the clock is where it was: rooms that played when it was set back. They go on where
 * they were.
 */
import { playheadOf } from '@tunemate/playback';
import { type RoomId, roomKinds, roomStream } from '@tunemate/protocol';
import type { StreamRecord } from '../storage/record.ts';
import { type RoomRef, roomTables } from '../storage/schema.ts';
import { accept } from '../system/ports.ts';
import { changePlayback, storedPlayback } from './playback-document.ts';

/** Longer than any command leads. */
const leastWaitMs = 10_000;

/** The clock was ahead by so much. Nothing happens to a room twice: then its track has started. */
export async function moveStartsBack(record: StreamRecord, byMs: number): Promise<void> {
  for (const kind of roomKinds) {
    const rows = await record.db.selectFrom(roomTables[kind].playback).select(['room_id', 'document']).execute();
    for (const { room_id: roomId, document } of rows) {
      if (storedPlayback.parse(JSON.parse(document)).isPlaying) {
        await moveStartBack(record, { kind, roomId: roomId as RoomId }, byMs);
      }
    }
  }
}

async function moveStartBack(record: StreamRecord, room: RoomRef, byMs: number): Promise<void> {
  await record.write([roomStream(room.roomId)], (writing) =>
    changePlayback(writing, room, ({ timeline, queue }) => {
      const { revision, isPlaying, atServerMs } = timeline;
      if (!isPlaying || atServerMs - writing.playersMs < leastWaitMs) return accept(null);
      const moved = { ...timeline, revision: revision + 1, atServerMs: atServerMs - byMs };
      return accept({ type: 'playback/moved', ...playheadOf(moved, queue.currentIndex) });
    }),
  );
}
