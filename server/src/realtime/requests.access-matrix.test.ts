/**
 * The access matrix over real sockets: every request of the protocol as every role, in both kinds of room, on every
 * line that a person can have.
 */
import {
  type ErrorCode,
  type Needs,
  pairId as pairIdSchema,
  type RequestDeclaration,
  type RoomNeed,
  type RequestName,
  type RoomKind,
  socketRequests,
  type Uid,
  protocolVersion,
  writeRequest,
} from '@tunemate/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openRawSocket } from '@tunemate/testkit/network/raw-socket';
import { codeOf, newClientId } from '@tunemate/testkit/answers';
import { type Line, lines, linesOf } from '@tunemate/testkit/network/lines';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { without } from '@tunemate/testkit/without';

/** What someone is to the room, in the order in which they try. */
const roles = ['stranger', 'pending', 'rejected', 'departed', 'participant', 'host'] as const;
type Role = (typeof roles)[number];
type Cast = Record<Role, Tab>;
type Casts = Record<Line, Cast>;
type Codes = readonly [string, string, string, string, string, string];

const [M, H, N, G, C] = ['room/not-member', 'room/host-only', 'room/not-found', 'room/ended', 'room/request-resolved'];
const [O, X] = ['room/offer-over', 'access/not-found'];
const membersOnly: Codes = [M, M, M, M, 'ok', 'ok'];
const hostOnly: Codes = [M, M, M, M, H, 'ok'];
const onceEnded: Codes = [N, G, N, N, G, G];
const all = (code: string): Codes => [code, code, code, code, code, code];
const track = { videoId: 'lib_0123456789abcdef', title: 'Rain', durationSeconds: 90 };

interface Row {
  payload: (who: Tab, cast: Cast) => object;
  live: Codes;
  ended: Codes;
}

/** The requests that name a room. Closing a page needs nothing of it. */
type InRoom =
  | {
      [Name in RequestName]: (typeof socketRequests)[Name] extends { needs: { room: RoomNeed } } ? Name : never;
    }[RequestName]
  | 'rooms/close';

/** What each of them carries beside the room. */
const payloads: Record<InRoom, Row['payload']> = {
  'rooms/lookUp': () => ({}),
  'rooms/askToJoin': () => ({}),
  'rooms/cancelRequest': () => ({}),
  'rooms/renewRequest': () => ({}),
  'rooms/acceptRequest': (_who, { pending }) => ({ uid: pending.uid }),
  'rooms/rejectRequest': (_who, { pending }) => ({ uid: pending.uid }),
  'rooms/acceptAll': (_who, { pending }) => ({ uids: [pending.uid] }),
  'rooms/enter': () => ({}),
  'rooms/close': () => ({}),
  'rooms/leave': () => ({}),
  'rooms/removeParticipant': (_who, { participant }) => ({ uid: participant.uid, forGood: false }),
  'rooms/set': () => ({
    settings: { isLocked: true, everyoneAdds: true, slowSeconds: 15, remoteUse: 'everyone', admits: 'nobody' },
  }),
  'rooms/lendRemote': (_who, { participant }) => ({ uid: participant.uid, isLent: true }),
  'rooms/giveRemoteBack': () => ({}),
  'rooms/letHousePlay': () => ({}),
  'rooms/offerHosting': (_who, { participant }) => ({ uid: participant.uid, leaves: false }),
  'rooms/takeBackHosting': () => ({}),
  'rooms/answerHosting': ({ tabId }) => ({ tabId, takes: true }),
  'rooms/sendMessage': () => ({ clientId: newClientId(), text: 'hi' }),
  'rooms/editMessage': () => ({ messageId: 'x', clientId: newClientId(), text: 'hi', edits: 1 }),
  'rooms/deleteMessage': () => ({ messageId: 'x' }),
  'rooms/typing': () => ({}),
  'rooms/stamp': () => ({ messageId: 'x', stamp: 'love', isOn: true }),
  'rooms/cheer': () => ({ stamp: 'fire' }),
  'rooms/propose': () => ({ clientId: newClientId(), track }),
  'rooms/voteForProposal': () => ({ proposalId: 'x', isOn: true }),
  'rooms/addProposal': () => ({ clientId: newClientId(), proposalId: 'x' }),
  'rooms/dismissProposal': () => ({ proposalId: 'x' }),
  'rooms/earlierMessages': () => ({ before: 'x' }),
  'rooms/played': () => ({}),
  'queues/save': () => ({ clientId: newClientId(), name: 'Mine', of: 'queue' }),
  'rooms/people': () => ({ which: { type: 'after', uid: null } }),
  'playback/takeControl': ({ tabId }) => ({ tabId }),
  'playback/write': ({ tabId }) => ({ tabId, clientId: newClientId(), intent: { type: 'choose', track } }),
  'playback/voteToSkip': () => ({ videoId: track.videoId, isOn: true }),
  'tunemates/ask': (_who: Tab, { pending }: Cast) => ({ clientId: newClientId(), uid: pending.uid }),
  'playback/takeBack': () => ({ videoId: track.videoId }),
  'playback/ready': () => ({ revision: 0 }),
  'catalogue/search': () => ({ query: 'rain' }),
  'catalogue/suggest': () => ({ videoId: null }),
  'library/groups': () => ({ by: 'artist', from: 0 }),
  'library/tracks': () => ({ view: { type: 'newest' }, from: 0 }),
  'library/subtitles': () => ({ videoId: track.videoId }),
  'library/lyrics': () => ({ videoId: track.videoId }),
  'library/loudness': () => ({ videoId: track.videoId }),
  'library/evenCopy': () => ({ videoId: track.videoId, gain: -80 }),
};

const byNeed = {
  anyone: all('ok'),
  requester: all(N),
  member: membersOnly,
  remote: hostOnly,
  host: hostOnly,
} satisfies Record<RoomNeed, Codes>;

/** Answers that follow from more than what the request needs. Users who wrote no message or proposal name none. */
const otherwise: Partial<Record<InRoom, Partial<Row>>> = {
  'rooms/askToJoin': { live: ['ok', 'ok', 'limit/too-many', 'ok', 'ok', 'ok'] },
  'rooms/cancelRequest': { live: [N, 'ok', C, N, C, N] },
  'rooms/renewRequest': { live: [N, 'ok', 'ok', N, 'ok', N] },
  'rooms/close': { ended: all('ok') },
  'rooms/answerHosting': { live: [M, M, M, M, O, O] },
  'rooms/editMessage': { live: [M, M, M, M, X, X] },
  'rooms/deleteMessage': { live: [M, M, M, M, H, X] },
  'rooms/stamp': { live: [M, M, M, M, X, X] },
  'rooms/voteForProposal': { live: [M, M, M, M, X, X] },
  'rooms/addProposal': { live: [M, M, M, M, H, X] },
  // The person they name is outside.
  'tunemates/ask': { live: [M, M, M, M, X, X] },
};

const declared = (name: RequestName): RequestDeclaration => socketRequests[name];

function rowOf(name: InRoom): Row {
  const { needs, refusesWith } = declared(name);
  const ended = onceEnded.map((code) => refusesWith?.[code as ErrorCode] ?? code) as unknown as Codes;
  return { payload: payloads[name], live: byNeed[needs?.room ?? 'anyone'], ended, ...otherwise[name] };
}

const inRooms = Object.fromEntries((Object.keys(payloads) as InRoom[]).map((name) => [name, rowOf(name)]));

const unknown = 'z'.repeat(22);
const noSession = `sid=${'x'.repeat(43)}`;
const pairOf = (a: string, b: string) => pairIdSchema.parse([a, b].sort().join('_'));

const report = () => ({ clientId: newClientId(), about: { type: 'person' }, reason: 'Insults' });

const ofOthers = (uid: string) => ({ pairId: pairOf(uid, unknown), number: 1 });

/** Requests about people: as someone who has nothing to do with the person named. */
const aboutPeople: Partial<
  Record<RequestName, readonly (readonly [string, (me: Tab, other: Tab) => object, string])[]>
> = {
  'session/hello': [['a second time', (me) => ({ protocolVersion, tabId: me.tabId }), 'input/invalid']],
  'clock/probe': [['any user', () => ({}), 'ok']],
  'rooms/create': [['any user', () => ({ clientId: newClientId(), kind: 'video', name: 'Mine' }), 'ok']],
  'rooms/mine': [
    ['one’s own', () => ({}), 'ok'],
    ['another user’s', (_me, { uid }) => ({ uid }), 'input/invalid'],
  ],
  'queues/list': [['one’s own', () => ({}), 'ok']],
  'queues/read': [['what is not shared with one', () => ({ queueId: unknown }), 'access/not-found']],
  'queues/rename': [['what is not one’s own', () => ({ queueId: unknown, name: 'Mine' }), 'access/not-found']],
  'queues/delete': [['what is not one’s own', () => ({ queueId: unknown }), 'ok']],
  'queues/share': [['not one’s own', (_, { uid }) => ({ queueId: unknown, uid, isOn: true }), 'access/not-found']],
  'rooms/histories': [['one’s own', () => ({}), 'ok']],
  'rooms/firstEvening': [['one’s own', () => ({}), 'ok']],
  'rooms/history': [['of a room one was never in', () => ({ roomId: unknown }), 'ok']],
  'rooms/forgetHistory': [['of a room one was never in', () => ({ roomId: unknown }), 'ok']],
  'music/pair': [['of a stranger', (_me, { uid }) => ({ uid, ago: { from: 0, until: 1 } }), 'access/not-found']],
  'music/keep': [['with a stranger', (_me, { uid }) => ({ uid, keeps: true }), 'access/not-found']],
  'music/forget': [['of a stranger', (_me, { uid }) => ({ uid }), 'access/not-found']],
  'music/year': [['of a stranger', (_me, { uid }) => ({ uid, year: { from: 0, until: 1 } }), 'access/not-found']],
  'music/blend': [['with a stranger', (_me, { uid }) => ({ uid, seed: 1 }), 'access/not-found']],
  'rooms/before': [['one’s own', () => ({}), 'ok']],
  'rooms/openAgain': [['not one’s own', () => ({ clientId: newClientId(), roomId: unknown }), 'access/not-found']],
  'rooms/keepHistory': [['one’s own', () => ({ isKept: true }), 'ok']],
  'presence/listenAlong': [
    ['with somebody who shows nothing', (_me, { uid }) => ({ uid }), 'access/not-found'],
    ['with nobody', () => ({ uid: unknown }), 'access/not-found'],
  ],
  'tunemates/remove': [
    ['who is no tunemate', (_me, { uid }) => ({ uid }), 'access/not-found'],
    ['who does not exist', () => ({ uid: unknown }), 'access/not-found'],
  ],
  'tunemates/accept': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'tunemates/decline': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'soulmate/ask': [
    ['a stranger', (_me, { uid }) => ({ clientId: newClientId(), uid }), 'access/forbidden'],
    ['oneself', ({ uid }) => ({ clientId: newClientId(), uid }), 'input/invalid'],
    ['an unknown uid', () => ({ clientId: newClientId(), uid: unknown }), 'access/not-found'],
    [
      'with a sender of one’s choice',
      (_me, { uid }) => ({ clientId: newClientId(), uid, senderUid: uid }),
      'input/invalid',
    ],
  ],
  'soulmate/accept': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'soulmate/decline': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'soulmate/takeBack': [
    ['from whom one never asked', (_me, { uid }) => ({ uid }), 'ok'],
    ['from an unknown uid', () => ({ uid: unknown }), 'access/not-found'],
  ],
  'soulmate/taken': [
    ['among one’s own tunemates', () => ({}), 'ok'],
    ['among another user’s', (_me, { uid }) => ({ uid }), 'input/invalid'],
  ],
  'soulmate/part': [['without a soulmate', () => ({}), 'ok']],
  'notifications/invite': [
    ['a stranger', (_me, { uid }) => ({ clientId: newClientId(), uid }), 'access/forbidden'],
    ['oneself', ({ uid }) => ({ clientId: newClientId(), uid }), 'input/invalid'],
    ['an unknown uid', () => ({ clientId: newClientId(), uid: unknown }), 'access/not-found'],
  ],
  'notifications/dismiss': [['what one never received', () => ({ id: unknown }), 'access/not-found']],
  'notifications/markRead': [['one’s own', () => ({}), 'ok']],
  'catalogue/cards': [
    ['any user, of what the library has', () => ({ videoIds: [track.videoId] }), 'ok'],
    ['of no id', () => ({ videoIds: ['../../etc/passwd'] }), 'input/invalid'],
    [
      'of more than a screen has',
      () => ({ videoIds: Array.from({ length: 21 }, () => track.videoId) }),
      'input/invalid',
    ],
  ],
  'chats/list': [['one’s own', () => ({}), 'ok']],
  'chats/open': [['with an unknown uid', () => ({ uid: unknown }), 'access/not-found']],
  'chats/earlierMessages': [
    ['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), before: 9 }), 'access/not-found'],
    ['of no pair', ({ uid }) => ({ pairId: `${uid}_${uid}`, before: 9 }), 'access/not-found'],
  ],
  'chats/search': [
    ['in one’s own chats', () => ({ words: 'hello' }), 'ok'],
    ['in another user’s', (_me, { uid }) => ({ words: 'hello', uid }), 'input/invalid'],
  ],
  'chats/searchInChat': [
    ['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), words: 'hello' }), 'access/not-found'],
    ['of no pair', ({ uid }) => ({ pairId: `${uid}_${uid}`, words: 'hello' }), 'access/not-found'],
  ],
  'chats/preview': [['of two others', (_me, { uid }) => ofOthers(uid), 'access/not-found']],
  'chats/firstSince': [
    ['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), since: 0 }), 'access/not-found'],
  ],
  'chats/send': [
    ['to a stranger', (_me, { uid }) => ({ clientId: newClientId(), uid, text: 'hello' }), 'ok'],
    ['to oneself', ({ uid }) => ({ clientId: newClientId(), uid, text: 'hello' }), 'input/invalid'],
    ['to an unknown uid', () => ({ clientId: newClientId(), uid: unknown, text: 'hello' }), 'access/not-found'],
    ['as another', (_me, { uid }) => ({ clientId: newClientId(), uid, text: 'hello', sender: uid }), 'input/invalid'],
  ],
  'chats/mark': [
    [
      'of two others',
      (_me, { uid }) => ({ pairId: pairOf(uid, unknown), deliveredUpTo: 1, readUpTo: 1 }),
      'access/not-found',
    ],
  ],
  'chats/arrange': [
    ['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), isPinned: true }), 'access/not-found'],
    ['of no pair', ({ uid }) => ({ pairId: `${uid}_${uid}`, isMuted: true }), 'access/not-found'],
  ],
  'chats/setTimer': [
    ['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), days: 7 }), 'access/not-found'],
  ],
  'chats/clear': [['of two others', (_me, { uid }) => ({ pairId: pairOf(uid, unknown), upTo: 1 }), 'access/not-found']],
  'chats/edit': [
    [
      'of two others',
      (_me, { uid }) => ({ ...ofOthers(uid), clientId: newClientId(), text: 'mine', edits: 1 }),
      'access/not-found',
    ],
  ],
  'chats/delete': [['of two others', (_me, { uid }) => ofOthers(uid), 'access/not-found']],
  'chats/hide': [['of two others', (_me, { uid }) => ({ ...ofOthers(uid), isHidden: true }), 'access/not-found']],
  'chats/react': [
    [
      'of two others',
      (_me, { uid }) => ({ ...ofOthers(uid), clientId: newClientId(), emoji: '🔥', isOn: true }),
      'access/not-found',
    ],
  ],
  'chats/typing': [['to an unknown uid', () => ({ uid: unknown }), 'ok']],
  'chats/block': [
    ['an unknown uid', () => ({ uid: unknown, isBlocked: true }), 'access/not-found'],
    ['oneself', ({ uid }) => ({ uid, isBlocked: true }), 'input/invalid'],
  ],
  'reports/send': [
    ['a stranger', (_me, { uid }) => ({ ...report(), uid }), 'ok'],
    ['oneself', ({ uid }) => ({ ...report(), uid }), 'input/invalid'],
    ['an unknown uid', () => ({ ...report(), uid: unknown }), 'access/not-found'],
    [
      'a message that one can’t read',
      (_me, { uid }) => ({ ...report(), uid, about: { type: 'privateMessage', number: 1 } }),
      'access/not-found',
    ],
  ],
  'chats/blocked': [
    ['one’s own', () => ({}), 'ok'],
    ['another user’s', (_me, { uid }) => ({ uid }), 'input/invalid'],
  ],
};

/** A room of this host in which everyone has their role; the host's tab of this line has the controls. */
async function stage(w: SocketWorld, casts: Casts, kind: RoomKind, line: Line): Promise<Room> {
  const cast = casts.first;
  const room = await w.room(cast.host, kind);
  await w.letIn(cast.host, cast.participant, room);
  await w.letIn(cast.host, cast.departed, room);
  await cast.departed.ask('rooms/leave', room);
  await cast.rejected.ask('rooms/askToJoin', room);
  await cast.host.ask('rooms/rejectRequest', { ...room, uid: cast.rejected.uid });
  await cast.pending.ask('rooms/askToJoin', room);
  const { host } = casts[line];
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  return room;
}

type Asked = readonly [role: Role, line: Line, code: string];

/** Who is to be asked on which line: a refusal changes nothing, so it is asked on each; an acceptance on one. */
const asked = (codes: Codes, accepting: Line): Asked[] =>
  roles.flatMap((role, index) => {
    const code = codes[index] ?? '';
    return lines.filter((line) => code !== 'ok' || line === accepting).map((line): Asked => [role, line, code]);
  });

/** The same with the answers that came. */
async function answered(to: readonly Asked[], name: RequestName, casts: Casts, room: Room, payload: Row['payload']) {
  const answers: Asked[] = [];
  for (const [role, line] of to) {
    const who = casts[line][role];
    answers.push([role, line, codeOf(await who.send(name, { ...room, ...payload(who, casts.first) }))]);
  }
  return answers;
}

test('every request of the protocol has its row here, and no other (ACCESS-1)', () => {
  const named = [...Object.keys(inRooms), ...Object.keys(aboutPeople)].sort();
  expect(named).toEqual(Object.keys(socketRequests).sort());
});

describeEachDialect('the access matrix', (makeDatabaseUrl, dialect) => {
  let w: SocketWorld;
  /** A second process where the database allows for one: second tabs are connected to it. */
  let elsewhere: SocketWorld;
  let casts: Casts;
  beforeAll(async () => {
    const databaseUrl = await makeDatabaseUrl();
    w = await openSocketWorld({ databaseUrl, env: { LINK_PREVIEWS: 'on' } });
    elsewhere = dialect === 'sqlite' ? w : await openSocketWorld({ databaseUrl, clock: w.clock });
    const people = await Promise.all(roles.map(async (role) => linesOf(await w.arrive(role), w, elsewhere)));
    const castOf = (line: Line) =>
      Object.fromEntries(roles.map((role, index) => [role, people[index]?.[line]])) as Cast;
    casts = { first: castOf('first'), second: castOf('second'), resumed: castOf('resumed') };
  });
  afterAll(async () => {
    if (elsewhere !== w) await elsewhere.close();
    await w.close();
  });

  // The rules are the same code on both databases; PostgreSQL is asked about one kind only, for the time it takes. What
  // is allowed is asked on one line, another one in each of these.
  const stages = { sqlite: { video: 'first', audio: 'second' }, postgres: { audio: 'resumed' } } as const;
  describe.each(Object.entries(stages[dialect]) as [RoomKind, Line][])('%s', (kind, accepting) => {
    /** A room that has ended: no request changes it, so all are asked about the same one. */
    let over: Room;
    beforeAll(async () => {
      over = await stage(w, casts, kind, accepting);
      await casts.first.host.ask('rooms/leave', over);
    });

    test.for(Object.entries(inRooms) as [RequestName, Row][])(
      '%s answers each role on each line as the matrix says (ACCESS-2, ACCESS-40)',
      async ([name, { payload, live }]) => {
        const room = await stage(w, casts, kind, accepting);
        const expected = asked(live, accepting);
        expect(await answered(expected, name, casts, room, payload)).toEqual(expected);
        await casts.first.host.ask('rooms/leave', room);
      },
    );

    test.for(Object.entries(inRooms) as [RequestName, Row][])(
      '%s answers that a room has ended to former members only, as of no room to others (ACCESS-3, ACCESS-40)',
      async ([name, { payload, ended }]) => {
        const expected = asked(ended, accepting);
        expect(await answered(expected, name, casts, over, payload)).toEqual(expected);
        const { stranger } = casts.first;
        const ofNone = { kind, code: 'ZZZZZ9', ...payload(stranger, casts.first) };
        expect(codeOf(await stranger.send(name, ofNone)), 'of no room').toBe(ended[0]);
      },
    );
  });

  test.for(Object.entries(aboutPeople).flatMap(([name, cases]) => cases.map((each) => [name, ...each] as const)))(
    '%s: %s (ACCESS-4, ACCESS-40)',
    async ([name, _what, payload, expected]) => {
      const [first, other] = [await w.arrive('Ivo'), await w.arrive('Ada')];
      const own = Object.values(await linesOf(first, w, elsewhere));
      for (const me of own) expect(codeOf(await me.send(name, payload(me, other)))).toBe(expected);
      if (expected !== 'ok') expect(other.changes()).toEqual([]);
      expect(own.flatMap(({ gaps }) => gaps)).toEqual([]);
      for (const tab of [...own, other]) tab.leave();
    },
  );
});

describe('a row without its requirement', () => {
  let w: SocketWorld;
  let casts: Casts;
  beforeAll(async () => {
    w = await openSocketWorld({ env: { LINK_PREVIEWS: 'on' } });
    const cast = Object.fromEntries(await Promise.all(roles.map(async (role) => [role, await w.arrive(role)]))) as Cast;
    casts = { first: cast, second: cast, resumed: cast };
  });
  afterAll(() => w.close());

  /** What each requirement keeps out, and the requirement that would let them in. */
  const weaker: readonly (readonly [need: RoomNeed, instead: RoomNeed, role: Role])[] = [
    ['host', 'member', 'participant'],
    ['remote', 'anyone', 'stranger'],
    ['host', 'anyone', 'stranger'],
    ['member', 'anyone', 'stranger'],
    ['requester', 'anyone', 'stranger'],
  ];
  const inRows = Object.entries(inRooms).flatMap(([name, { payload, live }]: [string, Row]) => {
    const needs: Needs = declared(name as RequestName).needs ?? {};
    return weaker
      .filter(([need]) => need === needs.room)
      .map(([need, instead, role]) => ({ name: name as RequestName, payload, live, needs, need, instead, role }));
  });

  test.for(inRows)(
    '$name with $instead in place of $need answers a $role otherwise than the matrix says (ACCESS-44)',
    async ({ name, payload, live, needs, instead, role }) => {
      const room = await stage(w, casts, 'audio', 'first');
      const expected = [[role, 'first', live[roles.indexOf(role)] ?? '']] as const;
      expect(await answered(expected, name, casts, room, payload)).toEqual(expected);
      const answers = await without(needs, 'room', instead, () => answered(expected, name, casts, room, payload));
      await casts.first.host.ask('rooms/leave', room);
      expect(answers).not.toEqual(expected);
    },
  );

  const named = Object.entries(aboutPeople).flatMap(([name, cases]) => {
    const needs: Needs = declared(name as RequestName).needs ?? {};
    const requirement = needs.person === undefined ? 'chat' : 'person';
    const refused = cases.find(([, , code]) => code === 'access/not-found');
    return needs[requirement] === undefined || refused === undefined ? [] : [{ name, needs, requirement, refused }];
  });

  test.for(named)(
    '$name without its $requirement answers otherwise than the matrix says (ACCESS-44)',
    async ({ name, needs, requirement, refused: [, payload, code] }) => {
      const [me, other] = [await w.arrive('Ivo'), await w.arrive('Ada')];
      const ask = async () => codeOf(await me.send(name, payload(me, other)));
      expect(await ask()).toBe(code);
      expect(await without(needs, requirement, undefined, ask)).not.toBe(code);
    },
  );

  test('every row with a requirement is among these (ACCESS-44)', () => {
    const asked = new Set<string>([...inRows, ...named].map(({ name }) => name));
    const hasNeeds = ({ needs = {} }: RequestDeclaration) =>
      (needs.room ?? 'anyone') !== 'anyone' || needs.person !== undefined || needs.chat !== undefined;
    const needing = (Object.keys(socketRequests) as RequestName[]).filter((name) => hasNeeds(declared(name)));
    expect(needing.filter((name) => !asked.has(name))).toEqual([]);
  });
});

describe('without a verified session', () => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld();
  });
  afterAll(() => w.close());

  const withoutSession = { uid: unknown as Uid, name: '', sessionId: '', cookie: '' };
  test.each([
    ['no session', () => Promise.resolve(withoutSession), 'auth/required'],
    ['a cookie that never was', async () => ({ ...(await w.person('X')), cookie: noSession }), 'auth/required'],
    ['an unverified person', () => w.person('Ivo', { isVerified: false }), 'auth/email-unverified'],
  ])('%s is refused the connection (ACCESS-5)', async (_who, personOf, code) => {
    await expect(w.connect(await personOf())).rejects.toThrow(code);
  });

  test('no request is answered before the connection is accepted, or before its hello (ACCESS-6)', async () => {
    const { cookie } = await w.person('Ivo', { isVerified: false });
    const verified = await w.person('Ada');
    await Promise.all(
      (Object.keys(socketRequests) as RequestName[]).map(async (name) => {
        const outside = await openRawSocket(w.app, { cookie });
        outside.send(writeRequest(0, name, {}));
        await outside.closed;
        expect(outside.answers()).toEqual([]);
      }),
    );
    const silent = await openRawSocket(w.app, { cookie: verified.cookie });
    const names = Object.keys(socketRequests).filter((name) => name !== 'session/hello');
    names.forEach((name, index) => silent.send(writeRequest(index, name, {})));
    await expect.poll(() => silent.answers()).toHaveLength(names.length);
    expect(silent.answers().filter((frame) => !frame.includes('auth/required'))).toEqual([]);
    silent.end();
  });
});
