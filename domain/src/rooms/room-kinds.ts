/**
 * What differs between the kinds of room, as data. Everything else treats both alike.
 */
import type { RoomKind } from '@tunemate/protocol';

export interface RoomRules {
  /** A follower seeks only when it is further off than this. */
  seekToleranceSeconds: number;
  /** Video rooms have a queue; audio rooms play a single track. */
  hasQueue: boolean;
  /** What the end of a track leads to: the next of the queue, wrapping round, or paused at 0. */
  atEndOfTrack: 'next' | 'rewind';
  /** The list of both people that gets an entry when the host accepts (MATE-4). */
  list: 'tunemates' | 'audioConnections';
  /** What a room shows as playing before its first track. */
  initialTitle: string;
}

export const roomRules = {
  video: {
    seekToleranceSeconds: 2,
    hasQueue: true,
    atEndOfTrack: 'next',
    list: 'tunemates',
    initialTitle: 'No music selected',
  },
  audio: {
    seekToleranceSeconds: 1.5,
    hasQueue: false,
    atEndOfTrack: 'rewind',
    list: 'audioConnections',
    initialTitle: '',
  },
} as const satisfies Record<RoomKind, RoomRules>;
