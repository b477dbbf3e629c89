/**
 * The interface of a video service, and its implementation by YouTube's Data API v3: calls and validation of answers.
 */
import { imageHost, thumbnailOf } from '@tunemate/domain';
import { cleanTitle, limits, type VideoId, videoId } from '@tunemate/protocol';
import CircuitBreaker from 'opossum';
import { z } from 'zod';
import { systemCode } from '../../../system/ports.ts';

/** An item of a search or a suggestion. */
export interface FoundVideo {
  videoId: VideoId;
  title: string;
  /** On the service's image host. */
  thumbnail: string | null;
}

export interface VideoDetails extends FoundVideo {
  /** The service's category; 10 is music, and the default. */
  categoryId: string;
}

/** Lists have at most 5 items; those by playlist or ids at most 50. Every method throws VideoSourceFailure. */
export interface VideoSource {
  /** As typed in a video room. */
  searchVideos(query: string): Promise<FoundVideo[]>;
  /** As typed in an audio room. */
  searchAudio(query: string): Promise<FoundVideo[]>;
  /** One call for at most 50 ids; the existing videos, in any order. */
  videosById(videoIds: readonly VideoId[]): Promise<VideoDetails[]>;
  /** In the playlist's order, without deleted and private videos; empty for an unknown playlist. */
  playlist(playlistId: string): Promise<FoundVideo[]>;
  relatedTo(details: VideoDetails): Promise<FoundVideo[]>;
}

/**
 * `quota`: used up for today. `tooFast`: retry after a pause. `unavailable`: no answer, a refusal, or a timeout.
 * `badAnswer`: not of the documented shape.
 */
type VideoSourceFailureCode = 'quota' | 'tooFast' | 'unavailable' | 'badAnswer';

/** Never contains the address of the call, because it includes the key. */
export class VideoSourceFailure extends Error {
  readonly code: VideoSourceFailureCode;
  /** HTTP status, where there was one. */
  readonly status: number | null;
  /** The service has not heard of the call, which costs nothing of its quota. */
  readonly isUnheard: boolean;
  constructor(code: VideoSourceFailureCode, status: number | null = null, isUnheard = false) {
    super(`video source: ${code}`);
    this.name = 'VideoSourceFailure';
    this.code = code;
    this.status = status;
    this.isUnheard = isUnheard;
  }
}

const musicCategory = '10';

const snippet = z.object({
  title: z.string(),
  categoryId: z
    .string()
    .regex(/^\d{1,5}$/)
    .optional()
    .catch(undefined),
  thumbnails: z
    .object({ default: z.object({ url: z.string() }) })
    .optional()
    .catch(undefined),
});
const searchAnswer = z.object({ items: z.array(z.unknown()) });
const searchItem = z.object({ id: z.object({ videoId }), snippet });
const videoItem = z.object({ id: videoId, snippet });
/** Deleted and private videos have no pictures. */
const playlistItem = z.object({
  snippet: z.object({
    title: z.string(),
    thumbnails: z.object({ default: z.object({ url: z.string() }) }),
    resourceId: z.object({ videoId }),
  }),
});

/** Skips items that are not videos; an answer with only such items is invalid. */
function readItems<Item>(items: unknown[], schema: z.ZodType<Item>): Item[] {
  const read = items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
  if (items.length > 0 && read.length === 0) throw new VideoSourceFailure('badAnswer');
  return read;
}

function foundVideo(
  id: VideoId,
  { title, thumbnails }: Pick<z.infer<typeof snippet>, 'title' | 'thumbnails'>,
): FoundVideo {
  const url = thumbnails?.default.url ?? '';
  return {
    videoId: id,
    title: cleanTitle(decodeEntities(title), id),
    thumbnail: url.startsWith(`${imageHost}/`) && url.length <= 500 ? url : thumbnailOf(id),
  };
}

/** The service answers 404 for a playlist that does not exist or is private. */
function emptyWhenUnknown(error: unknown): { items: unknown[] } {
  if (error instanceof VideoSourceFailure && error.status === 404) return { items: [] };
  throw error;
}

export interface YouTubeSource extends VideoSource {
  close(): void;
}

export function youtubeSource(options: DataApiOptions): YouTubeSource {
  const client = dataApiClient(options);

  async function search(parameters: Record<string, string>): Promise<FoundVideo[]> {
    const answer = await client.get(
      'search',
      { part: 'snippet', type: 'video', maxResults: String(limits.searchResults), ...parameters },
      searchAnswer,
    );
    const found = readItems(answer.items, searchItem).slice(0, limits.searchResults);
    return found.map((item) => foundVideo(item.id.videoId, item.snippet));
  }

  return {
    searchVideos: (query) => search({ q: query }),
    searchAudio: (query) => search({ q: `${query} audio`, videoCategoryId: musicCategory }),
    async videosById(ids) {
      const { items } = await client.get('videos', { part: 'snippet', id: ids.join(',') }, searchAnswer);
      return readItems(items, videoItem).map((item) => ({
        ...foundVideo(item.id, item.snippet),
        categoryId: item.snippet.categoryId ?? musicCategory,
      }));
    },
    async playlist(playlistId) {
      const parameters = { part: 'snippet', maxResults: String(limits.playlistItems), playlistId };
      const { items } = await client.get('playlistItems', parameters, searchAnswer).catch(emptyWhenUnknown);
      return items.flatMap((item) => {
        const parsed = playlistItem.safeParse(item);
        return parsed.success ? [foundVideo(parsed.data.snippet.resourceId.videoId, parsed.data.snippet)] : [];
      });
    },
    relatedTo: ({ title, categoryId }) =>
      search({
        q: title.split(/\s+/u).slice(0, 3).join(' '),
        videoCategoryId: categoryId,
        relevanceLanguage: 'en',
      }),
    close: () => client.close(),
  };
}

interface DataApiOptions {
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

interface DataApiClient {
  /** Throws VideoSourceFailure. `parameters` never hold the key. */
  get<Answer>(call: string, parameters: Record<string, string>, schema: z.ZodType<Answer>): Promise<Answer>;
  close(): void;
}

/**
 * GET of the data API: limited in time and size, and behind a circuit breaker. The key is a parameter and never appears
 * in an error or log line.
 */
function dataApiClient(options: DataApiOptions): DataApiClient {
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
      // The error of fetch may contain the address, and with it the key.
      throw error instanceof VideoSourceFailure ? error : new VideoSourceFailure('unavailable', null, isUnheard(error));
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
        // While the breaker is open no call is made.
        throw error instanceof VideoSourceFailure ? error : new VideoSourceFailure('unavailable', null, true);
      }
    },
    close: () => breaker.shutdown(),
  };
}

const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether no connection was made. */
const isUnheard = (error: unknown): boolean => error instanceof Error && unreached.has(systemCode(error.cause));

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

// The Data API escapes titles for HTML; rooms show them as text.
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Decodes numeric entities and the named ones that the service uses; once, so that `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return named[name] ?? whole;
    const point = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return point > 0 && point <= 0x10_ff_ff && !(point >= 0xd8_00 && point <= 0xdf_ff)
      ? String.fromCodePoint(point)
      : whole;
  });
}
