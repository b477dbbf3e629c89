/**
 * Composes the operator's music server: its list beside the folder's, its tracks and pictures. It decides only which
 * faults stop the start: those that no waiting mends.
 */
import { join } from 'node:path';
import type { MusicServer } from '@tunemate/protocol';
import { type Clock, Failure, type Log } from '../../system/ports.ts';
import { within } from '../../system/within.ts';
import type { LibraryBrowsing } from '../library/library-browsing.ts';
import type { LibraryItem } from '../library/library-item.ts';
import type { LyricsReader } from '../library/lyrics.ts';
import type { MediaLibrary } from '../library/media-library.ts';
import { findRewrite } from '../media/exact-copies.ts';
import type { RemoteFiles } from '../media/media-routes.ts';
import {
  type SubsonicAccount,
  type SubsonicClient,
  subsonicClient,
  type SubsonicFault,
  SubsonicFailure,
} from './subsonic-client.ts';
import { download, type MeasuresFetched, subsonicCopies } from './subsonic-copies.ts';
import { subsonicLibrary } from './subsonic-library.ts';
import { subsonicLyrics } from './subsonic-lyrics.ts';
import { subsonicMedia } from './subsonic-media.ts';
import { subsonicTaste } from './subsonic-taste.ts';
import type { RemoteTaste } from '../suggested/library-suggestions.ts';

/** The server starts after this even when a large list is not read to its end, or nothing answers. */
const patienceMs = 5000;
/** Looked for again this often while the server does not answer. */
const retryMs = 30_000;

/** What only the operator can mend. A server that does not answer may have started at the same time as this one. */
const stopsTheStart = new Set<SubsonicFault>([
  ...(['address', 'redirect', 'certificate', 'tls', 'password', 'key', 'protocol'] as const),
]);

export interface OpenSubsonic {
  files: RemoteFiles;
  /** Writes the bytes of a track into a new file. */
  fetch(item: LibraryItem, to: string, signal: AbortSignal): Promise<void>;
  /** The same, and while people look the list is kept up to date. */
  keptUp(browsing: LibraryBrowsing): LibraryBrowsing;
  /** Prepares the next look: the library is another list once the folder was read again. */
  prepare(): void;
  lyrics: LyricsReader;
  taste: RemoteTaste;
  /** What the server calls itself. */
  server(): MusicServer;
  close(): Promise<void>;
}

interface Parts {
  /** DATA_DIR: copies of tracks are kept there. */
  dataDir: string;
  clock: Pick<Clock, 'now'>;
  log: Log;
  loudness: MeasuresFetched;
}

/** Throws when the address, the account or the protocol is wrong. */
export async function openSubsonic(
  account: SubsonicAccount,
  beside: Pick<MediaLibrary, 'showBeside'>,
  { dataDir, clock, log, loudness }: Parts,
): Promise<OpenSubsonic> {
  let onWhole = (): void => undefined;
  const client = subsonicClient(account);
  const library = subsonicLibrary({
    ...{ client, log, nowMs: () => clock.now() },
    show(items, isWhole) {
      beside.showBeside(items);
      if (isWhole) onWhole();
    },
  });
  const folder = join(dataDir, 'subsonic-copies');
  const copies = await subsonicCopies({ folder, client, log, findRewrite, loudness });
  const known = signedIn(client).catch((error: unknown) => {
    if (!(error instanceof SubsonicFailure) || !stopsTheStart.has(error.fault)) return;
    throw new Failure('server/unavailable', `catalogue.subsonic-${error.fault}`, error);
  });
  await within(
    patienceMs,
    known.then(() => library.refresh()),
    null,
  );
  const retrying = setInterval(() => void (library.isAway && library.refresh()), retryMs);
  retrying.unref();
  return {
    server: () => library.server,
    prepare: () => onWhole(),
    taste: subsonicTaste(client, () => clock.now()),
    lyrics: subsonicLyrics({ client, library, nowMs: () => clock.now() }),
    files: subsonicMedia({ client, library, copies }),
    fetch: (item, to, signal) => download(client, item, to, signal),
    keptUp(browsing) {
      onWhole = () => void browsing.prepare();
      onWhole();
      return {
        ...browsing,
        groups(...asked) {
          void library.refresh();
          return browsing.groups(...asked);
        },
      };
    },
    async close() {
      clearInterval(retrying);
      library.close();
      await copies.close();
    },
  };
}

/**
 * The plug-in of Jellyfin answers every ping, so something is asked that takes an account; what else comes of it says
 * nothing.
 */
async function signedIn(client: SubsonicClient): Promise<void> {
  await client.signIn();
  await client.ask('getLicense').catch((error: unknown) => {
    if (error instanceof SubsonicFailure && error.fault === 'password') throw error;
  });
}
