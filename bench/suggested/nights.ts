/** Nights that go on by themselves: what 'Go on with Suggested' plays for eight hours, in libraries of all sizes. */
import { artistOnceIn, restMs, type KnownTrack } from '@tunemate/domain';
import type { VideoId } from '@tunemate/protocol';
import { aRoom } from '@tunemate/testkit/worlds/a-room';
import { libraryId, type LibraryItem } from '../../server/src/catalogue/library/library-item.ts';
import { noTaste } from '../../server/src/catalogue/sources/source.ts';
import { mostPlayed } from '../../server/src/rooms/suggested/room-facts-store.ts';
import { librarySuggestions, type HeardTrack } from '../../server/src/catalogue/suggested/library-suggestions.ts';
import { libraryOf, seeded } from './houses.ts';

const [hourMs, nightMs] = [60 * 60_000, 8 * 60 * 60_000];
/** So often within an hour another track could have been chosen: a few tracks have one order only that follows the rules. */
const fewestChoices = 3;

export interface Nights {
  nights: number;
  tracks: number;
  /** Choices without a track. */
  empty: number;
  /** Tracks that came again within two hours while others had rested. */
  repeated: number;
  /** Artists that came again within eight tracks while a rested track of another artist was there. */
  artists: number;
  /** Nights with an hour, from any track on, that plays what was played before, in the same order, while there was another. */
  hours: number;
  surprises: number;
}

export const itemOf = ({ id, title, artists, genres, year, lufs }: KnownTrack, seconds: number): LibraryItem => ({
  ...{
    id: libraryId(id),
    title,
    artist: artists[0] ?? null,
    artists,
    genres,
    folder: '',
    modifiedMs: 0,
    kind: 'audio',
  },
  album: { name: 'Album', artist: artists[0] ?? null, year, place: 1 },
  ...{
    durationSeconds: seconds,
    mime: 'audio/mpeg',
    streams: null,
    seeksExactly: true,
    playsEverywhere: true,
    path: '',
  },
  ...{ cover: { in: 'nowhere' }, subtitles: [], lyrics: { in: 'nowhere' }, loudness: { track: lufs, album: null } },
});

export async function playNights(count: number): Promise<Nights> {
  const sum: Nights = { nights: count, tracks: 0, empty: 0, repeated: 0, artists: 0, hours: 0, surprises: 0 };
  for (let night = 0; night < count; night += 1) await playNight(night, sum);
  return sum;
}

async function playNight(night: number, sum: Nights): Promise<void> {
  const random = seeded(night + 1);
  const artists = 2 + Math.floor(random() ** 2 * 120);
  const known = libraryOf(random, { artists, genres: 3 + Math.floor(random() * 6) });
  const items = known.map((track) => itemOf(track, 150 + Math.floor(random() * 150)));
  const tempos = new Map(items.map(({ id }, at) => [id, known[at]?.tempo ?? null]));
  const byId = new Map<string, LibraryItem>(items.map((item) => [item.id, item]));
  const soundOf = (item: LibraryItem) => ({ lufs: item.loudness.track, tempo: tempos.get(item.id) ?? null });
  const deps = { list: () => items, byId: (id: string) => byId.get(id) ?? null, soundOf, taste: noTaste };
  const suggest = librarySuggestions(deps);
  let nowMs = 1_800_000_000_000;
  const untilMs = nowMs + nightMs;
  const played: NightTrack[] = [];
  const play = (item: LibraryItem, isByHouse: boolean, hadChoice: boolean): void => {
    const { id: videoId, title, artist, durationSeconds } = item;
    played.push({ videoId, title, artist: artist ?? '', atMs: nowMs, isSkipped: false, isByHouse, hadChoice });
    nowMs += (durationSeconds ?? 200) * 1000;
  };
  play(items[Math.floor(random() * items.length)] as LibraryItem, false, true);
  while (nowMs < untilMs) {
    const now = { played: played.slice(-mostPlayed), seed: night, step: played.length, nowMs };
    const [next] = await suggest(['audio'], played.at(-1)?.videoId as VideoId, aRoom(now), 1);
    sum.tracks += 1;
    if (next === undefined) {
      sum.empty += 1;
      return;
    }
    const hadChoice = judge(next.item, { items, played, nowMs }, sum);
    if (next.because.because === 'surprise') sum.surprises += 1;
    play(next.item, true, hadChoice);
  }
  if (repeatsAnHour(played)) sum.hours += 1;
}

interface NightTrack extends HeardTrack {
  artist: string;
  /** Another track followed the rules as well. */
  hadChoice: boolean;
}

function repeatsAnHour(played: readonly NightTrack[]): boolean {
  const places = new Map<string, number[]>();
  for (const [at, { videoId }] of played.entries()) places.set(videoId, [...(places.get(videoId) ?? []), at]);
  return played.some(({ videoId, atMs }, from) => {
    const to = played.findIndex((each) => each.atMs - atMs >= hourMs);
    const hour = played.slice(from, to);
    if (to === -1 || hour.filter(({ hadChoice }) => hadChoice).length < fewestChoices) return false;
    const isSame = (start: number) => hour.every((each, by) => played[start + by]?.videoId === each.videoId);
    return places.get(videoId)?.some((start) => start < from && isSame(start)) ?? false;
  });
}

interface Night {
  items: readonly LibraryItem[];
  played: readonly NightTrack[];
  nowMs: number;
}

/** Whether there was another track to choose. */
function judge(next: LibraryItem, { items, played, nowMs }: Night, sum: Nights): boolean {
  const resting = new Set(played.filter(({ atMs }) => nowMs - atMs < restMs).map(({ videoId }) => videoId));
  const recent = new Set(played.slice(1 - artistOnceIn).map(({ artist }) => artist));
  const rested = items.filter(({ id }) => !resting.has(id));
  if (resting.has(next.id) && rested.length > 0) sum.repeated += 1;
  const free = rested.filter(({ artist }) => !recent.has(artist ?? ''));
  if (recent.has(next.artist ?? '') && free.length > 0) sum.artists += 1;
  return free.length > 1 || (rested.length === 0 && items.length > artistOnceIn);
}
