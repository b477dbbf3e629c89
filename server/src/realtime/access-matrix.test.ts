/** The access matrix over real sockets: every request of the protocol as every role, in both kinds of room. */
import {
  pairId as pairIdSchema,
  type RequestName,
  roomKinds,
  type RoomKind,
  socketRequests,
  type Uid,
  protocolVersion,
} from '@tunemate/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/dialects';
import { openRawSocket } from '@tunemate/testkit/raw-socket';
import { codeOf, newClientId } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/socket-world';
import { documentTable } from '@tunemate/testkit/document-table';
import { socketAccess } from '../access/table.ts';

/** What someone is to the room, in the order in which they try. */
const roles = ['stranger', 'pending', 'rejected', 'departed', 'participant', 'host'] as const;
type Role = (typeof roles)[number];
type Cast = Record<Role, Tab>;
type Codes = readonly [string, string, string, string, string, string];

const [M, H, N, G, C] = ['room/not-member', 'room/host-only', 'room/not-found', 'room/ended', 'room/request-resolved'];
const O = 'room/offer-over';
const X = 'access/not-found';
const membersOnly: Codes = [M, M, M, M, 'ok', 'ok'];
const hostOnly: Codes = [M, M, M, M, H, 'ok'];
const onceEnded: Codes = [N, G, N, N, G, G];
const all = (code: string): Codes => [code, code, code, code, code, code];
const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };

interface Row {
  payload?: (who: Tab, cast: Cast) => object;
  live: Codes;
  ended: Codes;
}

const inRooms = {
  'rooms/lookUp': { live: all('ok'), ended: all(N) },
  'rooms/askToJoin': { live: ['ok', 'ok', 'limit/too-many', 'ok', 'ok', 'ok'], ended: onceEnded },
  'rooms/cancelRequest': { live: [N, 'ok', C, N, C, N], ended: onceEnded },
  'rooms/renewRequest': { live: [N, 'ok', 'ok', N, 'ok', N], ended: onceEnded },
  'rooms/acceptRequest': { payload: (_who, { pending }) => ({ uid: pending.uid }), live: hostOnly, ended: onceEnded },
  'rooms/rejectRequest': { payload: (_who, { pending }) => ({ uid: pending.uid }), live: hostOnly, ended: onceEnded },
  'rooms/acceptAll': { payload: (_who, { pending }) => ({ uids: [pending.uid] }), live: hostOnly, ended: onceEnded },
  'rooms/setAdmission': { payload: () => ({ admits: 'nobody' }), live: hostOnly, ended: onceEnded },
  'rooms/enter': { live: membersOnly, ended: onceEnded },
  'rooms/close': { live: all('ok'), ended: all('ok') },
  'rooms/leave': { live: membersOnly, ended: onceEnded },
  'rooms/removeParticipant': {
    payload: (_who, { participant }) => ({ uid: participant.uid, forGood: false }),
    live: hostOnly,
    ended: onceEnded,
  },
  'rooms/setLocked': { payload: () => ({ isLocked: true }), live: hostOnly, ended: onceEnded },
  'rooms/offerHosting': {
    payload: (_who, { participant }) => ({ uid: participant.uid, leaves: false }),
    live: hostOnly,
    ended: onceEnded,
  },
  'rooms/takeBackHosting': { live: hostOnly, ended: onceEnded },
  'rooms/answerHosting': {
    payload: ({ tabId }) => ({ tabId, takes: true }),
    live: [M, M, M, M, O, O],
    ended: onceEnded,
  },
  'rooms/sendMessage': {
    payload: () => ({ clientId: newClientId(), text: 'hi' }),
    live: membersOnly,
    ended: onceEnded,
  },
  // Nobody wrote the message that is named.
  'rooms/deleteMessage': { payload: () => ({ messageId: 'x' }), live: [M, M, M, M, H, X], ended: onceEnded },
  'rooms/stamp': {
    payload: () => ({ messageId: 'x', stamp: 'love', isOn: true }),
    live: [M, M, M, M, X, X],
    ended: onceEnded,
  },
  'rooms/cheer': { payload: () => ({ stamp: 'fire' }), live: membersOnly, ended: onceEnded },
  'rooms/earlierMessages': { payload: () => ({ before: 'x' }), live: membersOnly, ended: onceEnded },
  'playback/takeControl': { payload: ({ tabId }) => ({ tabId }), live: hostOnly, ended: onceEnded },
  'playback/write': {
    payload: ({ tabId }) => ({ tabId, clientId: newClientId(), intent: { type: 'choose', track } }),
    live: hostOnly,
    ended: onceEnded,
  },
  'playback/ready': { payload: () => ({ revision: 0 }), live: membersOnly, ended: onceEnded },
  'catalogue/search': { payload: () => ({ query: 'rain' }), live: [H, H, H, H, H, 'ok'], ended: [H, G, H, H, G, G] },
  'catalogue/suggest': { payload: () => ({ videoId: null }), live: membersOnly, ended: [M, G, M, M, G, G] },
  'library/groups': { payload: () => ({ by: 'artist', from: 0 }), live: membersOnly, ended: [M, G, M, M, G, G] },
  'library/tracks': {
    payload: () => ({ view: { type: 'newest' }, from: 0 }),
    live: membersOnly,
    ended: [M, G, M, M, G, G],
  },
  'library/subtitles': { payload: () => ({ videoId: track.videoId }), live: membersOnly, ended: [M, G, M, M, G, G] },
} satisfies Partial<Record<RequestName, Row>>;

const unknown = 'z'.repeat(22);
const pairOf = (a: string, b: string) => pairIdSchema.parse([a, b].sort().join('_'));

/** Requests about people: as someone who has nothing to do with the person named. */
const aboutPeople: Partial<
  Record<RequestName, readonly (readonly [string, (me: Tab, other: Tab) => object, string])[]>
> = {
  'session/hello': [['a second time', (me) => ({ protocolVersion, tabId: me.tabId }), 'input/invalid']],
  'clock/probe': [['anyone', () => ({}), 'ok']],
  'rooms/create': [['anyone', () => ({ clientId: newClientId(), kind: 'video', name: 'Mine' }), 'ok']],
  'rooms/mine': [
    ['one’s own', () => ({}), 'ok'],
    ['somebody else’s', (_me, { uid }) => ({ uid }), 'input/invalid'],
  ],
  'tunemates/remove': [
    ['who is no tunemate', (_me, { uid }) => ({ uid }), 'access/not-found'],
    ['who does not exist', () => ({ uid: unknown }), 'access/not-found'],
  ],
  'soulmate/ask': [
    ['a stranger', (_me, { uid }) => ({ clientId: newClientId(), uid }), 'access/forbidden'],
    ['oneself', ({ uid }) => ({ clientId: newClientId(), uid }), 'input/invalid'],
    ['nobody', () => ({ clientId: newClientId(), uid: unknown }), 'access/not-found'],
    [
      'with a sender of one’s choice',
      (_me, { uid }) => ({ clientId: newClientId(), uid, senderUid: uid }),
      'input/invalid',
    ],
  ],
  'soulmate/accept': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'soulmate/decline': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'soulmate/part': [['without a soulmate', () => ({}), 'ok']],
  'notifications/invite': [
    ['a stranger', (_me, { uid }) => ({ clientId: newClientId(), uid }), 'access/forbidden'],
    ['oneself', ({ uid }) => ({ clientId: newClientId(), uid }), 'input/invalid'],
    ['nobody', () => ({ clientId: newClientId(), uid: unknown }), 'access/not-found'],
  ],
  'notifications/dismiss': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'notifications/markRead': [['one’s own', () => ({}), 'ok']],
  'chats/list': [['one’s own', () => ({}), 'ok']],
  'chats/open': [['with nobody', () => ({ uid: unknown }), 'access/not-found']],
  'chats/earlierMessages': [
    ['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), before: 9 }), 'access/not-found'],
    ['of no pair', ({ uid }) => ({ pairId: `${uid}_${uid}`, before: 9 }), 'access/not-found'],
  ],
  'chats/send': [
    ['to a stranger', (_me, { uid }) => ({ clientId: newClientId(), uid, text: 'hello' }), 'ok'],
    ['to oneself', ({ uid }) => ({ clientId: newClientId(), uid, text: 'hello' }), 'input/invalid'],
    ['to nobody', () => ({ clientId: newClientId(), uid: unknown, text: 'hello' }), 'access/not-found'],
    ['as another', (_me, { uid }) => ({ clientId: newClientId(), uid, text: 'hello', sender: uid }), 'input/invalid'],
  ],
  'chats/mark': [
    [
      'of two others',
      (_me, { uid }) => ({ pairId: pairOf(uid, unknown), deliveredUpTo: 1, readUpTo: 1 }),
      'access/not-found',
    ],
  ],
  'chats/typing': [['to nobody', () => ({ uid: unknown }), 'ok']],
  'chats/block': [
    ['nobody', () => ({ uid: unknown, isBlocked: true }), 'access/not-found'],
    ['oneself', ({ uid }) => ({ uid, isBlocked: true }), 'input/invalid'],
  ],
  'chats/blocked': [
    ['one’s own', () => ({}), 'ok'],
    ['somebody else’s', (_me, { uid }) => ({ uid }), 'input/invalid'],
  ],
};

/** A room of this host in which everyone has their role. */
async function stage(w: SocketWorld, cast: Cast, kind: RoomKind): Promise<Room> {
  const room = await w.room(cast.host, kind);
  await w.seat(cast.host, cast.participant, room);
  await w.seat(cast.host, cast.departed, room);
  await cast.departed.ask('rooms/leave', room);
  await cast.rejected.ask('rooms/askToJoin', room);
  await cast.host.ask('rooms/rejectRequest', { ...room, uid: cast.rejected.uid });
  await cast.pending.ask('rooms/askToJoin', room);
  await cast.host.ask('playback/takeControl', { ...room, tabId: cast.host.tabId });
  return room;
}

async function attempt(name: RequestName, cast: Cast, room: Room, payload: Row['payload']): Promise<string[]> {
  const codes: string[] = [];
  for (const role of roles) {
    const who = cast[role];
    codes.push(codeOf(await who.send(name, { ...room, ...payload?.(who, cast) })));
  }
  return codes;
}

test('ACCESS-1 every request of the protocol has its row here, and no other', () => {
  const named = [...Object.keys(inRooms), ...Object.keys(aboutPeople)].sort();
  expect(named).toEqual(Object.keys(socketRequests).sort());
  expect(named).toEqual(Object.keys(socketAccess).sort());
});

test('ACCESS-18 docs/access.md has these answers about rooms, and no other', () => {
  const letters: Record<string, string> = {
    ok: 'y',
    [M]: 'M',
    [H]: 'H',
    [N]: 'N',
    [X]: 'N',
    [G]: 'G',
    [C]: 'C',
    [O]: 'C',
    'limit/too-many': 'L',
  };
  const written = (codes: Codes) => codes.map((code) => letters[code]).join(' ');
  const expected = Object.entries(inRooms).map(([name, { live, ended }]) => [name, written(live), written(ended)]);
  expect(documentTable('docs/access.md', 'Answers about rooms')).toEqual(expected);
});

describeEachDialect('the access matrix', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  let cast: Cast;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
    const tabs = await Promise.all(roles.map(async (role) => [role, await w.arrive(role)] as const));
    cast = Object.fromEntries(tabs) as Cast;
  });
  afterAll(() => w.close());

  // The rules are the same code on both databases; PostgreSQL is asked about one kind only, for the time it takes.
  describe.each(dialect === 'sqlite' ? roomKinds : roomKinds.slice(1))('%s', (kind) => {
    test.each(Object.entries(inRooms) as [RequestName, Row][])(
      'ACCESS-2 %s answers each role as the matrix says',
      async (name, { payload, live }) => {
        const room = await stage(w, cast, kind);
        expect(await attempt(name, cast, room, payload)).toEqual(live);
        await cast.host.ask('rooms/leave', room);
      },
    );

    test.each(Object.entries(inRooms) as [RequestName, Row][])(
      'ACCESS-3 %s in an ended room answers that it has ended only to those who were members',
      async (name, { payload, ended }) => {
        const room = await stage(w, cast, kind);
        await cast.host.ask('rooms/leave', room);
        expect(await attempt(name, cast, room, payload)).toEqual(ended);
      },
    );
  });

  test.each(Object.entries(aboutPeople).flatMap(([name, cases]) => cases.map((each) => [name, ...each] as const)))(
    'ACCESS-4 %s: %s',
    async (name, _what, payload, expected) => {
      const [me, other] = [await w.arrive('Ivo'), await w.arrive('Ada')];
      expect(codeOf(await me.send(name, payload(me, other)))).toBe(expected);
      if (expected !== 'ok') expect(other.changes()).toEqual([]);
      expect(me.gaps).toEqual([]);
      me.leave();
      other.leave();
    },
  );
});

describe('without a verified session', () => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld();
  });
  afterAll(() => w.close());

  test.each([
    ['nobody', () => Promise.resolve({ uid: unknown as Uid, name: '', sessionId: '', cookie: '' }), 'auth/required'],
    [
      'a cookie that never was',
      async () => ({ ...(await w.person('X')), cookie: `sid=${'x'.repeat(43)}` }),
      'auth/required',
    ],
    ['an unverified person', () => w.person('Ivo', { isVerified: false }), 'auth/email-unverified'],
  ])('ACCESS-5 %s is refused the connection', async (_who, personOf, code) => {
    await expect(w.connect(await personOf())).rejects.toThrow(code);
  });

  test('ACCESS-6 no request is answered before the connection is accepted, or before its hello', async () => {
    const { cookie } = await w.person('Ivo', { isVerified: false });
    const verified = await w.person('Ada');
    await Promise.all(
      (Object.keys(socketRequests) as RequestName[]).map(async (name) => {
        const outside = await openRawSocket(w.app, { cookie, connect: false });
        outside.send(`420${JSON.stringify([name, {}])}`);
        await outside.closed;
        expect(outside.received.filter((frame) => frame.startsWith('43'))).toEqual([]);
      }),
    );
    const silent = await openRawSocket(w.app, { cookie: verified.cookie });
    const names = Object.keys(socketRequests).filter((name) => name !== 'session/hello');
    names.forEach((name, index) => silent.send(`42${String(index)}${JSON.stringify([name, {}])}`));
    await expect.poll(() => silent.received.filter((frame) => frame.startsWith('43'))).toHaveLength(names.length);
    expect(silent.received.filter((frame) => frame.startsWith('43') && !frame.includes('auth/required'))).toEqual([]);
    silent.end();
  });
});
