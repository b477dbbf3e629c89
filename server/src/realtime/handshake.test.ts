/**
 * Connections of clients that no page of ours is: which upgrades are refused, and which frames end a connection.
 */
import { protocolVersion } from '@tunemate/protocol';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openRawSocket, type RawSocket } from '@tunemate/testkit/network/raw-socket';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

let w: SocketWorld;
let witness: Tab;
beforeAll(async () => {
  w = await openSocketWorld();
  witness = await w.arrive('Mara');
});
afterAll(() => w.close());

const request = (id: number, name: string, payload: unknown) => `42${String(id)}${JSON.stringify([name, payload])}`;
const hello = () => request(0, 'session/hello', { protocolVersion, tabId: randomUUID() });
const answers = (socket: RawSocket) => socket.received.filter((frame) => frame.startsWith('43'));

async function greeted(person: Person): Promise<RawSocket> {
  const socket = await openRawSocket(w.app, { cookie: person.cookie });
  socket.send(hello());
  await expect.poll(() => answers(socket)).toHaveLength(1);
  return socket;
}

describe('connection checks', () => {
  let person: Person;
  beforeEach(async () => {
    person = await w.person('Ivo');
  });

  test.each([
    ['foreign', 'https://evil.example'],
    ['null', 'null'],
    ['that only begins like ours', 'http://localhost.evil.example'],
    ['of another port', 'http://localhost:1'],
    ['of another scheme', 'https://localhost'],
    ['missing', null],
  ])('an upgrade whose origin is %s is answered 403 (WIRE-14)', async (_what, origin) => {
    await expect(openRawSocket(w.app, { cookie: person.cookie, origin })).rejects.toThrow('HTTP 403');
  });

  test('there is no other transport (WIRE-15)', async () => {
    const answer = await fetch(`http://127.0.0.1:${String(w.app.app.port)}/socket.io/?EIO=4&transport=polling`);
    expect(answer.status).toBe(400);
  });

  test('a page whose upgrade a proxy took away is reported once, with what to do', async () => {
    const address = `http://127.0.0.1:${String(w.app.app.port)}/socket.io/?EIO=4&transport=websocket`;
    for (let times = 0; times < 2; times += 1) expect((await fetch(address)).status).toBe(400);
    const warnings = w.app.log.filter(({ event }) => event === 'socket.without-upgrade');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({
      level: 'warn',
      fields: { peer: expect.stringContaining('127.0.0.1') as string },
    });
    expect(JSON.stringify(warnings[0]?.fields)).toContain('WebSocket upgrades of /socket.io/');
  });

  test('a second transport for an open connection is refused, over a socket and over plain HTTP (WIRE-66)', async () => {
    const first = await openRawSocket(w.app, { cookie: person.cookie, connect: false });
    await expect.poll(() => first.received).toHaveLength(1);
    const { sid } = z.object({ sid: z.string() }).parse(JSON.parse((first.received[0] ?? '').slice(1)));
    for (const query of [`sid=${sid}`, `s%69d=${sid}`, 'sid='])
      await expect(openRawSocket(w.app, { query, connect: false })).rejects.toThrow('HTTP 400');
    const address = `http://127.0.0.1:${String(w.app.app.port)}/socket.io/?EIO=4&transport=websocket&sid=${sid}`;
    expect((await fetch(address)).status).toBe(400);
    first.end();
  });

  test('a silent connection is closed within seconds, before the namespace and after it (WIRE-16)', async () => {
    const mute = await openRawSocket(w.app, { cookie: person.cookie, connect: false });
    const shy = await openRawSocket(w.app, { cookie: person.cookie });
    await Promise.all([mute.closed, shy.closed]);
    expect(shy.received.some((frame) => frame.includes('goodbye') && frame.includes('auth/required'))).toBe(true);
  });

  test.each([16_385, 1024 * 1024])('a frame of %i bytes closes with 1009 (WIRE-17)', async (bytes) => {
    const socket = await greeted(person);
    socket.send(`42${'x'.repeat(bytes - 2)}`);
    expect(await socket.closed).toBe(1009);
  });

  test.each([
    ['a binary frame', Buffer.from([4, 2, 0])],
    ['an announced attachment', '4451-["rooms/enter",{"_placeholder":true,"num":0}]'],
    ['9,999 attachments', '4459999-["rooms/enter",{"_placeholder":true,"num":0}]'],
    ['a placeholder that names a method', '451-["rooms/enter",{"_placeholder":true,"num":"splice"}]'],
    ['a binary answer', '461-0[{"_placeholder":true,"num":0}]'],
    ['an answer to what was never asked', '430["x"]'],
    ['a connection error', '44{"message":"x"}'],
    ['a second connect', '40'],
    ['another namespace', '40/admin,'],
    ['a request for another namespace', '42/admin,0["rooms/enter",{}]'],
    ['text that is not JSON', '420[x'],
    ['JSON cut short', '420["rooms/enter",{"kind":'],
    ['an object for an event', '420{"a":1}'],
    ['the reserved event disconnect', '420["disconnect"]'],
    ['the reserved event newListener', '420["newListener"]'],
    ['an unknown packet', '49'],
    ['a ping of the wrong direction', '2'],
    ['nothing at all', '4'],
  ])('%s ends the connection, and only that (WIRE-18)', async (_what, frame) => {
    const socket = await greeted(person);
    socket.send(frame);
    await socket.closed;
    expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
  });

  test.each([
    ['a number for a name', '42["42"]'],
    ['an event that is a number', '42[42]'],
    ['an event called error', '42["error",{}]'],
    ['an unknown event', '420["rooms/peek",{}]'],
    ['a name of 500 characters', `420["${'x'.repeat(500)}",{}]`],
    ['a prototype’s name', '420["__proto__",{}]'],
    ['a request that wants no answer', '42["rooms/enter",{}]'],
  ])('%s three times ends the connection (WIRE-19)', async (_what, frame) => {
    const socket = await greeted(person);
    for (let times = 0; times < 3; times += 1) socket.send(frame);
    await socket.closed;
    expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
  });

  test('nesting as deep as a frame can hold is invalid and harms nothing (WIRE-20)', async () => {
    const socket = await greeted(person);
    const levels = 8000;
    socket.send(`421["chats/list",${'['.repeat(levels)}${']'.repeat(levels)}]`);
    socket.send(`422["chats/list",${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}]`);
    await expect.poll(() => answers(socket)).toHaveLength(3);
    expect(
      answers(socket)
        .slice(1)
        .every((frame) => frame.includes('input/invalid')),
    ).toBe(true);
    socket.end();
  });

  test('what a client claims when it connects is not read (WIRE-21)', async () => {
    const socket = await openRawSocket(w.app, { cookie: person.cookie, connect: false });
    socket.send(`40${JSON.stringify({ uid: witness.uid, token: 'x', session: { uid: witness.uid } })}`);
    await expect.poll(() => socket.received.some((frame) => frame.startsWith('40'))).toBe(true);
    socket.send(hello());
    await expect.poll(() => answers(socket)).toHaveLength(1);
    expect(answers(socket)[0]).toContain(person.uid);
    expect(answers(socket)[0]).not.toContain(witness.uid);
    socket.end();
  });

  test('a page of another version is refused as outdated and disconnected, whatever else its hello contains (WIRE-22)', async () => {
    const socket = await openRawSocket(w.app, { cookie: person.cookie });
    socket.send(request(0, 'session/hello', { protocolVersion: protocolVersion + 1, tab: 'of a later time' }));
    await socket.closed;
    expect(answers(socket)).toEqual(['430[{"ok":false,"error":{"code":"client/outdated"}}]']);
  });

  test('a hello of somebody else’s page is refused, and nothing that was sent behind it is carried out (WIRE-67)', async () => {
    const socket = await openRawSocket(w.app, { cookie: person.cookie });
    socket.send(request(0, 'session/hello', { protocolVersion, tabId: randomUUID(), uid: witness.uid }));
    socket.send(request(1, 'chats/list', {}));
    await socket.closed;
    expect(answers(socket)[0]).toBe('430[{"ok":false,"error":{"code":"auth/required"}}]');
    expect(answers(socket).some((frame) => frame.includes('"ok":true'))).toBe(false);
    const own = await openRawSocket(w.app, { cookie: person.cookie });
    own.send(request(0, 'session/hello', { protocolVersion, tabId: randomUUID(), uid: person.uid }));
    await expect.poll(() => answers(own).some((frame) => frame.includes('"ok":true'))).toBe(true);
    own.end();
  });

  test('a session revoked during the hello is refused and no further request is answered (WIRE-23)', async () => {
    const socket = await openRawSocket(w.app, { cookie: person.cookie });
    await w.db.deleteFrom('sessions').where('session_id', '=', person.sessionId).execute();
    socket.send(hello());
    socket.send(request(1, 'chats/list', {}));
    await socket.closed;
    expect(answers(socket)[0]).toContain('auth/required');
    expect(
      answers(socket)
        .slice(1)
        .some((frame) => frame.includes('"ok":true')),
    ).toBe(false);
    await w.pass(5000);
    expect(await w.stateOf(person)).toBe('offline');
  });

  test('requests right after the hello are answered after it, in order, clock probes too (WIRE-45)', async () => {
    const socket = await openRawSocket(w.app, { cookie: person.cookie });
    socket.send(hello());
    socket.send(request(1, 'chats/list', {}));
    socket.send(request(2, 'clock/probe', {}));
    socket.send(request(3, 'chats/list', {}));
    await expect.poll(() => answers(socket)).toHaveLength(4);
    const order = answers(socket).map((frame) => /^43(\d+)/.exec(frame)?.[1]);
    expect(order[0]).toBe('0');
    expect(order.indexOf('1')).toBeLessThan(order.indexOf('3'));
    expect(answers(socket).every((frame) => frame.includes('"ok":true'))).toBe(true);
    socket.end();
  });

  test('the snapshot is there before anything that follows it (WIRE-24)', async () => {
    const room = await w.room(witness, 'video');
    const guest = await w.connect(person);
    await w.letIn(witness, guest, room);
    const { roomId } = valueOf(await guest.ask('rooms/enter', room)).room;
    let isWriting = true;
    const writing = (async () => {
      while (isWriting) {
        const said = { ...room, clientId: randomUUID(), text: 'more' };
        await Promise.all([
          witness.ask('rooms/sendMessage', { ...said, clientId: randomUUID() }),
          witness.ask('rooms/sendMessage', said),
        ]);
      }
    })();
    for (let round = 0; round < 12; round += 1) {
      const socket = await greeted(person);
      socket.send(request(1, 'rooms/enter', room));
      await expect.poll(() => socket.received.some((frame) => frame.includes(`"room:${roomId}"`))).toBe(true);
      const first = socket.received.findIndex((frame) => frame.startsWith('42["entries"') && frame.includes(roomId));
      const snapshot = socket.received.findIndex((frame) => frame.startsWith('431['));
      expect(snapshot).toBeLessThan(first);
      expect(snapshot).toBeGreaterThan(0);
      socket.end();
    }
    isWriting = false;
    await writing;
    expect(guest.gaps).toEqual([]);
  });
});

test('a reader that stops reading is dropped, and everyone else receives everything (WIRE-25)', async () => {
  const room = await w.room(witness, 'video');
  const [stalled, reader] = [await w.arrive('Theo'), await w.arrive('Ada')];
  for (const tab of [stalled, reader]) await w.letIn(witness, tab, room);
  const { roomId } = valueOf(await reader.ask('rooms/enter', room)).room;
  const raw = await greeted(stalled);
  raw.send(request(1, 'rooms/enter', room));
  await expect.poll(() => answers(raw)).toHaveLength(2);
  raw.stopReading();
  // Together about 14 MB: more than the network in between can hold.
  const text = '😀'.repeat(2000);
  for (let wave = 0; wave < 36; wave += 1) {
    const said = Array.from({ length: 50 }, () =>
      witness.ask('rooms/sendMessage', { ...room, clientId: randomUUID(), text }),
    );
    (await Promise.all(said)).forEach(valueOf);
  }
  await w.pass(0);
  const dropped = w.app.log.filter(({ event }) => event === 'connection.stalled');
  expect(dropped).toMatchObject([{ fields: { uid: stalled.uid } }]);
  const inGracePeriod = () =>
    w.db
      .selectFrom('connections')
      .select('uid')
      .where('uid', '=', stalled.uid)
      .where('grace_until_ms', 'is not', null)
      .execute();
  await expect.poll(inGracePeriod).toHaveLength(1);
  const { seq } = valueOf(await reader.ask('rooms/enter', room));
  await expect.poll(() => reader.numbers(`room:${roomId}` as never).at(-1)).toBe(seq);
  expect(reader.gaps).toEqual([]);
  raw.end();
}, 120_000);
