/**
 * A stand-in for the video-sharing service's data API on loopback. It records what it is asked and answers what the
 * test tells it to, faults included.
 */
import type { ServerResponse } from 'node:http';
import { serve } from '../network/serve.ts';

/** One call as it arrived. */
export interface DataApiCall {
  /** `search` or `videos`. */
  readonly call: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface FakeDataApi {
  /** For YOUTUBE_API_URL. */
  readonly url: string;
  readonly calls: DataApiCall[];
  /** How the next calls are answered; by default with `foundVideos`. */
  answer: (call: DataApiCall, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** An id of eleven characters that ends in a number. */
export function videoIdNumber(number: number): string {
  return `vidEoNumb${String(number).padStart(2, '0')}`;
}

/** A search answer with as many videos, titled `Song 1` and so on, in the service's own shape. */
export function foundVideos(count: number): object {
  return {
    kind: 'youtube#searchListResponse',
    items: Array.from({ length: count }, (_, index) => ({
      id: { kind: 'youtube#video', videoId: videoIdNumber(index + 1) },
      snippet: {
        title: `Song ${String(index + 1)}`,
        thumbnails: { default: { url: `https://i.ytimg.com/vi/${videoIdNumber(index + 1)}/default.jpg` } },
      },
    })),
  };
}

/** Answers JSON with a status. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startFakeDataApi(): Promise<FakeDataApi> {
  const calls: DataApiCall[] = [];
  const { url: origin, close } = await serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const call = { call: url.pathname.split('/').at(-1) ?? '', parameters: Object.fromEntries(url.searchParams) };
    calls.push(call);
    api.answer(call, response);
  });
  const api: FakeDataApi = {
    url: `${origin}/youtube/v3`,
    calls,
    answer: (_call, response) => sendJson(response, foundVideos(5)),
    close,
  };
  return api;
}
