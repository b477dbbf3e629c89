/**
 * What differs between the kinds of room, as data. Everything else treats both alike.
 */
import { type AfterTrack, limits, type RoomKind } from '@tunemate/protocol';

export interface RoomRules {
  /** A follower seeks only when it is further off than this. */
  seekToleranceSeconds: number;
  /** What happens after a track in a new room, and whether the host can say something else. */
  afterTrack: AfterTrack;
  setsAfterTrack: boolean;
  /** Where a chosen track goes: to the head of the queue, or in place of the track that plays and before what waits. */
  chosenGoes: 'to the head' | 'in place';
  /** The list of both people that gets an entry when the host accepts. */
  list: 'tunemates' | 'audioConnections';
  /** What a room shows as playing before its first track. */
  initialTitle: string;
}

export const roomRules = {
  video: {
    seekToleranceSeconds: 2,
    afterTrack: 'queue',
    setsAfterTrack: false,
    chosenGoes: 'to the head',
    list: 'tunemates',
    initialTitle: 'No music selected',
  },
  audio: {
    seekToleranceSeconds: 1.5,
    afterTrack: 'stop',
    setsAfterTrack: true,
    chosenGoes: 'in place',
    list: 'audioConnections',
    initialTitle: '',
  },
} as const satisfies Record<RoomKind, RoomRules>;

/** A large room lists its members in pages, and broadcasts who joins or comes back as a count. */
export const isLargeRoom = (people: number): boolean => people > limits.namedPeople;
