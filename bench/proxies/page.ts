/** A page without a screen: it has the connection of the web application, and asks something each second. */
import { randomUUID } from 'node:crypto';
import { protocolVersion, socketPath, type TabId } from '@tunemate/protocol';
import type { Person } from '@tunemate/testkit/worlds/people';
import WebSocket from 'ws';
import { createConnection, type DrivenConnection } from '../../web/src/connection/connection.ts';
import { linkOver } from '../../web/src/connection/socket-link.ts';
import { deviceClock } from '../../web/src/store/clock.ts';

const askEveryMs = 1000;

export interface Page {
  readonly uid: string;
  readonly room: string;
  readonly connection: DrivenConnection;
  /** When its connection was last opened. */
  liveAtMs(): number;
  /** How often it began to connect. */
  attempts(): number;
  close(): void;
}

export function openPage(url: string, room: string, { cookie, uid }: Person): Page {
  let [liveAtMs, attempts] = [0, 0];
  const connection = createConnection({
    openLink: (events) => {
      attempts += 1;
      const headers = { cookie, origin: url };
      const socket = new WebSocket(`${url.replace('http', 'ws')}${socketPath}?room=${room}`, { headers });
      return linkOver(socket, events);
    },
    clock: deviceClock,
    owner: () => uid,
    random: Math.random,
    tabId: randomUUID() as TabId,
    protocolVersion,
  });
  connection.status.subscribe(() => {
    if (connection.status.get().status === 'live') liveAtMs = performance.now();
  });
  const asking = setInterval(() => void connection.request('clock/probe', {}), askEveryMs);
  connection.start();
  return {
    ...{ uid, room, connection },
    liveAtMs: () => liveAtMs,
    attempts: () => attempts,
    close() {
      clearInterval(asking);
      connection.stop();
    },
  };
}

export const isLive = ({ connection }: Page): boolean => connection.status.get().status === 'live';
