/**
 * The playlists that the music server shows to everybody: what its account alone sees stays there. They are asked for
 * again after some minutes, and a list does not wait long for them: what is not there yet is listed the next time.
 */
import { cleanTitle } from '@tunemate/protocol';
import { z } from 'zod';
import { within } from '../../../system/within.ts';
import type { Playlist } from '../source.ts';
import { listIn, text, yes } from './subsonic-answers.ts';
import type { SubsonicClient } from './subsonic-client.ts';
import { idsOf } from './subsonic-taste.ts';

const [patienceMs, keptMs] = [300, 10 * 60 * 1000];
const mostPlaylists = 200;

const playlist = z.object({
  id: z.union([z.string().min(1).max(200), z.number().int().transform(String)]),
  name: text,
  owner: text,
  public: yes,
});

export function subsonicPlaylists(client: Pick<SubsonicClient, 'ask'>, nowMs: () => number) {
  let asked: { atMs: number; all: Promise<readonly Playlist[]> } | null = null;
  let last: readonly Playlist[] = [];

  async function ask(): Promise<readonly Playlist[]> {
    const found: Playlist[] = [];
    for (const said of listIn(await client.ask('getPlaylists'), ['playlists'], ['playlist'])) {
      const read = playlist.safeParse(said);
      if (!read.success || read.data.public !== true) continue;
      const { id, name, owner } = read.data;
      const tracks = idsOf(listIn(await client.ask('getPlaylist', { id }), ['playlist'], ['entry']));
      found.push({ id, name: cleanTitle(name ?? '', 'Untitled'), owner: cleanTitle(owner ?? '', '') || null, tracks });
      if (found.length === mostPlaylists) break;
    }
    return (last = found);
  }

  return async (): Promise<readonly Playlist[]> => {
    // After a clock was set back nothing is kept longer.
    if (asked === null || Math.abs(nowMs() - asked.atMs) >= keptMs) {
      // A server without an answer has those that it had.
      asked = { atMs: nowMs(), all: ask().catch(() => last) };
    }
    return await within(patienceMs, asked.all, last);
  };
}
