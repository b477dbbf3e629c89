/** How often anything may be done over a socket, at the limits of a real installation (RATE_LIMIT_SCALE 1). */
import { pairIdOf } from '@tunemate/domain';
import {
  pingWord,
  pongWord,
  protocolVersion,
  type Result,
  roomKinds,
  type Uid,
  writeRequest,
} from '@tunemate/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRawSocket, type RawSocket } from '@tunemate/testkit/network/raw-socket';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

const minuteMs = 60_000;
const wrong = (n: number) => ({ kind: 'video' as const, code: `0000${n.toString(16).padStart(2, '0')}` });

let w: SocketWorld;
beforeEach(async () => {
  w = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1' } });
});
afterEach(() => w.close());

const retryOf = (result: Result<unknown>) => (result.ok ? undefined : result.error.retryAfterMs);

describe('guessing codes', () => {
  let host: Tab;
  let room: Room;
  beforeEach(async () => {
    host = await w.arrive('Mara');
    room = await w.room(host, 'video');
  });

  test.each(['rooms/lookUp', 'rooms/enter', 'rooms/renewRequest', 'rooms/cancelRequest', 'rooms/leave'] as const)(
    'the eleventh wrong code within ten minutes is no longer answered, asked with %s (JOIN-26)',
    async (name) => {
      const ivo = await w.arrive('Ivo');
      for (let n = 0; n < 10; n += 1) expect(codeOf(await ivo.ask(name, wrong(n)))).toBe('room/not-found');
      const eleventh = await ivo.ask(name, wrong(10));
      expect(codeOf(eleventh)).toBe('limit/too-many');
      expect(retryOf(eleventh)).toBeGreaterThan(0);
      // Nor is a right one: whether it is right must not show.
      expect(codeOf(await ivo.ask(name, room))).toBe('limit/too-many');
      expect(codeOf(await ivo.ask('rooms/lookUp', room))).toBe('limit/too-many');
      expect(codeOf(await ivo.ask('rooms/askToJoin', room))).toBe('limit/too-many');
      w.clock.advance(10 * minuteMs);
      expect(valueOf(await ivo.ask('rooms/lookUp', room)).code).toBe(room.code);
    },
  );

  test('guesses by different people of one network are counted together (JOIN-27)', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const guesser = await w.arrive(`G${String(n)}`);
      for (let m = 0; m < 9; m += 1) codes.push(codeOf(await guesser.ask('rooms/lookUp', wrong(n * 16 + m))));
    }
    expect(codes.filter((code) => code === 'room/not-found')).toHaveLength(30);
    expect(codes.slice(30).every((code) => code === 'limit/too-many')).toBe(true);
  });

  test('members are not limited by the guesses of others', async () => {
    const ivo = await w.arrive('Ivo');
    for (let n = 0; n < 11; n += 1) await ivo.ask('rooms/lookUp', wrong(n));
    expect(codeOf(await host.ask('rooms/enter', room))).toBe('ok');
    expect(codeOf(await host.ask('rooms/askToJoin', room))).toBe('ok');
  });

  test('a search and a suggestion get the same answer for a used and an unused room code', async () => {
    const ivo = await w.arrive('Ivo');
    const answers = [room, wrong(1)].flatMap((each) => [
      ivo.ask('catalogue/suggest', { ...each, videoId: null }),
      ivo.ask('catalogue/search', { ...each, query: 'slow burn' }),
    ]);
    expect(new Set((await Promise.all(answers)).map(codeOf))).toEqual(new Set(['room/not-member']));
  });
});

test('of 30 private messages at once ten are accepted, and the others are refused with a time to wait', async () => {
  const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const send = (from: Tab, to: Tab, text: string) =>
    from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text });
  // Answered, so that the limit of strangers is not the one that is met.
  valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: mara.uid, text: 'go on' }));
  valueOf(await send(mara, ivo, 'well'));
  w.clock.advance(60_000);
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => send(mara, ivo, String(n))));
  const refused = all.filter(({ ok }) => !ok);
  expect(refused).toHaveLength(20);
  expect(refused.every((each) => codeOf(each) === 'limit/too-many' && (retryOf(each) ?? 0) > 0)).toBe(true);
  expect(valueOf(await ivo.ask('chats/open', { uid: mara.uid })).messages).toHaveLength(12);
  w.clock.advance(1000);
  expect(codeOf(await send(mara, ivo, 'later'))).toBe('ok');
});

test('of 30 edits or reactions at once as many are accepted as there may be messages or stamps', async () => {
  const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const sent = valueOf(await mara.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'hello' }));
  const { pairId, number } = sent.message;
  const of = () => ({ pairId, number, clientId: newClientId() });
  const thirty = async (ask: (n: number) => Promise<Result<unknown>>) =>
    await Promise.all(Array.from({ length: 30 }, (_, n) => ask(n)));
  const edits = await thirty((n) => mara.ask('chats/edit', { ...of(), text: String(n), edits: n + 1 }));
  const reactions = await thirty((n) => ivo.ask('chats/react', { ...of(), emoji: '🔥', isOn: n % 2 === 0 }));
  // The message has taken a token of the edits.
  expect([edits, reactions].map((all) => all.filter(({ ok }) => ok).length)).toEqual([9, 12]);
  const others = [...edits, ...reactions].filter(({ ok }) => !ok);
  expect(others.every((each) => codeOf(each) === 'limit/too-many' && (retryOf(each) ?? 0) > 0)).toBe(true);
});

describe.each(roomKinds)('in rooms of kind %s', (kind) => {
  test('of 30 edits at once as many are accepted as there may be messages', async () => {
    const host = await w.arrive('Mara');
    const room = await w.room(host, kind);
    valueOf(await host.ask('rooms/enter', room));
    const { message } = valueOf(
      await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hello' }),
    );
    const of = () => ({ ...room, messageId: message.id, clientId: newClientId() });
    const edits = await Promise.all(
      Array.from({ length: 30 }, (_, n) => host.ask('rooms/editMessage', { ...of(), text: String(n), edits: n + 1 })),
    );
    // The message has taken a token of them.
    expect(edits.filter(({ ok }) => ok)).toHaveLength(9);
    expect(edits.every((each) => each.ok || codeOf(each) === 'limit/too-many')).toBe(true);
  });

  test('asking 50 times in a second is one request, one banner and a limit', async () => {
    const [host, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await w.room(host, kind);
    valueOf(await host.ask('rooms/enter', room));
    const codes = (await Promise.all(Array.from({ length: 50 }, () => ivo.ask('rooms/askToJoin', room)))).map(codeOf);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(10);
    expect(codes.filter((code) => code === 'limit/too-many')).toHaveLength(40);
    const banners = () => host.changes().filter(({ type }) => type === 'rooms/requestChanged');
    await expect.poll(banners).toHaveLength(1);
    expect(valueOf(await host.ask('rooms/enter', room)).requests).toHaveLength(1);
  });

  test('a room takes twenty requests in one go and then one a second', async () => {
    const host = await w.arrive('Mara');
    const room = await w.room(host, kind);
    const codes: string[] = [];
    for (let n = 0; n < 22; n += 1) {
      const asker = await w.arrive(`A${String(n)}`);
      codes.push(codeOf(await asker.ask('rooms/askToJoin', room)));
      asker.leave();
    }
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 'ok'), 'limit/too-many', 'limit/too-many']);
    w.clock.advance(1000);
    expect(codeOf(await (await w.arrive('Late')).ask('rooms/askToJoin', room))).toBe('ok');
  });

  test('of 30 messages at once ten are accepted, and the others are refused with a time to wait', async () => {
    const host = await w.arrive('Mara');
    const room = await w.room(host, kind);
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: String(n) }),
      ),
    );
    expect(all.filter(({ ok }) => ok)).toHaveLength(10);
    expect(
      all.filter(({ ok }) => !ok).every((each) => codeOf(each) === 'limit/too-many' && (retryOf(each) ?? 0) > 0),
    ).toBe(true);
    expect(valueOf(await host.ask('rooms/enter', room)).messages).toHaveLength(10);
    w.clock.advance(1000);
    expect(codeOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'later' }))).toBe('ok');
  });

  test('of 30 stamps at once twelve are accepted, and the others are refused with a time to wait', async () => {
    const host = await w.arrive('Mara');
    const room = await w.room(host, kind);
    const throwOne = () => host.ask('rooms/cheer', { ...room, stamp: 'love' as const });
    const all = await Promise.all(Array.from({ length: 30 }, throwOne));
    expect(all.filter(({ ok }) => ok)).toHaveLength(12);
    expect(all.filter((each) => codeOf(each) === 'limit/too-many' && (retryOf(each) ?? 0) > 0)).toHaveLength(18);
    // Talking is counted by itself.
    expect(codeOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hi' }))).toBe('ok');
  });

  test('playback takes 20 writes a second from all tabs of the host together, and no more', async () => {
    const host = await w.arrive('Mara');
    const second = await w.connect(host);
    const room = await w.room(host, kind);
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    const write = (tab: Tab) =>
      tab.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent: { type: 'pause' } });
    const codes = (await Promise.all(Array.from({ length: 40 }, (_, n) => write(n % 2 === 0 ? host : second)))).map(
      codeOf,
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(19);
    expect(codes.filter((code) => code === 'limit/too-many')).toHaveLength(21);
  });
});

test('a room takes thirty orders of its host at once and then one every two seconds', async () => {
  const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const [room, other] = [await w.room(host, 'video'), await w.room(host, 'audio')];
  await w.letIn(host, guest, room);
  const orders = Array.from({ length: 40 }, (_, n) =>
    host.ask('rooms/set', { ...room, settings: { isLocked: n % 2 === 0 } }),
  );
  const answers = await Promise.all(orders);
  expect(answers.filter(({ ok }) => ok)).toHaveLength(30);
  expect(new Set(answers.slice(30).map(codeOf))).toEqual(new Set(['limit/too-many']));
  expect(retryOf(answers[30] as Result<unknown>)).toBeGreaterThan(0);
  expect(codeOf(await host.ask('rooms/set', { ...other, settings: { isLocked: true } }))).toBe('ok');
  w.clock.advance(2000);
  expect(codeOf(await host.ask('rooms/removeParticipant', { ...room, uid: guest.uid, forGood: false }))).toBe('ok');
});

test('a person gets forty lists of the library’s tracks at once, and then one each second', async () => {
  const host = await w.arrive('Mara');
  const room = await w.room(host, 'video');
  const searches = Array.from({ length: 42 }, () =>
    host.ask('library/tracks', { ...room, view: { type: 'search', words: 'song' }, from: 0 }),
  );
  const answers = await Promise.all(searches);
  expect(answers.filter(({ ok }) => ok)).toHaveLength(40);
  expect(new Set(answers.slice(40).map(codeOf))).toEqual(new Set(['limit/too-many']));
  w.clock.advance(1000);
  expect(codeOf(await host.ask('library/tracks', { ...room, view: { type: 'newest' }, from: 0 }))).toBe('ok');
});

test('a person gets thirty searches in chats at once, and then one each second; others are served as before', async () => {
  const [loud, quiet] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  valueOf(await loud.ask('chats/send', { clientId: newClientId(), uid: quiet.uid, text: 'a song of the evening' }));
  const answers = await Promise.all(Array.from({ length: 45 }, () => loud.ask('chats/search', { words: 'a so ev' })));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(30);
  expect(new Set(answers.slice(30).map(codeOf))).toEqual(new Set(['limit/too-many']));
  expect(retryOf(answers[30] as Result<unknown>)).toBeGreaterThan(0);
  // Both kinds of search draw from one bucket.
  const inChat = { pairId: pairIdOf(loud.uid, quiet.uid), words: 'song' };
  expect(codeOf(await loud.ask('chats/searchInChat', inChat))).toBe('limit/too-many');
  expect(valueOf(await quiet.ask('chats/search', { words: 'song' })).found).toHaveLength(1);
  w.clock.advance(1000);
  expect(codeOf(await loud.ask('chats/searchInChat', inChat))).toBe('ok');
});

test('a client that floods is refused with a time to wait, then disconnected; others are served as before (WIRE-35)', async () => {
  const [quiet, loud] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const raw = await openRawSocket(w.app, { cookie: loud.cookie });
  for (let n = 0; n < 2000 && raw.isOpen(); n += 1) raw.send(writeRequest(n, 'clock/probe', {}));
  const served = await Promise.all(Array.from({ length: 10 }, () => quiet.ask('clock/probe', {})));
  expect(served.every(({ ok }) => ok)).toBe(true);
  await raw.closed;
  expect(raw.received).toContain('["goodbye",{"code":"limit/too-many"}]');
  expect(codeOf(await quiet.ask('chats/list', {}))).toBe('ok');
});

test('a request of an unknown name counts as a protocol violation (WIRE-11)', async () => {
  const [witness, ivo] = [await w.arrive('Mara'), await w.person('Ivo')];
  const raw = await openRawSocket(w.app, { cookie: ivo.cookie });
  raw.send(writeRequest(0, 'session/hello', { protocolVersion, tabId: newClientId() }));
  for (let n = 1; n <= 3; n += 1) raw.send(writeRequest(n, 'clock/set', {}));
  await raw.closed;
  expect(raw.received).toContain('["goodbye",{"code":"input/invalid"}]');
  expect(w.app.log.filter(({ level }) => level === 'error')).toEqual([]);
  expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
});

describe('frames', () => {
  const floods: [string, (raw: RawSocket) => void][] = [
    ['answers to pings', (raw) => raw.send(pongWord)],
    ['pings', (raw) => raw.ping()],
    ['pongs', (raw) => raw.pong()],
    ['words that mean nothing', (raw) => raw.send(pingWord)],
  ];

  test.each(floods)(
    '%s count, before the hello as after it, and too many end the connection (WIRE-47)',
    async (_what, send) => {
      const [witness, ivo] = [await w.arrive('Mara'), await w.person('Ivo')];
      for (const isGreeted of [false, true]) {
        const raw = await openRawSocket(w.app, { cookie: ivo.cookie });
        if (isGreeted) raw.send(writeRequest(0, 'session/hello', { protocolVersion, tabId: newClientId() }));
        for (let n = 0; n < 3000; n += 1) send(raw);
        await expect.poll(() => raw.isOpen()).toBe(false);
      }
      expect(codeOf(await witness.ask('clock/probe', {}))).toBe('ok');
    },
  );

  test('a connection that floods is closed with 1008 (WIRE-47)', async () => {
    const raw = await openRawSocket(w.app, { cookie: (await w.person('Ivo')).cookie });
    for (let n = 0; n < 3000; n += 1) raw.ping();
    expect(await raw.closed).toBe(1008);
    expect(raw.pongs()).toBeLessThan(1000);
  });

  /** One frame as a client sends it, with a mask of zeros. */
  const frame = (first: number, content = '') =>
    Buffer.concat([Buffer.from([first, 0x80 | content.length, 0, 0, 0, 0]), Buffer.from(content)]);

  test('each piece of a message counts, and what comes behind too many is not read (WIRE-47)', async () => {
    const raw = await openRawSocket(w.app, { cookie: (await w.person('Ivo')).cookie });
    const pieces = Array.from({ length: 3000 }, () => frame(0x00));
    // The last one breaks WebSocket itself, which the library answers with 1002 where it reads it.
    await raw.write(Buffer.concat([frame(0x01, pongWord), ...pieces, frame(0xc1)]));
    expect(await raw.closed).toBe(1008);
  });

  test('the pings, answers and largest requests of a busy tab end nothing (WIRE-47)', async () => {
    const ivo = await w.arrive('Ivo');
    const raw = await openRawSocket(w.app, { cookie: ivo.cookie });
    raw.send(writeRequest(0, 'session/hello', { protocolVersion, tabId: newClientId() }));
    for (let n = 0; n < 40; n += 1) {
      raw.ping();
      raw.send(pongWord);
      raw.send(writeRequest(n + 1, 'clock/probe', { x: 'x'.repeat(16_000) }));
    }
    await expect.poll(() => raw.answers()).toHaveLength(41);
    await expect.poll(() => raw.pongs()).toBe(40);
    expect(raw.isOpen()).toBe(true);
    raw.end();
  });
});

describe('what one person causes for another', () => {
  const entriesOf = async (uid: string) =>
    (await w.db.selectFrom('stream_entries').select('seq').where('stream', '=', `user:${uid}`).execute()).length;

  /** Ten tabs of one person ask `ask` again and again, for the requests that a page could send in ten seconds. */
  async function atFullPace(
    person: Parameters<SocketWorld['connect']>[0],
    ask: (tab: Tab, n: number) => Promise<unknown>,
  ) {
    const tabs = await Promise.all(Array.from({ length: 9 }, () => w.connect(person)));
    for (let second = 0; second < 10; second += 1) {
      await Promise.all(tabs.map((tab, n) => ask(tab, second * tabs.length + n)));
      w.clock.advance(1000);
    }
    tabs.forEach((tab) => tab.leave());
  }

  test('a stranger who blocks and lifts it writes nothing into the stream of the other (BLOCK-206)', async () => {
    const [eve, ivo] = [await w.person('Eve'), await w.arrive('Ivo')];
    const before = await entriesOf(ivo.uid);
    await atFullPace(eve, (tab, n) => tab.ask('chats/block', { uid: ivo.uid, isBlocked: n % 2 === 0 }));
    expect([await entriesOf(ivo.uid), ivo.received.length]).toEqual([before, 0]);
  });

  test.each([
    ['blocking', (tab: Tab, uid: Uid, n: number) => tab.ask('chats/block', { uid, isBlocked: n % 2 === 0 })],
    ['typing', (tab: Tab, uid: Uid) => tab.ask('chats/typing', { uid })],
    ['writing', (tab: Tab, uid: Uid) => tab.ask('chats/send', { uid, clientId: newClientId(), text: 'you' })],
    [
      'soulmate requests',
      (tab: Tab, uid: Uid, n: number) =>
        n % 2 === 0 ? tab.ask('soulmate/ask', { uid, clientId: newClientId() }) : tab.ask('soulmate/takeBack', { uid }),
    ],
    ['removing', (tab: Tab, uid: Uid) => tab.ask('tunemates/remove', { uid })],
  ] as const)('a chat partner causes at most 40 packets in ten seconds by %s', async (_what, ask) => {
    const [eve, ivo] = [await w.arrive('Eve'), await w.arrive('Ivo')];
    valueOf(await ivo.ask('chats/send', { clientId: newClientId(), uid: eve.uid, text: 'hi' }));
    valueOf(await eve.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'hi' }));
    w.clock.advance(10_000);
    const before = { packets: ivo.received.length, entries: await entriesOf(ivo.uid) };
    await atFullPace(eve, (tab, n) => ask(tab, ivo.uid, n));
    expect(ivo.received.length + ivo.ephemeral.length - before.packets).toBeLessThanOrEqual(40);
    expect((await entriesOf(ivo.uid)) - before.entries).toBeLessThanOrEqual(40);
  });

  test.each([
    ['asking and taking it back', 'stranger', (n: number) => (n % 2 === 0 ? 'rooms/askToJoin' : 'rooms/cancelRequest')],
    ['asking again with each tab', 'stranger', () => 'rooms/askToJoin'],
    ['keeping a request alive', 'asking', () => 'rooms/renewRequest'],
    ['being ready again and again', 'guest', () => 'playback/ready'],
    ['leaving and asking', 'guest', (n: number) => (n % 2 === 0 ? 'rooms/leave' : 'rooms/askToJoin')],
    ['asking to be tunemates', 'guest', (n: number) => (n % 2 === 0 ? 'tunemates/ask' : 'tunemates/remove')],
    ['reporting', 'guest', () => 'reports/send'],
  ] as const)(
    'a person at a room causes its host at most 40 packets in ten seconds by %s',
    async (_what, who, nameOf) => {
      const [host, eve] = [await w.arrive('Host'), await w.arrive('Eve')];
      const room = await w.room(host, 'video');
      if (who === 'guest') await w.letIn(host, eve, room);
      if (who === 'asking') valueOf(await eve.ask('rooms/askToJoin', room));
      valueOf(await host.ask('rooms/enter', room));
      const before = host.received.length + host.ephemeral.length;
      await atFullPace(eve, (tab, n) => {
        const name = nameOf(n);
        const about = { uid: host.uid, clientId: newClientId() };
        const more = {
          'playback/ready': { ...room, revision: 1 },
          'tunemates/ask': { ...about, room },
          'tunemates/remove': { uid: host.uid },
          'reports/send': { ...about, about: { type: 'person' }, reason: 'again' },
        }[name];
        return tab.send(name, more ?? room);
      });
      await new Promise((later) => setTimeout(later, 50));
      expect(host.received.length + host.ephemeral.length - before).toBeLessThanOrEqual(40);
    },
  );

  test('a block is never refused, however often others were lifted', async () => {
    const [eve, ivo] = [await w.arrive('Eve'), await w.arrive('Ivo')];
    const codes: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      expect(codeOf(await eve.ask('chats/block', { uid: ivo.uid, isBlocked: true }))).toBe('ok');
      codes.push(codeOf(await eve.ask('chats/block', { uid: ivo.uid, isBlocked: false })));
    }
    expect(codes).toContain('limit/too-many');
  });

  test('strangers together have a budget of first messages to one person, and friends are not part of it', async () => {
    const [ivo, mara] = [await w.arrive('Ivo'), await w.arrive('Mara')];
    await w.letIn(ivo, mara, await w.room(ivo, 'video'));
    const write = async (tab: Tab) =>
      codeOf(await tab.ask('chats/send', { clientId: newClientId(), uid: ivo.uid, text: 'hello' }));
    const codes: string[] = [];
    for (let n = 0; n < 62; n += 1) {
      const stranger = await w.arrive(`S${String(n)}`);
      codes.push(await write(stranger));
      stranger.leave();
    }
    expect([codes.slice(0, 60), codes.at(-1)]).toEqual([codes.slice(0, 60).map(() => 'ok'), 'limit/too-many']);
    expect(await write(mara)).toBe('ok');
  });
});

test('a burst beyond the limit is refused with a time to wait, not disconnected (WIRE-36)', async () => {
  const ivo = await w.arrive('Ivo');
  const answers = await Promise.all(Array.from({ length: 100 }, () => ivo.ask('clock/probe', {})));
  const refused = answers.filter(({ ok }) => !ok);
  expect(refused.length).toBeGreaterThan(20);
  expect(refused.every((each) => codeOf(each) === 'limit/too-many' && retryOf(each) === 1000)).toBe(true);
  expect(ivo.socket.connected).toBe(true);
});

test('a person has ten connections at most; the eleventh takes the place of the oldest outside of rooms (WIRE-37)', async () => {
  const ivo = await w.person('Ivo');
  const tabs: Tab[] = [];
  for (let n = 0; n < 10; n += 1) {
    tabs.push(await w.connect(ivo));
    w.clock.advance(1);
  }
  const goodbyes = () => tabs.map((tab) => tab.goodbyes.map(({ code }) => code).join());
  const [inRoom] = tabs as [Tab];
  const room = await w.room(inRoom, 'video');
  valueOf(await inRoom.ask('rooms/enter', room));
  const eleventh = await w.connect(ivo);
  await expect.poll(goodbyes).toEqual(['', 'session/elsewhere', ...Array(8).fill('')]);
  expect(codeOf(await eleventh.ask('chats/list', {}))).toBe('ok');
  expect(codeOf(await inRoom.ask('rooms/enter', room))).toBe('ok');
});

test('an address has a hundred connections at most, silent ones included (WIRE-38)', async () => {
  const ada = await w.person('Ada');
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openRawSocket(w.app, { cookie: ada.cookie })));
  await expect(openRawSocket(w.app, { cookie: ada.cookie })).rejects.toThrow('HTTP 429');
  w.clock.advance(minuteMs);
  await expect(openRawSocket(w.app, { cookie: ada.cookie })).rejects.toThrow('HTTP 429');
  sockets[0]?.end();
  const again = async () =>
    openRawSocket(w.app, { cookie: ada.cookie }).then(
      () => 'in',
      () => 'out',
    );
  await expect.poll(again).toBe('in');
  sockets.forEach((socket) => socket.end());
});

test('the networks that one IPv6 customer may own have a few shares of connections, and not one each (WIRE-38)', async () => {
  const proxied = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '0.05', TRUST_PROXY: 'true' } });
  const { cookie } = await proxied.person('Ada');
  const sockets: Awaited<ReturnType<typeof openRawSocket>>[] = [];
  /** How many connections are open before one is refused. */
  const opened = async (addressOf: (n: number) => string): Promise<number> => {
    for (let n = 0; n < 100; n += 1) {
      proxied.clock.advance(minuteMs);
      const headers = { 'x-forwarded-for': addressOf(n) };
      const socket = await openRawSocket(proxied.app, { cookie, headers }).catch(() => null);
      if (socket === null) return n;
      sockets.push(socket);
    }
    return Infinity;
  };
  const hex = (n: number) => n.toString(16);
  // Five a network: of each customer four times as many in a /56, and sixteen times as many in a /48.
  expect(await opened((n) => `2001:db8:1:2${hex(n).padStart(2, '0')}::1`)).toBe(20);
  expect(await opened((n) => `2001:db8:2:${hex(n)}00::1`)).toBe(80);
  expect(await opened(() => '2001:db8:3:100::1')).toBe(5);
  sockets.forEach((socket) => socket.end());
});

test('all addresses of one IPv6 /64 count as one (WIRE-38)', async () => {
  const proxied = await openSocketWorld({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });
  const { cookie } = await proxied.person('Ada');
  const from = (address: string) => openRawSocket(proxied.app, { cookie, headers: { 'x-forwarded-for': address } });
  const sockets = await Promise.all(Array.from({ length: 100 }, (_, n) => from(`2001:db8:1:2::${n.toString(16)}`)));
  proxied.clock.advance(minuteMs);
  await expect(from('2001:db8:1:2:ffff::1')).rejects.toThrow('HTTP 429');
  sockets.push(await from('2001:db8:1:3::1'));
  sockets.forEach((socket) => socket.end());
});
