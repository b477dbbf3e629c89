/** Why a media element could not play its file: told from the error it reports, and from the server's answer where that is not enough. */
import type { PlayerErrorCode } from '@tunemate/playback';
import type { MediaHead } from './media-head.ts';

/** Codes of MediaError in the HTML standard. The page itself aborts a file when it loads another. */
const aborted = 1;
const network = 2;
/** No such source, an unknown format, or a first request that never got through: browsers do not tell them apart. */
const sourceNotSupported = 4;

/** Null where nothing failed; a promise where only the server's answer tells. */
export function mediaFailure(
  code: number,
  ask: () => Promise<MediaHead | null>,
): PlayerErrorCode | Promise<PlayerErrorCode> | null {
  if (code === aborted) return null;
  if (code === sourceNotSupported) return ask().then(errorOf);
  return code === network ? 'network' : 'unsupported';
}

function errorOf(head: MediaHead | null): PlayerErrorCode {
  if (head === null) return 'network';
  const { status } = head;
  if (status === 429 || status >= 500) return 'network';
  return status < 400 ? 'unsupported' : 'not-found';
}
