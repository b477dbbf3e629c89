/**
 * One person who asks a question at full pace from nine tabs, about the largest that there is; and one network that asks
 * over HTTP with 64 connections. Each counts what was answered.
 */
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { limits, pairId, type PayloadInput, type RequestName } from '@tunemate/protocol';
import { connect, type Member } from '@tunemate/testkit/worlds/crowd';
import { addressOf, type AttackWorld } from './attack-world.ts';
import type { AttackKind } from './attack-kinds.ts';
import { filmPath } from './full-world.ts';

const tabs = 9;
const openPerTab = 20;
const httpConnections = 64;

/** `n` differs with each question. */
type Payloads = { [Name in RequestName]?: Record<string, (world: AttackWorld, n: number) => PayloadInput<Name>> };

const own = { '': () => ({}) };
const pairOf = ({ full, attacker }: AttackWorld) => pairId.parse([attacker.uid, full.chatWith].sort().join('_'));
const inCrowd = { '': ({ full }: AttackWorld) => full.crowded };

const payloads: Payloads = {
  'rooms/mine': own,
  'rooms/lookUp': inCrowd,
  'rooms/enter': inCrowd,
  'rooms/people': {
    ', first page': ({ full }) => ({ ...full.crowded, which: { type: 'after', uid: null } }),
    ', later page': ({ full }) => ({ ...full.crowded, which: { type: 'after', uid: full.inCrowd } }),
    ', a name that nobody has': ({ full }) => ({ ...full.crowded, which: { type: 'named', letters: 'zzz' } }),
  },
  'rooms/histories': own,
  'rooms/history': { '': ({ full }) => ({ roomId: full.history }) },
  'queues/list': own,
  'queues/read': { '': ({ full }) => ({ queueId: full.queueId }) },
  'rooms/earlierMessages': { '': ({ full }) => ({ ...full.crowded, before: 'none' }) },
  'playback/ready': { '': ({ full }) => ({ ...full.crowded, revision: 1 }) },
  'catalogue/suggest': {
    '': ({ full }, n) => ({ ...full.crowded, videoId: `lib_${n.toString(16).padStart(16, '0')}` as never }),
  },
  'catalogue/cards': {
    '': (_world, n) => ({
      videoIds: Array.from({ length: limits.cards }, (_, item) => `lib_${(n + item).toString(16).padStart(16, '0')}`),
    }),
  },
  'catalogue/search': { '': ({ full }, n) => ({ ...full.crowded, query: `song number artist ${String(n)}` }) },
  'library/groups': { '': ({ full }) => ({ ...full.crowded, by: 'artist', from: 0 }) },
  'library/tracks': {
    ', newest': ({ full }) => ({ ...full.crowded, view: { type: 'newest' }, from: 0 }),
    ', found': ({ full }) => ({ ...full.crowded, view: { type: 'search', words: 'song artist' }, from: 0 }) as never,
  },
  'chats/list': own,
  'chats/open': { '': ({ full }) => ({ uid: full.chatWith }) },
  'chats/earlierMessages': {
    '': (world) => ({ pairId: pairOf(world), before: 55 }),
  },
  'chats/search': { '': () => ({ words: 'message ordinary' }) },
  'chats/searchInChat': { '': (world) => ({ pairId: pairOf(world), words: 'message ordinary' }) },
  'chats/firstSince': { '': (world, n) => ({ pairId: pairOf(world), since: n % 60 }) },
  'chats/blocked': own,
  'notifications/markRead': own,
  'soulmate/taken': own,
};

async function askForever(member: Member, ask: (n: number) => [RequestName, unknown], isOn: () => boolean) {
  let n = 0;
  const lane = async () => {
    while (isOn() && member.line.connected) {
      n += 1;
      const [name, payload] = ask(n);
      try {
        await member.ask(name, payload as never);
        counted.answers += 1;
      } catch {
        await pause(100);
      }
    }
  };
  await Promise.all(Array.from({ length: openPerTab }, lane));
}

/** Questions answered since it was set to zero. */
export const counted = { answers: 0 };

function question(name: RequestName, what: string, payload: (world: AttackWorld, n: number) => unknown): AttackKind {
  return {
    name: `${name}${what}`,
    async start(world) {
      let isOn = true;
      const members = await Promise.all(
        Array.from({ length: tabs }, () => connect(world.url, world.attacker, addressOf(world.attacker))),
      );
      for (const member of members) await member.ask('rooms/enter', world.full.crowded).catch(() => undefined);
      counted.answers = 0;
      const asking = members.map((each) =>
        askForever(
          each,
          (n) => [name, payload(world, n)],
          () => isOn,
        ),
      );
      return async () => {
        isOn = false;
        for (const { line } of members) line.disconnect();
        await Promise.all(asking);
      };
    },
  };
}

function flood(path: string): AttackKind {
  return {
    name: `64 connections, ${path}`,
    start(world) {
      let isOn = true;
      const agent = new Agent({ keepAlive: true, maxSockets: httpConnections });
      const headers = { ...addressOf(world.attacker), cookie: world.attacker.cookie };
      const once = () =>
        new Promise<void>((resolve) => {
          const asked = get(`${world.url}${path}`, { agent, headers }, (answer) => {
            counted.answers += 1;
            answer.resume();
            answer.once('close', resolve);
          });
          asked.once('error', () => resolve());
        });
      counted.answers = 0;
      const lane = async () => {
        while (isOn) await once();
      };
      const lanes = Array.from({ length: httpConnections }, lane);
      return Promise.resolve(async () => {
        isOn = false;
        await Promise.all(lanes);
        agent.destroy();
      });
    },
  };
}

export const questionKinds: readonly AttackKind[] = [
  ...Object.entries(payloads).flatMap(([name, asked]) =>
    Object.entries(asked).map(([what, payload]) => question(name as RequestName, what, payload as never)),
  ),
  ...['/api/session', '/api/accounts/sessions', '/', '/healthz', '/media/lib_0123456789abcdef/cover', filmPath].map(
    flood,
  ),
];
