/** Nights that go on by themselves: what 'Go on with Suggested' plays for eight hours, in libraries of all sizes. */
import { artistOnceIn, restMs, type KnownTrack } from '@tunemate/domain';
import type { VideoId } from '@tunemate/protocol';
import { aRoom } from '@tunemate/testkit/worlds/a-room';
import { libraryId, type LibraryItem } from '../../server/src/catalogue/library/library-item.ts';
import {
  librarySuggestions,
  type HeardTrack,
  noTaste,
} from '../../server/src/catalogue/suggested/library-suggestions.ts';
import { libraryOf, seeded } from './houses.ts';

/** About two hours. */
const fewestForHours = 40;
const nightMs = 8 * 60 * 60_000;

export interface Nights {
  nights: number;
  tracks: number;
  /** Choices without a track. */
  empty: number;
  /** Tracks that came again within two hours while others had rested. */
  repeated: number;
  /** Artists that came again within eight tracks while a rested track of another artist was there. */
  artists: number;
  /** Hours that play what an earlier hour of the night played, in the same order. */
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
  const played: (HeardTrack & { artist: string })[] = [];
  const play = (item: LibraryItem, isByHouse: boolean): void => {
    const { id: videoId, title, artist, durationSeconds } = item;
    played.push({ videoId, title, artist: artist ?? '', atMs: nowMs, isSkipped: false, isByHouse });
    nowMs += (durationSeconds ?? 200) * 1000;
  };
  play(items[Math.floor(random() * items.length)] as LibraryItem, false);
  while (nowMs < untilMs) {
    const now = { played: played.slice(-80), seed: night, step: played.length, nowMs };
    const [next] = await suggest(['audio'], played.at(-1)?.videoId as VideoId, aRoom(now), 1);
    sum.tracks += 1;
    if (next === undefined) {
      sum.empty += 1;
      return;
    }
    judge(next.item, { items, played, nowMs }, sum);
    if (next.because.because === 'surprise') sum.surprises += 1;
    play(next.item, true);
  }
  // Of fewer tracks there is no other order.
  if (items.length < fewestForHours) return;
  const hours = Map.groupBy(played, ({ atMs }) => Math.floor((untilMs - atMs) / 3_600_000));
  const orders = [...hours.values()].map((hour) => hour.map(({ videoId }) => videoId).join(' '));
  sum.hours += orders.length - new Set(orders).size;
}

interface Night {
  items: readonly LibraryItem[];
  played: readonly (HeardTrack & { artist: string })[];
  nowMs: number;
}

function judge(next: LibraryItem, { items, played, nowMs }: Night, sum: Nights): void {
  const resting = new Set(played.filter(({ atMs }) => nowMs - atMs < restMs).map(({ videoId }) => videoId));
  const recent = new Set(played.slice(1 - artistOnceIn).map(({ artist }) => artist));
  const rested = items.filter(({ id }) => !resting.has(id));
  if (resting.has(next.id) && rested.length > 0) sum.repeated += 1;
  const isFree = rested.some(({ artist }) => !recent.has(artist ?? ''));
  if (recent.has(next.artist ?? '') && isFree) sum.artists += 1;
}
