/** Rows 32 to 37 of docs/access.md: a private chat and its pictures, by every way there is, as everyone there is. */
import { pairIdOf } from '@tunemate/domain';
import { userStream, type PairId, protocolVersion, type RequestName } from '@tunemate/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld, type Tab, userChangeTypes } from '@tunemate/testkit/worlds/socket-world';

/** The people on a connection. All but the stranger share a room with the two of the chat: it opens no door. */
const roles = ['stranger', 'requester', 'participant', 'host', 'other', 'self'] as const;
type Role = (typeof roles)[number];
type Cast = Record<Role, Tab>;
type ByRole = readonly [string, string, string, string, string, string];

const [ok, I, N, F] = ['ok', 'input/invalid', 'access/not-found', 'access/forbidden'];
const theTwo: ByRole = [N, N, N, N, ok, ok];
const nobody: ByRole = [N, N, N, N, N, N];
const everyone: ByRole = [ok, ok, ok, ok, ok, ok];
const allButSelf: ByRole = [ok, ok, ok, ok, ok, I];
const invalid: ByRole = [I, I, I, I, I, I];

interface Scene {
  pair: PairId;
  cast: Cast;
  me: Tab;
}
type Row = readonly [what: string, name: RequestName, payload: (scene: Scene) => object, codes: ByRole];

/** The message that `self` has sent. */
const firstOf = (pairId: PairId) => ({ pairId, number: 1 });
const byAuthor: ByRole = [N, N, N, N, F, ok];
const reaction = (pairId: PairId, emoji: string) => ({
  ...firstOf(pairId),
  clientId: newClientId(),
  emoji,
  isOn: true,
});

const upTo = (number: number) => ({ deliveredUpTo: number, readUpTo: number });

const rows: readonly Row[] = [
  ['32 reads the chat', 'chats/earlierMessages', ({ pair }) => ({ pairId: pair, before: 99 }), theTwo],
  ['32 opens a chat of their own', 'chats/open', ({ cast }) => ({ uid: cast.self.uid }), allButSelf],
  ['32 opens it under its name', 'chats/open', ({ pair, cast }) => ({ uid: cast.other.uid, pairId: pair }), invalid],
  ['33 writes', 'chats/send', ({ cast }) => ({ clientId: newClientId(), uid: cast.self.uid, text: 'hi' }), allButSelf],
  [
    '33 writes to an unknown uid',
    'chats/send',
    () => ({ clientId: newClientId(), uid: 'z'.repeat(22), text: 'hi' }),
    nobody,
  ],
  [
    '33 writes as another',
    'chats/send',
    ({ cast }) => ({ clientId: newClientId(), uid: cast.self.uid, text: 'hi', sender: cast.other.uid }),
    invalid,
  ],
  ['34 marks what came', 'chats/mark', ({ pair }) => ({ pairId: pair, ...upTo(1) }), theTwo],
  [
    '35 marks for another',
    'chats/mark',
    ({ pair, cast }) => ({ pairId: pair, ...upTo(1), uid: cast.other.uid }),
    invalid,
  ],
  [
    '49 edits',
    'chats/edit',
    ({ pair }) => ({ ...firstOf(pair), clientId: newClientId(), text: 'x', edits: 1 }),
    byAuthor,
  ],
  [
    '49 edits as another',
    'chats/edit',
    ({ pair, cast }) => ({ ...firstOf(pair), clientId: newClientId(), text: 'x', edits: 1, sender: cast.self.uid }),
    invalid,
  ],
  ['50 deletes for both', 'chats/delete', ({ pair }) => firstOf(pair), byAuthor],
  ['50 deletes what is not there', 'chats/delete', ({ pair }) => ({ pairId: pair, number: 99 }), nobody],
  ['51 deletes for themselves', 'chats/hide', ({ pair }) => ({ ...firstOf(pair), isHidden: true }), theTwo],
  [
    '51 deletes for another',
    'chats/hide',
    ({ pair, cast }) => ({ ...firstOf(pair), isHidden: true, uid: cast.self.uid }),
    invalid,
  ],
  ['52 reacts', 'chats/react', ({ pair }) => reaction(pair, '🔥'), theTwo],
  ['52 reacts with words', 'chats/react', ({ pair }) => reaction(pair, 'ok'), invalid],
  ['52 reacts with two', 'chats/react', ({ pair }) => reaction(pair, '🔥🔥'), invalid],
  [
    '52 reacts with a joined hundred',
    'chats/react',
    ({ pair }) => reaction(pair, Array(100).fill('👩').join('\u200d')),
    invalid,
  ],
  ['52 reacts with nothing', 'chats/react', ({ pair }) => reaction(pair, ''), invalid],
  ['35 lists who read', 'chats/mark', ({ pair }) => ({ pairId: pair, ...upTo(1), readBy: [] }), invalid],
  ['37 lists their own', 'chats/list', () => ({ limit: 5000 }), everyone],
  ['37 lists another’s', 'chats/list', ({ cast }) => ({ uid: cast.self.uid }), invalid],
  ['37 lists none', 'chats/list', () => ({ limit: 0 }), invalid],
  ['53 searches the chat', 'chats/searchInChat', ({ pair }) => ({ pairId: pair, words: 'between' }), theTwo],
  ['53 looks for a day of the chat', 'chats/firstSince', ({ pair }) => ({ pairId: pair, since: 0 }), theTwo],
  ['53 searches their own', 'chats/search', () => ({ words: 'between' }), everyone],
  ['53 searches another’s', 'chats/search', ({ cast }) => ({ words: 'between', uid: cast.self.uid }), invalid],
  ['53 searches for nothing', 'chats/search', () => ({ words: '' }), invalid],
  ['54 pins', 'chats/arrange', ({ pair }) => ({ pairId: pair, isPinned: true }), theTwo],
  ['54 mutes and archives', 'chats/arrange', ({ pair }) => ({ pairId: pair, isMuted: true, isArchived: true }), theTwo],
  [
    '54 archives for another',
    'chats/arrange',
    ({ pair, cast }) => ({ pairId: pair, isArchived: true, uid: cast.self.uid }),
    invalid,
  ],
  ['54 sets its timer', 'chats/setTimer', ({ pair }) => ({ pairId: pair, days: 7 }), theTwo],
  ['54 deletes the chat', 'chats/clear', ({ pair }) => ({ pairId: pair, upTo: 0 }), theTwo],
  ['55 reads the preview of a link', 'chats/preview', ({ pair }) => firstOf(pair), theTwo],
  ['55 of what is not there', 'chats/preview', ({ pair }) => ({ pairId: pair, number: 99 }), nobody],
  [
    '55 of an address of their own',
    'chats/preview',
    ({ pair }) => ({ ...firstOf(pair), address: 'https://a.example.org/' }),
    invalid,
  ],
  ['54 deletes less than nothing', 'chats/clear', ({ pair }) => ({ pairId: pair, upTo: -1 }), invalid],
  ['- lists whom another blocked', 'chats/blocked', ({ cast }) => ({ uid: cast.self.uid }), invalid],
];

/** No names of a chat of the caller's, row 36. */
const wrongPairs: readonly (readonly [string, (scene: Scene) => string])[] = [
  ['the wrong way round', ({ pair }) => pair.split('_').toReversed().join('_')],
  ['of one', ({ me }) => me.uid],
  ['of three', ({ pair, me }) => `${pair}_${me.uid}`],
  ['with oneself', ({ me }) => `${me.uid}_${me.uid}`],
  ['of two others', ({ cast, me }) => otherPair(cast, me)],
  ['with an unknown uid', ({ me }) => pairIdOf(me.uid, 'z'.repeat(22) as never)],
  ['without an id', () => ''],
  ['of a prototype', () => '__proto__'],
];

function otherPair(cast: Cast, me: Tab): string {
  const [one, two] = roles.map((role) => cast[role]).filter(({ uid }) => uid !== me.uid);
  return one && two ? pairIdOf(one.uid, two.uid) : '';
}

describeEachDialect('private chats for everyone', (makeDatabaseUrl) => {
  let w: SocketWorld;
  let picture: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), env: { LINK_PREVIEWS: 'on' } });
    const create = { width: 8, height: 8, channels: 3, background: 'teal' } as const;
    picture = new Uint8Array(await sharp({ create }).png().toBuffer());
  });
  afterAll(async () => {
    expect(w.app.log.filter(({ event }) => event === 'request.failed')).toEqual([]);
    await w.close();
  });

  /** A chat in which `self` has said something to `other`, and a room where all but the stranger are. */
  async function stage(): Promise<{ cast: Cast; pair: PairId }> {
    const tabs = await Promise.all(roles.map(async (role) => [role, await w.arrive(role)] as const));
    const cast = Object.fromEntries(tabs) as Cast;
    const room = await w.room(cast.host, 'audio');
    for (const role of ['participant', 'other', 'self'] as const) await w.letIn(cast.host, cast[role], room);
    valueOf(await cast.requester.ask('rooms/askToJoin', room));
    valueOf(await cast.self.ask('chats/send', { clientId: newClientId(), uid: cast.other.uid, text: 'between us' }));
    await expect.poll(() => userChangeTypes(cast.other)).toContain('chats/messageSent');
    return { cast, pair: pairIdOf(cast.self.uid, cast.other.uid) };
  }
  const each = async <T>(cast: Cast, act: (me: Tab) => Promise<T>): Promise<T[]> => {
    const answers: T[] = [];
    for (const role of roles) answers.push(await act(cast[role]));
    return answers;
  };
  const dismiss = ({ self, other, ...rest }: Cast) =>
    [self, other, ...Object.values(rest)].forEach((tab) => tab.leave());

  test.for(rows)('row %s: %s (ACCESS-9)', async ([_what, name, payload, codes]) => {
    const { cast, pair } = await stage();
    const answers = await each(cast, async (me) => await me.send(name, payload({ pair, cast, me })));
    expect(answers.map(codeOf)).toEqual(codes);
    for (const [index, answer] of answers.entries()) {
      const role = roles[index];
      if (role !== 'other' && role !== 'self') expect(JSON.stringify(answer)).not.toContain('between us');
    }
    dismiss(cast);
  });

  test('row 34: a mark moves only for the caller, not for their own messages, and never back (ACCESS-9)', async () => {
    const { cast, pair } = await stage();
    const marks = async () => valueOf(await cast.other.ask('chats/open', { uid: cast.self.uid })).marks;
    await each(cast, (me) => me.send('chats/mark', { pairId: pair, ...upTo(1) }));
    await each(cast, (me) => me.send('chats/mark', { pairId: pair, ...upTo(0) }));
    expect(await marks()).toEqual([
      { uid: cast.other.uid, ...upTo(1) },
      { uid: cast.self.uid, ...upTo(0) },
    ]);
    dismiss(cast);
  });

  test.for(wrongPairs)('a chat id that is %s is refused for every caller (ACCESS-10)', async ([_what, pairOf]) => {
    const { cast, pair } = await stage();
    const missing = { ok: false, error: { code: N } };
    const answers = await each(cast, async (me) => {
      const pairId = pairOf({ pair, cast, me });
      const read = await me.send('chats/earlierMessages', { pairId, before: 99 });
      return [read, await me.send('chats/mark', { pairId, ...upTo(1) })];
    });
    expect(answers.flat()).toEqual(Array.from({ length: roles.length * 2 }, () => missing));
    dismiss(cast);
  });

  const typingSeen = (tab: Tab) => tab.ephemeral.filter(({ type }) => type === 'chats/typing');

  test('messages, marks and typing reach only the two people of the chat, on each of their connections (ACCESS-11)', async () => {
    const { cast, pair } = await stage();
    const before = new Map(roles.map((role) => [role, cast[role].changes().length]));
    valueOf(await cast.other.ask('chats/send', { clientId: newClientId(), uid: cast.self.uid, text: 'for you alone' }));
    valueOf(await cast.self.ask('chats/mark', { pairId: pair, ...upTo(2) }));
    valueOf(await cast.other.ask('chats/typing', { uid: cast.self.uid }));
    for (const me of [cast.other, cast.self]) await expect.poll(() => userChangeTypes(me).at(-1)).toBe('chats/marked');
    await expect.poll(() => typingSeen(cast.self)).toEqual([{ type: 'chats/typing', uid: cast.other.uid }]);
    for (const role of ['stranger', 'requester', 'participant', 'host'] as const) {
      valueOf(await cast[role].ask('clock/probe', {}));
      expect([role, cast[role].changes().length, typingSeen(cast[role])]).toEqual([role, before.get(role), []]);
    }
    dismiss(cast);
  });

  test('no hello resumes the stream of another, and no room is one (ACCESS-11)', async () => {
    const { cast } = await stage();
    const { stranger, self } = cast;
    const hello = { protocolVersion, tabId: self.tabId };
    await expect(w.connect(stranger, undefined, { ...hello, uid: self.uid })).rejects.toThrow('auth/required');
    for (const more of [{ stream: userStream(self.uid), since: 0 }, { sessionId: self.sessionId }]) {
      await expect(w.connect(stranger, undefined, { ...hello, ...more })).rejects.toThrow(I);
    }
    const again = await w.connect(stranger, self.tabId);
    expect(again.snapshot.user.uid).toBe(stranger.uid);
    for (const code of [userStream(self.uid), self.uid]) {
      expect(codeOf(await again.send('rooms/enter', { kind: 'audio', code }))).toBe('room/not-found');
    }
    valueOf(await cast.other.ask('chats/send', { clientId: newClientId(), uid: self.uid, text: 'not for that tab' }));
    await expect.poll(() => JSON.stringify(self.changes())).toContain('not for that tab');
    valueOf(await again.ask('clock/probe', {}));
    expect(JSON.stringify(again.changes())).not.toContain('not for that tab');
    again.leave();
    dismiss(cast);
  });

  function visitorOf(person: Person | null) {
    const visitor = w.app.visitor();
    if (person) visitor.setCookie(person.cookie);
    return visitor;
  }
  const address = '/api/chats/images';
  const upload = (person: Person | null, to: string) =>
    visitorOf(person).fetch(`${address}?with=${to}`, {
      method: 'POST',
      headers: { 'content-type': 'image/png', origin: w.app.url },
      body: picture,
    });
  /** As the signed-out, the unverified, and the roles. */
  async function everybody(cast: Cast): Promise<(Person | null)[]> {
    return [null, await w.person('Uma', { isVerified: false }), ...roles.map((role) => cast[role])];
  }

  test('a picture, its preview and the way to upload one answer each as the matrix says (ACCESS-12)', async () => {
    const { cast } = await stage();
    const uploaded = (await (await upload(cast.self, cast.other.uid)).json()) as { value: { imageId: string } };
    const { imageId } = uploaded.value;
    const people = await everybody(cast);
    const statuses = async (act: (person: Person | null) => Promise<Response>) =>
      await Promise.all(people.map(async (person) => (await act(person)).status));
    for (const path of [`${address}/${imageId}`, `${address}/${imageId}/preview`]) {
      const look = () => statuses((person) => visitorOf(person).fetch(path));
      expect(await look()).toEqual([401, 403, 404, 404, 404, 404, 200, 200]);
    }
    const to = (uid: string) => statuses((person) => upload(person, uid));
    expect(await to(cast.self.uid)).toEqual([401, 403, 200, 200, 200, 200, 200, 422]);
    expect(await to('z'.repeat(22))).toEqual([401, 403, 404, 404, 404, 404, 404, 404]);
    const attach = (me: Tab, uid: string) => me.ask('chats/send', { clientId: newClientId(), uid, text: '', imageId });
    const taken = await each(cast, async (me) =>
      codeOf(await attach(me, me === cast.self ? cast.host.uid : cast.self.uid)),
    );
    expect(taken).toEqual(nobody);
    expect(codeOf(await attach(cast.self, cast.other.uid))).toBe(ok);
    dismiss(cast);
  });

  test('after a block what was said and shown stays readable to the two, and nothing is added (ACCESS-13)', async () => {
    const { cast, pair } = await stage();
    const uploaded = (await (await upload(cast.self, cast.other.uid)).json()) as { value: { imageId: string } };
    const { imageId } = uploaded.value;
    valueOf(await cast.self.ask('chats/send', { clientId: newClientId(), uid: cast.other.uid, text: '', imageId }));
    valueOf(await cast.self.ask('chats/block', { uid: cast.other.uid, isBlocked: true }));
    for (const [me, them] of [
      [cast.self, cast.other],
      [cast.other, cast.self],
    ] as const) {
      expect(codeOf(await me.ask('chats/earlierMessages', { pairId: pair, before: 99 }))).toBe(ok);
      expect((await visitorOf(me).fetch(`${address}/${imageId}/preview`)).status).toBe(200);
      expect(codeOf(await me.ask('chats/send', { clientId: newClientId(), uid: them.uid, text: 'hi' }))).toBe(
        'access/forbidden',
      );
      expect((await upload(me, them.uid)).status).toBe(403);
      valueOf(await me.ask('chats/typing', { uid: them.uid }));
    }
    expect(userChangeTypes(cast.other)).not.toContain('chats/blocked');
    expect([typingSeen(cast.self), typingSeen(cast.other)]).toEqual([[], []]);
    dismiss(cast);
  });
});
