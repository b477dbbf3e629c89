/**
 * Sends a server whatever its protocol allows and much that it does not, over sockets and HTTP, as several people at
 * once: requests made from the schemas, requests to the addresses of files, and broken frames. A server that is right refuses or accepts all of it; it never fails.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  httpRequests,
  protocolVersion,
  type RequestName,
  type Result,
  roomKinds,
  type RouteName,
  socketRequests,
  writeRequest,
} from '@tunemate/protocol';
import type { z } from 'zod';
import { maxMessageBytes } from '../../../server/src/realtime/socket-server.ts';
import { fileRequestMaker } from './fuzz-files.ts';
import { frameMaker } from './fuzz-frames.ts';
import { type Dice, KnownValues, payloadMaker } from './fuzz-payloads.ts';
import { jpegOfScans } from './hostile-images.ts';
import { pngPixel } from '../media-bytes.ts';
import { openRawSocket } from '../network/raw-socket.ts';
import { seededRandom } from '../seeded-ids.ts';
import { openSocketWorld, type SocketWorld, type Tab } from '../worlds/socket-world.ts';

export interface FuzzOptions {
  databaseUrl: string;
  requests: number;
  seed: number;
}

export interface FuzzFailure {
  /** Which request of the run it was. */
  number: number;
  name: string;
  code: string;
  payload: string;
}

export interface FuzzReport {
  socketRequests: number;
  httpRequests: number;
  /** To addresses of files, uploads included. */
  fileRequests: number;
  /** Frames below the requests, most of them broken. */
  frames: number;
  accepted: number;
  /** Kinds of requests of which at least one was accepted, of all kinds. */
  kindsAccepted: number;
  kinds: number;
  /** Refusals by code. */
  refused: Record<string, number>;
  /** Connections that the server ended before it answered, by the request and the reason that it gave. */
  ended: Record<string, number>;
  /** Processor time of the thread for the longest request, of the server and the client together. */
  longestMs: number;
  /** Answers that mean a fault of the server, requests that held up all others, and errors in its log. */
  failures: FuzzFailure[];
}

const people = 5;
/** The share of requests over HTTP: many of them hash passwords, which takes long. */
const overHttp = 0.04;
const toFiles = 0.05;
const asFrames = 0.03;
const framesAtOnce = 5;
const longestHoldMs = 2000;
/** Of the request behind broken frames. */
const lastId = 9_999_999;
/** After so many requests time passes, and the background tasks run. */
const passEvery = 150;

const socketNames = Object.keys(socketRequests) as RequestName[];
const routeNames = Object.keys(httpRequests) as RouteName[];
/** Others of their room still follow it, or are refused by it. */
const rare = new Set<string>(['rooms/set', 'session/hello', 'rooms/leave', 'rooms/create']);

class Fuzzer {
  readonly #dice: Dice;
  readonly #world: SocketWorld;
  readonly #known = new KnownValues();
  readonly #make: (schema: z.ZodType) => unknown;
  readonly #fileRequest: ReturnType<typeof fileRequestMaker>;
  readonly #frame: ReturnType<typeof frameMaker>;
  readonly #tabs: Tab[];
  readonly #accepted = new Set<string>();
  readonly report: FuzzReport = {
    ...{ socketRequests: 0, httpRequests: 0, fileRequests: 0, frames: 0, accepted: 0, kindsAccepted: 0, longestMs: 0 },
    kinds: socketNames.length + routeNames.length,
    refused: {},
    ended: {},
    failures: [],
  };

  constructor(world: SocketWorld, tabs: Tab[], seed: number) {
    this.#world = world;
    this.#tabs = tabs;
    this.#dice = seededRandom(seed);
    this.#make = payloadMaker(this.#dice, this.#known);
    this.#fileRequest = fileRequestMaker(this.#dice, this.#known, pictures);
    this.#frame = frameMaker(this.#dice);
    for (const { uid } of tabs) this.#known.add('uid', uid);
    for (const { tabId } of tabs) this.#known.add('tabId', tabId);
  }

  /** Rooms with guests, and people who know each other: else most requests would only be refused. */
  async furnish(): Promise<void> {
    for (const [index, kind] of roomKinds.entries()) {
      const [host, ...guests] = [...this.#tabs.slice(index), ...this.#tabs.slice(0, index)];
      if (!host) return;
      const room = await this.#world.room(host, kind);
      for (const guest of guests.slice(0, 3)) await this.#world.letIn(host, guest, room);
      for (const tab of [host, ...guests]) await tab.ask('rooms/enter', room);
      this.#known.together.push({ ...room });
    }
  }

  async run(requests: number): Promise<FuzzReport> {
    for (let number = 1; number <= requests; number += 1) {
      await this.#timed(number, this.#dice());
      if (number % passEvery === 0) await this.#world.pass(500);
    }
    const logged = this.#world.app.log.filter(({ level }) => level === 'error');
    for (const { event, fields } of logged) this.#fail(0, 'log', event, fields);
    this.report.kindsAccepted = this.#accepted.size;
    return this.report;
  }

  /** As long as a request needs the thread, all others wait. */
  async #timed(number: number, way: number): Promise<void> {
    const before = process.threadCpuUsage();
    if (way < overHttp) await this.#overHttp(number);
    else if (way < overHttp + toFiles) await this.#toFile(number);
    else if (way < overHttp + toFiles + asFrames) await this.#asFrames(number);
    else await this.#overSocket(number);
    const { user, system } = process.threadCpuUsage(before);
    const tookMs = Math.round((user + system) / 1000);
    this.report.longestMs = Math.max(this.report.longestMs, tookMs);
    if (tookMs > longestHoldMs) this.#fail(number, 'held up', `${String(tookMs)} ms`, null);
  }

  async #overSocket(number: number): Promise<void> {
    let name = this.#pick(socketNames);
    if (rare.has(name) && this.#dice() < 0.8) name = this.#pick(socketNames);
    const index = Math.floor(this.#dice() * this.#tabs.length);
    const tab = await this.#openTab(index);
    this.#known.add('tabId', tab.tabId);
    const payload = this.#make(socketRequests[name].payload);
    this.report.socketRequests += 1;
    const answer = await Promise.race([tab.send(name, payload), endOf(tab)]);
    if (answer === 'ended') {
      const isTooLong = Buffer.byteLength(writeRequest(0, name, payload)) > maxMessageBytes;
      const reason = tab.goodbyes.at(-1)?.code ?? (isTooLong ? 'too long for a message' : null);
      const why = `${name}: ${reason ?? 'no reason'}`;
      this.report.ended[why] = (this.report.ended[why] ?? 0) + 1;
      // No page may be cut off for what the declaration of the request takes.
      const isAllowed = socketRequests[name].payload.safeParse(payload).success;
      if (reason === null || (isTooLong && isAllowed)) this.#fail(number, name, 'cut off', payload);
    } else this.#judge(number, name, payload, answer);
  }

  async #overHttp(number: number): Promise<void> {
    const name = this.#pick(routeNames);
    const visitor = this.#world.app.visitor();
    const tab = this.#pick(this.#tabs);
    if (this.#dice() < 0.7) visitor.setCookie(tab.cookie);
    const payload = this.#make(httpRequests[name].payload);
    this.report.httpRequests += 1;
    const { status, result } = await visitor.send(name, payload ?? {});
    this.#judge(number, name, payload, result, status);
  }

  async #toFile(number: number): Promise<void> {
    const visitor = this.#world.app.visitor();
    if (this.#dice() < 0.9) visitor.setCookie(this.#pick(this.#tabs).cookie);
    const { path, headers, ...asked } = this.#fileRequest();
    this.report.fileRequests += 1;
    const response = await visitor.fetch(path, { ...asked, headers: { origin: this.#world.app.url, ...headers } });
    const body = await response.arrayBuffer();
    if (response.status >= 500) this.#fail(number, `${asked.method} ${path}`, String(response.status), headers);
    if (asked.body && response.ok) this.#known.learn(JSON.parse(Buffer.from(body).toString()));
  }

  /** On a connection of its own, which the server may end. If it does not, it still answers on it. */
  async #asFrames(number: number): Promise<void> {
    const { cookie } = this.#pick(this.#tabs);
    const socket = await openRawSocket(this.#world.app, { cookie });
    const hello = { protocolVersion, tabId: this.#known.of('tabId')[0] };
    if (this.#dice() < 0.7) socket.send(writeRequest(0, 'session/hello', hello));
    for (let n = 0; n < framesAtOnce; n += 1) {
      const name = this.#pick(socketNames);
      // A person whom a frame signs out would have to come back; requests over sockets do that already.
      socket.send(this.#frame(name, this.#make(socketRequests[name].payload)));
      this.report.frames += 1;
    }
    socket.send(writeRequest(lastId, 'clock/probe', {}));
    const hasAnswered = async () => {
      while (socket.isOpen() && socket.answers(lastId).length === 0) await pause(2);
    };
    await Promise.race([socket.closed, hasAnswered()]);
    const failed = socket.received.find((frame) => frame.includes('"server/'));
    if (failed !== undefined) this.#fail(number, 'frames', 'server/', failed.slice(0, 300));
    socket.end();
  }

  /** Whose connection was ended comes back, with a new session where that ended too. */
  async #openTab(index: number): Promise<Tab> {
    const tab = this.#tabs[index];
    if (!tab) throw new Error(`there is no tab ${String(index)}`);
    if (tab.socket.connected) return tab;
    const again = await this.#world.connect(await this.#world.signIn(tab), tab.tabId);
    this.#tabs[index] = again;
    return again;
  }

  #judge(number: number, name: string, payload: unknown, result: Result<unknown>, status = 200): void {
    if (result.ok) {
      this.report.accepted += 1;
      this.#accepted.add(name);
      this.#known.learn(result.value);
      if (name === 'rooms/create') this.#learnRoom(payload, result.value);
      return;
    }
    const { code } = result.error;
    this.report.refused[code] = (this.report.refused[code] ?? 0) + 1;
    if (code.startsWith('server/') || status >= 500) this.#fail(number, name, code, payload);
  }

  #learnRoom(payload: unknown, value: unknown): void {
    const [{ kind }, { code }] = [payload as { kind: string }, value as { code: string }];
    this.#known.together.push({ kind, code });
    if (this.#known.together.length > 6) this.#known.together.shift();
  }

  #fail(number: number, name: string, code: string, payload: unknown): void {
    this.report.failures.push({ number, name, code, payload: JSON.stringify(payload ?? null).slice(0, 500) });
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#dice() * from.length)] as T;
  }
}

const endOf = (tab: Tab) =>
  new Promise<'ended'>((resolve) => void tab.socket.once('disconnect', () => resolve('ended')));

/** One of each type that is taken: a pixel of PNG and of WebP, and a grey JPEG. */
const pictures = [pngPixel, Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'), jpegOfScans(2)];

/** Runs `requests` on a server of its own. */
export async function fuzz({ databaseUrl, requests, seed }: FuzzOptions): Promise<FuzzReport> {
  const world = await openSocketWorld({ databaseUrl, isStill: false });
  try {
    const tabs: Tab[] = [];
    for (let n = 0; n < people; n += 1) tabs.push(await world.arrive(`Person ${String(n)}`));
    const fuzzer = new Fuzzer(world, tabs, seed);
    await fuzzer.furnish();
    return await fuzzer.run(requests);
  } finally {
    await world.close();
  }
}
