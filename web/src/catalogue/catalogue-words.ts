/** Texts of search and suggestions. */
import type { CatalogueAnswer } from '@tunemate/protocol';

export const catalogueWords = {
  results: 'Search Results',
  cancel: 'Cancel',
  addAll: 'Add all',
  undo: 'Undo',
  searching: 'Searching...',
  nothingFound: 'No results found',
  search: 'Search',
  libraryOnly: 'Search or link',
  withYouTube: 'Search YouTube',
  proposeATrack: 'Propose a track',
  propose: 'Propose',
  proposed: 'Proposed',
  inQueue: 'In the queue',
  addATrack: 'Add a track',
  add: 'Add',
  suggested: 'Suggested',
  noSuggestions: 'No suggestions',
} as const;

export function searchHint(isHost: boolean, everyoneAdds: boolean, hasYouTube: boolean): string {
  if (!isHost) return everyoneAdds ? catalogueWords.addATrack : catalogueWords.proposeATrack;
  return hasYouTube ? catalogueWords.withYouTube : catalogueWords.libraryOnly;
}

export const addLabel = (title: string): string => `Add ${title} to the queue`;

/** The note after 'Add all'. */
export function addedToQueue(tracks: number, leftOut: number): string {
  const added = `${tracks} ${tracks === 1 ? 'track' : 'tracks'} added to the queue`;
  return leftOut === 0 ? added : `${added}, ${leftOut} left out`;
}

/** The note above the results when they may be incomplete. */
export const answerHints: Record<CatalogueAnswer['status'], string | null> = {
  ok: null,
  'library-only': null,
  samples: 'The search did not answer. Two tracks of the library instead:',
  'playlist-needs-key': 'Only the video of this link: this server has no key to read playlists.',
  'minute-used-up': 'YouTube asks for a short pause. Try again in a minute. The library and pasted links still work.',
  'hour-used-up': 'No more YouTube searches this hour. The library and pasted links still work.',
  'day-used-up': 'No more YouTube searches today. The library and pasted links still work.',
};
