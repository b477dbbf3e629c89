/**
 * A stand-in for ListenBrainz, for what its documentation says of `validate-token` and `submit-listens`: tokens, kinds of
 * listens, refusals, limits. It answers as the test wants where it says so.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../network/serve.ts';

interface SubmittedListen {
  readonly listened_at?: number;
  readonly track_metadata: {
    readonly artist_name: string;
    readonly track_name: string;
    readonly release_name?: string;
    readonly additional_info: Readonly<Record<string, unknown>>;
  };
}

export interface ListensCall {
  readonly path: string;
  readonly token: string;
  readonly kind: 'single' | 'import' | 'playing_now' | null;
  readonly payload: readonly SubmittedListen[];
}

export interface FakeListenbrainz {
  /** For LISTENBRAINZ_URL. */
  readonly url: string;
  /** The account of each token. */
  readonly accounts: Map<string, string>;
  readonly calls: ListensCall[];
  /** The titles of all listens that were taken, without those that play now, oldest first. */
  taken(): string[];
  /** The titles that were sent as playing now. */
  nowPlaying(): string[];
  /** Answers in place of the usual answer when it returns true. */
  answer: (call: ListensCall, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

export const sendJson = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

export async function startFakeListenbrainz(): Promise<FakeListenbrainz> {
  const calls: ListensCall[] = [];
  const taken: ListensCall[] = [];
  const accounts = new Map<string, string>();
  const { url, close } = await serve((request, response) => {
    void readCall(request).then((call) => {
      calls.push(call);
      if (fake.answer(call, response)) return;
      const isKnown = accounts.has(call.token);
      if (call.path === '/1/validate-token') {
        const user = isKnown ? { valid: true, user_name: accounts.get(call.token) } : { valid: false };
        return sendJson(response, 200, { code: 200, message: isKnown ? 'Token valid.' : 'Token invalid.', ...user });
      }
      if (!isKnown) return sendJson(response, 401, { code: 401, error: 'Invalid authorization token.' });
      if (!isFit(call)) return sendJson(response, 400, { code: 400, error: 'JSON document is invalid.' });
      taken.push(call);
      sendJson(response, 200, { status: 'ok' });
    });
  });
  const titles = (isNow: boolean) =>
    taken
      .filter(({ kind }) => (kind === 'playing_now') === isNow)
      .flatMap(({ payload }) => payload.map(({ track_metadata: { track_name: title } }) => title));
  const fake: FakeListenbrainz = {
    url,
    accounts,
    calls,
    taken: () => titles(false),
    nowPlaying: () => titles(true),
    answer: () => false,
    close,
  };
  return fake;
}

async function readCall(request: IncomingMessage): Promise<ListensCall> {
  const [, token = ''] = /^Token (\S+)$/.exec(request.headers.authorization ?? '') ?? [];
  const body = request.method === 'POST' ? await text(request) : '';
  const read = (body === '' ? {} : JSON.parse(body)) as {
    listen_type?: ListensCall['kind'];
    payload?: SubmittedListen[];
  };
  return { path: request.url ?? '', token, kind: read.listen_type ?? null, payload: read.payload ?? [] };
}

/** Of 'single' and 'playing_now' one listen; only the others say when. */
function isFit({ path, kind, payload }: ListensCall): boolean {
  if (path !== '/1/submit-listens' || payload.length === 0) return false;
  if (kind !== 'import' && payload.length > 1) return false;
  return payload.every(
    ({ listened_at: at, track_metadata: { artist_name: artist, track_name: title } }) =>
      artist !== '' && title !== '' && (kind === 'playing_now' ? at === undefined : Number.isInteger(at)),
  );
}
