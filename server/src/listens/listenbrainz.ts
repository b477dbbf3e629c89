/**
 * Speaks the API of ListenBrainz (listenbrainz.readthedocs.io), which Maloja, Koito and others have too: bounded in time
 * and size, no redirects. The public service and any other https address of the default are never inside our network.
 */
import { type ListenedTrack } from '@tunemate/domain';
import { z } from 'zod';
import { callOutside, type OutsideAnswer } from '../system/outside.ts';

/** The server that LISTENBRAINZ_URL names. */
export interface ListenbrainzServer {
  /** Without a slash at its end. */
  url: string;
  /** The operator chose it: it may be in a network of theirs. */
  isOperators: boolean;
}

/** What is sent of a track that was heard. */
export interface Listen extends ListenedTrack {
  /** When it began for the person, server time in ms. */
  listenedAtMs: number;
  durationMs: number | null;
}

export type Submitted =
  | { type: 'taken' }
  /** The token is not valid any more. */
  | { type: 'refused' }
  /** What was sent is wrong for the server, and will be the next time. */
  | { type: 'unfit'; status: number }
  /** The server asks for a pause. */
  | { type: 'later'; afterMs: number };

const answerWithinMs = 10_000;
const mostBytes = 64 * 1024;
const longestPauseMs = 60 * 60_000;
/** Where the answer names no pause. */
const usualPauseMs = 60_000;

const validated = z.object({ valid: z.boolean(), user_name: z.string().optional() });

export function listenbrainz(server: ListenbrainzServer, version: string) {
  const call = (path: string, token: string, body?: object): Promise<OutsideAnswer> =>
    callOutside(new URL(`${server.url}/1/${path}`), {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Token ${token}`,
        accept: 'application/json',
        'user-agent': `Tunemate/${version}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      withinMs: answerWithinMs,
      mostBytes,
      isOperators: server.isOperators,
    });

  const trackOf = ({ artist, title, album }: ListenedTrack, durationMs: number | null) => ({
    artist_name: artist,
    track_name: title,
    ...(album !== null && { release_name: album }),
    additional_info: {
      media_player: 'Tunemate',
      submission_client: 'Tunemate',
      submission_client_version: version,
      ...(durationMs !== null && { duration_ms: durationMs }),
    },
  });

  /** Throws when the server fails or can't be reached: the same may succeed later. */
  async function submit(token: string, listenType: string, payload: readonly object[]): Promise<Submitted> {
    const { status, headers } = await call('submit-listens', token, { listen_type: listenType, payload });
    if (status === 200) return { type: 'taken' };
    if (status === 401) return { type: 'refused' };
    if (status === 400 || status === 413) return { type: 'unfit', status };
    if (status === 429) return { type: 'later', afterMs: pauseOf(headers['x-ratelimit-reset-in']) };
    throw new Error(`the server of listens answered ${String(status)}`);
  }

  return {
    /** The host's name. */
    name: new URL(server.url).host,

    /** The name of the account, null for a token that is none. Throws when the server does not say. */
    async validate(token: string): Promise<string | null> {
      const { status, body } = await call('validate-token', token);
      if (status === 401) return null;
      if (status !== 200) throw new Error(`the server of listens answered ${String(status)}`);
      const { valid, user_name: name = '' } = validated.parse(JSON.parse(body));
      return valid ? name.replaceAll(/\p{C}/gu, '').slice(0, 100) : null;
    },

    playingNow: (token: string, track: ListenedTrack, durationMs: number | null): Promise<Submitted> =>
      submit(token, 'playing_now', [{ track_metadata: trackOf(track, durationMs) }]),

    submit: (token: string, listens: readonly Listen[]): Promise<Submitted> =>
      submit(
        token,
        listens.length === 1 ? 'single' : 'import',
        listens.map(({ listenedAtMs, durationMs, ...track }) => ({
          listened_at: Math.floor(listenedAtMs / 1000),
          track_metadata: trackOf(track, durationMs),
        })),
      ),
  };
}
export type Listenbrainz = ReturnType<typeof listenbrainz>;

function pauseOf(header: string | string[] | undefined): number {
  const seconds = Number(header);
  if (!Number.isFinite(seconds) || header === undefined) return usualPauseMs;
  return Math.min(longestPauseMs, Math.max(1, seconds) * 1000);
}
