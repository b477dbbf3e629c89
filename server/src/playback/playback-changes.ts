/**
 * Changing what a room plays: read, decide, save and append to the room's stream, inside the caller's write. The
 * decision is the caller's; here is only that each change raises the revision by one.
 */
import { applyPlaybackChange, currentItem } from '@tunemate/playback';
import {
  type PlaybackChange,
  roomStream,
  type RoomId,
  type RoomKind,
  type Result,
  type TabId,
} from '@tunemate/protocol';
import { accept, refuse } from '../ports.ts';
import type { Writing } from '../storage/record.ts';
import { emptyPlayback, type PlaybackState } from './playback-document.ts';
import { readPlayback, savePlayback } from './playback-store.ts';
import { deleteSkipVotes } from './skip-votes-store.ts';

export interface RoomName {
  kind: RoomKind;
  roomId: RoomId;
}

/** Creates the document of a new room, inside the room's own transaction. */
export async function startPlayback(writing: Writing, kind: RoomKind, roomId: RoomId): Promise<void> {
  await savePlayback(writing.db, kind, roomId, emptyPlayback(kind, writing.nowMs));
}

/** Gives the controls of a room to a tab of its host. */
export function giveControl(writing: Writing, room: RoomName, controller: TabId) {
  return changePlayback(writing, room, ({ timeline }) =>
    accept({ type: 'playback/controlChanged', revision: timeline.revision + 1, controller }),
  );
}

/** Whether another track begins, or the same one anew. */
function beginsTrack({ timeline: before, queue }: PlaybackState, { timeline: after, queue: newQueue }: PlaybackState) {
  if (after.trackKey !== before.trackKey) return true;
  const isAtStart = after.positionSeconds === 0;
  return isAtStart && (before.positionSeconds !== 0 || currentItem(queue) !== currentItem(newQueue));
}

/** Where `decide` answers null the room stays as it is. */
export async function changePlayback(
  writing: Writing,
  { kind, roomId }: RoomName,
  decide: (before: PlaybackState) => Result<PlaybackChange | null> | Promise<Result<PlaybackChange | null>>,
): Promise<Result<{ before: PlaybackState; after: PlaybackState }>> {
  const stored = await readPlayback(writing.db, kind, roomId);
  if (!stored) return refuse('room/ended');
  const decided = await decide(stored.playback);
  if (!decided.ok) return decided;
  if (!decided.value) return accept({ before: stored.playback, after: stored.playback });
  const received = applyPlaybackChange(stored.playback, decided.value);
  if (received.status !== 'applied') throw new Error('a change of playback must raise the revision by one');
  await savePlayback(writing.db, kind, roomId, received.playback, stored.itemOf);
  await writing.append(roomStream(roomId), decided.value);
  if (beginsTrack(stored.playback, received.playback) && (await deleteSkipVotes(writing.db, roomId))) {
    await writing.append(roomStream(roomId), { type: 'rooms/skipVotesCleared' });
  }
  return accept({ before: stored.playback, after: received.playback });
}
