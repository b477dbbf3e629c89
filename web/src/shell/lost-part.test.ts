/** What a page takes for gone, and what only for away. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reachOfPart } from './lost-part.ts';

const html = (text: string, status = 200): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } });
const ours = (): Response => Response.json({ ok: true, value: {} });
const named = 'Failed to fetch dynamically imported module: https://tunemate.test/assets/Chat-12345678.js';
const sameBuild = '<script type="module" src="/assets/index-aaaaaaaa.js">';
const otherBuild = '<script type="module" src="/assets/index-bbbbbbbb.js">';

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://tunemate.test' });
  vi.stubGlobal('document', { querySelector: () => ({ getAttribute: () => '/assets/index-aaaaaaaa.js' }) });
});
afterEach(() => vi.unstubAllGlobals());

/** Answers for a part, for the server's own request and for its page; null is a lost line. */
type Answers = Partial<Record<'part' | 'config' | 'page', () => Response | null>>;

const usual: Required<Answers> = { part: () => null, config: ours, page: () => html(sameBuild) };

function reach(message: string, answers: Answers) {
  return reachOfPart(async (input) => {
    const path = new URL(new Request(new URL(input as string, 'https://tunemate.test')).url).pathname;
    const asked = path.startsWith('/assets/') ? 'part' : path === '/login' ? 'page' : 'config';
    const answer = (answers[asked] ?? usual[asked])();
    if (answer === null) throw new TypeError('Failed to fetch');
    return Promise.resolve(answer);
  }, new TypeError(message));
}

const script = () => new Response('export {}', { headers: { 'content-type': 'text/javascript' } });

const cases: [what: string, answers: Answers, reach: string][] = [
  ['a part that is there by now', { part: script }, 'part'],
  ['a part that is gone after a deploy', { part: () => html('', 404) }, 'ours'],
  ['a part that a cache calls gone', { part: () => html('', 410) }, 'ours'],
  ['503 for the part alone', { part: () => html('', 503) }, 'away'],
  ['502 for everything', { part: () => html('', 502), config: () => html('', 502) }, 'away'],
  ['a content network whose server is away', { part: () => html('', 522), config: () => html('', 522) }, 'away'],
  ['413 of a proxy', { part: () => html('', 413) }, 'another'],
  ['a check of a content network for the part alone', { part: () => html('', 403) }, 'another'],
  ['a page for the part of the same build', { part: () => html('<p>Welcome</p>') }, 'another'],
  [
    "the new build's page for every unknown file",
    { part: () => html(otherBuild), page: () => html(otherBuild) },
    'ours',
  ],
  [
    'the page of a network that wants a sign-in',
    { part: () => html('<p>Hotel'), config: () => html('<p>Hotel') },
    'another',
  ],
  ['404 of a network in place of everything', { part: () => html('', 404), config: () => html('', 404) }, 'another'],
  ['a network that says 511', { part: () => html('', 511), config: () => html('', 511) }, 'another'],
  ['no line', { config: () => null }, 'nothing'],
];

test.each(cases)('%s', async (_what, answers, expected) => {
  await expect(reach(named, answers)).resolves.toBe(expected);
});

test('a browser that does not name the part takes it for gone only where the server has another build', async () => {
  const message = 'Importing a module script failed.';
  await expect(reach(message, {})).resolves.toBe('part');
  await expect(reach(message, { page: () => html(otherBuild) })).resolves.toBe('ours');
  await expect(reach(message, { page: () => html('<p>Hotel') })).resolves.toBe('part');
  await expect(reach(message, { config: () => html('', 504) })).resolves.toBe('away');
});

test('a sheet of styles that is gone is named by its path alone', async () => {
  const message = 'Unable to preload CSS for /assets/Chat-12345678.css';
  await expect(reach(message, { part: () => html('', 404) })).resolves.toBe('ours');
  await expect(reach(message, { part: () => html('', 503) })).resolves.toBe('away');
});

test('code of another site says nothing about this server', async () => {
  const message = 'Failed to fetch dynamically imported module: https://cdn.test/assets/a.js';
  await expect(reach(message, { part: () => html('', 404) })).resolves.toBe('part');
});
