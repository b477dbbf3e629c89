/**
 * Rows 1 to 13 of docs/access.md over real sockets: what everyone who has anything to do with a person may ask, see and
 * change of them. Ines is that person. Signed out and unverified people are refused the connection (ACCESS-5).
 */
import { type UserSnapshot, userStream, type RequestName } from '@tunemate/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';

/** What each is to Ines, in the order in which they try. The host let her in, so they are tunemates. */
const roles = ['stranger', 'pending', 'participant', 'host', 'partner', 'soulmate', 'self'] as const;
type Role = (typeof roles)[number];
type Codes = readonly [string, string, string, string, string, string, string];
interface Stage {
  cast: Record<Role, Tab>;
  room: Room;
  /** What is in her inbox, by type. */
  notices: Record<'soulmate' | 'now-playing', string>;
}

const [F, N, I] = ['access/forbidden', 'access/not-found', 'input/invalid'];
const [taken, selfTaken] = ['soulmate/taken', 'soulmate/self-taken'];
const toInes = ({ cast }: Stage) => ({ uid: cast.self.uid });
const toInesOnce = ({ cast }: Stage) => ({ uid: cast.self.uid, clientId: newClientId() });

interface Row {
  /** Of the access matrix. */
  rows: readonly number[];
  name: RequestName;
  payload: (stage: Stage) => object;
  codes: Codes;
}

const table: readonly Row[] = [
  { rows: [2], name: 'chats/open', payload: toInes, codes: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', I] },
  ...(['soulmate', 'now-playing'] as const).map((type): Row => {
    const payload = ({ notices }: Stage) => ({ id: notices[type] });
    return { rows: [9], name: 'notifications/dismiss', payload, codes: [N, N, N, N, N, N, 'ok'] };
  }),
  {
    rows: [9],
    name: 'soulmate/accept',
    payload: ({ notices }) => ({ id: notices.soulmate }),
    codes: [N, N, N, N, N, N, selfTaken],
  },
  {
    rows: [9],
    name: 'soulmate/decline',
    payload: ({ notices }) => ({ id: notices.soulmate }),
    codes: [N, N, N, N, N, N, 'ok'],
  },
  { rows: [10], name: 'notifications/invite', payload: toInesOnce, codes: [F, F, F, 'ok', F, 'ok', I] },
  { rows: [11], name: 'soulmate/ask', payload: toInesOnce, codes: [F, F, F, taken, taken, selfTaken, I] },
  {
    rows: [48],
    name: 'reports/send',
    payload: (stage) => ({ ...toInesOnce(stage), about: { type: 'person' }, reason: 'Insults' }),
    codes: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', I],
  },
  ...(['tunemates/accept', 'tunemates/decline'] as const).map((name): Row => {
    // Not even the person asked answers by the notification of something else.
    return { rows: [9], name, payload: ({ notices }) => ({ id: notices.soulmate }), codes: [N, N, N, N, N, N, N] };
  }),
  // She shows no person what she hears.
  { rows: [7], name: 'presence/listenAlong', payload: toInes, codes: [N, N, N, N, N, N, N] },
  // What two hear together: only tunemates and soulmates may keep anything, and of these two nothing is kept.
  {
    rows: [7],
    name: 'music/pair',
    payload: (stage) => ({ ...toInes(stage), ago: { from: 0, until: 1 } }),
    codes: [N, N, N, 'ok', N, 'ok', N],
  },
  {
    rows: [7],
    name: 'music/keep',
    payload: (stage) => ({ ...toInes(stage), keeps: false }),
    codes: [N, N, N, 'ok', N, 'ok', N],
  },
  { rows: [7], name: 'music/forget', payload: toInes, codes: [N, N, N, N, N, N, N] },
  {
    rows: [7],
    name: 'music/year',
    payload: (stage) => ({ ...toInes(stage), year: { from: 0, until: 1 } }),
    codes: [N, N, N, N, N, N, N],
  },
  {
    rows: [7],
    name: 'music/blend',
    payload: (stage) => ({ ...toInes(stage), seed: 1 }),
    codes: [N, N, N, N, N, N, N],
  },
  { rows: [13], name: 'tunemates/remove', payload: toInes, codes: [N, N, N, 'ok', N, N, N] },
];

/** Further fields that a request of row 12 might try to set. */
const forged = { senderUid: 'x', senderName: 'x', sender: 'x', type: 'soulmate', timestamp: 1, isRead: true, to: 'x' };
/** Names under which a hostile client might write or list what is the server's (rows 3, 5 and 8). */
const noSuchRequests = [
  'users/list',
  'users/search',
  'users/update',
  'presence/set',
  'notifications/add',
  'users/read',
];

describeEachDialect('the access matrix of people', (makeDatabaseUrl) => {
  let w: SocketWorld;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl() });
  });
  afterAll(() => w.close());

  async function stage({ isBound = true } = {}): Promise<Stage> {
    const arrived = await Promise.all(roles.map(async (role) => [role, await w.arrive(role)] as const));
    const cast = Object.fromEntries(arrived) as Record<Role, Tab>;
    const { self, host, partner, soulmate } = cast;
    const room = await w.room(host, 'audio');
    for (const guest of [self, cast.participant]) {
      await w.letIn(host, guest, room);
      valueOf(await guest.ask('rooms/enter', room));
    }
    valueOf(await host.ask('rooms/enter', room));
    valueOf(await cast.pending.ask('rooms/askToJoin', room));
    valueOf(await host.ask('notifications/invite', { clientId: newClientId(), uid: self.uid }));
    for (const friend of [partner, soulmate]) {
      valueOf(await friend.ask('chats/send', { clientId: newClientId(), uid: self.uid, text: 'hello' }));
      valueOf(await self.ask('chats/send', { clientId: newClientId(), uid: friend.uid, text: 'hi' }));
    }
    if (isBound) await bind(cast);
    const inbox = (await freshly(self)).notifications;
    const idOf = (type: string) => inbox.find((each) => each.type === type)?.id ?? '';
    return { cast, room, notices: { soulmate: idOf('soulmate'), 'now-playing': idOf('now-playing') } };
  }

  /** The snapshot of a tab that opens now, and closes again. */
  async function freshly(person: Tab): Promise<UserSnapshot> {
    const tab = await w.connect(person);
    tab.leave();
    return tab.snapshot;
  }

  /** The partner's request stays in the inbox, the other one is accepted. */
  async function bind({ self, partner, soulmate }: Record<Role, Tab>): Promise<void> {
    for (const one of [partner, soulmate]) {
      valueOf(await one.ask('soulmate/ask', { clientId: newClientId(), uid: self.uid }));
    }
    const inbox = (await freshly(self)).notifications;
    const id = inbox.find(({ senderUid }) => senderUid === soulmate.uid)?.id ?? '';
    valueOf(await self.ask('soulmate/accept', { id }));
  }

  const soulmateOf = async ({ uid }: Tab) =>
    (await w.db.selectFrom('users').select('soulmate').where('uid', '=', uid).executeTakeFirstOrThrow()).soulmate;

  test.for(table)(
    'row $rows.0: $name answers each role as the matrix says (ACCESS-14)',
    async ({ name, payload, codes }) => {
      const staged = await stage();
      const answers: string[] = [];
      for (const role of roles) answers.push(codeOf(await staged.cast[role].send(name, payload(staged))));
      expect(answers).toEqual(codes);
      expect(await soulmateOf(staged.cast.self)).toBe(staged.cast.soulmate.uid);
    },
  );

  test('row 11: only tunemates and chat partners may send a soulmate request (ACCESS-14)', async () => {
    const staged = await stage({ isBound: false });
    const answers: string[] = [];
    for (const role of roles) answers.push(codeOf(await staged.cast[role].ask('soulmate/ask', toInesOnce(staged))));
    expect(answers).toEqual([F, F, F, 'ok', 'ok', 'ok', I]);
  });

  test('rows 9 and 13: marking as read and parting change only the caller and their soulmate (ACCESS-14)', async () => {
    const { cast } = await stage();
    const unread = async () => (await freshly(cast.self)).notifications.filter(({ isRead }) => !isRead).length;
    for (const role of roles.filter((each) => each !== 'self' && each !== 'soulmate')) {
      for (const name of ['notifications/markRead', 'soulmate/part'] as const) valueOf(await cast[role].ask(name, {}));
    }
    expect([await unread(), await soulmateOf(cast.self)]).toEqual([2, cast.soulmate.uid]);
    valueOf(await cast.soulmate.ask('soulmate/part', {}));
    valueOf(await cast.self.ask('notifications/markRead', {}));
    expect([await unread(), await soulmateOf(cast.self), await soulmateOf(cast.soulmate)]).toEqual([0, null, null]);
  });

  test('row 7: presence is seen by members of a room, tunemates, soulmate and chat partners (ACCESS-15)', async () => {
    const { cast, room } = await stage();
    const { uid } = cast.self;
    const asked = await Promise.all(
      roles
        .slice(0, -1)
        .map(async (role) => valueOf(await cast[role].ask('chats/open', { uid })).presence?.state ?? null),
    );
    expect(asked).toEqual([null, null, null, 'online', 'online', 'online']);
    await w.leave(cast.self);
    const wasInformed = (tab: Tab) =>
      tab.statesShown(cast.self).includes('offline') ||
      tab.changes().some((each) => each.type === 'rooms/participantPresence' && each.uid === uid && !each.online);
    for (const role of ['participant', 'host', 'partner', 'soulmate'] as const) {
      await expect.poll(() => wasInformed(cast[role])).toBe(true);
    }
    // Both are reached by what is sent after it, and so would have been by this.
    valueOf(await cast.host.ask('rooms/acceptRequest', { ...room, uid: cast.pending.uid }));
    await expect.poll(() => cast.pending.changes().length).toBeGreaterThan(0);
    expect([wasInformed(cast.stranger), wasInformed(cast.pending)]).toEqual([false, false]);
  });

  test('row 1: nothing sent to others contains the address or the document of a person (ACCESS-15)', async () => {
    const { cast, room } = await stage();
    const { uid } = cast.self;
    for (const role of roles.filter((each) => each !== 'self')) {
      const tab = cast[role];
      const { user, ...others } = await freshly(tab);
      const seen = [
        others,
        await tab.send('chats/open', { uid }),
        await tab.send('chats/list', {}),
        await tab.send('rooms/lookUp', room),
        await tab.send('rooms/enter', room),
        tab.changes(),
      ];
      expect(JSON.stringify(seen)).not.toMatch(/@example|email|password|audioConnections|readReceipts|sessionId/i);
      expect(user.uid).toBe(tab.uid);
    }
    expect((await freshly(cast.self)).user).toMatchObject({ uid, soulmate: cast.soulmate.uid });
  });

  test.each([...new Set(table.map(({ name }) => name)), 'notifications/markRead', 'soulmate/part'] as const)(
    'row 12: %s refuses a sender, type or time from every caller (ACCESS-16)',
    async (name) => {
      const staged = await stage();
      const payload = table.find((row) => row.name === name)?.payload(staged) ?? {};
      for (const role of roles) {
        for (const [field, value] of Object.entries(forged)) {
          const answer = await staged.cast[role].send(name, { ...payload, [field]: value });
          expect([role, field, codeOf(answer)]).toEqual([role, field, I]);
        }
      }
      const fromForger = ({ type }: { type: string }) => type === 'notifications/added';
      expect(staged.cast.self.changes(userStream(staged.cast.self.uid)).filter(fromForger)).toHaveLength(3);
    },
  );

  test.each(noSuchRequests)('rows 3, 5 and 8: there is no request %s for any caller (ACCESS-16)', async (name) => {
    const { cast } = await stage();
    for (const role of roles) {
      const payload = { uid: cast.self.uid, online: false, state: 'offline', soulmate: null, email: 'x@example.org' };
      expect([role, codeOf(await cast[role].send(name, payload))]).toEqual([role, I]);
    }
    expect(await w.stateOf(cast.self)).toBe('online');
  });
});
