/**
 * What signed-in people behind one address can do to a server without breaking a limit, or for as long as it lets them.
 * Plain client code: nothing here knows how the server counts.
 */
import { connect } from '@tunemate/testkit/worlds/crowd';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openRawSocket, type RawSocket } from '@tunemate/testkit/network/raw-socket';
import { pongWord, protocolVersion, writeRequest } from '@tunemate/protocol';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf, type Attack, type Attacker, type AttackKind, type Stop } from './attack-world.ts';
import { brokenJpeg, heavyJpeg } from './heavy-jpeg.ts';
import { httpKinds, questionKinds } from './question-kinds.ts';
import { moves, write } from '../load/largest-queue.ts';

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

/** The same of each account. */
function ofEach(name: string, begin: (attack: Attack, attacker: Attacker) => Stop | Promise<Stop>): AttackKind {
  return {
    name,
    async start(attack) {
      const stops = await Promise.all(attack.attackers.map(async (attacker) => await begin(attack, attacker)));
      return async () => void (await Promise.all(stops.map((stop) => stop())));
    },
  };
}

/** `times` of them as one. */
function together(times: number, begin: () => Stop): Stop {
  const stops = Array.from({ length: times }, begin);
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

function openRaw({ url, address }: Attack, { person: { cookie } }: Attacker): Promise<RawSocket> {
  return openRawSocket({ url, app: { port: Number(new URL(url).port) } }, { cookie, headers: address });
}

/** One frame as a client sends it, with a mask of zeros. */
const frame = (firstByte: number, content = ''): Buffer =>
  Buffer.concat([Buffer.from([firstByte, 0x80 | content.length, 0, 0, 0, 0]), Buffer.from(content)]);
const many = (count: number, one: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => one));

/** As many frames as one connection takes, and on a new connection as soon as that was ended. */
function flood(name: string, frames: Buffer): AttackKind {
  return ofEach(name, (attack, attacker) =>
    forever(async (isOn) => {
      const socket = await openRaw(attack, attacker);
      while (isOn() && socket.isOpen()) await Promise.race([socket.write(frames), socket.closed]);
      socket.end();
    }, 50),
  );
}

/** Says hello and asks for the whole room as often as it may, without reading an answer. */
async function askUnread(attack: Attack, attacker: Attacker, isOn: () => boolean): Promise<void> {
  const socket = await openRaw(attack, attacker);
  socket.send(writeRequest(0, 'session/hello', { protocolVersion, tabId: randomUUID() }));
  while (isOn() && socket.isOpen() && socket.answers().length === 0) await pause(5);
  socket.stopReading();
  for (let n = 1; n <= 58; n += 1) socket.send(writeRequest(n, 'rooms/enter', attacker.room));
  for (let waits = 0; waits < 50 && isOn() && socket.isOpen(); waits += 1) await pause(100);
  socket.end();
}

async function call(attack: Attack, { cookie }: Person, method: string, path: string, type: string, body?: BodyInit) {
  const headers = { ...attack.address, cookie, origin: attack.url, 'content-type': type };
  const answer = await fetch(`${attack.url}${path}`, { method, headers, body: body ?? null });
  await answer.arrayBuffer();
}

async function pauseAndSeek({ url, mates, address, attackers }: Attack, attacker: Attacker): Promise<Stop> {
  const { person, room } = attacker;
  const host = await connect(url, person, address);
  const at = attackers.indexOf(attacker);
  // A mate may not have a page open in each of twenty rooms.
  const theirs = attackers.length === 1 ? mates : mates.filter((_mate, n) => n === at % mates.length);
  const guests = await Promise.all(theirs.map((mate) => connect(url, mate, addressOf(mate))));
  for (const member of [host, ...guests]) await member.ask('rooms/enter', room);
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  let n = 0;
  const stop = forever(async () => {
    n += 1;
    await write(host, room, moves(n % 600)[n % 3] ?? { type: 'play' });
  }, 50);
  return async () => {
    await stop();
    for (const { line } of [host, ...guests]) line.disconnect();
  };
}

/** One a second is allowed, however long the last one takes. */
function sendPictures(attack: Attack, { person }: Attacker): Stop {
  const pictures = [heavyJpeg(), brokenJpeg()].map((bytes) => new Uint8Array(bytes));
  let n = 0;
  return forever(() => {
    n += 1;
    const path = `/api/chats/images?with=${attack.mates[0].uid}`;
    call(attack, person, 'POST', path, 'image/jpeg', pictures[n % 2]).catch(() => undefined);
    return Promise.resolve();
  }, 1000);
}

/** What the others alone cost: a server that was just started grows with its first visitors. */
export const noAttack: AttackKind = { name: 'no attack', start: async () => () => Promise.resolve() };

export const attackKinds: readonly AttackKind[] = [
  noAttack,
  flood('answers to pings', many(10_000, frame(0x81, pongWord))),
  flood('ws pings', many(10_000, frame(0x89))),
  flood('pieces of messages', Buffer.concat([frame(0x01, pongWord), many(10_000, frame(0x00)), frame(0x80)])),
  ofEach('non-reading tabs that enter rooms', (attack, attacker) => {
    const tabs = Math.min(10, Math.floor(80 / attack.attackers.length));
    return together(tabs, () => forever((isOn) => askUnread(attack, attacker, isOn), 500));
  }),
  ofEach('queue', pauseAndSeek),
  ...questionKinds,
  ofEach('coming and going, 2000 watchers', ({ url, address }, { person }) =>
    forever(async () => {
      const { line } = await connect(url, person, address);
      line.disconnect();
    }, 100),
  ),
  ofEach('renames', (attack, { person }) =>
    forever(() => {
      const body = JSON.stringify({ name: `N ${randomUUID().slice(0, 8)}` });
      return call(attack, person, 'PATCH', '/api/accounts/me', 'application/json', body);
    }, 300),
  ),
  ofEach('pictures', sendPictures),
  ofEach('export', (attack, { person }) =>
    together(10, () => forever(() => call(attack, person, 'GET', '/api/accounts/export', 'application/json'), 3000)),
  ),
  ...httpKinds,
];
