/**
 * What one signed-in person can do to a server without breaking a limit, or for as long as it lets them. Plain client
 * code: nothing here knows how the server counts.
 */
import { connect } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openRawSocket, type RawSocket } from '@tunemate/testkit/network/raw-socket';
import { pongWord, protocolVersion, writeRequest } from '@tunemate/protocol';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf, type AttackWorld } from './attack-world.ts';
import { brokenJpeg, heavyJpeg } from './heavy-jpeg.ts';
import { moves, write } from '../load/largest-queue.ts';

export type Stop = () => Promise<void>;
export interface AttackKind {
  readonly name: string;
  start(world: AttackWorld): Promise<Stop>;
}

/** Does `work` again and again, also after it failed. */
function forever(work: (isOn: () => boolean) => Promise<unknown>, everyMs: number): Stop {
  let isOn = true;
  const running = (async () => {
    while (isOn) {
      await Promise.all([work(() => isOn).catch(() => undefined), pause(everyMs)]);
    }
  })();
  return async () => {
    isOn = false;
    await running;
  };
}

function openRaw({ url }: AttackWorld, person: Person): Promise<RawSocket> {
  const target = { url, app: { port: Number(new URL(url).port) } };
  return openRawSocket(target, { cookie: person.cookie, headers: addressOf(person) });
}

/** One frame as a client sends it, with a mask of zeros. */
const frame = (firstByte: number, content = ''): Buffer =>
  Buffer.concat([Buffer.from([firstByte, 0x80 | content.length, 0, 0, 0, 0]), Buffer.from(content)]);
const many = (count: number, one: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => one));

/** As many frames as one connection takes, and on a new connection as soon as that was ended. */
function flood(name: string, frames: Buffer): AttackKind {
  return {
    name,
    start: (world) =>
      Promise.resolve(
        forever(async (isOn) => {
          const socket = await openRaw(world, world.attacker);
          while (isOn() && socket.isOpen()) await Promise.race([socket.write(frames), socket.closed]);
          socket.end();
        }, 50),
      ),
  };
}

/** Says hello and asks for the whole room as often as it may, without reading an answer. */
async function askUnread(world: AttackWorld, isOn: () => boolean): Promise<void> {
  const socket = await openRaw(world, world.attacker);
  socket.send(writeRequest(0, 'session/hello', { protocolVersion, tabId: randomUUID() }));
  while (isOn() && socket.isOpen() && socket.answers().length === 0) await pause(5);
  socket.stopReading();
  for (let n = 1; n <= 58; n += 1) socket.send(writeRequest(n, 'rooms/enter', world.room));
  for (let waits = 0; waits < 50 && isOn() && socket.isOpen(); waits += 1) await pause(100);
  socket.end();
}

function comingAndGoing(which: 'few' | 'many', watchers: number): AttackKind {
  return {
    name: `coming and going, ${String(watchers)} watchers`,
    start: (world) =>
      Promise.resolve(
        forever(async () => {
          const { person } = world.watched[which];
          const { line } = await connect(world.url, person, addressOf(person));
          line.disconnect();
        }, 100),
      ),
  };
}

async function call(world: AttackWorld, person: Person, method: string, path: string, type: string, body?: BodyInit) {
  const headers = { ...addressOf(person), cookie: person.cookie, origin: world.url, 'content-type': type };
  const answer = await fetch(`${world.url}${path}`, { method, headers, body: body ?? null });
  await answer.arrayBuffer();
}

async function pauseAndSeek(world: AttackWorld): Promise<Stop> {
  const everybody = [world.attacker, ...world.mates];
  const members = await Promise.all(everybody.map((person) => connect(world.url, person, addressOf(person))));
  for (const member of members) await member.ask('rooms/enter', world.room);
  const host = members[0];
  if (!host) throw new Error('no host');
  await host.ask('playback/takeControl', { ...world.room, tabId: host.tabId });
  let n = 0;
  const stop = forever(async () => {
    n += 1;
    await write(host, world.room, moves(n % 600)[n % 3] ?? { type: 'play' });
  }, 50);
  return async () => {
    await stop();
    for (const { line } of members) line.disconnect();
  };
}

export const attackKinds: readonly AttackKind[] = [
  flood('answers to pings', many(10_000, frame(0x81, pongWord))),
  flood('ws pings', many(10_000, frame(0x89))),
  flood('pieces of messages', Buffer.concat([frame(0x01, pongWord), many(10_000, frame(0x00)), frame(0x80)])),
  {
    name: 'non-reading tabs that enter rooms',
    async start(world) {
      const tabs = Array.from({ length: 10 }, () => forever((isOn) => askUnread(world, isOn), 500));
      return async () => void (await Promise.all(tabs.map((stop) => stop())));
    },
  },
  comingAndGoing('few', 300),
  comingAndGoing('many', 2000),
  {
    name: 'renames',
    start: (world) => {
      const { person } = world.watched.many;
      const rename = () => {
        const body = JSON.stringify({ name: `N ${randomUUID().slice(0, 8)}` });
        return call(world, person, 'PATCH', '/api/accounts/me', 'application/json', body);
      };
      return Promise.resolve(forever(rename, 300));
    },
  },
  { name: 'queue', start: pauseAndSeek },
  {
    name: 'pictures',
    start: (world) => {
      const pictures = [heavyJpeg(), brokenJpeg()].map((bytes) => new Uint8Array(bytes));
      const path = `/api/chats/images?with=${world.mates[0]?.uid ?? ''}`;
      let n = 0;
      const send = () => {
        n += 1;
        const picture = pictures[n % 2];
        // Not awaited: one a second is allowed, however long the last one takes.
        call(world, world.attacker, 'POST', path, 'image/jpeg', picture).catch(() => undefined);
        return Promise.resolve();
      };
      return Promise.resolve(forever(send, 1000));
    },
  },
  {
    name: 'export',
    start: (world) => {
      const ask = () => call(world, world.writer, 'GET', '/api/accounts/export', 'application/json');
      const askers = Array.from({ length: 10 }, () => forever(ask, 3000));
      return Promise.resolve(async () => void (await Promise.all(askers.map((stop) => stop()))));
    },
  },
];
