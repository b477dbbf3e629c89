/** What the server says of a media file without sending it. */

/** `type` is null where the server answers with an error, or names none. */
export interface MediaHead {
  readonly status: number;
  readonly type: string | null;
}

/** Null when no answer comes. */
export type AskHead = (url: string) => Promise<MediaHead | null>;

const answerTimeoutMs = 10_000;

export const askHead: AskHead = async (url) => {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(answerTimeoutMs) });
    return { status: answer.status, type: answer.ok ? answer.headers.get('content-type') : null };
  } catch {
    return null;
  }
};
