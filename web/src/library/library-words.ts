/** Texts of the library. */
import type { LibraryGroup } from '@tunemate/protocol';
import type { LibraryTab } from './library-model.ts';

const number = new Intl.NumberFormat('en');

export const librarySentences = {
  library: 'Library',
  close: 'Close',
  search: 'Search the library',
  find: 'Search',
  loading: 'Loading...',
  empty: 'The library is empty.',
  emptyHint: 'Put music or films into the folder that MEDIA_DIR names.',
  nothingFound: 'Nothing in the library has these words.',
  choose: 'Choose one to see what it contains.',
  retry: 'Try again',
  back: 'Back',
  addAll: (tracks: number) => `Add all ${number.format(tracks)}`,
} as const;

export const tabNames: Record<LibraryTab, string> = {
  artist: 'Artists',
  album: 'Albums',
  folder: 'Folders',
  newest: 'Newest',
};

const unnamed: Record<LibraryTab, string> = {
  artist: 'Unknown artist',
  album: 'Unknown album',
  folder: 'Top folder',
  newest: '',
};

export function groupName({ name }: Pick<LibraryGroup, 'name'>, tab: LibraryTab): string {
  return name ?? unnamed[tab];
}

/** 'Ines Calloway · 2021 · 11 tracks' */
export function groupFacts({ artist, year, tracks }: LibraryGroup): string {
  return [artist, year === null ? null : String(year), trackCount(tracks)].filter(Boolean).join(' · ');
}

/** '48,310 tracks' */
export function trackCount(count: number): string {
  return `${number.format(count)} ${count === 1 ? 'track' : 'tracks'}`;
}

export function counted(count: number): string {
  return number.format(count);
}
