/** The worker of the installed app on a network that answers in the server's place. Its journey is e2e/installed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readShared } from '../home/ShareScreen.tsx';

const source = readFileSync(join(import.meta.dirname, '../../public/worker.js'), 'utf8');
const origin = 'https://tunes.example';
const files = ['/assets/main-B4x9_k2Q.js', '/assets/main-C4x9_k2Q.css'];

type Answers = (path: string) => Response;

const html = (text: string) => new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8' } });
const ours: Answers = (path) =>
  path === '/login'
    ? html(`<script type="module" src="${files[0] ?? ''}"></script>`)
    : new Response('of ours', { headers: { 'content-type': path.endsWith('.css') ? 'text/css' : 'text/javascript' } });

/** Lets the worker install itself over these answers; what it has stored, and what it answers a page later. */
async function install(answers: Answers) {
  const stores = new Map<string, Map<string, Response>>();
  const found = (path: string) =>
    [...stores.values()]
      .map((store) => store.get(path))
      .find(Boolean)
      ?.clone();
  const listeners = new Map<string, (event: object) => void>();
  const pathOf = (asked: Request | string) => new URL(typeof asked === 'string' ? asked : asked.url, origin).pathname;
  const fetch = (asked: Request | string) => Promise.resolve(answers(pathOf(asked)));
  const self = {
    tunemateShell: { name: 'tunemate-shell-1', files },
    location: { origin },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    skipWaiting: () => Promise.resolve(),
    caches: {
      open(name: string) {
        const store = stores.get(name) ?? new Map<string, Response>();
        stores.set(name, store);
        return Promise.resolve({
          put: (asked: string, answer: Response) => Promise.resolve(void store.set(pathOf(asked), answer)),
          add: async (asked: Request | string) => {
            const answer = await fetch(asked);
            if (!answer.ok) throw new TypeError('not ok');
            store.set(pathOf(asked), answer);
          },
          match: (asked: string) => Promise.resolve(store.get(pathOf(asked))?.clone()),
        });
      },
      match: (asked: string) => Promise.resolve(found(pathOf(asked))),
      keys: () => Promise.resolve([...stores.keys()]),
      delete: (name: string) => Promise.resolve(stores.delete(name)),
    },
  };
  class WorkerRequest extends Request {
    constructor(address: string | URL, options?: RequestInit) {
      super(new URL(address, origin), options);
    }
  }
  runInNewContext(source, { self, fetch, Request: WorkerRequest, Response, URL, URLSearchParams, setTimeout, console });
  let installed: Promise<unknown> = Promise.resolve();
  listeners.get('install')?.({ waitUntil: (work: Promise<unknown>) => void (installed = work) });
  const outcome = await installed.then(
    () => 'installed',
    () => 'not installed',
  );
  const open = async (answer: Response, path = '/chats'): Promise<Response> => {
    let sent: Promise<Response> = Promise.resolve(new Response('nothing'));
    listeners.get('fetch')?.({
      request: { method: 'GET', mode: 'navigate', url: `${origin}${path}` },
      preloadResponse: Promise.resolve(answer),
      respondWith: (response: Promise<Response>) => void (sent = response),
    });
    return await sent;
  };
  const navigate = async (answer: Response): Promise<string> => (await open(answer)).text();
  return { open, outcome, stored: [...stores.values()].flatMap((store) => [...store.keys()]), navigate };
}

test('stores the files and the page of its build', async () => {
  const { outcome, stored } = await install(ours);
  expect([outcome, stored.toSorted()]).toEqual(['installed', [...files, '/login'].toSorted()]);
});

test.each<[string, Answers]>([
  ['the sign-in page of a network for every address', () => html('<h1>Hotel Wi-Fi</h1>')],
  ['such a page for files alone', (path) => (path === '/login' ? ours(path) : html('<h1>Hotel Wi-Fi</h1>'))],
  ['such a page for the page alone', (path) => (path === '/login' ? html('<h1>Hotel Wi-Fi</h1>') : ours(path))],
  [
    'the page of a newer build',
    (path) => (path === '/login' ? html('<script src="/assets/main-new.js">') : ours(path)),
  ],
  ['a refusal of a content network', (path) => (path === '/login' ? new Response('', { status: 403 }) : ours(path))],
])('stores nothing where %s is answered, and is installed again later', async (_what, answers) => {
  expect(await install(answers)).toMatchObject({ outcome: 'not installed', stored: [] });
});

test.each([502, 503, 504, 520, 521, 522, 530])(
  'opens the stored page where a proxy answers %i in place of the server',
  async (status) => {
    const { navigate } = await install(ours);
    expect(await navigate(new Response('Web server is down', { status }))).toContain(files[0]);
  },
);

test.each([200, 404, 500, 511])(
  'shows what a network answers with %i, as the person may have to act there',
  async (status) => {
    const { navigate } = await install(ours);
    expect(await navigate(new Response('Sign in to Hotel Wi-Fi', { status }))).toBe('Sign in to Hotel Wi-Fi');
  },
);

/** What the browser asks for when another app shares this. */
const sharing = (words: Record<string, string>) => `/share?${String(new URLSearchParams(words))}`;
const readAsShared = (address: string | null) => readShared(new URL(address ?? '', origin).search);

test.each<[string, Record<string, string>, string]>([
  [
    'an article with its link at the end',
    { text: `${'word '.repeat(6000)}https://youtu.be/a1 bye` },
    'https://youtu.be/a1',
  ],
  ['an article of Hindi', { title: 'गाना', text: 'गाना '.repeat(2000) }, 'गाना गाना'],
  ['an article that begins with many signs', { text: '🎵'.repeat(9000) }, '🎵🎵'],
  ['a link that is an article', { url: `https://example.org/?q=${'x'.repeat(20_000)}` }, 'https://example.org/?q=xx'],
  ['a title alone', { title: `Song ${'la '.repeat(9000)}` }, 'Song la la'],
  ['other parameters', { text: 'Song', other: 'x'.repeat(20_000) }, 'Song'],
])('what an app shares is cut before it goes to the server: %s', async (_what, words, begin) => {
  const { open } = await install(ours);
  const cut = await open(new Response('431', { status: 431 }), sharing(words));
  expect(cut.status).toBe(302);
  const address = cut.headers.get('location') ?? '';
  expect(new URL(address).origin).toBe(origin);
  expect(new URL(address).pathname).toBe('/share');
  // Proxies take 8 kB, and a visitor signs in first with this in the address.
  expect(encodeURIComponent(address).length).toBeLessThan(4000);
  const { query } = readAsShared(address);
  expect(query.slice(0, begin.length)).toBe(begin);
  expect(query.isWellFormed()).toBe(true);
  expect(query).not.toContain('\uFFFD');
  // The cut address is asked of the server, whatever is in it.
  const page = await open(new Response('the page'), address.slice(origin.length));
  expect(await page.text()).toBe('the page');
});

test('what is short is not touched, and no other address is cut', async () => {
  const { open } = await install(ours);
  const short = sharing({ title: 'A song', text: 'by Ines https://youtu.be/a1' });
  for (const path of [short, `/chats?${'x'.repeat(9000)}`, `/share/x?text=${'x'.repeat(9000)}`]) {
    const page = await open(new Response('the page'), path);
    expect([path.slice(0, 20), await page.text()]).toEqual([path.slice(0, 20), 'the page']);
  }
});
