/** The tables of what two people heard together. `schema.ts` combines all tables. */
import type { Generated } from 'kysely';

/** Two people of whom one asked to keep what both hear together. `first_uid` is the lower one. */
export interface MusicPairsTable {
  pair_id: string;
  first_uid: string;
  second_uid: string;
  asked_by: string | null;
  asked_at_ms: number | null;
  declined_at_ms: number | null;
  /** Since when both want it; null while not both do. */
  kept_since_ms: number | null;
  forgotten_by: string | null;
  /** Up to when what both heard is counted. */
  counted_until_ms: Generated<number>;
}

/** A track that both heard, from when they did. */
export interface MusicListensTable {
  pair_id: string;
  begun_at_ms: number;
  until_ms: number;
  track_id: string;
  room: string;
  heard_ms: number;
  /** Whether it was heard for long enough to count. */
  is_counted: number;
}

export interface MusicTracksTable {
  pair_id: string;
  track_id: string;
  /** Id, title and length as JSON. */
  track: string;
  times: number;
  first_at_ms: number;
  /** Who put it on then. */
  first_by: string | null;
}

export interface MusicEveningsTable {
  pair_id: string;
  begun_at_ms: number;
  until_ms: number;
  heard_ms: number;
  /** `audio:` or `video:` and the room's id, its code and its name. */
  room: string;
  code: string;
  name: string;
}

/** When a person's player was in step with a room, of the last minutes. */
export interface MusicHearingsTable {
  uid: string;
  room: string;
  from_ms: number;
  until_ms: number;
}

/** What a room in which such a person is played from a moment on, of the last hours. */
export interface MusicPlayedTable {
  room: string;
  revision: number;
  at_ms: number;
  is_playing: number;
  position_seconds: number;
  /** Id, title and length as JSON, and who put it on; null where nothing is chosen. */
  track: string | null;
  put_by: string | null;
}
