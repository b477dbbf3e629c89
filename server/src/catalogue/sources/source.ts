/**
 * What the library and what is sent of it know of where music comes from. A source is a folder beside this file and one
 * line in `sources.ts`.
 */
import type { FileHandle } from 'node:fs/promises';
import type { Lyrics, MusicServer, Result, VideoId } from '@tunemate/protocol';
import type { FilePart } from '../../http/byte-range.ts';
import type { Db } from '../../storage/schema.ts';
import type { Clock, Log } from '../../system/ports.ts';
import type { KeptList } from '../library/kept-list.ts';
import type { LibraryItem } from '../library/library-item.ts';
import type { SentFile } from '../media/exact-copies.ts';
import type { PlayedCopies } from '../media/played-copies.ts';

export interface Source {
  /** Items have it in `at`. */
  readonly name: string;
  /** What its server calls itself; null for one without. */
  server(): MusicServer | null;
  /** Its items in their order; the same list until they change. */
  list(): KeptList;
  /** False until the whole list was read once: an unknown track may be one of its tracks. */
  isListed(): boolean;
  /** A person looks at the library: a list that is old is read again. */
  look(): void;
  /** Refuses with `server/unavailable` what a player may ask for again. */
  open(item: LibraryItem): Promise<Result<OpenedFile | OpenedElsewhere>>;
  /** Copies that all browsers seek exactly. */
  copies: {
    /** Null while there is none. */
    of(item: LibraryItem): SentFile | null;
    /** Of a file that no longer exists: the folder was deleted, or another server removed it. */
    forget(copy: SentFile): void;
  };
  /** The path of a file with the bytes of a track; where there is none they are written to `to`. Rejects with `NotYet` while they are away. */
  fileOf(item: LibraryItem, to: string, signal: AbortSignal): Promise<string>;
  /** Null for none. */
  cover(item: LibraryItem): Promise<FoundCover | null>;
  /** Null for a track without words. */
  lyrics(item: LibraryItem): Promise<Lyrics | null>;
  taste: Taste;
  /** Those that it shows to everybody. */
  playlists(): Promise<readonly Playlist[]>;
  close(): void;
}

/** What a source is opened with, beside its settings. */
export interface SourceParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** For tracks that browsers do not seek exactly, or of which only their bytes say how loud they are. */
  copies: PlayedCopies;
  /** Its whole list is another than before. */
  changed(): void;
}

/** A file of this machine. */
export interface OpenedFile extends SentFile {
  file: FileHandle;
}

export interface OpenedElsewhere {
  version: Version;
  /** `range` is the header. */
  part(range: string | undefined): Promise<Result<FilePart>>;
}

export interface Version {
  /** Strong: two versions with the same tag are the same bytes. Quotes included. */
  etag: string;
  /** As an HTTP date. */
  lastModified: string;
}

export interface FoundCover {
  /** The same while the picture is, among all sources. */
  version: string;
  /** Null for no picture. Rejects with a `Failure` that says nothing of the picture. */
  read(): Promise<{ bytes: Buffer; mime: string } | null>;
}

export interface Playlist {
  /** The source's own. */
  id: string;
  name: string;
  owner: string | null;
  /** In their order; not all need be listed. */
  tracks: readonly VideoId[];
}

/** What a source says of taste; most say nothing. */
export interface Taste {
  /** The most similar first. */
  similarTo(item: LibraryItem): Promise<readonly VideoId[]>;
  favourites(): Promise<ReadonlySet<string>>;
}

export const noTaste: Taste = {
  similarTo: () => Promise.resolve([]),
  favourites: () => Promise.resolve(new Set()),
};
