/** What a search says of its own answer; fetched with the results. */
import type { CatalogueAnswer } from '@tunemate/protocol';
import { t } from '../language/t.ts';

/** The note above the results when they may be incomplete. */
export const answerHints: Record<CatalogueAnswer['status'], string | null> = {
  ok: null,
  'library-only': null,
  samples: t`The search did not answer. Two tracks of the library instead:`,
  'host-not-allowed': t`This server plays no films from that host. Its operator can allow it.`,
  'playlist-needs-key': t`Only the video of this link: this server has no key to read playlists.`,
  'minute-used-up': t`YouTube asks for a short pause. Try again in a minute. The library and pasted links still work.`,
  'hour-used-up': t`No more YouTube searches this hour. The library and pasted links still work.`,
  'day-used-up': t`No more YouTube searches today. The library and pasted links still work.`,
};
