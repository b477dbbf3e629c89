/** Texts of the library. */
import type { LibraryGroup, LibraryTrack, MusicServer } from '@tunemate/protocol';
import type { LibraryShown, LibraryTab } from './library-model.ts';
import { locale, t } from '../language/t.ts';
import { lengthToSecond } from '../words/lengths.ts';

const number = new Intl.NumberFormat(locale);

export const librarySentences = {
  library: t`Library`,
  close: t`Close`,
  search: t`Search the library`,
  loading: t`Loading...`,
  empty: t`The library is empty.`,
  emptyHint: t`Put music or films into the folder that MEDIA_DIR names.`,
  nothingFound: t`Nothing in the library has these words.`,
  choose: t`Choose one to see what it contains.`,
  retry: t`Try again`,
  source: t`Where tracks come from`,
  allSources: t`All music`,
  back: t`Back`,
  byName: t`By name`,
  newestFirst: t`Newest first`,
  sortByName: t`Sort by name`,
  sortByYear: t`Sort by year`,
  addAll: (tracks: number) => t`Add all ${number.format(tracks)}`,
} as const;

export const tabNames: Record<LibraryTab, string> = {
  artist: t`Artists`,
  album: t`Albums`,
  genre: t`Genres`,
  playlist: t`Playlists`,
  folder: t`Folders`,
  newest: t`Newest`,
};

const unnamed: Record<LibraryTab, string> = {
  artist: t`Unknown artist`,
  album: t`Unknown album`,
  genre: t`Unfiled`,
  playlist: '',
  folder: t`Top folder`,
  newest: '',
};

/** Where a track comes from that is no file of the library's folder. */
const serverNames: Record<MusicServer, string> = {
  navidrome: 'Navidrome',
  gonic: 'Gonic',
  airsonic: 'Airsonic',
  supysonic: 'Supysonic',
  jellyfin: 'Jellyfin',
  other: t`Music server`,
};

/** Of the folder, and of a server. */
export const sourceName = (server: MusicServer | null): string =>
  server === null ? t`Own files` : serverNames[server];

export function groupName({ name }: Pick<LibraryGroup, 'name'>, tab: LibraryTab): string {
  return name ?? unnamed[tab];
}

/** '2021 · 11 tracks' of an album, '4 albums' of an artist, '11 tracks' of one who is on no album, of a genre and of a folder. */
export function groupFacts({ year, tracks, albums }: LibraryGroup): string {
  if (albums) return albums === 1 ? t`1 album` : t`${counted(albums)} albums`;
  return [year === null ? null : String(year), trackCount(tracks)].filter(Boolean).join(t` · `);
}

/** '34 tracks · by Mara' */
export const playlistFacts = ({ tracks, artist }: LibraryGroup): string =>
  artist === null ? trackCount(tracks) : t`${trackCount(tracks)} · by ${artist}`;

/** '2021 · 11 tracks · 40 min 11 s', '4 albums · 31 tracks' */
export function openGroupFacts(group: LibraryGroup): string {
  const { albums, tracks, durationSeconds } = group;
  const more = albums ? trackCount(tracks) : durationSeconds && lengthToSecond(durationSeconds);
  return [groupFacts(group), more].filter(Boolean).join(t` · `);
}

/** '12,400 of 31,000 read' */
export const readSoFar = ({ read, of }: NonNullable<LibraryShown['reading']>): string =>
  t`${number.format(read)} of ${number.format(of)} read`;

/** '48,310 tracks' */
export function trackCount(count: number): string {
  return count === 1 ? t`1 track` : t`${number.format(count)} tracks`;
}

export function counted(count: number): string {
  return number.format(count);
}

/** Without what the head of the open group says of all its tracks. */
export function detailOf({ artist, album, server }: LibraryTrack, { tab, group }: LibraryShown): string {
  const known = group === null ? null : tab;
  const from = server && serverNames[server];
  const isOfAll = known === 'artist' || (known === 'album' && artist === group?.artist);
  return [isOfAll ? null : artist, known === 'album' ? null : album, from].filter(Boolean).join(t` · `);
}
