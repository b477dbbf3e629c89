/**
 * What a page of another site can do to a user who is signed in: open every address of ours with every word of a query
 * that any screen reads, frame it, and send every request that a browser sends for it. Nothing is written.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, expect, test, type Page } from '@playwright/test';
import { httpRequests, pagePaths, roomPagePaths } from '@tunemate/protocol';
import { newClientId, valueOf } from '@tunemate/testkit/answers';
import { serve, type Served } from '@tunemate/testkit/network/serve';
import type { Person } from '@tunemate/testkit/worlds/people';
import { openSocketWorld, type SocketWorld } from '@tunemate/testkit/worlds/socket-world';
import { haveSession } from './person.ts';
import { fileAccess } from '../server/src/access/files.ts';

const sources = join(import.meta.dirname, '../web/src');
/** The words of a query that each file of our screens reads, from its code. */
const wordsByFile = new Map(
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(sources, file), 'utf8');
      const read = Array.from(text.matchAll(/\.(?:get|has)\('([a-zA-Z]+)'\)/g), ([, word = '']) => word);
      return /URLSearchParams|useSearch/.test(text) && read.length > 0 ? [[file, read] as const] : [];
    }),
);
const words = new Set(Array.from(wordsByFile.values()).flat());
/** The pages whose code reads a query, by its files. */
const readers: Readonly<Record<string, readonly string[]>> = {
  'accounts/sign-in/LoginScreen.tsx': ['/login'],
  'accounts/sign-up/SignupScreen.tsx': ['/signup'],
  'accounts/sign-up/link-action-model.ts': ['/auth/action'],
  'chats/ChatScreen.tsx': ['/chat/:uid'],
  'home/ShareScreen.tsx': ['/share'],
  'rooms/join/JoinRoomScreen.tsx': ['/join', '/join-audio-room'],
};
/** Words that no screen reads, but an attacker would try. */
const guessed = ['ask', 'accept', 'join', 'invite', 'action', 'uid', 'auto', 'press'];

/** Requests that change nothing but what this connection follows; whatever else a page sends was begun by a person. */
const reading =
  /^(?:session\/hello|clock\/probe|rooms\/(?:mine|lookUp|enter|close|people|watchRequest|earlierMessages|played|histories|before|firstEvening)|music\/(?:pair|year|blend)|chats\/(?:list|open|earlierMessages|blocked)|catalogue\/\w+|library\/\w+|soulmate\/taken|playback\/(?:ready|roundTrip))$/;
/** Written because any page is open: its connection, who is online, and what reached the device. */
const ofConnections = new Set(['connections', 'processes', 'sqlite_sequence']);

let world: SocketWorld;
/** Ours is at localhost: another site, of whatever port. */
let stranger: Served;
test.beforeAll(async () => {
  world = await openSocketWorld({ webDir: join(import.meta.dirname, '../web/dist'), isStill: false });
  stranger = await serve((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A site</title>'),
  );
});
test.afterAll(async () => {
  await world.close();
  await stranger.close();
});

/** Every row of every table that a request could change, without what an open page leaves by itself. */
async function everything(): Promise<Record<string, unknown[]>> {
  const rowsOf = async (table: string) =>
    (await world.db
      .selectFrom(table as 'users')
      .selectAll()
      .execute()) as unknown as Record<string, unknown>[];
  const tables: Record<string, unknown[]> = {};
  for (const { type, name } of (await rowsOf('sqlite_master')) as { type: string; name: string }[]) {
    // The index of the search follows the messages, and can't be listed.
    const isInternal = name.startsWith('sqlite_') || name.startsWith('private_search');
    if (type !== 'table' || ofConnections.has(name) || isInternal) continue;
    tables[name] = (await rowsOf(name)).map((row) => withoutOpenPages(name, row)).filter((row) => row !== null);
  }
  return tables;
}

function withoutOpenPages(table: string, row: Record<string, unknown>): Record<string, unknown> | null {
  if (table === 'users') return { ...row, online: null, presence_changed_at_ms: null, shown_changed_at_ms: null };
  if (table === 'sessions') return { ...row, last_seen_at_ms: null };
  // Delivered, not read: the message is on the device.
  if (table === 'conversations') return { ...row, delivered_up_to: null };
  // The server measures its library by itself.
  if (table === 'streams' || table === 'measured_loudness') return null;
  if (table === 'stream_entries') return /"(?:presence|chats)\//.test(String(row['change'])) ? null : row;
  return row;
}

const browserOf = (context: BrowserContext, { cookie }: Person): Promise<void> =>
  haveSession(context, world.app.url, cookie);

/** The names of requests that this page sends, in whatever form a frame has. */
function requestsOf(page: Page): Set<string> {
  const sent = new Set<string>();
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      for (const [, name = ''] of String(payload).matchAll(/"((?:[a-z]+)\/(?:[a-zA-Z]+))"/g)) sent.add(name);
    }),
  );
  return sent;
}

/**
 * The victim has a tunemate's message, a request and an invitation to answer, and rooms of the stranger to fall into.
 */
async function makeWorld() {
  const [noor, eve] = [await world.person('Noor'), await world.arrive('Eve')];
  const tab = await world.connect(noor);
  const open = await world.room(eve, 'video', 'Open to all');
  valueOf(await eve.ask('rooms/set', { ...open, settings: { admits: 'everybody' } }));
  const asking = await world.room(eve, 'audio', 'Ask me');
  const inside = await world.room(eve, 'audio', 'Inside');
  await world.letIn(eve, tab, inside);
  // She is in her rooms: none of them waits for its host.
  for (const room of [open, asking, inside]) valueOf(await eve.ask('rooms/enter', room));
  valueOf(await eve.ask('chats/send', { clientId: newClientId(), uid: noor.uid, text: 'Do you read this?' }));
  valueOf(await eve.ask('soulmate/ask', { clientId: newClientId(), uid: noor.uid }));
  tab.leave();
  await expect.poll(() => world.openTabs(noor)).toBe(0);
  return { noor, eve, rooms: [open, asking, inside] };
}

test('the words of queries are found in the code of the screens, and the pages that read them are known', () => {
  for (const word of ['code', 'next', 'mode', 'oobCode', 'invitation', 'reset']) expect([...words]).toContain(word);
  expect(Array.from(wordsByFile.keys()).toSorted()).toEqual(Object.keys(readers).toSorted());
});

test('opening any address with any query writes nothing before a press', async ({ browser }) => {
  const { noor, eve, rooms } = await makeWorld();
  const context = await browser.newContext();
  await browserOf(context, noor);
  const [first] = rooms;
  const values = (mode: string): Record<string, string> => ({
    ...Object.fromEntries([...words, ...guessed].map((word) => [word, '1'])),
    ...{
      code: first?.code ?? '',
      next: `/join?code=${first?.code ?? ''}&ask`,
      mode,
      oobCode: 'A'.repeat(43),
      uid: eve.uid,
    },
  });
  const all = ['verifyEmail', 'resetPassword'].map((mode) => `?${new URLSearchParams(values(mode)).toString()}`);
  const queries = ['', ...all, `?${[...words, ...guessed].join('&')}`];
  // All of these where the code of a page reads a query, and all words at once where none does.
  const withQuery = new Set(Object.values(readers).flat());
  const addresses = [...pagePaths, ...Object.values(roomPagePaths)].flatMap((path) => {
    const opened = path.includes(':code')
      ? rooms.map(({ code }) => path.replace(':code', code))
      : [path.replace(':uid', eve.uid).replace(':videoId', 'lib_0123456789abcdef')];
    const asked = withQuery.has(path) ? queries : all.slice(0, 1);
    return opened.flatMap((address) => asked.map((query) => address + query));
  });
  const joins = rooms.flatMap(({ code }) => [`/join?code=${code}&ask`, `/join-audio-room?code=${code}&ask`]);
  addresses.push(...joins);

  const before = await everything();
  const visit = async (page: Page, address: string, sent: Set<string>) => {
    await page.goto(stranger.url);
    sent.clear();
    // A navigation by the script of another site: the user pressed nothing.
    await page.evaluate((target) => void (location.href = target), world.app.url + address);
    await page.waitForURL((url) => url.origin === world.app.url);
    await page.waitForLoadState();
    // Nothing is asked of the page itself: what Playwright evaluates there counts as a press.
    await page.waitForTimeout(2000);
    await page.mouse.move(200, 200);
    await page.waitForTimeout(500);
    expect([address, [...sent].filter((name) => !reading.test(name) && !isDelivery(name))]).toEqual([address, []]);
  };
  const isDelivery = (name: string): boolean => name === 'chats/mark';
  const pages = await Promise.all(Array.from({ length: 4 }, () => context.newPage()));
  await Promise.all(
    pages.map(async (page, lane) => {
      const sent = requestsOf(page);
      for (const address of addresses.filter((_each, n) => n % pages.length === lane)) await visit(page, address, sent);
      await page.close();
    }),
  );
  expect(await everything()).toEqual(before);

  // The same page after a press.
  const page = await context.newPage();
  const sent = requestsOf(page);
  await visit(page, '/notifications', sent);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => [...sent]).toContain('notifications/markRead');
  await context.close();
});

/** What a stranger writes into a link, so that it leads or loads something from elsewhere, or runs as a script. */
const hostile = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  'https://evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '%2F%2Fevil.example',
  '"><img src=//evil.example/x onerror=alert(1)>',
];

/** The pages that read a query and that a visitor without a session sees. */
const openPages = ['/login', '/signup', '/auth/action'];

// All of these where the code of a page reads a query, and one of them, another each time, where none does.
for (const visitor of ['a user who is signed in', 'a stranger']) {
  test(`no word of a query leads ${visitor} to another site, loads from there or runs as a script`, async ({
    browser,
  }) => {
    const { noor, eve, rooms } = await makeWorld();
    const context = await browser.newContext({ serviceWorkers: 'block' });
    if (visitor !== 'a stranger') await browserOf(context, noor);
    const left: string[] = [];
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (/^(?:https?|wss?):$/.test(protocol) && new URL(origin).host !== new URL(world.app.url).host)
        left.push(`loads ${request.url()}`);
    });
    context.on('dialog', (dialog) => {
      left.push(`runs ${dialog.message()}`);
      void dialog.dismiss();
    });
    // A stranger who opens a page that needs a session gets the one to sign in, with the address in `next`.
    const withQuery = new Set(visitor === 'a stranger' ? openPages : Object.values(readers).flat());
    const addresses = [...pagePaths, ...Object.values(roomPagePaths)].flatMap((path, n) => {
      const address = path
        .replace(':uid', eve.uid)
        .replace(':videoId', 'lib_0123456789abcdef')
        .replace(':code', rooms[2]?.code ?? '');
      const values = withQuery.has(path) ? hostile : hostile.slice(n % hostile.length).slice(0, 1);
      return values.flatMap((value) => {
        const query = new URLSearchParams([...words, ...guessed].map((word) => [word, value]));
        if (path !== '/auth/action') return [`${address}?${query.toString()}`];
        query.set('oobCode', 'A'.repeat(43));
        return ['verifyEmail', 'resetPassword'].map((mode) => {
          query.set('mode', mode);
          return `${address}?${query.toString()}`;
        });
      });
    });
    const pages = await Promise.all(Array.from({ length: 4 }, () => context.newPage()));
    await Promise.all(
      pages.map(async (page, lane) => {
        for (const address of addresses.filter((_each, n) => n % pages.length === lane)) {
          await page.goto(world.app.url + address);
          await page.locator('h1, [role=alertdialog]').first().waitFor();
          left.push(...(await page.evaluate(leadsElsewhere)).map((found) => `${address}: ${found}`));
        }
        await page.close();
      }),
    );
    expect(left).toEqual([]);
    await context.close();
  });
}

/** Runs in the page: where it has come to, and what on it names an address of another site or came from the query. */
function leadsElsewhere(): string[] {
  const found = location.hostname === 'localhost' ? [] : [location.href];
  for (const name of ['href', 'src', 'action', 'formaction', 'data', 'srcdoc']) {
    for (const element of document.querySelectorAll(`body [${name}]`)) {
      const value = element.getAttribute(name) ?? '';
      const { protocol, host } = new URL(value, location.href);
      const isOurs = host === location.host || /^(?:blob|data):$/.test(protocol);
      if (!isOurs || element.matches('a[href^="data:"]')) found.push(element.outerHTML.slice(0, 200));
    }
  }
  for (const element of document.querySelectorAll('body [onerror], body script:not([src])'))
    found.push(element.outerHTML.slice(0, 200));
  return found;
}

test('no request that a browser sends for another site writes anything', async ({ browser }) => {
  const { noor } = await makeWorld();
  const context = await browser.newContext();
  await browserOf(context, noor);
  const page = await context.newPage();
  const before = await everything();
  for (const route of [...Object.keys(httpRequests), ...Object.keys(fileAccess), 'POST /csp-report', 'GET /metrics']) {
    const [method = '', path = ''] = route.split(' ');
    const target = `${world.app.url}${path.replace(/:\w+/g, '0123456789abcdef')}`;
    await page.goto(stranger.url);
    await page.evaluate(sendAll, { method, target });
    // A navigation and a form take the cookie along.
    await page.evaluate((address) => void window.open(address), target);
    for (const enctype of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])
      await page.evaluate(submit, { target, enctype, method: 'post' });
    // What a form gets has no body to encode.
    await page.evaluate(submit, { target, enctype: 'text/plain', method: 'get' });
    await page.waitForTimeout(100);
    for (const opened of context.pages().filter((each) => each !== page)) await opened.close();
  }
  expect(await everything()).toEqual(before);
  await context.close();
});

/** Runs in the stranger's page: all that a script, a picture and a frame can send with the visitor's cookies. */
async function sendAll({ method, target }: { method: string; target: string }): Promise<void> {
  const body = method === 'GET' ? undefined : JSON.stringify({ password: 'x', name: 'Mallory', readReceipts: false });
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json',
    'image/png',
  ];
  for (const mode of ['no-cors', 'cors'] as const) {
    for (const type of types) {
      const headers = { 'content-type': type };
      await fetch(target, { method, mode, credentials: 'include', headers, ...(body && { body }) }).catch(
        () => undefined,
      );
    }
  }
  navigator.sendBeacon(target, body ?? '');
  for (const tag of ['img', 'iframe', 'script', 'video', 'embed']) {
    const element = document.createElement(tag);
    element.setAttribute('src', target);
    document.body.append(element);
  }
}

function submit({ target, enctype, method }: { target: string; enctype: string; method: string }): void {
  const form = document.createElement('form');
  Object.assign(form, { action: target, enctype, method, target: '_blank' });
  for (const [name, value] of Object.entries({ '{"name":"Mallory","a': '":1}', password: 'x', name: 'Mallory' })) {
    const field = document.createElement('input');
    Object.assign(field, { name, value, type: 'hidden' });
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}
