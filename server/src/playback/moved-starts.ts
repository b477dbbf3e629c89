/** What rooms play while the clock is set: they go on where they were. */
import { playheadOf } from '@tunemate/playback';
import { type RoomId, roomKinds, roomStream } from '@tunemate/protocol';
import type { StreamRecord } from '../storage/record.ts';
import { type RoomRef, roomTables } from '../storage/schema.ts';
import { accept } from '../system/ports.ts';
import { changePlayback, storedPlayback } from './playback-document.ts';

/** Longer than any command leads. */
const leastWaitMs = 10_000;

/**
 * The clock was set by so much. `late` moves only tracks that would start in the future, which happens to no room twice;
 * `all` moves every track that plays.
 */
export async function moveStarts(record: StreamRecord, byMs: number, which: 'all' | 'late'): Promise<void> {
  for (const kind of roomKinds) {
    const rows = await record.db.selectFrom(roomTables[kind].playback).select(['room_id', 'document']).execute();
    for (const { room_id: roomId, document } of rows) {
      if (storedPlayback.parse(JSON.parse(document)).isPlaying) {
        await moveStart(record, { kind, roomId: roomId as RoomId }, { byMs, which });
      }
    }
  }
}

async function moveStart(
  record: StreamRecord,
  room: RoomRef,
  { byMs, which }: { byMs: number; which: 'all' | 'late' },
): Promise<void> {
  await record.write([roomStream(room.roomId)], (writing) =>
    changePlayback(writing, room, ({ timeline, queue }) => {
      const { revision, isPlaying, atServerMs } = timeline;
      const isLate = atServerMs - writing.playersMs >= leastWaitMs;
      if (!isPlaying || (which === 'late' && !isLate)) return accept(null);
      const moved = { ...timeline, revision: revision + 1, atServerMs: atServerMs + byMs };
      return accept({ type: 'playback/moved', ...playheadOf(moved, queue.currentIndex) });
    }),
  );
}
