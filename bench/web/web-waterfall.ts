/** What a page fetched, and when: which ways there and back a visit waits for. */
import type { CDPSession } from 'playwright-core';

interface Asked {
  readonly what: string;
  readonly atMs: number;
  answeredMs: number | null;
  endedMs: number | null;
  bytes: number;
  from: string;
}

const longestName = 60;

/** Watches from before the first request of a page, the navigation; answers a line for each request so far. */
export function watchRequests(session: CDPSession): () => string[] {
  const asked = new Map<string, Asked>();
  const frames: string[] = [];
  let startSeconds: number | null = null;
  const sinceStart = (seconds: number): number => Math.round((seconds - (startSeconds ?? seconds)) * 1000);
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    startSeconds ??= timestamp;
    const what = `${request.method} ${request.url.replace(/^https?:\/\/[^/]+/, '')}`.slice(0, longestName);
    asked.set(requestId, { what, atMs: sinceStart(timestamp), answeredMs: null, endedMs: null, bytes: 0, from: '' });
  });
  session.on('Network.responseReceived', ({ requestId, timestamp, response }) => {
    const stored = [response.fromServiceWorker ? 'worker' : '', response.fromDiskCache === true ? 'stored' : ''];
    Object.assign(asked.get(requestId) ?? {}, { answeredMs: sinceStart(timestamp), from: stored.join(' ').trim() });
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    Object.assign(asked.get(requestId) ?? {}, { endedMs: sinceStart(timestamp), bytes: encodedDataLength });
  });
  const frame = (sign: string, { timestamp, response }: { timestamp: number; response: { payloadData: string } }) =>
    frames.push(`${String(sinceStart(timestamp)).padStart(6)} ${sign} ${response.payloadData.slice(0, longestName)}`);
  session.on('Network.webSocketFrameSent', (sent) => frame('>', sent));
  session.on('Network.webSocketFrameReceived', (received) => frame('<', received));
  const column = (value: number | null): string => String(value ?? '–').padStart(6);
  return () => [
    ' asked answer    end  bytes',
    ...Array.from(
      asked.values(),
      ({ atMs, answeredMs, endedMs, bytes, from, what }) =>
        `${[atMs, answeredMs, endedMs, bytes].map((each) => column(each)).join(' ')}  ${what} ${from}`,
    ),
    ...frames,
  ];
}
