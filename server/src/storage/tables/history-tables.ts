/** The tables of what rooms have played and of saved queues. `schema.ts` combines all tables. */
import type { RoomKind } from '@tunemate/protocol';
import type { Generated } from 'kysely';

/** A track that a room has played. */
export interface PlayedTracksTable {
  room_id: string;
  /** 1, 2, 3 … within the room. */
  number: number;
  /** Id, title and length as JSON. */
  track: string;
  proposed_by: string | null;
  /** When it began. */
  at_ms: number;
  /** 1 of a track that 'Go on with Suggested' chose. */
  by_house: Generated<number>;
  /** 1 once it is in `heard_counts`. */
  is_counted: Generated<number>;
}

/** How often a person has heard a track, by itself or after another. */
export interface HeardCountsTable {
  uid: string;
  /** Empty for the counts of the track by itself. */
  after_id: string;
  track_id: string;
  heard: number;
  /** Of these, how often the person chose it. */
  chosen: number;
  /** How often it was left early; not among `heard`. */
  skipped: number;
  last_at_ms: number;
}

/** A queue that a person saved. */
export interface SavedQueuesTable {
  queue_id: string;
  uid: string;
  kind: RoomKind;
  name: string;
  /** As JSON. */
  tracks: string;
  track_count: number;
  at_ms: number;
}

/** Who may read a saved queue of another. */
export interface QueueSharesTable {
  queue_id: string;
  uid: string;
  at_ms: number;
}

/** Which part of what a room has played a person keeps who has left it, or whose room has ended. */
export interface RoomHistoriesTable {
  uid: string;
  room_id: string;
  kind: RoomKind;
  /** The room's. */
  name: string;
  /** When the person first came, and last went. */
  from_ms: number;
  until_ms: number;
  /** Tracks up to this number were deleted by the person. */
  after_number: number;
  /** The last track that began before they went. */
  until_number: number;
}

/** A room that ended, for the person who hosted it then. */
export interface EndedRoomsTable {
  room_id: string;
  host: string;
  kind: RoomKind;
  code: string;
  name: string;
  /** What the host had set, as JSON. */
  settings: string;
  /** The queue from where it stopped, as JSON. */
  playback: string;
  ended_at_ms: number;
}

/** A member of that room when it ended, beside its host. */
export interface EndedRoomPeopleTable {
  room_id: string;
  uid: string;
}
