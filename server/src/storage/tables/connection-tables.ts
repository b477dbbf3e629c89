/** The tables of what runs: processes and their connections. */

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
