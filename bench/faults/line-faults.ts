/** Faults of the lines between people and server, and of what comes over them. */
import { setTimeout as pause } from 'node:timers/promises';
import { protocolVersion, writeRequest } from '@tunemate/protocol';
import { openRawSocket } from '@tunemate/testkit/network/raw-socket';
import type { TcpFaultProxy } from '@tunemate/testkit/network/tcp-fault-proxy';
import { isSoon } from './scenario.ts';
import { type Fault, type FaultScene, wrongUnless } from './fault.ts';
import { openPage } from './page.ts';

/** The line of the host, or of the first guest. */
function lineOf({ setUp }: FaultScene, who: 'host' | 'guest'): TcpFaultProxy {
  const line = setUp.lines[who === 'host' ? 0 : 1];
  if (!line) throw new Error('each of the cast has a line');
  return line;
}

async function offline(scene: FaultScene, who: 'host' | 'guest', forMs: number): Promise<void> {
  const line = lineOf(scene, who);
  line.close();
  await pause(forMs);
  line.reopen();
}

/** What the followers' players do: nothing of it may be touched by the absence of one. */
const playing = ({ scenario }: FaultScene): boolean[] =>
  scenario.guests.map(({ room }) => room.room.status.get().status === 'live');

export const lineFaults: readonly Fault[] = [
  {
    id: 'guest-away',
    what: 'a guest is offline for 1 s',
    async run(scene) {
      await offline(scene, 'guest', scene.isLong ? 1000 : 300);
    },
  },
  {
    id: 'guest-away-longer',
    what: 'a guest is offline for 30 s',
    isSlow: true,
    async run(scene) {
      await offline(scene, 'guest', scene.isLong ? 30_000 : 3000);
    },
  },
  {
    id: 'host-away',
    what: 'the host is offline for 1 s and for 30 s',
    isSlow: true,
    async run(scene) {
      await offline(scene, 'host', scene.isLong ? 1000 : 200);
      await offline(scene, 'host', scene.isLong ? 30_000 : 1000);
      return wrongUnless(playing(scene).every(Boolean), 'a guest lost the room while the host was away');
    },
  },
  {
    id: 'readers-stall',
    what: 'three tabs stop reading',
    async run(scene) {
      const { setUp, scenario, isLong } = scene;
      const target = { url: setUp.url, app: { port: Number(new URL(setUp.url).port) } };
      const raws = await Promise.all(
        scenario.guests.map(async ({ page }) => {
          const raw = await openRawSocket(target, { cookie: page.person.cookie });
          const hello = { protocolVersion, tabId: crypto.randomUUID() };
          raw.send(writeRequest(1, 'session/hello', hello));
          raw.send(writeRequest(2, 'rooms/enter', scenario.room));
          return raw;
        }),
      );
      const entered = await isSoon(() => raws.every((raw) => raw.answers(2).length > 0));
      for (const raw of raws) raw.stopReading();
      await pause(isLong ? 15_000 : 700);
      for (const raw of raws) raw.end();
      return wrongUnless(entered, 'the tabs did not come in');
    },
  },
  {
    id: 'answer-lost',
    what: 'the answer to a commit, or to a message, is lost',
    async run(scene) {
      const { setUp, isLong } = scene;
      for (let times = isLong ? 20 : 4; times > 0; times -= 1) {
        for (const line of setUp.databaseLines) line.loseAnswerTo('commit');
        lineOf(scene, 'guest').loseAnswerTo('');
        lineOf(scene, 'host').loseAnswerTo('');
        await pause(150);
      }
    },
  },
  {
    id: 'messages-shuffled',
    what: 'messages come three times, shuffled, and old ones again',
    async run({ scenario, isLong }) {
      const confuse = (confused: boolean) => scenario.participants.forEach(({ page }) => page.confuse(confused));
      confuse(true);
      await pause(isLong ? 3000 : 600);
      confuse(false);
    },
  },
  {
    id: 'old-page',
    what: 'a page older than the server comes back with an unsent message',
    async run({ setUp, scenario, random }) {
      const writer = scenario.guests[2]?.page;
      if (!writer) return ['no person is there'];
      const endpoint = setUp.endpointOf(3);
      const old = openPage({ ...endpoint, person: writer.person, random, version: protocolVersion - 1 });
      const before = writer.written.length;
      const isWarned = await isSoon(() => old.connection.status.get().status === 'refused' || isOutdated(old));
      // It reloads once, with what was written.
      const { storage } = old;
      old.tell(scenario.host.page.person.uid, 'typed before the upgrade');
      old.close();
      const reloaded = openPage({ ...endpoint, person: writer.person, random, storage });
      reloaded.outbox.sendAll();
      const isSent = await isSoon(() => reloaded.outbox.waiting.get().length === 0);
      reloaded.close();
      return [
        ...wrongUnless(isWarned, 'the old page did not learn that it is old'),
        ...wrongUnless(isSent && writer.written.length >= before, 'what was typed before the upgrade was lost'),
      ];
    },
  },
];

function isOutdated(page: ReturnType<typeof openPage>): boolean {
  return page.connection.status.get().status === 'outdated';
}
