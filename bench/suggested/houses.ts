/**
 * Generated houses: a library, people whose taste is known, and evenings that come of it. What people like is drawn once
 * for each house; what is suggested never sees it, only what was played.
 */
import type { KnownTrack } from '@tunemate/domain';
import { seededRandom } from '@tunemate/testkit/seeded-ids';

/** The same numbers in each run, of neighbouring seeds far apart. */
export const seeded = (seed: number): (() => number) => seededRandom(seed * 2_654_435_761);

export interface Evening {
  people: readonly number[];
  /** Each with the person who chose it. */
  played: readonly { track: KnownTrack; by: number }[];
}

export interface House {
  /** In the order of the folder: by artist, then by album. */
  library: readonly KnownTrack[];
  favourites: ReadonlySet<string>;
  evenings: readonly Evening[];
}

/** How the next track comes about, each with its share; of what is left over half is what the house comes back to, half any track. */
const ways = { habit: 0.4, genre: 0.2, liked: 0.15, artist: 0.03 } as const;
/** A house of a year: about two evenings a week. */
const [fewestEvenings, moreEvenings, tracksOfEvening] = [70, 60, 30];
/** So many tracks are what a house comes back to. */
const known = 90;

export function houseOf(seed: number): House {
  const random = seeded(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  /** The first ones much more often. */
  const leaning = <T>(all: readonly T[]): T => all[Math.floor(all.length * random() ** 2.5)] as T;
  const library = libraryOf(random, { artists: 20 + below(50), genres: 5 + below(6) });
  const people = Array.from({ length: 3 + below(4) }, () => ({
    genres: shuffled([...new Set(library.flatMap(({ genres }) => genres))], random).slice(0, 3),
    liked: shuffled(library, random).slice(0, 30),
  }));
  const byFame = shuffled(library, random);
  const core = shuffled([...people.flatMap(({ liked }) => liked), ...library], random).slice(0, known);
  // What goes with what in this house: of what it comes back to.
  const habits = new Map(core.map((track) => [track, [nearTo(track), nearTo(track)]]));
  function ofGenres(wanted: ReadonlySet<string>): readonly KnownTrack[] {
    const found = byFame.filter((each) => each.genres.some((genre) => wanted.has(genre)));
    return found.length === 0 ? byFame : found;
  }
  function nearTo({ genres }: KnownTrack): KnownTrack {
    const alike = core.filter((each) => each.genres.some((genre) => genres.includes(genre)));
    return oneOf(random() < 0.7 && alike.length > 0 ? alike : core);
  }

  function after(track: KnownTrack, by: number): KnownTrack {
    const { genres, liked } = people[by] as (typeof people)[number];
    let left = random();
    const isNow = (share: number): boolean => (left -= share) < 0;
    const habit = habits.get(track);
    if (isNow(ways.habit) && habit) return oneOf(habit);
    if (isNow(ways.genre)) {
      return leaning(ofGenres(new Set(random() < 0.6 ? track.genres : genres)));
    }
    if (isNow(ways.liked)) return leaning(liked);
    if (isNow(ways.artist)) return oneOf(library.filter((each) => each.artists[0] === track.artists[0]));
    return random() < 0.5 ? leaning(core) : oneOf(library);
  }

  const evenings = Array.from({ length: fewestEvenings + below(moreEvenings) }, (): Evening => {
    const present = shuffled(
      people.map((_, at) => at),
      random,
    ).slice(0, 2 + below(Math.min(3, people.length - 1)));
    const played: { track: KnownTrack; by: number }[] = [];
    for (let tries = 0; played.length < tracksOfEvening && tries < 100; tries += 1) {
      const by = oneOf(present);
      const last = played.at(-1)?.track;
      const track = last === undefined ? leaning((people[by] as (typeof people)[number]).liked) : after(last, by);
      if (played.every((each) => each.track !== track)) played.push({ track, by });
    }
    return { people: present, played };
  });
  const favourites = new Set((people[0]?.liked ?? []).slice(0, 20).map(({ id }) => id));
  return { library, favourites, evenings };
}

interface Size {
  artists: number;
  genres: number;
}

export function libraryOf(random: () => number, { artists, genres }: Size): KnownTrack[] {
  const below = (count: number): number => Math.floor(random() * count);
  const tempos = Array.from({ length: genres }, () => 65 + below(100));
  return Array.from({ length: artists }, (_, artist) => {
    const own = [below(genres), ...(random() < 0.3 ? [below(genres)] : [])];
    const [year, loud] = [1960 + below(60), -18 + random() * 9];
    return Array.from({ length: 3 + below(12) }, (__, number): KnownTrack => {
      const tempo = (tempos[own[0] ?? 0] ?? 100) * (0.85 + random() * 0.3);
      return {
        ...{ id: `a${String(artist)}t${String(number)}`, title: `Track ${String(number)}` },
        artists: [`artist ${String(artist)}`],
        // Some files have no tags but artist and title.
        genres: random() < 0.15 ? [] : own.map((genre) => `genre ${String(genre)}`),
        year: random() < 0.2 ? null : year + below(6),
        lufs: loud + random() * 3,
        tempo: random() < 0.25 ? null : tempo,
      };
    });
  }).flat();
}

export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((each) => [random(), each] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => each);
}
