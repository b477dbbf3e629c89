/**
 * One person who asks at full pace, from nine tabs about the largest that there is, and over HTTP with 64 connections.
 * What can be asked is read from the declarations of the protocol, so that a new request is measured with the next run:
 * those that only read are rows of their own, everything else is asked in turn in one row. Each counts what was answered.
 */
import { Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  httpRequests,
  limits,
  pairId,
  type PayloadInput,
  type RequestName,
  type RouteName,
  socketRequests,
} from '@tunemate/protocol';
import { KnownValues, payloadMaker } from '@tunemate/testkit/fuzz/fuzz-payloads';
import { connect, type Member } from '@tunemate/testkit/worlds/crowd';
import { fileAccess } from '../../server/src/access/files.ts';
import { addressOf, type AttackWorld } from './attack-world.ts';
import type { AttackKind } from './attack-kinds.ts';
import { filmId, roomCodes } from './full-world.ts';

const tabs = 9;
const openPerTab = 20;
const httpConnections = 64;

/** `n` differs with each question. */
type Payloads = { [Name in RequestName]?: Record<string, (world: AttackWorld, n: number) => PayloadInput<Name>> };

const own = { '': () => ({}) };
const pairOf = ({ full, attacker }: AttackWorld) => pairId.parse([attacker.uid, full.chatWith].sort().join('_'));
const inCrowd = { '': ({ full }: AttackWorld) => full.crowded };
const libraryIdOf = (n: number): string => `lib_${n.toString(16).padStart(16, '0')}`;

/** Questions whose answer depends on what is named: the largest. */
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
  'rooms/played': { '': ({ full }) => ({ ...full.crowded }) },
  'playback/ready': { '': ({ full }) => ({ ...full.crowded, revision: 1 }) },
  'catalogue/suggest': { '': ({ full }, n) => ({ ...full.crowded, videoId: libraryIdOf(n) }) },
  'catalogue/cards': {
    '': (_world, n) => ({ videoIds: Array.from({ length: limits.cards }, (_, item) => libraryIdOf(n + item)) }),
  },
  'catalogue/search': { '': ({ full }, n) => ({ ...full.crowded, query: `song number artist ${String(n)}` }) },
  'library/groups': { '': ({ full }) => ({ ...full.crowded, by: 'artist', from: 0 }) },
  'library/tracks': {
    ', newest': ({ full }) => ({ ...full.crowded, view: { type: 'newest' }, from: 0 }),
    ', found': ({ full }) => ({ ...full.crowded, view: { type: 'search', words: 'song artist' }, from: 0 }) as never,
  },
  'chats/list': own,
  'chats/open': { '': ({ full }) => ({ uid: full.chatWith }) },
  'chats/earlierMessages': { '': (world) => ({ pairId: pairOf(world), before: 55 }) },
  'chats/search': { '': () => ({ words: 'message ordinary' }) },
  'chats/searchInChat': { '': (world) => ({ pairId: pairOf(world), words: 'message ordinary' }) },
  'chats/firstSince': { '': (world, n) => ({ pairId: pairOf(world), since: n % 60 }) },
  'chats/mark': { '': (world, n) => ({ pairId: pairOf(world), deliveredUpTo: n % 60, readUpTo: n % 60 }) },
  'chats/blocked': own,
  'notifications/markRead': own,
  'soulmate/taken': own,
};

/** It would leave the attacker without what is asked about. */
const leavesNothing = new Set<RequestName>(['session/hello', 'rooms/removeParticipant', 'chats/block']);
const others = (Object.keys(socketRequests) as RequestName[]).filter(
  (name) => payloads[name] === undefined && !leavesNothing.has(name),
);

/** Payloads of the right form for any declaration, which name what there is in the world. */
function payloadsIn(world: AttackWorld) {
  let seed = 1;
  const dice = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const known = new KnownValues();
  const { full } = world;
  const values = {
    uid: [full.inCrowd, full.chatWith],
    pairId: [pairOf(world)],
    queueId: [full.queueId],
    roomId: [full.history],
    videoId: [0, 1, 2, 3].map(libraryIdOf),
    number: [1, 2, 3, 55],
    text: ['hello there', 'https://example.test/page'],
  };
  for (const [field, some] of Object.entries(values)) for (const value of some) known.add(field, value);
  // The last ones are left by 'rooms/leave'.
  known.together.push({ ...full.crowded }, ...roomCodes.map((code) => ({ kind: 'video', code })));
  return payloadMaker(dice, known);
}

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

type Ask = (n: number) => [RequestName, unknown];

function asking(name: string, begin: (world: AttackWorld) => Ask): AttackKind {
  return {
    name,
    async start(world) {
      let isOn = true;
      const ask = begin(world);
      const members = await Promise.all(
        Array.from({ length: tabs }, () => connect(world.url, world.attacker, addressOf(world.attacker))),
      );
      for (const member of members) await member.ask('rooms/enter', world.full.crowded).catch(() => undefined);
      counted.answers = 0;
      const lanes = members.map((each) => askForever(each, ask, () => isOn));
      return async () => {
        isOn = false;
        for (const { line } of members) line.disconnect();
        await Promise.all(lanes);
      };
    },
  };
}

/** One request again and again, with what the schema takes. */
const anyRequest = (name: RequestName): AttackKind =>
  asking(name, (world) => {
    const make = payloadsIn(world);
    return () => [name, make(socketRequests[name].payload)];
  });

const everyOther = asking('every other request, in turn', (world) => {
  const make = payloadsIn(world);
  return (n) => {
    const name = others[n % others.length] ?? 'rooms/mine';
    return [name, make(socketRequests[name].payload)];
  };
});

interface HttpAsk {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

function flood(name: string, ask: (world: AttackWorld, n: number) => HttpAsk): AttackKind {
  return {
    name: `64 connections, ${name}`,
    start(world) {
      let isOn = true;
      let n = 0;
      const agent = new Agent({ keepAlive: true, maxSockets: httpConnections });
      const base = { ...addressOf(world.attacker), cookie: world.attacker.cookie, origin: world.url };
      const once = () =>
        new Promise<void>((resolve) => {
          n += 1;
          const { method, path, headers = {}, body } = ask(world, n);
          const asked = send(`${world.url}${path}`, { agent, method, headers: { ...base, ...headers } }, (answer) => {
            counted.answers += 1;
            answer.resume();
            answer.once('close', resolve);
          });
          asked.once('error', () => resolve());
          asked.end(body);
        });
      counted.answers = 0;
      const lane = async () => {
        while (isOn) await once();
      };
      const lanes = Array.from({ length: httpConnections }, lane);
      return Promise.resolve(async () => {
        isOn = false;
        // A film that is sent at a pace would take minutes.
        agent.destroy();
        await Promise.all(lanes);
      });
    },
  };
}

/** What stands for each part of an address. A new one without it stops the measurement. */
const parts: Readonly<Record<string, string>> = {
  id: filmId,
  imageId: '0123456789abcdef',
  voiceId: '0123456789abcdef',
  subtitlesId: '0123456789abcdef',
  queueId: 'full-queue-0',
};
function addressed(path: string): string {
  return path.replaceAll(/:(\w+)/g, (_part, name: string) => {
    const value = parts[name];
    if (value === undefined) throw new Error(`the measurement knows no ${name} for ${path}`);
    return value;
  });
}

const routes = [...Object.keys(httpRequests), ...Object.keys(fileAccess)].map((name) => {
  const [method = '', path = ''] = name.split(' ');
  return { name, method, path: addressed(path) };
});
const read = ['/', '/healthz', ...routes.filter(({ method }) => method === 'GET').map(({ path }) => path)];

/** The attacker would be signed out. */
const endsSession = new Set(['sign-out', 'sign-out-everywhere', 'delete'].map((what) => `POST /api/accounts/${what}`));
const written = (Object.keys(httpRequests) as RouteName[]).filter(
  (name) => !name.startsWith('GET ') && !endsSession.has(name),
);
const everyPost = flood('every route that writes, in turn', (world, n) => {
  const name = written[n % written.length] ?? 'POST /api/accounts/sign-in';
  const [method = '', path = ''] = name.split(' ');
  const body = JSON.stringify(payloadsIn(world)(httpRequests[name].payload) ?? {});
  return { method, path, headers: { 'content-type': 'application/json' }, body };
});

/** The lines of a list that names what is in the library only nearly. */
const list = Array.from({ length: limits.queueItems }, (_, n) => `Some Artist/Song number ${String(n)}x.mp3`);
const uploads: Record<string, (world: AttackWorld, n: number) => HttpAsk> = {
  'POST /api/queues/m3u8': (_world, n) => ({
    method: 'POST',
    path: `/api/queues/m3u8?kind=video&name=List&clientId=list-${String(n)}`,
    headers: { 'content-type': 'audio/x-mpegurl' },
    body: `#EXTM3U\n${String(n)}\n${list.join('\n')}\n`,
  }),
  'POST /api/chats/images': ({ full }) => ({
    method: 'POST',
    path: `/api/chats/images?with=${full.chatWith}`,
    headers: { 'content-type': 'image/png' },
    body: Buffer.alloc(1024 * 1024, 7),
  }),
  'POST /api/chats/voices': ({ full }) => ({
    method: 'POST',
    path: `/api/chats/voices?with=${full.chatWith}`,
    headers: { 'content-type': 'audio/webm' },
    body: Buffer.alloc(256 * 1024, 7),
  }),
};
const isUpload = ({ method, name }: { method: string; name: string }) => method === 'POST' && name in fileAccess;
for (const { name } of routes.filter(isUpload)) {
  if (uploads[name] === undefined) throw new Error(`the measurement sends nothing to ${name}`);
}

/** Those that `questions` runs. */
export const questionKinds: readonly AttackKind[] = [
  ...Object.entries(payloads).flatMap(([name, asked]) =>
    Object.entries(asked).map(([what, payload]) =>
      asking(`${name}${what}`, (world) => (n) => [
        name as RequestName,
        (payload as (w: AttackWorld, n: number) => unknown)(world, n),
      ]),
    ),
  ),
  everyOther,
  ...read.map((path) => flood(path, () => ({ method: 'GET', path }))),
  everyPost,
  ...Object.entries(uploads).map(([name, ask]) => flood(name, ask)),
];
/** The parts of `every other request`, to find which of them is heavy. */
export const singleKinds: readonly AttackKind[] = others.map(anyRequest);
