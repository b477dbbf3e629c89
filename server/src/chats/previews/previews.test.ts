/** Previews of links over real sockets: who gets which, what is fetched for it, and what a flood of questions costs. */
import { pairIdOf } from '@tunemate/domain';
import type { PairId, Uid } from '@tunemate/protocol';
import { codeOf, newClientId, valueOf } from '@tunemate/testkit/answers';
import { createFakeClock } from '@tunemate/testkit/fake-clock';
import { type FakeWeb, sendPage, startFakeWeb } from '@tunemate/testkit/fakes/fake-web';
import { openSocketWorld, type SocketWorld, type Tab } from '@tunemate/testkit/worlds/socket-world';
import { createLimits } from '../../access/limits.ts';
import { type PublicLine, publicLine } from '../../system/outside.ts';
import { openPreviews } from './previews.ts';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

let web: FakeWeb;
const close: (() => Promise<void>)[] = [];
beforeEach(async () => {
  web = await startFakeWeb();
  close.push(() => web.close());
});
afterEach(async () => {
  for (const end of close.splice(0).toReversed()) await end();
});

async function open(env: Record<string, string> = {}): Promise<SocketWorld> {
  const w = await openSocketWorld({
    env: { LINK_PREVIEWS: 'on', ...env },
    clock: createFakeClock(),
    previewLine: web.line,
  });
  close.push(() => w.close());
  return w;
}

interface TwoTabs {
  w: SocketWorld;
  mara: Tab;
  ivo: Tab;
  pair: PairId;
}

async function two(env?: Record<string, string>): Promise<TwoTabs> {
  const w = await open(env);
  const [mara, ivo] = [await w.arrive('Mara'), await w.arrive('Ivo')];
  // People who answer each other: for a stranger's link no page is fetched.
  await say(ivo, mara, 'hello');
  return { w, mara, ivo, pair: pairIdOf(mara.uid, ivo.uid) };
}

/** Answers the number of the message. */
async function say(from: Tab, to: Tab, text: string): Promise<number> {
  return valueOf(await from.ask('chats/send', { clientId: newClientId(), uid: to.uid, text })).message.number;
}

const link = 'https://news.example.org/a';
const titleOf = async (tab: Tab, pairId: PairId, number: number) => {
  const answer = await tab.ask('chats/preview', { pairId, number });
  return answer.ok ? (answer.value.preview?.title ?? null) : answer.error.code;
};

test('both people of a chat get the preview of a link, which is fetched once', async () => {
  const { mara, ivo, pair } = await two();
  web.answer = (_call, response) =>
    sendPage(response, '<title>Harbour</title><meta name=description content="Ships &amp; tea">');
  const number = await say(mara, ivo, `look: ${link}#there, it is good`);
  const preview = { title: 'Harbour', description: 'Ships & tea', siteName: null };
  const answers = await Promise.all([mara, ivo, mara].map((tab) => tab.ask('chats/preview', { pairId: pair, number })));
  expect(answers.map(valueOf)).toEqual([{ preview }, { preview }, { preview }]);
  expect(web.calls.map(({ host, path }) => host + path)).toEqual(['news.example.org/a']);
});

test('no answer tells a chat that another one has the preview of a link', async () => {
  const { w, mara, ivo, pair } = await two();
  await titleOf(mara, pair, await say(mara, ivo, link));
  const [eve, theo] = [await w.arrive('Eve'), await w.arrive('Theo')];
  const probe = await say(eve, theo, link);
  web.answer = (_call, response) => sendPage(response, '<title>fetched anew</title>');
  expect(await titleOf(eve, pairIdOf(eve.uid, theo.uid), probe)).toBe('fetched anew');
  expect(web.calls).toHaveLength(2);
});

test('no other user gets one, and nothing is fetched for them (ACCESS-9)', async () => {
  const { w, mara, ivo, pair } = await two();
  const number = await say(mara, ivo, link);
  const eve = await w.arrive('Eve');
  await say(eve, mara, 'hello');
  expect(await titleOf(eve, pair, number)).toBe('access/not-found');
  expect(await titleOf(eve, pairIdOf(eve.uid, mara.uid), 99)).toBe('access/not-found');
  const named = { pairId: pair, number, address: 'https://evil.example.org/' };
  expect(codeOf(await mara.send('chats/preview', named))).toBe('input/invalid');
  expect(web.calls).toEqual([]);
});

test('a message that is deleted, hidden or cleared has none, and of an edited one the new link counts', async () => {
  const { mara, ivo, pair } = await two();
  const numbers: number[] = [];
  for (const path of ['one', 'two', 'three', 'four'])
    numbers.push(await say(mara, ivo, `https://a.example.org/${path}`));
  const [deleted = 0, hidden = 0, edited = 0, last = 0] = numbers;
  const of = (number: number) => ({ pairId: pair, number });
  valueOf(await mara.ask('chats/delete', of(deleted)));
  valueOf(await ivo.ask('chats/hide', { ...of(hidden), isHidden: true }));
  const text = 'https://a.example.org/new';
  valueOf(await mara.ask('chats/edit', { ...of(edited), clientId: newClientId(), text, edits: 1 }));
  expect(await Promise.all(numbers.map((number) => titleOf(ivo, pair, number)))).toEqual([
    ...['access/not-found', 'access/not-found'],
    ...['a.example.org/new', 'a.example.org/four'],
  ]);
  valueOf(await ivo.ask('chats/clear', { pairId: pair, upTo: last }));
  expect(await titleOf(ivo, pair, last)).toBe('access/not-found');
  expect(await titleOf(mara, pair, deleted)).toBe('access/not-found');
  expect(await titleOf(mara, pair, hidden)).toBe('a.example.org/two');
});

test('messages without such a link, and links to this server, have none, and nothing is fetched (CHAT-37)', async () => {
  const { mara, ivo, pair } = await two({ PUBLIC_URL: 'http://music.example.org' });
  for (const text of [
    'hello',
    'http://news.example.org/a',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://music.example.org/audio-room/A1B2C3',
  ]) {
    expect([text, await titleOf(ivo, pair, await say(mara, ivo, text))]).toEqual([text, null]);
  }
  expect(web.calls).toEqual([]);
});

test('a link that redirects to this server ends there', async () => {
  const { mara, ivo, pair } = await two({ PUBLIC_URL: 'http://music.example.org' });
  web.answer = (_call, response) => response.writeHead(302, { location: 'https://music.example.org/' }).end();
  expect(await titleOf(mara, pair, await say(mara, ivo, link))).toBeNull();
  expect(web.calls).toHaveLength(1);
});

test('while the operator has not switched previews on, there is no such request, and nothing is fetched', async () => {
  for (const env of [{ LINK_PREVIEWS: 'off' }, { LINK_PREVIEWS: '' }]) {
    const { w, mara, ivo, pair } = await two(env);
    expect(await titleOf(mara, pair, await say(mara, ivo, link))).toBe('access/not-found');
    const { result } = await w.app.visitor().call('GET /api/config', {});
    expect(result).toMatchObject({ ok: true, value: { linkPreviews: false } });
  }
  expect(web.calls).toEqual([]);
});

describe('a preview is kept', () => {
  test('for a day; one that failed for ten minutes', async () => {
    const { w, mara, ivo, pair } = await two();
    const number = await say(mara, ivo, link);
    let isDown = true;
    web.answer = ({ path }, response) =>
      isDown ? void response.writeHead(500).end() : sendPage(response, `<title>${path}</title>`);
    expect(await titleOf(mara, pair, number)).toBeNull();
    isDown = false;
    w.clock.advance(9 * 60_000);
    expect(await titleOf(mara, pair, number)).toBeNull();
    w.clock.advance(2 * 60_000);
    expect(await titleOf(mara, pair, number)).toBe('/a');
    w.clock.advance(23 * 60 * 60_000);
    expect(await titleOf(ivo, pair, number)).toBe('/a');
    expect(web.calls).toHaveLength(2);
    w.clock.advance(2 * 60 * 60_000);
    expect(await titleOf(ivo, pair, number)).toBe('/a');
    expect(web.calls).toHaveLength(3);
  });

  test.each([
    [
      'hides read receipts',
      ({ w, ivo }: TwoTabs) => w.db.updateTable('users').set({ read_receipts: 0 }).where('uid', '=', ivo.uid).execute(),
    ],
    ['has blocked the sender', ({ mara, ivo }: TwoTabs) => ivo.ask('chats/block', { uid: mara.uid, isBlocked: true })],
    [
      'has not answered the sender',
      // As if the sender alone had written.
      ({ w, mara }: TwoTabs) =>
        w.db.updateTable('conversations').set({ unanswered: 2 }).where('uid', '=', mara.uid).execute(),
    ],
  ])('and shown to who %s, for whom nothing is fetched that another sent', async (_what, hide) => {
    const people = await two();
    const { mara, ivo, pair } = people;
    const number = await say(mara, ivo, link);
    await hide(people);
    expect(await titleOf(ivo, pair, number)).toBeNull();
    expect(web.calls).toEqual([]);
    expect(await titleOf(mara, pair, number)).toBe('news.example.org/a');
    expect(await titleOf(ivo, pair, number)).toBe('news.example.org/a');
    expect(web.calls).toHaveLength(1);
  });
});

describe('a flood', () => {
  const limited = { RATE_LIMIT_SCALE: '1' };
  /** Of messages with a link each; the clock lets them through. */
  async function links(
    w: SocketWorld,
    from: Tab,
    to: Tab,
    count: number,
    host = 'news.example.org',
  ): Promise<number[]> {
    const numbers: number[] = [];
    for (let n = 0; n < count; n += 1) {
      numbers.push(await say(from, to, `https://${host}/${String(n)}`));
      w.clock.advance(1000);
      // The other answers, as among friends.
      if (n % 4 === 3) await say(to, from, 'yes');
    }
    return numbers;
  }

  test('of questions is refused, and another person is answered meanwhile', async () => {
    const { mara, ivo, pair } = await two(limited);
    const number = await say(mara, ivo, link);
    await titleOf(mara, pair, number);
    const codes = await Promise.all(Array.from({ length: 50 }, () => titleOf(mara, pair, number)));
    expect(codes.filter((code) => code === 'limit/too-many').length).toBeGreaterThan(0);
    expect(await titleOf(ivo, pair, number)).toBe('news.example.org/a');
    expect(web.calls).toHaveLength(1);
  });

  test('of links costs twenty fetches in one chat, and leaves some for another', async () => {
    const { w, mara, ivo, pair } = await two(limited);
    const numbers = await links(w, mara, ivo, 30);
    const titles: (string | null)[] = [];
    for (const number of numbers) titles.push(await titleOf(ivo, pair, number));
    expect(titles.slice(20)).toEqual(Array(10).fill('limit/too-many'));
    expect(web.calls).toHaveLength(20);
    const friend = await w.arrive('Friend');
    await say(ivo, friend, 'hello');
    const theirs = await say(friend, ivo, 'https://other.example.org/x');
    expect(await titleOf(ivo, pairIdOf(friend.uid, ivo.uid), theirs)).toBe('other.example.org/x');
  });

  test('of links to one host is bounded for all people together', async () => {
    const w = await open(limited);
    const asked: { reader: Tab; pair: PairId; numbers: number[] }[] = [];
    for (let n = 0; n < 4; n += 1) {
      const [from, reader] = [await w.arrive(`From ${String(n)}`), await w.arrive(`Reader ${String(n)}`)];
      const numbers = await links(w, from, reader, 20, `h${String(n)}.example.org`);
      asked.push({ reader, pair: pairIdOf(from.uid, reader.uid), numbers });
    }
    const isVictim = ({ host }: { host: string }) => host === 'victim.example.org';
    web.answer = (call, response) => {
      if (isVictim(call)) sendPage(response, '<title>hit</title>');
      else response.writeHead(302, { location: `https://victim.example.org/${call.host}${call.path}` }).end();
    };
    const titles: (string | null)[] = [];
    for (const { reader, pair, numbers } of asked) {
      for (const number of numbers) titles.push(await titleOf(reader, pair, number));
    }
    expect(titles.filter((title) => title === 'hit')).toHaveLength(60);
    expect(titles.slice(60)).toEqual(Array(20).fill(null));
    expect(web.calls.filter(isVictim)).toHaveLength(60);
  });

  test('of one person’s links to a host leaves two thirds of its requests to others', async () => {
    const w = await open(limited);
    const [eve, mara] = [await w.arrive('Eve'), await w.arrive('Mara')];
    const chats: { to: Tab; numbers: number[] }[] = [];
    for (const name of ['Ivo', 'Theo']) {
      const to = await w.arrive(name);
      chats.push({ to, numbers: await links(w, eve, to, 11, 'popular.example.org') });
    }
    const titles: (string | null)[] = [];
    for (const { to, numbers } of chats) {
      for (const number of numbers) titles.push(await titleOf(eve, pairIdOf(eve.uid, to.uid), number));
    }
    expect(titles.filter((title) => title !== null)).toHaveLength(20);
    const theirs = await links(w, mara, eve, 8, 'popular.example.org');
    const others: (string | null)[] = [];
    for (const number of theirs) others.push(await titleOf(mara, pairIdOf(mara.uid, eve.uid), number));
    expect(others.filter((title) => title?.startsWith('popular.example.org/'))).toHaveLength(8);
  });

  test('of pages that never answer holds two fetches of a person, and nothing else of theirs waits', async () => {
    const { w, mara, ivo, pair } = await two(limited);
    const numbers = await links(w, mara, ivo, 6);
    // However long this takes here, none of the seconds passes after which a page is given up.
    const patience = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
    onTestFinished(() => patience.mockRestore());
    const held: (() => void)[] = [];
    web.answer = (_call, response) => void held.push(() => sendPage(response, '<title>late</title>'));
    const tabs = [ivo, await w.connect(ivo), await w.connect(ivo)];
    const waiting = numbers.map((number, n) => titleOf(tabs[n % 3] ?? ivo, pair, number));
    await expect.poll(() => held.length).toBe(2);
    valueOf(await ivo.ask('chats/list', {}));
    valueOf(await ivo.ask('catalogue/cards', { videoIds: ['lib_0123456789abcdef'] }));
    expect(held.length).toBe(2);
    const answering = setInterval(() => held.splice(0).forEach((answer) => answer()), 10);
    expect(await Promise.all(waiting)).toEqual(Array(6).fill('late'));
    clearInterval(answering);
  });
});

describe('what one process keeps and begins', () => {
  const clock = createFakeClock();
  const address = (n: number) => new URL(`https://h${String(n % 500)}.example.org/${String(n)}`);
  const asking = (asker: number, chat = asker) => ({
    ...{ asker: `person ${String(asker)}` as Uid, pairId: `chat ${String(chat)}` as PairId, mayFetch: true },
  });
  const nowhere: PublicLine = { ...publicLine(), resolve: () => Promise.reject(new Error('no such name')) };

  function parts(scale: number, line: PublicLine) {
    const asked: string[] = [];
    const previews = openPreviews({
      ...{ clock, limits: createLimits({ clock, scale }), log: { debug: () => undefined }, version: '1' },
      encodingOf: () => 'windows-1252',
      ...{ linkPreviews: true, publicUrl: () => 'https://music.example.org' },
      line: { ...line, resolve: (host) => (asked.push(host), line.resolve(host)) },
    });
    return { asked, of: previews.of, close: previews.close };
  }

  test('a thousand addresses are kept, those that were not asked for the longest forgotten first', async () => {
    const { asked, of } = parts(0, nowhere);
    for (let n = 0; n < 1000; n += 1) await of(address(n), asking(1));
    await of(address(0), asking(1));
    expect(asked).toHaveLength(1000);
    await of(address(1000), asking(1));
    await of(address(0), asking(1));
    expect(asked).toHaveLength(1001);
    await of(address(1), asking(1));
    expect(asked).toHaveLength(1002);
  });

  test('sixteen fetches are under way at most, two of a person, and their end makes room', async () => {
    const { of, close } = parts(1, { ...nowhere, resolve: () => new Promise(() => undefined) });
    const first = Array.from({ length: 16 }, (_, n) => of(address(n), asking(n >> 1)));
    await new Promise(setImmediate);
    expect(await of(address(100), asking(0))).toMatchObject({ error: { code: 'limit/too-many' } });
    expect(await of(address(101), asking(9))).toMatchObject({ error: { code: 'server/busy' } });
    // Who asks for a page that is being fetched takes no place.
    const joined = of(address(0), asking(10, 0));
    await close();
    expect((await Promise.all([...first, joined])).map(({ ok }) => ok)).toEqual(Array(17).fill(true));
    expect(await of(address(102), asking(9))).toMatchObject({ ok: true });
  });

  test('a person has forty fetches in all chats together, and then one every half minute', async () => {
    const { asked, of } = parts(1, nowhere);
    for (let n = 0; n < 60; n += 1) await of(address(n), asking(1, n % 3));
    expect(asked).toHaveLength(40);
    clock.advance(30_000);
    for (let n = 60; n < 66; n += 1) await of(address(n), asking(1, 7));
    expect(asked).toHaveLength(41);
    await of(address(70), asking(2));
    expect(asked).toHaveLength(42);
  });
});
