/**
 * A connection for tests of models: live at once, records requests, and lets the test answer them and send changes.
 */
import type { HostChange, UserChange, UserSnapshot, Refusal, RequestName, RoomChange } from '@tunemate/protocol';
import { aTabId } from './connection-fixtures.ts';
import { settle } from './fake-clock.ts';
import type { Connection, ConnectionStatus, Subscriber } from '../src/connection/port.ts';
import { cell, signal } from '../src/store/cell.ts';

/** One request that waits for its answer. */
export interface Asked {
  readonly name: RequestName;
  readonly payload: Record<string, unknown>;
  /** Whether it outlasts a lost connection, under the same client id. */
  readonly isRepeated: boolean;
  answer(value: unknown): Promise<void>;
  refuse(code: Refusal['code'], retryAfterMs?: number): Promise<void>;
}

export interface FakeConnection extends Connection {
  /** Requests in the order in which they were made. */
  readonly asked: Asked[];
  /** The latest request of this name; fails the test when there is none. */
  last(name: RequestName): Asked;
  count(name: RequestName): number;
  /** The subscriber of a room's stream; null when there is none. */
  subscriber(): Subscriber<RoomChange> | null;
  /** The subscriber of the stream of a room's host. */
  hostSubscriber(): Subscriber<HostChange> | null;
  pushToRoom(change: RoomChange): void;
  pushToHost(change: HostChange): void;
  pushToUser(change: UserChange): void;
  sendUserSnapshot(): void;
}

export function createFakeConnection(): FakeConnection {
  const asked: Asked[] = [];
  const userChanges = signal<UserChange>();
  const userSnapshots = signal<UserSnapshot>();
  let subscriber: Subscriber<RoomChange> | null = null;
  let seq = 0;
  let hostSubscriber: Subscriber<HostChange> | null = null;
  let hostSeq = 0;

  function ask(name: RequestName, payload: unknown, isRepeated = false): Promise<never> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const finish = (result: unknown): Promise<void> => {
      resolve(result);
      return settle();
    };
    asked.push({
      name,
      payload: payload as Record<string, unknown>,
      isRepeated,
      answer: (value) => finish({ ok: true, value }),
      refuse: (code, retryAfterMs) =>
        finish({ ok: false, error: { code, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }),
    });
    return promise as Promise<never>;
  }

  return {
    asked,
    status: cell<ConnectionStatus>({ status: 'live' }),
    tabId: aTabId,
    request: (name, payload) => ask(name, payload),
    requestUntilAnswered: (name, payload) => ask(name, payload, true),
    subscribe(stream, next) {
      if (stream.startsWith('host:')) {
        hostSubscriber = next as Subscriber<HostChange>;
        hostSeq = next.fromSeq;
        return () => (hostSubscriber = null);
      }
      subscriber = next as Subscriber<RoomChange>;
      seq = next.fromSeq;
      return () => {
        if (subscriber === next) subscriber = null;
      };
    },
    onUserSnapshot: (listener) => userSnapshots.subscribe(listener),
    onUserChange: (listener) => userChanges.subscribe(listener),
    onEphemeral: () => () => undefined,
    last(name) {
      const found = asked.findLast((one) => one.name === name);
      if (found === undefined) throw new Error(`${name} was not asked`);
      return found;
    },
    count: (name) => asked.filter((one) => one.name === name).length,
    subscriber: () => subscriber,
    hostSubscriber: () => hostSubscriber,
    pushToHost(change) {
      hostSeq += 1;
      hostSubscriber?.onChange(change, hostSeq);
    },
    pushToRoom(change) {
      seq += 1;
      subscriber?.onChange(change, seq);
    },
    pushToUser: (change) => userChanges.emit(change),
    sendUserSnapshot: () => userSnapshots.emit({} as UserSnapshot),
  };
}
