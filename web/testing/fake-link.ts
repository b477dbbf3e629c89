/**
 * The transport for tests of the connection, and of models over a real connection: links that the test opens, answers
 * and closes by hand.
 */
import type { Entries, UserSnapshot, EphemeralEvent, Refusal, RequestName, Result } from '@tunemate/protocol';
import { createConnection, type DrivenConnection } from '../src/connection/connection.ts';
import { settle } from './fake-clock.ts';
import { aTabId } from './connection-fixtures.ts';
import type { Clock } from '../src/store/clock.ts';
import type { LinkEvents, OpenLink } from '../src/connection/port.ts';

export interface SentRequest {
  readonly name: RequestName;
  readonly payload: unknown;
  readonly answer: (result: Result<unknown>) => void;
}

export interface FakeLinks {
  readonly openLink: OpenLink;
  /** How many links were ever opened. */
  opened(): number;
  /** Requests of the current link that have no answer yet, oldest first. */
  readonly waiting: SentRequest[];
  /** Lets the current link open, and answers its hello. */
  welcome(snapshot: UserSnapshot): Promise<void>;
  open(): Promise<void>;
  lose(refusal?: Refusal): void;
  push(batch: Entries): void;
  sendEphemeral(event: EphemeralEvent): void;
  /** Answers the oldest waiting request of this name. */
  answer(name: RequestName, result: Result<unknown>): Promise<void>;
  /** The page closed the link. */
  isClosed(): boolean;
  /** The page broke the link off without notifying the server. */
  isBrokenOff(): boolean;
}

export function createFakeLinks(): FakeLinks {
  let events: LinkEvents | null = null;
  let openedCount = 0;
  let closed = false;
  let brokenOff = false;
  const waiting: SentRequest[] = [];

  const server: FakeLinks = {
    openLink(next) {
      events = next;
      openedCount += 1;
      closed = false;
      brokenOff = false;
      waiting.length = 0;
      return {
        send: (name, payload, answer) => void waiting.push({ name, payload, answer }),
        close: () => {
          closed = true;
        },
        breakOff: () => {
          brokenOff = true;
        },
      };
    },
    opened: () => openedCount,
    waiting,
    async open() {
      events?.onOpen();
      await settle();
    },
    async welcome(snapshot) {
      await server.open();
      await server.answer('session/hello', { ok: true, value: snapshot });
    },
    lose: (refusal) => events?.onLost(refusal ?? null),
    push: (batch) => events?.onEntries(batch),
    sendEphemeral: (event) => events?.onEphemeral(event),
    async answer(name, result) {
      const index = waiting.findIndex((request) => request.name === name);
      const [request] = waiting.splice(index, 1);
      if (index < 0 || request === undefined) throw new Error(`no request ${name} is waiting`);
      request.answer(result);
      await settle();
    },
    isClosed: () => closed,
    isBrokenOff: () => brokenOff,
  };
  return server;
}

export interface LiveConnection {
  readonly connection: DrivenConnection;
  readonly server: FakeLinks;
  /** Starts it and lets the server answer with this snapshot. */
  readonly welcome: (snapshot: UserSnapshot) => Promise<void>;
}

/** A connection on the test's own clock. */
export function aLiveConnection(clock: Clock): LiveConnection {
  const server = createFakeLinks();
  const connection = createConnection({
    openLink: server.openLink,
    clock,
    random: () => 0.5,
    tabId: aTabId,
    protocolVersion: 1,
    owner: () => null,
  });
  return {
    connection,
    server,
    welcome(snapshot) {
      connection.start();
      return server.welcome(snapshot);
    },
  };
}
