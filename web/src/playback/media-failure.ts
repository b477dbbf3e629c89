/** Why a media element could not play its file: told from the error it reports, and from the server's answer where that is not enough. */
import type { PlayerErrorCode } from '@tunemate/playback';

/** Codes of MediaError in the HTML standard. The page itself aborts a file when it loads another. */
const aborted = 1;
const network = 2;
/** No such source, an unknown format, or a first request that never got through: browsers do not tell them apart. */
const sourceNotSupported = 4;
const answerTimeoutMs = 10_000;

/** The status with which the server answers for a file; null when no answer comes. */
export type AskStatus = (url: string) => Promise<number | null>;

export const askStatus: AskStatus = async (url) => {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(answerTimeoutMs) });
    return answer.status;
  } catch {
    return null;
  }
};

/** Null where nothing failed; a promise where only the server's answer tells. */
export function mediaFailure(
  code: number,
  ask: () => Promise<number | null>,
): PlayerErrorCode | Promise<PlayerErrorCode> | null {
  if (code === aborted) return null;
  if (code === sourceNotSupported) return ask().then(errorOfStatus);
  return code === network ? 'network' : 'unsupported';
}

function errorOfStatus(status: number | null): PlayerErrorCode {
  if (status === null || status === 429 || status >= 500) return 'network';
  return status < 400 ? 'unsupported' : 'not-found';
}
