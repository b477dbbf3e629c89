/** The tables of the operator's music and films. `schema.ts` combines all tables. */
import type { Generated } from 'kysely';

/** How loud a track of the media folder is. */
export interface MeasuredLoudnessTable {
  item_id: string;
  /** Of the file's bytes. */
  version: string;
  /** Null for silence, and for a track that could not be measured. */
  lufs: number | null;
  /** A digit of base 36 for each part; empty for a track without; null for what an earlier version measured. */
  peaks: string | null;
  /** In beats a minute; 0 where there is no steady beat; null for what an earlier version measured. */
  tempo: number | null;
}

/** A part of what a music server listed. */
export interface MusicServerSongsTable {
  /** A hash of its address and account. */
  server: string;
  /** Counted from 0, in the order of the list. */
  part: number;
  /** As JSON, as the server says them. */
  songs: string;
}

/** What was read from a file of the media folder. */
export interface LibraryFilesTable {
  /** From the folder. */
  place: string;
  /** Of the file's bytes and of the reader. */
  version: string;
  /** A track, or why the file is none, as JSON. */
  found: string;
  /** A hash by which a file is known that was moved; null in rows of older versions of the server. */
  file: string | null;
  /** Its cover, words and subtitles in files of their own, as JSON; null where there are none. */
  beside: Generated<string | null>;
}
