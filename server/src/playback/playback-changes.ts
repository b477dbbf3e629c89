/**
 * Changing what a room plays: read, decide, save and append to the room's stream, inside the caller's write, and what is
 * set once it is committed. The decision is the caller's; here is only that each change raises the revision by one.
 */
import { applyPlaybackChange, currentItem, isSameStart, type Timeline } from '@tunemate/playback';
import {
  type PlaybackChange,
  type Result,
  type RoomId,
  type RoomKind,
  roomStream,
  type TabId,
} from '@tunemate/protocol';
import type { Writing } from '../storage/record.ts';
import type { RoomRef } from '../storage/schema.ts';
import { accept, refuse } from '../system/ports.ts';
import {
  emptyPlayback,
  type LongestRoundTripQuery,
  type PlaybackState,
  readPlayback,
  savePlayback,
} from './playback-document.ts';
import type { Moment } from './playback-intents.ts';
import { deleteSkipVotes } from './skip-votes.ts';

/** Creates the document of a new room, inside the room's own transaction. */
export async function startPlayback(writing: Writing, kind: RoomKind, roomId: RoomId): Promise<void> {
  await savePlayback(writing.db, kind, roomId, emptyPlayback(kind, writing.nowMs));
}

/** Gives the controls of a room to a tab of its host. */
export function giveControl(writing: Writing, room: RoomRef, controller: TabId) {
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

type Decide = (
  before: PlaybackState,
  longestRoundTripMs: number | null,
) => Result<PlaybackChange | null> | Promise<Result<PlaybackChange | null>>;

/** Where `decide` answers null the room stays as it is. */
export async function changePlayback(
  writing: Writing,
  room: RoomRef,
  decide: Decide,
): Promise<Result<{ before: PlaybackState; after: PlaybackState }>> {
  const decided = await decideChange(writing, room, decide);
  if (decided.ok) await decided.value.save();
  return decided;
}

/** The same, with nothing written until `save`; with a `query`, `decide` gets its answer too. */
export async function decideChange(
  writing: Writing,
  { kind, roomId }: RoomRef,
  decide: Decide,
  query?: LongestRoundTripQuery,
): Promise<Result<{ before: PlaybackState; after: PlaybackState; save: () => Promise<void> }>> {
  const stored = await readPlayback(writing.db, kind, roomId, query);
  if (!stored) return refuse('room/ended');
  const before = stored.playback;
  const decided = await decide(before, stored.longestRoundTripMs);
  if (!decided.ok) return decided;
  const change = decided.value;
  if (!change) return accept({ before, after: before, save: () => Promise.resolve() });
  const received = applyPlaybackChange(before, change);
  if (received.status !== 'applied') throw new Error('a change of playback must raise the revision by one');
  const after = received.playback;
  const save = async () => {
    await savePlayback(writing.db, kind, roomId, after, stored.itemOf);
    await writing.append(roomStream(roomId), change);
    if (beginsTrack(before, after) && (await deleteSkipVotes(writing.db, roomId))) {
      await writing.append(roomStream(roomId), { type: 'rooms/skipVotesCleared' });
    }
  };
  return accept({ before, after, save });
}

/** A start that waits until `heldUntilMs` at the latest. */
export interface HeldStart {
  room: RoomRef;
  heldUntilMs: number;
}

/** The timers of a room, which are set once a change is committed, and not for a write that the database undid. */
export interface Following {
  barrier: { hold: (held: HeldStart, revision: number, connectionIds: readonly string[]) => void };
  trackEnds: { watch: (room: RoomRef, state: PlaybackState) => void };
}

/** A start that waits for players until a latest moment. */
interface Hold {
  untilMs: number;
  players: readonly { connectionId: string }[];
}

/** After the commit the end of the track is watched, and a start that waits is held. */
export function follow(
  { trackEnds, barrier }: Following,
  writing: Writing,
  { kind, roomId }: RoomRef,
  after: PlaybackState,
  hold: Hold | null,
): void {
  const room = { kind, roomId };
  writing.afterCommit(() => {
    trackEnds.watch(room, after);
    if (hold === null) return;
    const waitsFor = hold.players.map(({ connectionId }) => connectionId);
    barrier.hold({ room, heldUntilMs: hold.untilMs }, after.timeline.revision, waitsFor);
  });
}

/** The latest start of a new track, which waits until everybody has loaded it; null when the change holds no start. */
export function startHeldUntil(
  before: Timeline,
  after: Timeline,
  { nowMs, loadMs }: Pick<Moment, 'nowMs' | 'loadMs'>,
): number | null {
  const isHeld = after.isPlaying && !isSameStart(after, before) && after.atServerMs === nowMs + loadMs;
  return isHeld ? after.atServerMs : null;
}
