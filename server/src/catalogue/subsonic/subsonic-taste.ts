/**
 * What the music server says about taste: which tracks are similar to one, the best known of its artist, and its
 * favourites. A list does not wait long for it: what is not there yet counts the next time.
 */
import { putLatest } from '@tunemate/domain';
import type { VideoId } from '@tunemate/protocol';
import { within } from '../../system/within.ts';
import { libraryId, type LibraryItem } from '../library/library-item.ts';
import type { RemoteTaste } from '../suggested/library-suggestions.ts';
import type { SubsonicClient } from './subsonic-client.ts';

const patienceMs = 300;
const [keptMs, favouritesKeptMs] = [60 * 60 * 1000, 10 * 60 * 1000];
/** Tracks of which the answer is remembered. */
const mostRemembered = 500;
const [mostSimilar, mostTop, mostFavourites] = [50, 10, 2000];

export function subsonicTaste(client: Pick<SubsonicClient, 'ask'>, nowMs: () => number): RemoteTaste {
  const similar = new Map<string, { atMs: number; ids: Promise<readonly VideoId[]> }>();
  let favourites: { atMs: number; ids: Promise<ReadonlySet<string>> } | null = null;
  // After a clock was set back nothing is kept longer.
  const isFresh = ({ atMs }: { atMs: number }, forMs: number) => Math.abs(nowMs() - atMs) < forMs;

  /** Of a server without this call, or without an answer, nothing. */
  const songsOf = async (method: string, part: string, parameters: Record<string, string | number>) => {
    const answer = await client.ask(method, parameters).catch(() => null);
    return answer === null ? [] : idsIn(answer[part]);
  };

  async function ask({ remote, artist }: LibraryItem): Promise<readonly VideoId[]> {
    if (remote === undefined) return [];
    const alike = await songsOf('getSimilarSongs2', 'similarSongs2', { id: remote.id, count: mostSimilar });
    const top = artist === null ? [] : await songsOf('getTopSongs', 'topSongs', { artist, count: mostTop });
    return [...new Set([...alike.slice(0, mostSimilar), ...top.slice(0, mostTop)])];
  }

  return {
    async similarTo(item) {
      if (item.remote === undefined) return [];
      let asked = similar.get(item.id);
      if (asked === undefined || !isFresh(asked, keptMs)) {
        asked = { atMs: nowMs(), ids: ask(item) };
        putLatest(similar, item.id, asked, mostRemembered);
      }
      return await within(patienceMs, asked.ids, []);
    },
    async favourites() {
      if (favourites === null || !isFresh(favourites, favouritesKeptMs)) {
        const songs = songsOf('getStarred2', 'starred2', {});
        favourites = { atMs: nowMs(), ids: songs.then((ids) => new Set(ids.slice(0, mostFavourites))) };
      }
      return await within(patienceMs, favourites.ids, new Set<string>());
    },
  };
}

/** Of the songs that an answer lists; nothing of it is trusted. */
function idsIn(part: unknown): VideoId[] {
  const songs = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)['song'] : undefined;
  if (!Array.isArray(songs)) return [];
  return songs.slice(0, mostFavourites).flatMap((song: unknown) => {
    const id = typeof song === 'object' && song !== null ? (song as Record<string, unknown>)['id'] : undefined;
    const isId = (typeof id === 'string' && id.length <= 200) || typeof id === 'number';
    return isId ? [libraryId(`subsonic:\n${String(id)}`)] : [];
  });
}
