/** Texts of search and suggestions. */
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
