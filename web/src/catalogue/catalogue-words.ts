/** Texts of search and suggestions. */
import type { CatalogueAnswer } from '@tunemate/protocol';
import { t } from '../language/t.ts';

export const catalogueWords = {
  results: t`Search Results`,
  cancel: t`Cancel`,
  addAll: t`Add all`,
  undo: t`Undo`,
  searching: t`Searching...`,
  nothingFound: t`No results found`,
  search: t`Search`,
  libraryOnly: t`Search or link`,
  withYouTube: t`Search YouTube`,
  proposeATrack: t`Propose a track`,
  propose: t`Propose`,
  proposed: t`Proposed`,
  inQueue: t`In the queue`,
  addATrack: t`Add a track`,
  add: t`Add`,
  suggested: t`Suggested`,
  noSuggestions: t`No suggestions`,
} as const;

export function searchHint(isHost: boolean, everyoneAdds: boolean, hasYouTube: boolean): string {
  if (!isHost) return everyoneAdds ? catalogueWords.addATrack : catalogueWords.proposeATrack;
  return hasYouTube ? catalogueWords.withYouTube : catalogueWords.libraryOnly;
}

export const addLabel = (title: string): string => t`Add ${title} to the queue`;

/** The note after 'Add all'. */
export function addedToQueue(tracks: number, leftOut: number): string {
  const added = tracks === 1 ? t`1 track added to the queue` : t`${tracks} tracks added to the queue`;
  return leftOut === 0 ? added : t`${added}, ${leftOut} left out`;
}

/** The note above the results when they may be incomplete. */
export const answerHints: Record<CatalogueAnswer['status'], string | null> = {
  ok: null,
  'library-only': null,
  samples: t`The search did not answer. Two tracks of the library instead:`,
  'playlist-needs-key': t`Only the video of this link: this server has no key to read playlists.`,
  'minute-used-up': t`YouTube asks for a short pause. Try again in a minute. The library and pasted links still work.`,
  'hour-used-up': t`No more YouTube searches this hour. The library and pasted links still work.`,
  'day-used-up': t`No more YouTube searches today. The library and pasted links still work.`,
};
