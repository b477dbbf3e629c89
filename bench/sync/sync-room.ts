/**
 * A room of real pages on a real server: a host and two listeners, each in a browser of their own, the listeners over
 * lines that can be made bad. A fourth connection of the host only watches which timelines the server tells.
 */
import { isPlaybackChange, playbackOfDocument } from '@tunemate/domain';
import { applyPlaybackChange, type RoomPlayback, type Timeline } from '@tunemate/playback';
import { type RoomKind, roomStream, type Track } from '@tunemate/protocol';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { startServerProcess } from '@tunemate/testkit/services/process';
import { type TcpFaultProxy, startTcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { type Browser, chromium, type Page } from 'playwright-core';
import { connect, makePeople, type Member, type Room, roomOf } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { sample, type Sample, takeSamples } from './sync-sampler.ts';

/** One page and all that was seen of it. */
export interface Listener {
  readonly name: string;
  readonly page: Page;
  readonly line: TcpFaultProxy;
  readonly samples: Sample[];
}

export interface SyncRoom {
  readonly host: Listener;
  readonly listeners: readonly Listener[];
  /** As the server sent them, in order. */
  readonly timelines: readonly Timeline[];
  /** How far the server's clock is ahead of the machine's, in milliseconds. */
  readonly serverAheadMs: number;
  readonly code: string;
  readonly path: string;
  /** Waits for the next timeline from the server that satisfies the condition. */
  nextTimeline(satisfies: (timeline: Timeline) => boolean): Promise<Timeline>;
  collect(): Promise<void>;
  close(): Promise<void>;
}

export interface SyncRoomOptions {
  readonly kind: RoomKind;
  /** How far the second listener's own clock is off. */
  readonly skewMs: number;
  /** Prepares a page before it is opened. */
  readonly prepare?: ((page: Page, name: string) => Promise<void>) | undefined;
}

const clockProbes = 30;

export async function openSyncRoom({ kind, skewMs, prepare }: SyncRoomOptions): Promise<SyncRoom> {
  const data = await makeTempDir('bench-sync');
  const people = await makePeople(`sqlite:${data.path}/tunemate.sqlite`, 3);
  const server = await startServerProcess({ dataDir: data.path, env: { RATE_LIMIT_SCALE: '0', LOG_LEVEL: 'warn' } });
  const [host, ...guests] = await Promise.all(people.map((person) => connect(server.url, person)));
  if (host === undefined) throw new Error('no host came');
  const room = await roomOf(host, kind, ...guests);
  const { code } = room;
  for (const guest of guests) guest.line.disconnect();
  const watched = await watchTimelines(host, room);
  const serverAheadMs = await clockAheadMs(host);
  const path = `${kind === 'video' ? '/tunemate/' : '/audio-room/'}${code}`;
  const opened: { browser: Browser; listener: Listener }[] = [];
  for (const [index, person] of people.entries()) {
    const skew = index === 2 ? skewMs : 0;
    opened.push(await openPage(server.url, person, index === 0 ? 'host' : `listener ${String(index)}`, skew, prepare));
  }
  for (const { listener } of opened) {
    await listener.page.goto(path);
    await listener.page.getByTestId('player-media').waitFor({ state: 'attached' });
  }
  const [first, ...rest] = opened.map(({ listener }) => listener);
  if (first === undefined) throw new Error('no guest came');
  await first.page.getByLabel(/^Search (?:tracks|videos)$/u).waitFor();
  return {
    host: first,
    listeners: rest,
    timelines: watched.timelines,
    serverAheadMs,
    code,
    path,
    nextTimeline: watched.next,
    async collect() {
      for (const { listener } of opened) listener.samples.push(...(await takeSamples(listener.page)));
    },
    async close() {
      await Promise.all(opened.map(({ browser }) => browser.close()));
      await Promise.all(opened.map(({ listener }) => listener.line.stop()));
      host.line.disconnect();
      await server.dispose();
      await data.remove();
    },
  };
}

/** Each browser reaches the server's own address through a proxy of its own, so that its origin stays the true one. */
async function openPage(
  url: string,
  person: Person,
  name: string,
  skewMs: number,
  prepare: SyncRoomOptions['prepare'],
): Promise<{ browser: Browser; listener: Listener }> {
  const { host, port } = new URL(url);
  const line = await startTcpFaultProxy({ targetPort: Number(port) });
  const { executablePath, args } = chromiumLaunch({ autoplay: true });
  const rule = `--host-resolver-rules=MAP ${host} 127.0.0.1:${String(line.port)}`;
  const browser = await chromium.launch({ executablePath, args: [...args, rule] });
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB' });
  const [cookieName = '', value = ''] = person.cookie.split('=');
  await context.addCookies([{ name: cookieName, value, url }]);
  await sample(context, skewMs);
  const page = await context.newPage();
  await prepare?.(page, name);
  return { browser, listener: { name, page, line, samples: [] } };
}

async function watchTimelines(host: Member, room: Room) {
  const timelines: Timeline[] = [];
  const waiting = new Set<(timeline: Timeline) => void>();
  const { room: entered, playback: document } = await host.ask('rooms/enter', room);
  let playback: RoomPlayback<Track> = playbackOfDocument(document);
  host.line.on('entries', ({ stream, changes }) => {
    if (stream !== roomStream(entered.roomId)) return;
    for (const change of changes) {
      if (!isPlaybackChange(change)) continue;
      const received = applyPlaybackChange(playback, change);
      if (received.status !== 'applied') continue;
      playback = received.playback;
      const { timeline } = playback;
      timelines.push(timeline);
      // This connection plays nothing, so the room should not wait for it.
      void host.ask('playback/ready', { ...room, revision: timeline.revision });
      for (const tell of waiting) tell(timeline);
    }
  });
  const next = (satisfies: (timeline: Timeline) => boolean): Promise<Timeline> =>
    new Promise((resolve) => {
      const tell = (timeline: Timeline): void => {
        if (!satisfies(timeline)) return;
        waiting.delete(tell);
        resolve(timeline);
      };
      waiting.add(tell);
    });
  return { timelines, next };
}

/** By the probe with the least round trip. */
async function clockAheadMs(member: Member): Promise<number> {
  let best = { tripMs: Number.POSITIVE_INFINITY, aheadMs: 0 };
  for (let probe = 0; probe < clockProbes; probe += 1) {
    const sentMs = performance.now();
    const { serverReceivedMs } = await member.ask('clock/probe', {});
    const receivedMs = performance.now();
    const tripMs = receivedMs - sentMs;
    const aheadMs = serverReceivedMs - (performance.timeOrigin + (sentMs + receivedMs) / 2);
    if (tripMs < best.tripMs) best = { tripMs, aheadMs };
  }
  return best.aheadMs;
}
