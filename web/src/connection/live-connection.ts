/** A connection against the hand-driven server, for tests of models. */
import type { OwnSnapshot } from '@tunemate/protocol';
import { createFakeClock, type FakeClock } from '../../../testkit/src/fake-clock.ts';
import { createConnection, type DrivenConnection } from './connection.ts';
import { createFakeServer, type FakeServer } from './fake-link.ts';
import { aTabId } from './fixtures.ts';

export interface LiveConnection {
  readonly connection: DrivenConnection;
  readonly server: FakeServer;
  readonly clock: FakeClock;
  /** Starts it and lets the server answer with this snapshot. */
  readonly welcome: (snapshot: OwnSnapshot) => Promise<void>;
}

export function aLiveConnection(): LiveConnection {
  const clock = createFakeClock();
  const server = createFakeServer();
  const parts = { openLink: server.openLink, clock, random: () => 0.5, tabId: aTabId, protocolVersion: 1 };
  const connection = createConnection(parts);
  return {
    connection,
    server,
    clock,
    welcome(snapshot) {
      connection.start();
      return server.welcome(snapshot);
    },
  };
}
