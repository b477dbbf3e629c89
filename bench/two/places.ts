/** Where people press: a server in this process, or servers that can be killed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TabId } from '@tunemate/protocol';
import { seededRandom } from '@tunemate/testkit/seeded-ids';
import { makePeople } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, openTab, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { openDatabase } from '../../server/src/storage/database.ts';
import { openSetUp, type SetUpName } from '../faults/set-ups.ts';
import type { Place } from './presses.ts';

const tryAgainAfterMs = 25;

export async function inThisProcess<T>(databaseUrl: string, use: (place: Place) => Promise<T>): Promise<T> {
  const w = await openSocketWorld({ databaseUrl, isStill: false });
  try {
    return await use({
      connect: (person, tabId) => w.connect(person, tabId),
      arrive: (names) => Promise.all(names.map((name) => w.arrive(name))),
      pass: () => w.clock.advance(1000),
      stored: (read) => read(w.db),
    });
  } finally {
    await w.close();
  }
}

/** One process on SQLite, or three behind a balancer on PostgreSQL and Redis. */
export async function onServers<T>(name: SetUpName, seed: number, use: (place: Place) => Promise<T>): Promise<T> {
  const { url, databaseUrl, servers, stop } = await openSetUp(name);
  const random = seededRandom(seed);
  /** A server that was killed answers again once it has started. */
  async function connect(person: Person, tabId = randomUUID() as TabId): Promise<Tab> {
    for (;;) {
      const tab = await openTab({ url, origin: url }, person, tabId).catch(() => null);
      if (tab !== null) return tab;
      await pause(tryAgainAfterMs);
    }
  }
  try {
    return await use({
      connect,
      arrive: async (names) => Promise.all((await makePeople(databaseUrl, names)).map((person) => connect(person))),
      async kill() {
        const server = servers[Math.floor(random() * servers.length)];
        await server?.kill();
        await server?.restart();
      },
      async stored(read) {
        const database = openDatabase(databaseUrl);
        try {
          return await read(database.db);
        } finally {
          await database.close();
        }
      },
    });
  } finally {
    await stop();
  }
}
