/** Texts of search and suggestions. */
import type { CatalogueAnswer } from '@tunemate/protocol';

export const catalogueSentences = {
  results: 'Search Results',
  cancel: 'Cancel',
  searching: 'Searching...',
  nothingFound: 'No results found',
  search: 'Search',
  libraryOnly: 'Search the library or paste a link',
  withYouTube: 'Search YouTube',
  suggested: 'Suggested',
  noSuggestions: 'No suggestions',
} as const;

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
