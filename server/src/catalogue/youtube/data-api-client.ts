/**
 * One GET of the video service's data API: limited in time and size, and behind a circuit breaker. It knows none of the
 * calls. The key is sent as a parameter and appears in no error and no log line.
 */
import CircuitBreaker from 'opossum';
import type { z } from 'zod';
import { VideoSourceFailure, type VideoSourceFailureCode } from '../video-source.ts';

export interface DataApiOptions {
  /** YOUTUBE_API_URL, without a slash at the end. */
  baseUrl: string;
  key: string;
  /** Timeout of the whole answer, its body included. */
  timeoutMs?: number;
  /** How long the breaker stays open before it lets one call try. */
  retryAfterMs?: number;
}

const defaultTimeoutMs = 3000;
const defaultRetryAfterMs = 30_000;
const maxBodyBytes = 1024 * 1024;
const failuresToOpen = 5;
/** Reasons in the service's error body, as documented: daily quota used up, and calls too fast. */
const quotaReasons = /quotaExceeded|dailyLimitExceeded/;
const rateLimitReasons = /rateLimitExceeded/i;

export interface DataApiClient {
  /** Throws VideoSourceFailure. `parameters` never hold the key. */
  get<Answer>(call: string, parameters: Record<string, string>, schema: z.ZodType<Answer>): Promise<Answer>;
  close(): void;
}

export function dataApiClient(options: DataApiOptions): DataApiClient {
  const { baseUrl, key, timeoutMs = defaultTimeoutMs, retryAfterMs = defaultRetryAfterMs } = options;

  async function fetchText(call: string, parameters: Record<string, string>): Promise<string> {
    const address = `${baseUrl.replace(/\/+$/, '')}/${call}?${new URLSearchParams({ key, ...parameters }).toString()}`;
    try {
      const response = await fetch(address, {
        headers: { accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readBounded(response);
      if (response.ok) return text;
      throw new VideoSourceFailure(refusalOf(response.status, text), response.status);
    } catch (error) {
      // The error of fetch may contain the address, and with it the key, so it is not passed on.
      throw error instanceof VideoSourceFailure ? error : new VideoSourceFailure('unavailable');
    }
  }

  async function fetchChecked(call: string, parameters: Record<string, string>, schema: z.ZodType): Promise<unknown> {
    const text = await fetchText(call, parameters);
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      throw new VideoSourceFailure('badAnswer');
    }
  }

  const breaker = new CircuitBreaker(fetchChecked, {
    timeout: false,
    volumeThreshold: failuresToOpen,
    errorThresholdPercentage: 50,
    resetTimeout: retryAfterMs,
    // A refusal for quota or rate is an answer: the service works.
    errorFilter: (error: unknown) =>
      error instanceof VideoSourceFailure && (error.code === 'quota' || error.code === 'tooFast'),
  });

  return {
    async get<Answer>(call: string, parameters: Record<string, string>, schema: z.ZodType<Answer>) {
      try {
        return (await breaker.fire(call, parameters, schema)) as Answer;
      } catch (error) {
        throw error instanceof VideoSourceFailure ? error : new VideoSourceFailure('unavailable');
      }
    },
    close: () => breaker.shutdown(),
  };
}

function refusalOf(status: number, text: string): VideoSourceFailureCode {
  if (status !== 403 && status !== 429) return 'unavailable';
  if (quotaReasons.test(text)) return 'quota';
  return rateLimitReasons.test(text) ? 'tooFast' : 'unavailable';
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new VideoSourceFailure('badAnswer', response.status);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
