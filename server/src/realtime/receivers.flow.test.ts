/**
 * Every event that the server sends, and who receives it: an evening is played in which each kind occurs, and after
 * each step every tab must have received what it may know, and nothing else. Members of the room have two tabs; with
 * PostgreSQL the second one is connected to another process.
 */
import { pairIdOf } from '@tunemate/domain';
import { ephemeral, hostChange, type RequestName, roomChange, userChange } from '@tunemate/protocol';
import type { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { requestService } from '@tunemate/testkit/services/request-service';
import { emailOf, goodPassword } from '@tunemate/testkit/worlds/test-app';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { makeOperator } from '../accounts/operators/operators.ts';

/** Only host and guest have the room open; 'absent' is in it with another page. */
const people = [
  ...['host', 'guest', 'absent', 'asker', 'other', 'declined', 'left', 'removed', 'stranger', 'blocked', 'penpal'],
  ...['other host', 'other guest'],
];
/** Their tabs. Who has the room open has it twice. */
const tabNames = [...people, 'host 2', 'guest 2'];
const bothOf = (name: string) => [name, `${name} 2`];
const inRoom = [...bothOf('host'), ...bothOf('guest')];

/** What each tab received, as kind of stream and type; tabs that are not named received nothing. */
type Received = Record<string, string[]>;
const to = (tabs: readonly string[], kind: string, ...types: string[]): Received =>
  Object.fromEntries(tabs.map((tab) => [tab, types.map((type) => `${kind} ${type}`)]));
const toRoom = (...types: string[]) => to(inRoom, 'room', ...types);
const toHost = (...types: string[]) => to(bothOf('host'), 'host', ...types);
const own = (name: string, ...types: string[]) =>
  to(tabNames.includes(`${name} 2`) ? bothOf(name) : [name], 'user', ...types);
function together(...parts: Received[]): Received {
  const sum: Received = {};
  for (const part of parts) for (const [tab, news] of Object.entries(part)) sum[tab] = [...(sum[tab] ?? []), ...news];
  return sum;
}

/**
 * What takes more than an evening has: people, for the count that goes to the room's stream in place of the news of each
 * who comes in, and pages of one person, of which the longest open one is let go.
 */
const inCrowdsOnly = ['rooms/headCount', 'session/letGo'];

const trackOf = (n: number) => ({ videoId: `lib_${String(n).repeat(16)}`, title: 'Rain', durationSeconds: 90 });

class Evening {
  readonly tabs = new Map<string, Tab>();
  room: Room = { kind: 'audio', code: '' };
  messageId = '';
  readonly world: SocketWorld;
  readonly #others: SocketWorld;

  constructor(world: SocketWorld, others: SocketWorld) {
    this.world = world;
    this.#others = others;
  }

  tab(name: string): Tab {
    return this.tabs.get(name) ?? expect.fail(`there is no ${name}`);
  }

  uid(name: string): string {
    return this.tab(name).uid;
  }

  /** A request about the room, which must be accepted. */
  async inRoom(name: string, request: RequestName, payload: object = {}): Promise<unknown> {
    return valueOf(await this.tab(name).send(request, { ...this.room, ...payload }));
  }

  /** A request about people, which must be accepted. */
  async asks(name: string, request: RequestName, payload: object): Promise<unknown> {
    return valueOf(await this.tab(name).send(request, payload));
  }

  async plays(intent: object): Promise<unknown> {
    const { tabId } = this.tab('host');
    return await this.inRoom('host', 'playback/write', { tabId, clientId: newClientId(), intent });
  }

  /** Of the chat of guest and penpal. */
  message(number: number) {
    return { pairId: pairIdOf(this.tab('guest').uid, this.tab('penpal').uid), number };
  }

  browserOf(name: string) {
    const browser = this.world.app.visitor();
    browser.setCookie(this.tab(name).cookie);
    return browser;
  }

  async proposalId(): Promise<string> {
    const { room } = valueOf(await this.tab('guest').ask('rooms/enter', this.room));
    return room.proposals[0]?.id ?? '';
  }

  async soulmateRequest(name: string): Promise<string> {
    const tab = await this.world.connect(this.tab(name));
    tab.leave();
    return tab.snapshot.notifications.find(({ type }) => type === 'soulmate')?.id ?? '';
  }

  async shareQueue(owner: string, mate: string): Promise<void> {
    await this.inRoom(owner, 'queues/save', { clientId: newClientId(), name: 'Slow start', of: 'queue' });
    const { queues } = valueOf(await this.tab(owner).ask('queues/list', {}));
    await this.asks(owner, 'queues/share', { queueId: queues[0]?.queueId ?? '', uid: this.uid(mate), isOn: true });
  }

  async begin(): Promise<void> {
    const arrived = await Promise.all(people.map(async (name) => [name, await this.world.arrive(name)] as const));
    for (const [name, tab] of arrived) this.tabs.set(name, tab);
    for (const name of ['host', 'guest']) this.tabs.set(`${name} 2`, await this.#others.connect(this.tab(name)));
    this.room = await this.world.room(this.tab('host'), 'audio');
    for (const name of ['guest', 'absent', 'left', 'removed']) {
      await this.world.letIn(this.tab('host'), this.tab(name), this.room);
    }
    for (const name of [...inRoom, 'absent', 'left', 'removed']) await this.inRoom(name, 'rooms/enter');
    // They have seen the room, and are to see no more of it.
    await this.inRoom('absent', 'rooms/close');
    await this.inRoom('left', 'rooms/leave');
    await this.inRoom('host', 'rooms/removeParticipant', { uid: this.uid('removed'), forGood: true });
    await this.inRoom('declined', 'rooms/askToJoin');
    await this.inRoom('host', 'rooms/rejectRequest', { uid: this.uid('declined') });
    await this.asks('host', 'chats/block', { uid: this.uid('blocked'), isBlocked: true });
    await this.asks('penpal', 'chats/send', { clientId: newClientId(), uid: this.uid('guest'), text: 'hello' });
    const elsewhere = await this.world.room(this.tab('other host'), 'video');
    await this.world.letIn(this.tab('other host'), this.tab('other guest'), elsewhere);
    for (const name of ['other host', 'other guest']) valueOf(await this.tab(name).ask('rooms/enter', elsewhere));
  }
}

type Step = readonly [what: string, act: (evening: Evening) => Promise<unknown>, received: Received];
const steps: readonly Step[] = [
  ['a request', (e) => e.inRoom('asker', 'rooms/askToJoin'), toHost('rooms/requestChanged')],
  ['a request of a blocked person', (e) => e.inRoom('blocked', 'rooms/askToJoin'), {}],
  [
    'an acceptance',
    (e) => e.inRoom('host', 'rooms/acceptRequest', { uid: e.uid('asker') }),
    together(
      toHost('rooms/requestChanged'),
      toRoom('rooms/participantJoined'),
      own('host', 'tunemates/added'),
      own('asker', 'rooms/requestAnswered', 'tunemates/added'),
    ),
  ],
  ['a way in', (e) => e.inRoom('host', 'rooms/set', { settings: { admits: 'everybody' } }), toHost('rooms/set')],
  [
    'coming in by it',
    (e) => e.inRoom('other', 'rooms/askToJoin'),
    together(
      toHost('rooms/requestChanged', 'rooms/cameIn'),
      toRoom('rooms/participantJoined'),
      own('host', 'tunemates/added'),
      own('other', 'rooms/requestAnswered', 'tunemates/added'),
    ),
  ],
  [
    'a message',
    async (e) => {
      const sent = await e.inRoom('guest', 'rooms/sendMessage', { clientId: newClientId(), text: 'hi' });
      e.messageId = (sent as { message: { id: string } }).message.id;
    },
    toRoom('rooms/messageSent'),
  ],
  [
    'a stamp',
    (e) => e.inRoom('host', 'rooms/stamp', { messageId: e.messageId, stamp: 'love', isOn: true }),
    toRoom('rooms/stamped'),
  ],
  [
    'a chat that is pinned',
    (e) => e.asks('penpal', 'chats/arrange', { pairId: e.message(2).pairId, isPinned: true }),
    own('penpal', 'chats/arranged'),
  ],
  [
    'the timer of a chat',
    (e) => e.asks('penpal', 'chats/setTimer', { pairId: e.message(2).pairId, days: 7 }),
    together(own('guest', 'chats/timerSet'), own('penpal', 'chats/timerSet')),
  ],
  [
    'a chat that one person deletes for themselves',
    (e) => e.asks('penpal', 'chats/clear', { pairId: e.message(2).pairId, upTo: 1 }),
    own('penpal', 'chats/cleared'),
  ],
  [
    'an edit',
    (e) =>
      e.inRoom('guest', 'rooms/editMessage', {
        ...{ messageId: e.messageId, clientId: newClientId(), text: 'hello', edits: 1 },
      }),
    toRoom('rooms/messageEdited'),
  ],
  [
    'a deletion',
    (e) => e.inRoom('host', 'rooms/deleteMessage', { messageId: e.messageId }),
    toRoom('rooms/messageDeleted'),
  ],
  ['typing in the room', (e) => e.inRoom('guest', 'rooms/typing'), to(inRoom, 'passing', 'rooms/typing')],
  ['a cheer', (e) => e.inRoom('guest', 'rooms/cheer', { stamp: 'fire' }), to(inRoom, 'passing', 'rooms/cheered')],
  [
    'a sign-up that waits for an operator',
    async (e) => {
      await makeOperator(e.world.db, e.tab('penpal').uid, e.world.clock.now());
      const asked = { name: 'Theo', email: emailOf('Theo'), password: goodPassword };
      await e.world.app.visitor().send('POST /api/accounts/sign-up', asked, { 'x-forwarded-for': '192.168.1.31' });
    },
    to(['penpal'], 'passing', 'operators/waiting'),
  ],
  ['a lock', (e) => e.inRoom('host', 'rooms/set', { settings: { isLocked: true } }), toRoom('rooms/set')],
  ['a switch', (e) => e.inRoom('host', 'rooms/set', { settings: { majoritySkips: true } }), toRoom('rooms/set')],
  [
    'a remote for all',
    (e) => e.inRoom('host', 'rooms/set', { settings: { remoteUse: 'everyone' } }),
    toRoom('rooms/set'),
  ],
  ['a slow chat', (e) => e.inRoom('host', 'rooms/set', { settings: { slowSeconds: 5 } }), toRoom('rooms/set')],
  [
    'the controls',
    (e) => e.inRoom('host', 'playback/takeControl', { tabId: e.tab('host').tabId }),
    toRoom('playback/controlChanged'),
  ],
  ['a track', (e) => e.plays({ type: 'choose', track: trackOf(1) }), toRoom('playback/queueChanged')],
  ['a pause', (e) => e.plays({ type: 'pause' }), toRoom('playback/moved')],
  [
    'a press of a guest',
    (e) =>
      e.inRoom('guest', 'playback/write', {
        tabId: e.tab('guest').tabId,
        clientId: newClientId(),
        intent: { type: 'play' },
      }),
    toRoom('playback/moved'),
  ],
  [
    'what comes after the track',
    (e) => e.plays({ type: 'setAfterTrack', afterTrack: 'queue' }),
    toRoom('playback/afterTrackChanged'),
  ],
  [
    'a proposal',
    (e) => e.inRoom('guest', 'rooms/propose', { clientId: newClientId(), track: trackOf(2) }),
    toRoom('rooms/proposed'),
  ],
  [
    'a vote',
    async (e) => e.inRoom('host', 'rooms/voteForProposal', { proposalId: await e.proposalId(), isOn: true }),
    toRoom('rooms/proposalVoted'),
  ],
  [
    'a dismissal',
    async (e) => e.inRoom('host', 'rooms/dismissProposal', { proposalId: await e.proposalId() }),
    toRoom('rooms/proposalRemoved'),
  ],
  [
    'a vote to skip',
    (e) => e.inRoom('absent', 'playback/voteToSkip', { videoId: trackOf(1).videoId, isOn: true }),
    toRoom('rooms/skipVoted'),
  ],
  [
    'a track that its guest takes back',
    async (e) => {
      await e.inRoom('host', 'rooms/set', { settings: { everyoneAdds: true } });
      await e.inRoom('absent', 'rooms/propose', { clientId: newClientId(), track: trackOf(8) });
      return await e.inRoom('absent', 'playback/takeBack', { videoId: trackOf(8).videoId });
    },
    toRoom('rooms/set', 'playback/queueChanged', 'playback/queueChanged'),
  ],
  [
    'another track',
    (e) => e.plays({ type: 'choose', track: trackOf(3) }),
    toRoom('playback/queueChanged', 'rooms/skipVotesCleared'),
  ],
  [
    'an offer to host',
    (e) => e.inRoom('host', 'rooms/offerHosting', { uid: e.uid('guest'), leaves: false }),
    toRoom('rooms/handOver'),
  ],
  [
    'a new host',
    (e) => e.inRoom('guest', 'rooms/answerHosting', { tabId: e.tab('guest').tabId, takes: true }),
    together(toRoom('rooms/hostChanged', 'rooms/set', 'playback/controlChanged'), toHost('rooms/hostChanged')),
  ],
  // The host of before follows the host's stream no longer; the new one follows it after entering again.
  ['what hosts alone may know', (e) => e.inRoom('declined', 'rooms/renewRequest'), {}],
  ['a way in, by the new host', (e) => e.inRoom('guest', 'rooms/set', { settings: { admits: 'nobody' } }), {}],
  [
    'a soulmate request',
    (e) => e.asks('host', 'soulmate/ask', { clientId: newClientId(), uid: e.uid('guest') }),
    together(own('host', 'soulmate/asked'), own('guest', 'notifications/added')),
  ],
  ['reading', (e) => e.asks('guest', 'notifications/markRead', {}), own('guest', 'notifications/read')],
  ['a saved queue', (e) => e.shareQueue('host', 'guest'), own('guest', 'notifications/added')],
  [
    'a bond',
    async (e) => e.asks('guest', 'soulmate/accept', { id: await e.soulmateRequest('guest') }),
    together(
      own('guest', 'notifications/removed', 'soulmate/changed'),
      own('host', 'soulmate/asked', 'soulmate/changed'),
    ),
  ],
  [
    'an invitation',
    (e) => e.asks('guest', 'notifications/invite', { clientId: newClientId(), uid: e.uid('host') }),
    own('host', 'notifications/added'),
  ],
  [
    'a private message',
    (e) => e.asks('guest', 'chats/send', { clientId: newClientId(), uid: e.uid('penpal'), text: 'for you' }),
    together(own('guest', 'chats/messageSent'), own('penpal', 'chats/messageSent')),
  ],
  [
    'a mark',
    (e) => {
      const pairId = pairIdOf(e.tab('guest').uid, e.tab('penpal').uid);
      return e.asks('penpal', 'chats/mark', { pairId, deliveredUpTo: 2, readUpTo: 2 });
    },
    together(own('guest', 'chats/marked'), own('penpal', 'chats/marked')),
  ],
  [
    'an edit',
    (e) => e.asks('guest', 'chats/edit', { ...e.message(2), clientId: newClientId(), text: 'for you two', edits: 1 }),
    together(own('guest', 'chats/messageChanged'), own('penpal', 'chats/messageChanged')),
  ],
  [
    'a reaction',
    (e) => e.asks('penpal', 'chats/react', { ...e.message(2), clientId: newClientId(), emoji: '🔥', isOn: true }),
    together(own('guest', 'chats/messageChanged'), own('penpal', 'chats/messageChanged')),
  ],
  [
    'a message that is hidden from oneself',
    (e) => e.asks('penpal', 'chats/hide', { ...e.message(2), isHidden: true }),
    own('penpal', 'chats/messageChanged'),
  ],
  [
    'a deletion',
    (e) => e.asks('guest', 'chats/delete', e.message(2)),
    together(own('guest', 'chats/messageChanged'), own('penpal', 'chats/messageChanged')),
  ],
  [
    'typing',
    (e) => e.asks('guest', 'chats/typing', { uid: e.uid('penpal') }),
    to(['penpal'], 'passing', 'chats/typing'),
  ],
  [
    'a block',
    (e) => e.asks('guest', 'chats/block', { uid: e.uid('penpal'), isBlocked: true }),
    together(
      own('guest', 'chats/blocked', 'chats/closed', 'presence/changed'),
      own('penpal', 'chats/closed', 'presence/changed'),
    ),
  ],
  // Over a block the server sends the name alone.
  [
    'a new name',
    (e) => e.browserOf('guest').call('PATCH /api/accounts/me', { name: 'Renamed' }),
    together(
      toRoom('rooms/participantRenamed'),
      own('guest', 'accounts/changed'),
      to([...bothOf('host'), 'penpal'], 'passing', 'people/changed'),
    ),
  ],
  [
    'showing tunemates what one hears',
    (e) => e.browserOf('guest').call('PATCH /api/accounts/me', { hearingShownTo: 'tunemates' }),
    together(own('guest', 'accounts/changed'), to(bothOf('host'), 'passing', 'presence/hears')),
  ],
  [
    'showing it to none',
    (e) => e.browserOf('guest').call('PATCH /api/accounts/me', { hearingShownTo: 'nobody' }),
    together(own('guest', 'accounts/changed'), own('host', 'presence/hearingEnded')),
  ],
  [
    'the end of a session',
    async (e) => {
      const { sessionId } = await e.world.signIn(e.tab('stranger'));
      await e.browserOf('stranger').call('POST /api/accounts/revoke-session', { sessionId });
    },
    own('stranger', 'accounts/sessionsEnded'),
  ],
  [
    'no tunemate any more',
    (e) => e.asks('other', 'tunemates/remove', { uid: e.uid('host') }),
    together(own('other', 'tunemates/removed'), own('host', 'tunemates/removed')),
  ],
  ['leaving', (e) => e.inRoom('asker', 'rooms/leave'), toRoom('rooms/participantLeft')],
  [
    'a host who goes',
    (e) => e.world.leave(e.tab('other host')),
    together(
      to(['other guest'], 'room', 'rooms/participantPresence', 'rooms/hostAway'),
      to(['other guest'], 'passing', 'people/changed'),
    ),
  ],
  [
    'the end',
    (e) => e.inRoom('guest', 'rooms/leave'),
    // A blocked person waits like all others.
    together(toRoom('rooms/ended'), own('host', 'notifications/roomEnded'), own('blocked', 'rooms/requestAnswered')),
  ],
];

/** The types of all changes that the protocol has. */
function typesOf(schema: z.ZodType): string[] {
  const { options, shape } = schema as unknown as { options?: z.ZodType[]; shape?: { type: { value: string } } };
  if (options) return options.flatMap(typesOf);
  return shape ? [shape.type.value] : [];
}

/** Everything that a tab received, as kind of stream and type. What passes may be sent again, and counts once. */
function newsOf(tab: Tab): string[] {
  const passing = new Map(tab.ephemeral.map((news) => [JSON.stringify(news), `passing ${news.type}`]));
  return [
    ...tab.received.map(({ stream, change }) => `${stream.split(':')[0] ?? ''} ${change.type}`),
    ...passing.values(),
  ];
}

/** What of `now` is not in `before`, whatever the order between streams was. */
function added(before: readonly string[], now: readonly string[]): string[] {
  const left = [...before];
  return now
    .filter((news) => {
      const at = left.indexOf(news);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    })
    .toSorted();
}

describeEachDialect('who receives what', (makeDatabaseUrl, dialect) => {
  let worlds: SocketWorld[] = [];
  let evening: Evening;
  beforeAll(async () => {
    const databaseUrl = await makeDatabaseUrl();
    const env = dialect === 'sqlite' ? {} : { REDIS_URL: (await requestService('redis')).url };
    const first = await openSocketWorld({ databaseUrl, env });
    worlds = [first];
    if (dialect === 'postgres') worlds.push(await openSocketWorld({ databaseUrl, env, clock: first.clock }));
    evening = new Evening(first, worlds.at(-1) ?? first);
    await evening.begin();
    // Who came is sent again for a while; that would reach people who may see them only later.
    for (let seconds = 0; seconds < 90; seconds += 5) {
      first.clock.advance(5000);
      for (const world of worlds) await world.pass(0);
    }
  });
  afterAll(async () => {
    for (const world of worlds.toReversed()) await world.close();
  });

  /** Each process has read what was committed, and what it sent has arrived. */
  async function settle(): Promise<void> {
    for (const world of worlds) await world.pass(0);
    const connected = [...evening.tabs.values()].filter(({ socket }) => socket.connected);
    await Promise.all(connected.map(async (tab) => valueOf(await tab.ask('clock/probe', {}))));
  }
  const all = (read: (tab: Tab, name: string) => string[]): Received =>
    Object.fromEntries(tabNames.map((name) => [name, read(evening.tab(name), name)]));

  test('every kind of event reaches all tabs of the users who may receive it, and no other user (ACCESS-41)', async () => {
    const broadcast = new Set<string>();
    await settle();
    for (const [what, act, received] of steps) {
      const before = all(newsOf);
      const expected = all((_tab, name) => (received[name] ?? []).toSorted());
      const got = () => all((tab, name) => added(before[name] ?? [], newsOf(tab)));
      await act(evening);
      const hasCome = () => tabNames.every((name) => (got()[name] ?? []).length >= (expected[name] ?? []).length);
      await expect.poll(hasCome, { message: what }).toBe(true);
      await settle();
      expect({ what, ...got() }).toEqual({ what, ...expected });
      for (const news of Object.values(expected).flat()) broadcast.add(news.split(' ')[1] ?? '');
    }
    const types = [roomChange, hostChange, userChange, ephemeral].flatMap((schema) => typesOf(schema));
    expect(types.filter((type) => !broadcast.has(type))).toEqual(inCrowdsOnly);
    expect([...evening.tabs.values()].flatMap(({ gaps }) => gaps)).toEqual([]);
  });
});
