/** Bad input over sockets, class by class: it is refused, the server goes on, and nothing is sent to others. */
import { protocolVersion, roomStream } from '@tunemate/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '@tunemate/testkit/extent';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const I = 'input/invalid';
const N = 'room/not-found';

describeEachDialect('bad input', (makeDatabaseUrl) => {
  let w: SocketWorld;
  let host: Tab;
  let guest: Tab;
  let room: Room;
  let heardBefore: number;

  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    room = await w.room(host, 'video');
    await w.letIn(host, guest, room);
    for (const tab of [host, guest]) valueOf(await tab.ask('rooms/enter', room));
    valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
    valueOf(
      await host.ask('playback/write', {
        ...room,
        tabId: host.tabId,
        clientId: newClientId(),
        intent: choose('lib_0123456789abcdef'),
      }),
    );
    await vi.waitUntil(() => JSON.stringify(guest.changes().at(-1)).includes('lib_0123456789abcdef'), {
      timeout: limits.node.poll,
    });
  });
  afterAll(async () => {
    expect(w.app.log.filter(({ event }) => event === 'request.failed')).toEqual([]);
    await w.close();
  });
  beforeEach(() => {
    heardBefore = guest.changes().length;
  });

  const choose = (videoId: unknown) =>
    ({ type: 'choose', track: { videoId, title: 'Rain', durationSeconds: 90 } }) as never;

  /** Expects this answer, a server that goes on, and no change for any other user. */
  async function expectCode(tab: Tab, name: string, payload: unknown, code: string): Promise<void> {
    expect(codeOf(await tab.send(name, payload))).toBe(code);
    expect(codeOf(await guest.ask('clock/probe', {}))).toBe('ok');
    expect(guest.changes()).toHaveLength(heardBefore);
  }
  const newcomer = () => w.arrive('Theo');

  test.each([
    ['blank', '   ', N],
    ['nine characters', 'ABCDEF123', N],
    ['a path', '../../x', N],
    ['an escape', '%00', N],
    ['a NUL', 'AB\0CD', I],
    ['a prototype name', '__proto__', N],
    ['a constructor', 'constructor', N],
    ['an emoji', '🎧🎧', N],
    ['letters that grow in upper case', 'ßıßıßı', N],
    ['65 characters', 'A'.repeat(65), I],
    ['a number', 123456, I],
    ['an object', { $ne: null }, I],
  ])('the room code %s is refused', async (_what, code, expected) => {
    const tab = await newcomer();
    for (const name of ['rooms/lookUp', 'rooms/askToJoin', 'rooms/enter', 'rooms/renewRequest']) {
      await expectCode(tab, name, { kind: 'video', code }, expected);
    }
    tab.leave();
  });

  test('a code is found in lower case and with space around it, and not under the other kind', async () => {
    const tab = await newcomer();
    const typed = ` ${room.code.toLowerCase()} `;
    expect(valueOf(await tab.ask('rooms/lookUp', { kind: 'video', code: typed })).code).toBe(room.code);
    await expectCode(tab, 'rooms/lookUp', { kind: 'audio', code: typed }, N);
    await expectCode(tab, 'rooms/lookUp', { kind: 'neither', code: typed }, I);
    tab.leave();
  });

  test.each([
    ['blank', '  '],
    ['of 101 characters', 'x'.repeat(101)],
    ['with a line break', 'a\nb'],
    ['with a bell', 'a\u0007b'],
    ['that is half a character', '\ud800'],
    ['that is a list', ['x']],
  ])('a room name %s makes no room', async (_what, name) => {
    await expectCode(host, 'rooms/create', { clientId: newClientId(), kind: 'video', name }, I);
    await expectCode(host, 'rooms/create', { clientId: 'not-an-id', kind: 'video', name: 'Fine' }, I);
    expect(await w.db.selectFrom('rooms').select('name').execute()).toHaveLength(1);
  });

  test.each([
    ['who never asked', 'z'.repeat(22), 'access/not-found'],
    ['of another form', '__proto__', I],
    ['that is no text', { toString: 1 }, I],
  ])('accepting someone %s makes no member (JOIN-19)', async (_what, uid, code) => {
    await expectCode(host, 'rooms/acceptRequest', { ...room, uid }, code);
    await expectCode(host, 'rooms/rejectRequest', { ...room, uid }, code);
  });

  test('a request for another person, or with a status, is refused (JOIN-20)', async () => {
    const tab = await newcomer();
    await expectCode(tab, 'rooms/askToJoin', { ...room, uid: host.uid }, I);
    await expectCode(tab, 'rooms/askToJoin', { ...room, status: 'accepted' }, I);
    expect(valueOf(await tab.ask('rooms/askToJoin', room)).status).toBe('pending');
    await expectCode(tab, 'rooms/acceptRequest', { ...room, uid: tab.uid }, 'room/not-member');
    await tab.ask('rooms/cancelRequest', room);
    tab.leave();
  });

  test.each([
    ['empty', ''],
    ['only space', ' \n\t '],
    ['of invisible characters', '\u200b\u2060'],
    ['a number', 7],
    ['null', null],
    ['a list', ['hi']],
    ['an object with a toString', { toString: 'x', length: 3 }],
    ['of 2,001 characters', 'x'.repeat(2001)],
    ['with a NUL', 'a\0b'],
    ['with half a character', 'a\ud800'],
    ['with a bell', 'a\u0007b'],
  ])('a message that is %s is not sent, and none is edited to it', async (_what, text) => {
    await expectCode(guest, 'rooms/sendMessage', { ...room, clientId: newClientId(), text }, I);
    const edit = { ...room, messageId: 'x', clientId: newClientId(), edits: 1 };
    await expectCode(guest, 'rooms/editMessage', { ...edit, text }, I);
    await expectCode(guest, 'rooms/editMessage', { ...edit, text: 'hi', edits: 0 }, I);
  });

  test('sender, name and time are the server’s: a message that brings them is refused', async () => {
    for (const more of [{ sender: host.uid }, { senderName: 'Mara' }, { timestamp: 1 }, { id: 'x' }]) {
      await expectCode(guest, 'rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hi', ...more }, I);
    }
  });

  test.each([
    ['markup', '<script>alert(1)</script><svg onload=x>&#x3c;{{7*7}}'],
    ['2,000 emoji', '🎧'.repeat(2000)],
    ['a line separator', 'a\u2028b'],
    ['names of prototypes', '__proto__ constructor'],
  ])('%s comes back as it was written', async (_what, text) => {
    const { message } = valueOf(await guest.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text }));
    expect(message.text).toBe(text);
    await expect.poll(() => host.changes().at(-1)).toMatchObject({ message: { text } });
    await expect.poll(() => guest.changes().length).toBe(heardBefore + 1);
  });

  test.each([
    ['no number', { type: 'seek', videoId: 'dQw4w9WgXcQ', currentTime: null }],
    ['before the beginning', { type: 'seek', videoId: 'dQw4w9WgXcQ', currentTime: -1 }],
    ['far beyond any end', { type: 'seek', videoId: 'dQw4w9WgXcQ', currentTime: 1e12 }],
    ['text', { type: 'seek', videoId: 'dQw4w9WgXcQ', currentTime: '12' }],
    ['no track', { type: 'seek', currentTime: 12 }],
    ['a forged time', { type: 'play', updatedAt: 4_070_908_800_000 }],
    ['a state of its own', { type: 'play', isPlaying: 'yes' }],
    ['no type', {}],
    ['an item before the first', { type: 'jump', currentIndex: -1 }],
    ['half an item', { type: 'jump', currentIndex: 1.5 }],
    ['an item beyond the last', { type: 'jump', currentIndex: 9999 }],
    ['a script', { type: 'choose', track: { videoId: 'javascript:alert(1)', title: 'x', durationSeconds: 1 } }],
    ['ten characters', { type: 'choose', track: { videoId: 'x'.repeat(10), title: 'x', durationSeconds: 1 } }],
    ['twelve characters', { type: 'choose', track: { videoId: 'x'.repeat(12), title: 'x', durationSeconds: 1 } }],
    [
      'a picture from somewhere else',
      { type: 'choose', track: { videoId: 'x'.repeat(11), title: 'x', thumbnail: '/api/x', durationSeconds: 1 } },
    ],
    ['a whole queue', { type: 'enqueue', videoQueue: Array.from({ length: 100 }, () => ({})) }],
    ['an endless track', { type: 'measured', revision: 1, durationSeconds: -5 }],
    ['a name of two lines', { type: 'named', revision: 1, title: 'one\ntwo' }],
    ['a name without end', { type: 'named', revision: 1, title: 'x'.repeat(201) }],
  ])('playback that asks for %s stays as it is (HOST-1)', async (_what, intent) => {
    await expectCode(host, 'playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }, I);
  });

  test('an intent for an earlier revision changes nothing (HOST-2)', async () => {
    const before = valueOf(await guest.ask('rooms/enter', room)).playback;
    for (const intent of [
      { type: 'ended', revision: 0 },
      { type: 'reanchor', revision: 0, currentTime: 50, updatedAt: 0 },
      { type: 'republish', revision: 0 },
      { type: 'measured', revision: 0, durationSeconds: 5 },
    ] as const) {
      valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent }));
    }
    expect(valueOf(await guest.ask('rooms/enter', room)).playback).toEqual(before);
    expect(guest.changes()).toHaveLength(heardBefore);
  });

  test.each([
    ['nothing', []],
    ['null', [null]],
    ['text', ['x']],
    ['a list', [[]]],
    ['two payloads', [{}, {}]],
    ['a field too many', [{ extra: 1 }]],
    ['33 levels', [{ a: deep(33) }]],
    ['a prototype', [JSON.parse('{"__proto__":{"admin":1}}')]],
    ['a constructor', [{ constructor: { prototype: { admin: 1 } } }]],
  ])('a request that carries %s is invalid (WIRE-12)', async (_what, values) => {
    const tab = await newcomer();
    expect(codeOf(await tab.send('chats/list', ...values))).toBe(I);
    expect(codeOf(await tab.send('rooms/enter', ...values))).toBe(I);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(codeOf(await tab.ask('clock/probe', {}))).toBe('ok');
    tab.leave();
  });

  test.each([
    ['no version', { tabId: newClientId() }],
    ['no tab', { protocolVersion }],
    ['a tab that can’t become text', { protocolVersion, tabId: { toString: 1, valueOf: 1 } }],
    ['more than it should', { protocolVersion, tabId: newClientId(), uid: 'x' }],
    ['a list', []],
    ['33 levels', { protocolVersion, tabId: newClientId(), deep: deep(33) }],
  ])('a hello with %s is no hello (WIRE-13)', async (_what, hello) => {
    await expect(w.connect(await w.person('Nik'), undefined, hello)).rejects.toThrow(I);
    expect(codeOf(await guest.ask('clock/probe', {}))).toBe('ok');
  });

  test('the stream of the room stays unbroken through all of it', async () => {
    const { seq, room: document } = valueOf(await guest.ask('rooms/enter', room));
    await expect.poll(() => guest.numbers(roomStream(document.roomId)).at(-1)).toBe(seq);
    expect([...host.gaps, ...guest.gaps]).toEqual([]);
  });
});

describe('once', () => {
  test('the same client id is one message, also when both arrive at once; other text under it is a conflict (RCHAT-15)', async () => {
    const w = await openSocketWorld();
    const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
    const room = await w.room(host, 'audio');
    await w.letIn(host, guest, room);
    valueOf(await host.ask('rooms/enter', room));
    const clientId = newClientId();
    const again = await w.connect(guest);
    const [first, second] = await Promise.all(
      [guest, again].map((tab) => tab.ask('rooms/sendMessage', { ...room, clientId, text: 'once' })),
    );
    expect(first).toEqual(second);
    expect(codeOf(await guest.ask('rooms/sendMessage', { ...room, clientId, text: 'twice' }))).toBe('input/conflict');
    expect(valueOf(await host.ask('rooms/enter', room)).messages).toHaveLength(1);
  });
});
