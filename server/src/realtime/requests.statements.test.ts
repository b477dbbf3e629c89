/** The database statements and commits of the most frequent operations. */
import { pairIdOf } from '@tunemate/domain';
import { limits, type PairId, type VideoId } from '@tunemate/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { describeEachDialect } from '@tunemate/testkit/services/dialects';
import { openSocketWorld, type Room, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { emailOf, goodPassword } from '@tunemate/testkit/worlds/test-app';

interface Cost {
  statements: number;
  commits: number;
}

/** Most of each; what is here may only become less. */
const most = {
  signUp: { statements: 30, commits: 5 },
  connect: { statements: 13, commits: 1 },
  approved: { statements: 12, commits: 2 },
  enter: { statements: 4, commits: 1 },
  return: { statements: 4, commits: 0 },
  message: { statements: 4, commits: 1 },
  reply: { statements: 4, commits: 1 },
  editMessage: { statements: 4, commits: 1 },
  /** Of a message with stamps: also takes its words out of the stored changes. */
  deleteMessage: { statements: 5, commits: 1 },
  typing: { statements: 2, commits: 0 },
  privateMessage: { statements: 4, commits: 1 },
  press: { statements: 5, commits: 1 },
} satisfies Record<string, Cost>;

/** What is done to a private message of each of these kinds; on PostgreSQL one statement of them takes the streams. */
const mostOfActs = {
  send: { statements: 5, commits: 1 },
  /** With the same contents. */
  reply: { statements: 5, commits: 1 },
  edit: { statements: 5, commits: 1 },
  react: { statements: 5, commits: 1 },
  hide: { statements: 5, commits: 1 },
  mark: { statements: 5, commits: 1 },
  /** Of a message with reactions of both and a reply; also takes its words out of the stored changes. */
  delete: { statements: 5, commits: 1 },
} satisfies Record<string, Cost>;

/** Beginning and ending a transaction, which are counted as a commit. */
const framing = /^(?:begin|commit|rollback|savepoint|release)/;
const changing = /^(?:insert|update|delete|with .* (?:insert|update|delete))/s;

/** A transaction that changed nothing commits nothing; a change outside of one is a commit of its own. */
function costOf(statements: readonly string[]): Cost {
  let isInside = false;
  let hasChanged = false;
  let commits = 0;
  for (const each of statements) {
    if (each.startsWith('begin')) [isInside, hasChanged] = [true, false];
    else if (each === 'commit') [isInside, commits] = [false, commits + Number(hasChanged)];
    else if (changing.test(each)) [hasChanged, commits] = [true, commits + Number(!isInside)];
  }
  return { statements: statements.filter((each) => !framing.test(each)).length, commits };
}

/** Waits until the work of what was done before has ended, such as the sending of a mail. */
async function isQuiet(log: readonly string[]): Promise<void> {
  for (let before = -1; before !== log.length; await new Promise((resolve) => setTimeout(resolve, 20)))
    before = log.length;
}

/** The least of several rounds: what the background asks for meanwhile is not counted. */
async function leastOf(log: string[], rounds: readonly (() => Promise<unknown>)[]): Promise<Cost> {
  const costs: Cost[] = [];
  for (const round of rounds) {
    await isQuiet(log);
    log.length = 0;
    await round();
    costs.push(costOf(log));
  }
  return {
    statements: Math.min(...costs.map((each) => each.statements)),
    commits: Math.min(...costs.map((each) => each.commits)),
  };
}

const rounds = [0, 1, 2, 3];
const track = { videoId: 'lib_0123456789abcdef' as VideoId, title: 'Rain', durationSeconds: 90 };

/** Mara hosts a room in which Ivo is; Ada, Bea … are members who are not there. */
async function stage(w: SocketWorld): Promise<{ host: Tab; guest: Tab; room: Room; others: Tab[] }> {
  const [host, guest] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  const room = await w.room(host, 'video');
  await w.letIn(host, guest, room);
  for (const tab of [host, guest]) valueOf(await tab.ask('rooms/enter', room));
  valueOf(await host.ask('playback/takeControl', { ...room, tabId: host.tabId }));
  const choose = { type: 'choose', track } as const;
  valueOf(await host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent: choose }));
  valueOf(await guest.ask('chats/send', { uid: host.uid, clientId: newClientId(), text: 'hi' }));
  valueOf(await host.ask('chats/send', { uid: guest.uid, clientId: newClientId(), text: 'hi' }));
  return { host, guest, room, others: await Promise.all(rounds.map((n) => w.arrive(`Ada ${String(n)}`))) };
}

/** From the form to the account that is signed in and verified, with its mail. */
async function signUp({ app }: SocketWorld, name: string): Promise<void> {
  const [visitor, email] = [app.visitor(), emailOf(name)];
  valueOf((await visitor.call('POST /api/accounts/sign-up', { name, email, password: goodPassword })).result);
  valueOf((await visitor.call('POST /api/accounts/sign-in', { email, password: goodPassword })).result);
  const oobCode = await app.codeFor(email);
  valueOf((await visitor.call('POST /api/accounts/verify-email', { oobCode })).result);
}

test('twenty people who connect at one moment share their statements and commits', async () => {
  const log: string[] = [];
  const w = await openSocketWorld({ onStatement: (statement) => log.push(statement) });
  const people = await Promise.all(Array.from({ length: 20 }, (_, n) => w.person(`Eve ${String(n)}`)));
  log.length = 0;
  await Promise.all(people.map((person) => w.connect(person)));
  const { statements, commits } = costOf(log);
  process.stdout.write(`connect together ${JSON.stringify({ each: statements / people.length, commits })}\n`);
  expect(statements).toBeLessThanOrEqual(8 * people.length);
  expect(commits).toBeLessThan(people.length);
});

/** What is done to messages of a room: Ivo's, by him, with a stamp of Mara. */
async function roomActCosts(log: string[], host: Tab, guest: Tab, room: Room) {
  const sent: string[] = [];
  for (const _round of rounds) {
    const message = { ...room, clientId: newClientId(), text: 'a song' };
    sent.push(valueOf(await guest.ask('rooms/sendMessage', message)).message.id);
  }
  const each = (act: (messageId: string) => Promise<unknown>) =>
    leastOf(
      log,
      sent.map((messageId) => () => act(messageId)),
    );
  const reply = await each(async (replyTo) =>
    valueOf(await host.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'yes', replyTo })),
  );
  const change = { ...room, text: 'two songs', edits: 1 };
  const editMessage = await each(async (messageId) =>
    valueOf(await guest.ask('rooms/editMessage', { ...change, messageId, clientId: newClientId() })),
  );
  for (const messageId of sent)
    valueOf(await host.ask('rooms/stamp', { ...room, messageId, stamp: 'love', isOn: true }));
  const deleteMessage = await each(async (messageId) =>
    valueOf(await guest.ask('rooms/deleteMessage', { ...room, messageId })),
  );
  const typing = await leastOf(log, [async () => valueOf(await guest.ask('rooms/typing', room))]);
  return { reply, editMessage, deleteMessage, typing };
}

describeEachDialect('private messages', (makeDatabaseUrl) => {
  test.each(['words', 'card', 'picture', 'voice'] as const)(
    'sending, answering, editing, deleting, hiding, reacting and marking stay within their statements: %s',
    async (kind) => {
      const log: string[] = [];
      const onStatement = (statement: string) => void log.push(statement);
      const w = await openSocketWorld({ databaseUrl: await makeDatabaseUrl(), onStatement });
      const [ada, bob] = [await w.arrive('Ada'), await w.arrive('Bob')];
      valueOf(await ada.ask('chats/send', { uid: bob.uid, clientId: newClientId(), text: 'hi' }));
      valueOf(await bob.ask('chats/send', { uid: ada.uid, clientId: newClientId(), text: 'hi' }));
      const costs = await actCosts(w, log, ada, bob, kind);
      process.stdout.write(`costs of acts, ${kind} ${JSON.stringify(costs)}\n`);
      expect(over(costs, mostOfActs)).toEqual([]);
    },
  );
});

test('nothing that is done to a private message looks through those of all people', async () => {
  const all = new Set<string>();
  const w = await openSocketWorld({ onStatement: (statement) => all.add(statement) });
  const [ada, bob] = [await w.arrive('Ada'), await w.arrive('Bob')];
  valueOf(await ada.ask('chats/send', { uid: bob.uid, clientId: newClientId(), text: 'hi' }));
  valueOf(await bob.ask('chats/send', { uid: ada.uid, clientId: newClientId(), text: 'hi' }));
  await actCosts(w, [], ada, bob, 'words');
  expect(await scansAmong(w, all, /^SCAN (?:conversations|(?:private|stream)_\w+)$/)).toEqual([]);
});

test('no page that opens looks through all people', async () => {
  const all = new Set<string>();
  const w = await openSocketWorld({ onStatement: (statement) => all.add(statement) });
  const [ada, bob] = [await w.person('Ada'), await w.person('Bob')];
  const mates = [ada, bob].map(({ uid }) => ({ uid, mate: uid === ada.uid ? bob.uid : ada.uid }));
  await w.db
    .insertInto('tunemates')
    .values(mates.map((each) => ({ ...each, added_at_ms: 0, position: 1 })))
    .execute();
  await w.db.updateTable('users').set({ hearing_shown_to: 'tunemates' }).where('uid', '=', ada.uid).execute();
  all.clear();
  await w.connect(bob);
  expect(await scansAmong(w, all, /^SCAN (?:users|tunemates|audio_connections|conversations|hearing)$/)).toEqual([]);
});

/** Which of the statements have a step of this kind in SQLite's plan for them. */
async function scansAmong(w: SocketWorld, all: ReadonlySet<string>, step: RegExp): Promise<string[]> {
  const scans: string[] = [];
  for (const statement of [...all]) {
    if (framing.test(statement)) continue;
    const plan = sql<{ detail: string }>`explain query plan ${sql.raw(statement.replaceAll('?', 'null'))}`;
    const { rows } = await plan.execute(w.db);
    if (rows.some(({ detail }) => step.test(detail))) scans.push(statement);
  }
  return scans;
}

type MessageKind = 'words' | 'card' | 'picture' | 'voice';

/** What a message of this kind consists of; its upload is stored. */
async function contentsOf(w: SocketWorld, kind: MessageKind, pairId: PairId, uploader: Tab) {
  if (kind === 'words') return { text: 'a song' };
  if (kind === 'card') return { text: `https://tunemate.example/library/${track.videoId}` };
  const id = newClientId();
  const voice =
    kind === 'voice'
      ? JSON.stringify({ durationMs: 900, waveform: Array.from({ length: limits.voiceBars }, () => 50) })
      : null;
  const size = { width: 2, height: 2, bytes: 9 };
  await w.db
    .insertInto('images')
    .values({
      image_id: id,
      pair_id: pairId,
      uploader: uploader.uid,
      ...size,
      voice,
      state: 'unsent',
      created_at_ms: w.clock.now(),
    })
    .execute();
  return kind === 'voice' ? { text: '', voiceId: id } : { text: 'a song', imageId: id };
}

/** What is done to private messages: Bob's, by him, and both react. */
async function actCosts(w: SocketWorld, log: string[], ada: Tab, bob: Tab, kind: MessageKind) {
  const pairId = pairIdOf(ada.uid, bob.uid);
  const each = <Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>) =>
    leastOf(
      log,
      items.map((item) => () => act(item)),
    );
  const contents = await Promise.all([...rounds, ...rounds].map(() => contentsOf(w, kind, pairId, bob)));
  const first = contents.slice(0, rounds.length);
  const sent: { pairId: PairId; number: number }[] = [];
  const say = async (message: (typeof contents)[number], more: { replyTo?: number | undefined } = {}) =>
    valueOf(await bob.ask('chats/send', { uid: ada.uid, clientId: newClientId(), ...message, ...more })).message;
  const send = await each(first, async (message) => void sent.push({ pairId, number: (await say(message)).number }));
  const react = async (by: Tab, of: { pairId: PairId; number: number }) =>
    valueOf(await by.ask('chats/react', { ...of, clientId: newClientId(), emoji: '🔥', isOn: true }));
  await each(sent, (of) => react(bob, of));
  const edit = async (of: { pairId: PairId; number: number }) =>
    valueOf(await bob.ask('chats/edit', { ...of, clientId: newClientId(), text: 'two songs', edits: 1 }));
  return {
    send,
    mark: await each(sent, async ({ number }) =>
      valueOf(await ada.ask('chats/mark', { pairId, deliveredUpTo: number, readUpTo: number })),
    ),
    // A recording has no words to change.
    ...(kind !== 'voice' && { edit: await each(sent, edit) }),
    react: await each(sent, (of) => react(ada, of)),
    reply: await each(
      contents.slice(rounds.length),
      async (message) => await say(message, { replyTo: sent[0]?.number }),
    ),
    delete: await each(sent, async (of) => valueOf(await bob.ask('chats/delete', of))),
    hide: await each(sent, async (of) => valueOf(await ada.ask('chats/hide', { ...of, isHidden: true }))),
  };
}

/** What costs more than it may. */
const over = <Name extends string>(costs: Partial<Record<Name, Cost>>, allowed: Record<Name, Cost>): string[] =>
  (Object.entries(costs) as [Name, Cost][]).flatMap(([name, { statements, commits }]) => {
    const isOver = statements > allowed[name].statements || commits > allowed[name].commits;
    return isOver ? [`${name}: ${String(statements)} statements, ${String(commits)} commits`] : [];
  });

test("signing up, connecting, entering, messages and the host's commands stay within their statements and commits", async () => {
  const log: string[] = [];
  const w = await openSocketWorld({ onStatement: (statement) => log.push(statement) });
  // People are made by another program; what the server remembers begins after that.
  const strangers = await Promise.all(rounds.map((n) => w.person(`Eve ${String(n)}`)));
  // Before there is a room, which the server looks after from time to time.
  const ofSignUp = await leastOf(
    log,
    rounds.map((n) => () => signUp(w, `fay${String(n)}`)),
  );
  const { host, guest, room, others } = await stage(w);
  const each = (act: (other: Tab, round: number) => Promise<unknown>) =>
    leastOf(
      log,
      others.map((other, round) => () => act(other, round)),
    );
  const press = (type: 'play' | 'pause') =>
    host.ask('playback/write', { ...room, tabId: host.tabId, clientId: newClientId(), intent: { type } });

  const costs = {
    signUp: ofSignUp,
    connect: await leastOf(
      log,
      strangers.map((person) => () => w.connect(person)),
    ),
    approved: await each((other) => w.letIn(host, other, room)),
    enter: await each(async (other) => valueOf(await other.ask('rooms/enter', room))),
    return: await each(async (other) => valueOf(await other.ask('rooms/enter', room))),
    message: await each(async () =>
      valueOf(await guest.ask('rooms/sendMessage', { ...room, clientId: newClientId(), text: 'hi' })),
    ),
    privateMessage: await each(async () =>
      valueOf(await guest.ask('chats/send', { uid: host.uid, clientId: newClientId(), text: 'hi' })),
    ),
    ...(await roomActCosts(log, host, guest, room)),
    press: await each(async (_other, round) => valueOf(await press(round % 2 === 0 ? 'pause' : 'play'))),
  };
  process.stdout.write(`costs ${JSON.stringify(costs)}\n`);
  expect(over(costs, most)).toEqual([]);
});

test('round trips that several tabs report one after the other share a commit', async () => {
  const log: string[] = [];
  const w = await openSocketWorld({ onStatement: (statement) => log.push(statement) });
  const tabs = await Promise.all(rounds.map((n) => w.arrive(`Eve ${String(n)}`)));
  const stored = () => w.db.selectFrom('connections').select('round_trip_ms').where('round_trip_ms', '=', 40).execute();
  const cost = await leastOf(log, [
    async () => {
      for (const tab of tabs) valueOf(await tab.ask('clock/probe', { roundTripMs: 40 }));
      await expect.poll(async () => (await stored()).length).toBe(tabs.length);
    },
  ]);
  // One, unless the machine stands still between two of them.
  expect(cost.commits).toBeLessThan(tabs.length);
});

test('a host who accepts twenty people one after the other, faster than they are stored, waits for few commits', async () => {
  const log: string[] = [];
  const w = await openSocketWorld({ onStatement: (statement) => log.push(statement) });
  const host = await w.arrive('Mara');
  const room = await w.room(host, 'video');
  const people = await Promise.all(Array.from({ length: 20 }, (_, n) => w.arrive(`Eve ${String(n)}`)));
  for (const person of people) valueOf(await person.ask('rooms/askToJoin', room));
  await isQuiet(log);
  log.length = 0;
  const answers = await Promise.all(people.map(({ uid }) => host.ask('rooms/acceptRequest', { ...room, uid })));
  const { commits } = costOf(log);
  answers.forEach((answer) => valueOf(answer));
  expect(commits).toBeLessThanOrEqual(4);
  for (const person of people) valueOf(await person.ask('rooms/enter', room));
});
