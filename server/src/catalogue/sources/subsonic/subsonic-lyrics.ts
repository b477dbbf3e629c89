/**
 * The words of a track of the music server: with their times where the server knows the extension for that, else as it
 * has them by artist and title. What it sends is bounded, and is read like the words of a file.
 */
import { folded, putLatest } from '@tunemate/domain';
import type { Lyrics } from '@tunemate/protocol';
import { z } from 'zod';
import { within } from '../../../system/within.ts';
import type { AtSource, LibraryItem } from '../../library/library-item.ts';
import { lyricsOfEntries, lyricsOfText } from '../../library/lrc.ts';
import { maxLyricsBytes } from '../../library/lyrics.ts';
import type { Source } from '../source.ts';
import { listIn, listOf, number, text, yes } from './subsonic-answers.ts';
import { ofServer, type SubsonicClient, SubsonicFailure } from './subsonic-client.ts';
import type { SubsonicLibrary } from './subsonic-library.ts';
import { atMost } from './subsonic-media.ts';

const askedAtOnce = 4;
/** A page shows none until then. */
const patienceMs = 8000;
/** Words are kept as long as the list of tracks. */
const keptMs = 15 * 60_000;
const keptTracks = 100;
/** More lines than a song has. */
const mostLines = 50_000;
const longestLine = 2000;

/** Each as the protocol writes it, or its text alone. */
const said = z.unknown().transform((each) => (typeof each === 'string' ? { value: each } : each));
const extension = said.pipe(z.looseObject({ name: text, value: text }));
const line = said.pipe(z.looseObject({ start: number.optional().catch(undefined), value: z.string() }));
const structured = z.looseObject({
  synced: yes,
  /** In milliseconds; positive where the words come too late. */
  offset: number.optional().catch(undefined),
  line: z.unknown().transform(listOf),
});
const named = said.pipe(z.looseObject({ title: text, value: z.string() }));

interface SubsonicLyricsDeps {
  client: Pick<SubsonicClient, 'ask'>;
  library: Pick<SubsonicLibrary, 'note'>;
  nowMs: () => number;
  waitMs?: number;
}

export function subsonicLyrics({ client, library, nowMs, waitMs = patienceMs }: SubsonicLyricsDeps): Source['lyrics'] {
  const turns = atMost(askedAtOnce);
  let extension: { isKnown: Promise<boolean>; untilMs: number } | null = null;
  /** The least recently used first. */
  const kept = new Map<string, { lyrics: Promise<Lyrics | null>; untilMs: number }>();

  function hasExtension(): Promise<boolean> {
    if (extension !== null && nowMs() < extension.untilMs) return extension.isKnown;
    const asked = { isKnown: asksForExtension(client), untilMs: nowMs() + keptMs };
    asked.isKnown.catch(() => (extension = null));
    extension = asked;
    return asked.isKnown;
  }

  async function read(item: LibraryItem, track: AtSource): Promise<Lyrics | null> {
    const free = await turns.wait();
    try {
      return (await hasExtension()) ? await wordsById(client, track.id) : await wordsByName(client, item);
    } finally {
      free();
    }
  }

  return async (item) => {
    const { id, at } = item;
    if (at === undefined) return null;
    const known = kept.get(id);
    const now = known !== undefined && nowMs() < known.untilMs ? known : null;
    const asked = now ?? { lyrics: read(item, at), untilMs: nowMs() + keptMs };
    putLatest(kept, id, asked, keptTracks);
    const answered = asked.lyrics.catch((error: unknown) => {
      if (kept.get(id) === asked) kept.delete(id);
      library.note(error);
      return null;
    });
    return await within(waitMs, answered, null);
  };
}

/** Null in place of a failure that says that there is nothing. */
const unless = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (error instanceof SubsonicFailure && !ofServer.has(error.fault)) return null;
    throw error;
  });

async function asksForExtension(client: SubsonicLyricsDeps['client']): Promise<boolean> {
  const answer = await unless(client.ask('getOpenSubsonicExtensions', {}, maxLyricsBytes));
  return listOf(answer?.['openSubsonicExtensions']).some((each) => {
    const { name, value } = extension.safeParse(each).data ?? {};
    return (name ?? value) === 'songLyrics';
  });
}

/** Times before none, and of several languages the first. */
async function wordsById(client: SubsonicLyricsDeps['client'], id: string): Promise<Lyrics | null> {
  const answer = await unless(client.ask('getLyricsBySongId', { id }, maxLyricsBytes));
  const found = (answer === null ? [] : listIn(answer, ['lyricsList'], ['structuredLyrics'])).flatMap((each) => {
    const read = structured.safeParse(each);
    return read.success ? [read.data] : [];
  });
  for (const each of found.toSorted((a, b) => Number(b.synced ?? false) - Number(a.synced ?? false))) {
    const lyrics = lyricsOfStructured(each);
    if (lyrics !== null) return lyrics;
  }
  return null;
}

function lyricsOfStructured({ synced, offset = 0, line: all }: z.infer<typeof structured>): Lyrics | null {
  const lines = all.slice(0, mostLines).flatMap((each) => {
    const read = line.safeParse(each);
    if (!read.success) return [];
    return [{ ms: (read.data.start ?? Number.NaN) - offset, text: read.data.value.slice(0, longestLine) }];
  });
  // A break within a line would end a syllable.
  if (synced === true)
    return lyricsOfEntries(lines.map(({ ms, text }) => ({ ms, text: text.replaceAll(/\s+/gu, ' ') })));
  return lyricsOfText(lines.map(({ text }) => text).join('\n'));
}

async function wordsByName(
  client: SubsonicLyricsDeps['client'],
  { artist, title }: Pick<LibraryItem, 'artist' | 'title'>,
): Promise<Lyrics | null> {
  const asked = { title, ...(artist !== null && { artist }) };
  const answer = await unless(client.ask('getLyrics', asked, maxLyricsBytes));
  const lyrics = answer?.['lyrics'];
  const found = named.safeParse(typeof lyrics === 'string' ? lyrics : listOf(lyrics)[0]);
  // Supysonic also finds tracks whose titles only begin or end alike.
  const isOther = found.data?.title !== undefined && folded(found.data.title) !== folded(title);
  return found.success && !isOther ? lyricsOfText(found.data.value) : null;
}
