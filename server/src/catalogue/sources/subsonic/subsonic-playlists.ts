/**
 * The playlists that the music server shows to everybody: what its account alone sees stays there. They are asked for
 * again after some minutes, and a list does not wait long for them: what is not there yet is listed the next time.
 */
import { cleanTitle } from '@tunemate/protocol';
import { z } from 'zod';
import { within } from '../../../system/within.ts';
import type { Playlist } from '../source.ts';
import { listIn, text, yes } from './subsonic-answers.ts';
import { ofServer, type SubsonicClient, SubsonicFailure } from './subsonic-client.ts';
import { idsOf } from './subsonic-taste.ts';

const [patienceMs, keptMs] = [300, 10 * 60 * 1000];
/** After this a server without an answer is asked again. */
const retryMs = 30_000;
const mostPlaylists = 200;

const playlist = z.object({
  id: z.union([z.string().min(1).max(200), z.number().int().transform(String)]),
  name: text,
  owner: text,
  public: yes,
});

export function subsonicPlaylists(client: Pick<SubsonicClient, 'ask'>, nowMs: () => number) {
  let asked: { untilMs: number; all: Promise<readonly Playlist[]> } | null = null;
  let last: readonly Playlist[] = [];

  async function ask(): Promise<readonly Playlist[]> {
    const found: Playlist[] = [];
    for (const said of listIn(await client.ask('getPlaylists'), ['playlists'], ['playlist'])) {
      const read = playlist.safeParse(said);
      if (!read.success || read.data.public !== true) continue;
      const { id } = read.data;
      const owner = cleanTitle(read.data.owner ?? '', '') || null;
      const tracks = await tracksOf(id);
      if (tracks !== null) found.push({ id, name: nameOf(read.data.name ?? '', owner), owner, tracks });
      if (found.length === mostPlaylists) break;
    }
    return (last = found);
  }

  /**
   * Null of one that is gone meanwhile, that this account may not read, or that is longer than an answer may be. One that
   * was read before is as it was then.
   */
  async function tracksOf(id: string): Promise<Playlist['tracks'] | null> {
    try {
      return idsOf(listIn(await client.ask('getPlaylist', { id }), ['playlist'], ['entry']));
    } catch (error) {
      if (!(error instanceof SubsonicFailure) || ofServer.has(error.fault)) throw error;
      const isNone = error.fault === 'gone' || error.fault === 'rights';
      return isNone ? null : (last.find((each) => each.id === id)?.tracks ?? null);
    }
  }

  return async (): Promise<readonly Playlist[]> => {
    const atMs = nowMs();
    // After a clock was set back nothing is kept longer.
    if (asked === null || atMs >= asked.untilMs || asked.untilMs - atMs > keptMs) {
      const now = { untilMs: atMs + keptMs, all: ask() };
      // A server without an answer has those that it had.
      now.all = now.all.catch(() => {
        now.untilMs = atMs + retryMs;
        return last;
      });
      asked = now;
    }
    return await within(patienceMs, asked.all, last);
  };
}

/** Supysonic writes the owner before the name of a playlist that is another person's. */
function nameOf(said: string, owner: string | null): string {
  const before = `[${String(owner)}] `;
  return cleanTitle(owner !== null && said.startsWith(before) ? said.slice(before.length) : said, 'Untitled');
}
