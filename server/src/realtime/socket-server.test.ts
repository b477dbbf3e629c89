import {
  byeWord,
  pingWord,
  pongWord,
  protocolVersion,
  socketPath,
  writeRequest,
  pingEveryMs,
  pongWithinMs,
} from '@tunemate/protocol';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openRawSocket, type RawSocket } from '@tunemate/testkit/network/raw-socket';
import { codeOf, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { heartbeats, helloMs } from './socket-server.ts';

/**
 * Connections of clients that no page of ours is: which upgrades are refused, and which frames end a connection.
 */
describe('handshake', () => {
  let w: SocketWorld;
  let witness: Tab;
  beforeAll(async () => {
    w = await openSocketWorld();
    witness = await w.arrive('Mara');
  });
  afterAll(() => w.close());

  const request = writeRequest;
  const hello = () => request(0, 'session/hello', { protocolVersion, tabId: randomUUID() });
  const answers = (socket: RawSocket) => socket.answers();

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

    test.each([
      ['plain HTTP', {}],
      ['an upgrade to something else', { connection: 'upgrade', upgrade: 'h2c' }],
    ])('there is no other transport: %s (WIRE-15)', async (_what, headers) => {
      const options = { port: w.app.app.port, path: socketPath, headers: { origin: w.app.url, ...headers } };
      const [answer] = (await once(get(options), 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(400);
      answer.resume();
    });

    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
    test.each([
      ['takes the upgrade away', key],
      ['passes the upgrade, and closes the connection', { ...key, upgrade: 'websocket', connection: 'close' }],
      ['keeps the connection, and passes the upgrade', { ...key, upgrade: 'websocket', connection: 'keep-alive' }],
      ['speaks HTTP/2 with pages', { 'sec-fetch-mode': 'websocket', 'sec-fetch-dest': 'websocket' }],
    ])('a proxy that %s is reported once, with what to do', async (_what, headers) => {
      const own = await openSocketWorld();
      const ask = async (sent: OutgoingHttpHeaders): Promise<number | undefined> => {
        const options = { port: own.app.app.port, path: socketPath, headers: sent };
        const [answer] = (await once(get(options), 'response')) as [IncomingMessage];
        answer.resume();
        return answer.statusCode;
      };
      const reported = () => own.app.log.filter(({ event }) => event === 'socket.without-upgrade');
      // A browser that opens the address.
      for (const other of [{}, { 'sec-fetch-mode': 'navigate' }]) {
        expect(await ask(other)).toBe(400);
      }
      expect(reported()).toEqual([]);
      for (let times = 0; times < 2; times += 1) expect(await ask(headers)).toBe(400);
      expect(reported()).toMatchObject([
        { level: 'warn', fields: { peer: expect.stringContaining('127.0.0.1') as string } },
      ]);
      expect(JSON.stringify(reported()[0]?.fields)).toContain('WebSocket upgrades of /socket through');
    });

    test('a page of an earlier version, which connects elsewhere, hears at once that it is outdated (WIRE-66)', async () => {
      const former = { path: '/socket.io/?EIO=4&transport=websocket' };
      const socket = await openRawSocket(w.app, { cookie: person.cookie, ...former });
      await socket.closed;
      expect(socket.received[0]).toMatch(/^0\{"sid":/);
      expect(socket.received[1]).toBe('44{"message":"client/outdated"}');
      await expect(openRawSocket(w.app, { ...former, origin: 'https://evil.example' })).rejects.toThrow('HTTP 403');
    });

    test('a connection without a hello in time is closed, but for one whose hello came while the process was held up (WIRE-16)', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const open = () => openRawSocket(w.app, { cookie: person.cookie });
      const [mute, polite, late] = [await open(), await open(), await open()];
      polite.send(pongWord);
      // The timers that are due come before what has arrived.
      await nextTurn();
      late.send(hello());
      vi.advanceTimersByTime(helloMs);
      await Promise.all([mute.closed, polite.closed]);
      for (const { received } of [mute, polite])
        expect(received.filter((frame) => frame !== pingWord)).toEqual(['["goodbye",{"code":"server/busy"}]']);
      await expect.poll(() => answers(late)).toHaveLength(1);
      expect(late.received.join()).not.toContain('goodbye');
    });

    test.each([16_385, 1024 * 1024])('a frame of %i bytes closes with 1009 (WIRE-17)', async (bytes) => {
      const socket = await greeted(person);
      socket.send(`["${'x'.repeat(bytes - 2)}`);
      expect(await socket.closed).toBe(1009);
    });

    test.each([
      ['a binary frame', Buffer.from('[1,"chats/list",{}]')],
      ['nothing at all', ''],
      ['a word in capitals', 'PONG'],
      ['a ping of the wrong direction', 'ping'],
      ['a packet of an earlier protocol', '420["rooms/enter",{}]'],
      ['text that is not JSON', '[0x'],
      ['JSON cut short', '[0,"rooms/enter",{"kind":'],
      ['two frames in one', '[0,"chats/list",{}][1,"chats/list",{}]'],
      ['an object', '{"a":1}'],
      ['a number', '1'],
      ['an empty list', '[]'],
      ['a request without a number', '["rooms/enter",{}]'],
      ['a number that is text', '["0","rooms/enter",{}]'],
      ['a negative number', '[-1,"rooms/enter",{}]'],
      ['half a number', '[0.5,"rooms/enter",{}]'],
      ['a number that is too large', '[9007199254740992,"rooms/enter",{}]'],
      ['an endless number', '[1e999,"rooms/enter",{}]'],
      ['a request without a name', '[0]'],
      ['a name that is a number', '[0,42,{}]'],
      ['an answer to what was never asked', '[0,{"ok":true,"value":{}}]'],
    ])('%s ends the connection, and only that (WIRE-18)', async (_what, frame) => {
      const socket = await greeted(person);
      socket.send(frame);
      expect(await socket.closed).toBe(1002);
      expect(answers(socket)).toHaveLength(1);
      expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
    });

    test.each([
      ['an unknown request', '[0,"rooms/peek",{}]'],
      ['an event of the server', '[0,"entries",{}]'],
      ['a name of 500 characters', `[0,"${'x'.repeat(500)}",{}]`],
      ['a prototype’s name', '[0,"__proto__",{}]'],
      ['an empty name', '[0,""]'],
      ['a second hello', '[0,"session/hello",{}]'],
    ])('%s three times ends the connection (WIRE-19)', async (_what, frame) => {
      const socket = await greeted(person);
      for (let times = 0; times < 3; times += 1) socket.send(frame);
      await socket.closed;
      expect(socket.received).toContain('["goodbye",{"code":"input/invalid"}]');
      expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
    });

    /** A frame as a client writes it, with a mask of zeros. */
    const frame = (first: number, content = '', maskBit = 0x80) =>
      Buffer.concat([
        Buffer.from([first, maskBit | content.length, ...(maskBit === 0 ? [] : [0, 0, 0, 0])]),
        Buffer.from(content, 'latin1'),
      ]);

    test.each([
      ['a frame without a mask', frame(0x81, pongWord, 0), 1002],
      ['a reserved bit', frame(0xc1, pongWord), 1002],
      ['a reserved kind', frame(0x83, pongWord), 1002],
      ['a piece of nothing', frame(0x80, pongWord), 1002],
      ['a message within a message', Buffer.concat([frame(0x01, 'po'), frame(0x81, pongWord)]), 1002],
      ['a ping in pieces', frame(0x09, 'x'), 1002],
      ['a close of one byte', frame(0x88, 'x'), 1002],
      ['text that is not UTF-8', frame(0x81, '\xff\xfe'), 1007],
      ['the size of the universe', Buffer.from([0x81, 0xff, ...Array.from({ length: 8 }, () => 0x7f)]), 1009],
      [
        'too much in pieces',
        Buffer.concat(Array.from({ length: 200 }, (_, n) => frame(n === 0 ? 1 : 0, 'x'.repeat(100)))),
        1009,
      ],
    ])('%s breaks WebSocket itself and ends that connection only (WIRE-18)', async (_what, bytes, code) => {
      const socket = await greeted(person);
      await socket.write(bytes);
      expect(await socket.closed).toBe(code);
      expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
    });

    test('a message in many pieces is one request, and a number may come twice (WIRE-18)', async () => {
      const socket = await greeted(person);
      const text = writeRequest(7, 'chats/list', {});
      for (const piece of text.slice(0, -1)) socket.send(piece, false);
      socket.send(text.slice(-1));
      socket.send(text);
      await expect.poll(() => socket.answers(7)).toHaveLength(2);
      expect(socket.answers(7)[1]).toBe(socket.answers(7)[0]);
      socket.end();
    });

    test('a page that says bye has left, and nothing behind it is carried out (WIRE-69)', async () => {
      const socket = await greeted(person);
      socket.send(byeWord);
      socket.send(writeRequest(1, 'chats/list', {}));
      expect(await socket.closed).toBe(1000);
      expect(answers(socket)).toHaveLength(1);
      await w.pass(5000);
      expect(await w.stateOf(person)).toBe('offline');
    });

    test('nesting as deep as a frame can hold is invalid and harms nothing (WIRE-20)', async () => {
      const socket = await greeted(person);
      const levels = 8000;
      socket.send(`[1,"chats/list",${'['.repeat(levels)}${']'.repeat(levels)}]`);
      socket.send(`[2,"chats/list",${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}]`);
      await expect.poll(() => answers(socket)).toHaveLength(3);
      expect(
        answers(socket)
          .slice(1)
          .every((frame) => frame.includes('input/invalid')),
      ).toBe(true);
      socket.end();
    });

    test('what a client claims when it connects is not read (WIRE-21)', async () => {
      const claims = `uid=${witness.uid}&token=x&sessionId=${witness.sessionId}`;
      const socket = await openRawSocket(w.app, {
        cookie: person.cookie,
        path: `${socketPath}?${claims}`,
        headers: { 'sec-websocket-protocol': witness.uid, authorization: `Bearer ${witness.sessionId}` },
      });
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
      expect(answers(socket)).toEqual(['[0,{"ok":false,"error":{"code":"client/outdated"}}]']);
    });

    test('a hello of another user’s page is refused, and nothing that was sent behind it is carried out (WIRE-67)', async () => {
      const socket = await openRawSocket(w.app, { cookie: person.cookie });
      socket.send(request(0, 'session/hello', { protocolVersion, tabId: randomUUID(), uid: witness.uid }));
      socket.send(request(1, 'chats/list', {}));
      await socket.closed;
      expect(answers(socket)[0]).toBe('[0,{"ok":false,"error":{"code":"auth/required"}}]');
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
      const order = answers(socket).map((frame) => /^\[(\d+)/.exec(frame)?.[1]);
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
        const first = socket.received.findIndex((frame) => frame.startsWith('["entries"') && frame.includes(roomId));
        const snapshot = socket.received.findIndex((frame) => frame.startsWith('[1,'));
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
    const dropped = async () => {
      await w.pass(0);
      return w.app.log.filter(({ event }) => event === 'connection.stalled');
    };
    await expect.poll(dropped).toMatchObject([{ fields: { uid: stalled.uid } }]);
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
});

describe('heartbeats', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const turnMs = pingEveryMs / 25;

  /** A client that answers pings for as long as it is alive. */
  function client({ isAlive = true } = {}) {
    const link = {
      isAlive,
      pings: 0,
      endedAs: '',
      heardAtMs: performance.now(),
      ping() {
        link.pings += 1;
        if (link.isAlive) link.heardAtMs = performance.now();
      },
      terminate(end: string) {
        link.endedAs = end;
      },
    };
    return link;
  }

  test('each connection gets one ping in each interval, at a turn of its own (WIRE-71)', () => {
    const beats = heartbeats();
    const clients = Array.from({ length: 25 }, () => client());
    clients.forEach((each) => beats.add(each as never));
    const seen = new Set<string>();
    for (let turn = 0; turn < 25; turn += 1) {
      vi.advanceTimersByTime(turnMs);
      seen.add(clients.map(({ pings }) => pings).join(''));
    }
    expect(seen.size).toBe(25);
    expect(clients.map(({ pings }) => pings)).toEqual(clients.map(() => 1));
    vi.advanceTimersByTime(3 * pingEveryMs);
    expect(clients.map(({ pings }) => pings)).toEqual(clients.map(() => 4));
    expect(clients.every(({ endedAs }) => endedAs === '')).toBe(true);
    beats.close();
  });

  test('one that does not answer is ended as silent, not before it had its time, and the others stay (WIRE-71)', () => {
    const beats = heartbeats();
    const [dead, alive] = [client({ isAlive: false }), client()];
    for (const each of [dead, alive]) beats.add(each as never);
    while (dead.pings === 0) vi.advanceTimersByTime(turnMs);
    vi.advanceTimersByTime(pongWithinMs - turnMs);
    expect(dead.endedAs).toBe('');
    vi.advanceTimersByTime(turnMs);
    expect([dead.endedAs, alive.endedAs]).toEqual(['silent', '']);
    beats.close();
  });

  test('anything that it sends counts as an answer, and a connection that ended gets no ping (WIRE-71)', () => {
    const beats = heartbeats();
    const busy = client({ isAlive: false });
    const remove = beats.add(busy as never);
    while (busy.pings === 0) vi.advanceTimersByTime(turnMs);
    vi.advanceTimersByTime(turnMs);
    busy.heardAtMs = performance.now();
    vi.advanceTimersByTime(pongWithinMs);
    expect(busy.endedAs).toBe('');
    remove();
    const { pings } = busy;
    vi.advanceTimersByTime(2 * pingEveryMs);
    expect([busy.pings, busy.endedAs]).toEqual([pings, '']);
    beats.close();
  });
});
