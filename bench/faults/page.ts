/**
 * One person's page without a browser: the models of the web application itself (connection, room, chat, outboxes) over
 * a real socket. It keeps what the person wrote and saw, for the judge.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { playbackOfDocument, isPlaybackChange } from '@tunemate/domain';
import { applyPlaybackChange } from '@tunemate/playback';
import { type PlaybackIntent, protocolVersion, type RoomKind, type TabId, type Uid } from '@tunemate/protocol';
import { createPrivateOutbox } from '../../web/src/chats/chats-model.ts';
import { createConnection, type DrivenConnection } from '../../web/src/connection/connection.ts';
import { type Clock, deviceClock } from '../../web/src/store/clock.ts';
import { type ChatModel, createChatModel } from '../../web/src/rooms/chat/chat-model.ts';
import { createRoomModel, type RoomEvent } from '../../web/src/rooms/visit/room-model.ts';
import type { Waiting } from '../../web/src/messages/outbox.ts';
import type { Readable } from '../../web/src/store/cell.ts';
import { type MemoryStorage, memoryStorage } from '../../web/testing/memory-storage.ts';
import { newClientId } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { nodeLink } from './node-link.ts';

export interface RoomAddress {
  readonly kind: RoomKind;
  readonly code: string;
}

export interface PageOptions {
  readonly url: string;
  readonly origin: string;
  readonly person: Person;
  readonly random: () => number;
  /** How wrong the device's clock is. */
  readonly clockOffMs?: number;
  readonly version?: number;
  /** What an earlier page of this browser left. */
  readonly storage?: MemoryStorage;
}

/** Waits are a quarter of a real page's: a run has many faults. */
const hurry = 0.25;
const tryAgainMs = 200;

export type Page = ReturnType<typeof openPage>;
export type RoomPage = ReturnType<Page['enter']>;

/** Connects at once, and again whenever the connection is lost. */
export function openPage({ url, origin, person, random, ...options }: PageOptions) {
  const { clockOffMs = 0, version = protocolVersion, storage = memoryStorage() } = options;
  const clock: Clock = { ...deviceClock, now: () => deviceClock.now() + clockOffMs };
  /** The audiences of all that arrived: `[room]`, or `[name name]` of two people. */
  const audiences = new Set<string>();
  /** What went wrong in the eyes of this page. */
  const complaints: string[] = [];
  /** Messages below which 'Not sent' stood, whatever became of them later. */
  const failed = new Set<string>();
  let isConfused = false;
  const connection = createConnection({
    openLink: nodeLink({
      url,
      origin,
      cookie: person.cookie,
      random,
      isConfused: () => isConfused,
      onArrival: (text) => {
        for (const [audience] of text.matchAll(/\[(?:room|Listener \d+ Listener \d+)\]/g)) audiences.add(audience);
      },
    }),
    clock,
    owner: () => person.uid,
    random: () => hurry * random(),
    tabId: randomUUID() as TabId,
    protocolVersion: version,
  });
  const arrivedPrivately = rising(complaints, 'a private message');
  connection.onUserChange((change) => {
    if (change.type === 'chats/messageSent') arrivedPrivately(change.message.pairId, change.message.number);
  });
  const outbox = createPrivateOutbox({
    connection,
    clock,
    storage,
    self: person.uid,
    newClientId,
    onSent: () => undefined,
  });
  const longestAwayMs = timeAway(connection);
  noteFailures(outbox, failed);
  const written: { to: Uid; text: string }[] = [];
  connection.start();
  return {
    person,
    connection,
    storage,
    audiences,
    complaints,
    failed,
    longestAwayMs,
    outbox,
    /** What this person wrote to others, in order. */
    written,
    tell(to: Uid, text: string): void {
      if (outbox.send({ uid: to }, text)) written.push({ to, text });
    },
    /** Messages are repeated and shuffled from now on, or no more. */
    confuse: (confused: boolean) => void (isConfused = confused),
    enter: (room: RoomAddress) => enterRoom({ connection, clock, storage, person, complaints, failed }, room),
    close: () => connection.stop(),
  };
}

interface RoomParts {
  connection: DrivenConnection;
  clock: Clock;
  storage: MemoryStorage;
  person: Person;
  complaints: string[];
  failed: Set<string>;
}

function enterRoom({ connection, clock, storage, person, complaints, failed }: RoomParts, address: RoomAddress) {
  const room = createRoomModel({ connection, ...address, selfUid: person.uid, schedule: clock.schedule });
  let chat: ChatModel | null = null;
  let playback: ReturnType<typeof playbackOfDocument> | null = null;
  const said: string[] = [];
  let offlineShown = 0;
  const arrivedInRoom = rising(complaints, 'a message of the room');

  function follow(event: RoomEvent): void {
    if (event.type === 'entered') {
      if (chat === null) {
        const parts = { connection, clock, storage, ...address, selfUid: person.uid, newClientId };
        chat = createChatModel(parts, event.snapshot);
        noteFailures(chat, failed);
      }
      playback = playbackOfDocument(event.snapshot.playback);
    } else if (event.type === 'rooms/messageSent') arrivedInRoom('', event.message.number);
    else if (event.type === 'rooms/participantPresence' && !event.online) offlineShown += 1;
    else if (isPlaybackChange(event) && playback) {
      const received = applyPlaybackChange(playback, event);
      if (received.status === 'applied') playback = received.playback as typeof playback;
      if (received.status === 'gap') void room.refresh();
    }
    if (event.type !== 'over') chat?.receive(event);
  }
  room.events.subscribe(follow);

  const { act, takeControl, queued, underWay } = hostIntents(connection, address, complaints);

  return {
    room,
    said,
    queued,
    act,
    takeControl,
    /** How often a person was shown as offline. */
    offlineShown: () => offlineShown,
    say(text: string): boolean {
      if (chat === null || !chat.send(text)) return false;
      said.push(text);
      return true;
    },
    /** What the person reads in the chat. */
    texts: () => (chat?.log.get().messages ?? []).map(({ number, text }) => `${String(number)} ${text}`),
    waiting: () => (chat?.waiting.get().length ?? 0) + underWay(),
    /** Why messages were not sent. */
    failures: () => (chat?.waiting.get() ?? []).flatMap(({ failure }) => (failure ? [failure.code] : [])),
    /** As a user who presses "Try again" below each message that failed. */
    tryAgain(): void {
      for (const { clientId, failure } of chat?.waiting.get() ?? []) if (failure) chat?.retry(clientId);
    },
    /** What the person sees of the room beside the chat, in a form to compare. */
    view(): string {
      const now = room.status.get();
      const state = room.state.get();
      if (now.status !== 'live' || state === null || playback === null) return now.status;
      const { participants, host, hostAwaySince } = state.room;
      const people = participants.map(({ uid, online }) => `${uid} ${String(online)}`).sort();
      const queue = playback.queue.videoQueue.map(({ videoId }) => videoId);
      return JSON.stringify({ people, host, hostAwaySince, queue, timeline: playback.timeline });
    },
  };
}

/** What the host does to the music: one intent after the other, each until the server has it. */
function hostIntents(connection: DrivenConnection, address: RoomAddress, complaints: string[]) {
  /** Tracks whose enqueueing was acknowledged. */
  const queued: string[] = [];
  let lastIntent = Promise.resolve();
  let underWay = 0;

  async function takeControl(): Promise<void> {
    await connection.requestUntilAnswered('playback/takeControl', { ...address, tabId: connection.tabId });
  }

  /** One intent of the host, until the server has it. */
  async function send(intent: PlaybackIntent): Promise<void> {
    const payload = { ...address, tabId: connection.tabId, clientId: newClientId(), intent };
    for (;;) {
      const answer = await connection.requestUntilAnswered('playback/write', payload);
      if (answer.ok) {
        if (intent.type === 'enqueue') queued.push(intent.track.videoId);
        break;
      }
      if (answer.error.code === 'playback/lease-lost') await takeControl();
      else if (answer.error.code === 'server/storage-full') await pause(tryAgainMs);
      else {
        complaints.push(`${intent.type} was refused: ${answer.error.code}`);
        break;
      }
    }
  }

  /** One intent after the other, in the order in which they were made. */
  function act(intent: PlaybackIntent): Promise<void> {
    underWay += 1;
    lastIntent = lastIntent.then(() => send(intent)).finally(() => (underWay -= 1));
    return lastIntent;
  }

  return { act, takeControl, queued, underWay: () => underWay };
}

/** How long the page was without a connection at most, so far. */
function timeAway({ status }: DrivenConnection): () => number {
  let longestMs = 0;
  let sinceMs: number | null = null;
  const look = () => {
    const isAway = status.get().status !== 'live';
    if (sinceMs !== null) longestMs = Math.max(longestMs, performance.now() - sinceMs);
    if (!isAway) sinceMs = null;
    else sinceMs ??= performance.now();
    return longestMs;
  };
  status.subscribe(look);
  return look;
}

function noteFailures({ waiting }: { waiting: Readable<readonly Waiting[]> }, failed: Set<string>): void {
  waiting.subscribe(() => {
    for (const { clientId, failure } of waiting.get()) if (failure) failed.add(clientId);
  });
}

/** Complains of numbers that do not rise. */
function rising(complaints: string[], what: string) {
  const last = new Map<string, number>();
  return (of: string, number: number): void => {
    const before = last.get(of) ?? 0;
    if (number <= before) complaints.push(`${what} came twice or late: ${String(number)} after ${String(before)}`);
    last.set(of, Math.max(number, before));
  };
}
