/**
 * Composes the operator's music server: its list beside the folder's, its tracks and pictures. It decides only which
 * faults stop the start: those that no waiting mends.
 */
import { adviceOn } from '../../../system/outside.ts';
import { SourceFailure } from '../../../system/start-failure.ts';
import { within } from '../../../system/within.ts';
import { knownPatienceMs } from '../../library/kept-items.ts';
import { keptList } from '../../library/kept-list.ts';
import type { Source, SourceParts } from '../source.ts';
import {
  type SubsonicAccount,
  type SubsonicClient,
  subsonicClient,
  type SubsonicFault,
  SubsonicFailure,
} from './subsonic-client.ts';
import { download } from './subsonic-download.ts';
import { subsonic } from './subsonic-items.ts';
import { subsonicLibrary } from './subsonic-library.ts';
import { subsonicLyrics } from './subsonic-lyrics.ts';
import { subsonicMedia } from './subsonic-media.ts';
import { subsonicPlaylists } from './subsonic-playlists.ts';
import { subsonicTaste } from './subsonic-taste.ts';
import { storedSongs } from './stored-songs.ts';

/** The server starts after this even when a large list is not read to its end, or nothing answers. */
const patienceMs = 5000;
/** Looked for again this often while the server does not answer. */
const retryMs = 30_000;

/** Of what only the operator can mend. A server that does not answer may have started at the same time as this one. */
const startLines: Partial<Record<SubsonicFault, string>> = {
  address: 'What answers at SUBSONIC_URL is no Subsonic server. Check the address, its port and its path, or unset it.',
  redirect:
    'The music server of SUBSONIC_URL leads to another address, which is not followed. Set SUBSONIC_URL to that address, or let addresses below /rest/ through where it is a page to sign in.',
  proxy:
    'What stands before the music server of SUBSONIC_URL asks for a sign-in of its own. Let addresses below /rest/ through there, or name the address of the music server itself.',
  certificate: `The music server of SUBSONIC_URL can not be trusted. ${adviceOn.certificate}`,
  tls: `The music server of SUBSONIC_URL can not be reached by https. ${adviceOn.tls}`,
  password:
    'The music server of SUBSONIC_URL does not accept the account. Check SUBSONIC_USER and SUBSONIC_PASSWORD, or SUBSONIC_TOKEN.',
  key: 'The music server of SUBSONIC_URL accepts no API keys. Set SUBSONIC_USER and SUBSONIC_PASSWORD in place of SUBSONIC_TOKEN.',
  protocol:
    'The music server of SUBSONIC_URL is too old: Subsonic protocol 1.8.0 or newer is needed. Update it, or unset SUBSONIC_URL.',
};

/** Null without a music server. Throws when the address, the account or the protocol is wrong. */
export async function openSubsonic(parts: SourceParts & { subsonic?: SubsonicAccount | null }): Promise<Source | null> {
  const { subsonic: account = null, db, clock, log, copies, changed } = parts;
  if (account === null) return null;
  const nowMs = () => clock.now();
  const client = subsonicClient(account);
  let list = keptList([]);
  const library = subsonicLibrary({
    ...{ client, log, nowMs, stored: storedSongs(db, account) },
    show(found, isWhole) {
      list = found;
      if (isWhole) changed();
    },
  });
  const fileOf: Source['fileOf'] = async (item, to, signal) => {
    await download(client, item, to, signal);
    return to;
  };
  const known = signedIn(client).catch((error: unknown) => {
    if (!(error instanceof SubsonicFailure)) return;
    const line = startLines[error.fault];
    if (line !== undefined) throw new SourceFailure(`catalogue.subsonic-${error.fault}`, line, error);
  });
  await within(knownPatienceMs, library.recall(), null);
  const isKnown = list.items.length > 0;
  // A list that is known is read again in the background; a wrong account stops the start all the same.
  await within(
    patienceMs,
    known.then(() => (isKnown ? void library.refresh() : library.refresh())),
    null,
  );
  const retrying = setInterval(() => void (library.isAway && library.refresh()), retryMs);
  retrying.unref();
  return {
    ...subsonicMedia({ client, library, wantCopy: (item) => copies.want(item, fileOf) }),
    ...{ name: subsonic, copies, fileOf },
    server: () => library.server,
    list: () => list,
    isListed: () => library.isListed,
    look: () => void library.refresh(),
    lyrics: subsonicLyrics({ client, library, nowMs }),
    taste: subsonicTaste(client, nowMs),
    playlists: subsonicPlaylists(client, nowMs),
    close() {
      clearInterval(retrying);
      library.close();
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
