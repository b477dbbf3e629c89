/** The differences between video rooms and audio rooms, as data. All other code treats both alike. */
import { type AfterTrack, limits, type RoomKind } from '@tunemate/protocol';

export interface RoomRules {
  /** A follower seeks only beyond this drift. */
  seekToleranceSeconds: number;
  /** What happens after a track in a new room, and whether the host can change it. */
  afterTrack: AfterTrack;
  setsAfterTrack: boolean;
  /** A chosen track goes to the head of the queue, or replaces the playing track and keeps the upcoming ones. */
  chosenGoes: 'to the head' | 'in place';
  /** The list of both people that gets an entry when the host accepts. */
  list: 'tunemates' | 'audioConnections';
  /** The title shown before the first track. */
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

/** A large room lists its members in pages and broadcasts joins and returns as a count. */
export const isLargeRoom = (people: number): boolean => people > limits.namedPeople;

/** More people than that are an audience: they are counted, and only its host reads who they are. */
export const isAudience = (people: number): boolean => people > limits.audiencePeople;
