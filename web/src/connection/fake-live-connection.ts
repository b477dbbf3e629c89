/** A connection against the hand-driven server, for tests of models. */
import type { OwnSnapshot } from '@tunemate/protocol';
import { createConnection, type DrivenConnection } from './connection.ts';
import { createFakeServer, type FakeServer } from './fake-link.ts';
import { aTabId } from './fixtures.ts';
import type { Clock } from './ports.ts';

export interface LiveConnection {
  readonly connection: DrivenConnection;
  readonly server: FakeServer;
  /** Starts it and lets the server answer with this snapshot. */
  readonly welcome: (snapshot: OwnSnapshot) => Promise<void>;
}

/** A connection on the test's own clock. */
export function aLiveConnection(clock: Clock): LiveConnection {
  const server = createFakeServer();
  const parts = { openLink: server.openLink, clock, random: () => 0.5, tabId: aTabId, protocolVersion: 1 };
  const connection = createConnection(parts);
  return {
    connection,
    server,
    welcome(snapshot) {
      connection.start();
      return server.welcome(snapshot);
    },
  };
}
