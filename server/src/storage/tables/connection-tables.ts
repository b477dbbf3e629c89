/** The tables of what runs: processes, their connections, and what people hear. */

export interface ProcessesTable {
  process_id: string;
  seen_at_ms: number;
  /** What it says of itself, as JSON (status/process-facts.ts); null until it has. */
  facts: string | null;
}

export interface ConnectionsTable {
  connection_id: string;
  uid: string;
  /** Null for connections from before this column existed. */
  tab_id: string | null;
  process_id: string;
  opened_at_ms: number;
  /** Which room this connection is in, as `kind:room_id`; null for none. */
  room: string | null;
  /** The last measurement of its tab; null before the first. */
  round_trip_ms: number | null;
  /** The end of the grace period: the connection is closed and counts as online until then. */
  grace_until_ms: number | null;
}

/** What a person who shows it hears, or heard last. */
export interface HearingTable {
  uid: string;
  /** The room that they are in, as in `connections`; null for none. */
  room: string | null;
  video_id: string | null;
  /** Since when the track does not play for them; null while it does, and where nothing was heard. */
  ended_at_ms: number | null;
  changed_at_ms: number;
}
