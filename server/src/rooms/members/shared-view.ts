/**
 * What everybody who enters a room receives alike: members, latest messages, what plays. Those who enter at one number
 * of the room's stream share what was read for the first of them. Who may enter is decided elsewhere, each time.
 */
import type { PlaybackDocument, RoomId, RoomSnapshot, Uid } from '@tunemate/protocol';
import type { VotedProposal } from '../proposals/proposals-store.ts';
import type { Roster } from './roster-store.ts';

export interface SharedView extends Pick<RoomSnapshot, 'messages' | 'hasEarlierMessages'> {
  roster: Roster;
  /** With their voters, of whom each person is told only their own vote. */
  proposals: VotedProposal[];
  skipVotes: Uid[];
  /** Null when it has just been deleted with the room. */
  playback: PlaybackDocument | null;
}

/** Names of people who have left the room change without a number of its stream: so it is not kept for longer. */
const keptMs = 1000;
const mostRooms = 200;

export function sharedViews(nowMs: () => number = () => performance.now()) {
  const kept = new Map<RoomId, { seq: number; untilMs: number; view: Promise<SharedView> }>();

  /** `read` begins after `seq` was read, so what it finds is no older. */
  return async function viewAt(roomId: RoomId, seq: number, read: () => Promise<SharedView>): Promise<SharedView> {
    const known = kept.get(roomId);
    if (known?.seq === seq && nowMs() < known.untilMs) return await known.view;
    kept.delete(roomId);
    const oldest = kept.keys().next();
    if (kept.size >= mostRooms && !oldest.done) kept.delete(oldest.value);
    const view = read();
    kept.set(roomId, { seq, untilMs: nowMs() + keptMs, view });
    try {
      return await view;
    } catch (error) {
      kept.delete(roomId);
      throw error;
    }
  };
}
