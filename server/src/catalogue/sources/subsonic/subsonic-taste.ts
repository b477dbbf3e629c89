/**
 * What the music server says about taste: which tracks sound like one (where it knows the extension for that), which are
 * similar to it, the best known of its artist, and its favourites. A list does not wait long for it: what is not there yet counts the next time.
 */
import { putLatest } from '@tunemate/domain';
import type { VideoId } from '@tunemate/protocol';
import { within } from '../../../system/within.ts';
import { libraryId, type LibraryItem } from '../../library/library-item.ts';
import type { Taste } from '../source.ts';
import { listIn, listOf } from './subsonic-answers.ts';
import type { SubsonicClient } from './subsonic-client.ts';

const patienceMs = 300;
const [keptMs, favouritesKeptMs] = [60 * 60 * 1000, 10 * 60 * 1000];
/** Tracks of which the answer is remembered. */
const mostRemembered = 500;
const [mostSimilar, mostTop, mostListed] = [50, 10, 2000];

export function subsonicTaste(client: Pick<SubsonicClient, 'ask'>, nowMs: () => number): Taste {
  const similar = new Map<string, { atMs: number; ids: Promise<readonly VideoId[]> }>();
  let favourites: { atMs: number; ids: Promise<ReadonlySet<string>> } | null = null;
  // After a clock was set back nothing is kept longer.
  const isFresh = ({ atMs }: { atMs: number }, forMs: number) => Math.abs(nowMs() - atMs) < forMs;

  /** Of a server without this call, or without an answer, nothing. */
  const answerOf = async (method: string, parameters: Record<string, string | number> = {}) =>
    await client.ask(method, parameters).catch(() => null);
  const songsOf = async (method: string, part: string, parameters: Record<string, string | number>) => {
    const answer = await answerOf(method, parameters);
    return answer === null ? [] : idsOf(listIn(answer, [part], ['song']));
  };

  let sonic: { atMs: number; isKnown: Promise<boolean> } | null = null;
  async function hasSonic(): Promise<boolean> {
    if (sonic === null || !isFresh(sonic, keptMs)) {
      const asked = answerOf('getOpenSubsonicExtensions');
      sonic = {
        atMs: nowMs(),
        isKnown: asked.then((answer) => listOf(answer?.['openSubsonicExtensions']).some(isSonic)),
      };
    }
    return await sonic.isKnown;
  }

  /** By their sound, each in an object with how near it is. */
  async function sonicOf(id: string): Promise<VideoId[]> {
    if (!(await hasSonic())) return [];
    const answer = await answerOf('getSonicSimilarTracks', { id, count: mostSimilar });
    return idsOf(listOf(answer?.['sonicMatch']).map((match) => fieldOf(match, 'entry')));
  }

  async function ask({ at, artist }: LibraryItem): Promise<readonly VideoId[]> {
    if (at === undefined) return [];
    const sounds = await sonicOf(at.id);
    const alike = await songsOf('getSimilarSongs2', 'similarSongs2', { id: at.id, count: mostSimilar });
    const top = artist === null ? [] : await songsOf('getTopSongs', 'topSongs', { artist, count: mostTop });
    return [...new Set([...sounds.slice(0, mostSimilar), ...alike.slice(0, mostSimilar), ...top.slice(0, mostTop)])];
  }

  return {
    async similarTo(item) {
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
        favourites = { atMs: nowMs(), ids: songs.then((ids) => new Set(ids)) };
      }
      return await within(patienceMs, favourites.ids, new Set<string>());
    },
  };
}

const fieldOf = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined;

const isSonic = (extension: unknown): boolean => fieldOf(extension, 'name') === 'sonicSimilarity';

/** Of the songs that an answer lists, as many as one list may have; nothing of it is trusted. */
export function idsOf(songs: readonly unknown[]): VideoId[] {
  return songs.slice(0, mostListed).flatMap((song) => {
    const id = fieldOf(song, 'id');
    const isId = (typeof id === 'string' && id.length <= 200) || typeof id === 'number';
    return isId ? [libraryId(`subsonic:\n${String(id)}`)] : [];
  });
}
