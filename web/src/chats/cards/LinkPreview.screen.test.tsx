/** Previews of links in a private chat: when they are asked for, what they show, and what hides them. */
import type { LinkPreview } from '@tunemate/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mara, maraUid } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { phone, wide } from '../../../testing/screens/browser.ts';
import { type FakeServer, ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aMessage, ivoUid } from '../../../testing/screens/people.ts';

const link = 'https://news.example.org/harbour';
const preview: LinkPreview = {
  title: 'The harbour at night, and what the ships say to each other',
  description: 'A long evening with Ines Calloway between cranes, gulls and a radio that nobody can turn off any more.',
  siteName: 'Harbour News',
};

interface Given {
  texts?: readonly string[];
  config?: { linkPreviews: boolean };
  user?: typeof mara;
  prepare?: (server: FakeServer) => void;
}

async function openChat({ texts = [`Read this ${link}`], config = { linkPreviews: true }, user, prepare }: Given = {}) {
  const messages = texts.map((text, at) => aMessage(at % 2 === 0 ? ivoUid : maraUid, at + 1, { text }));
  const { server } = await openPage(`/chat/${ivoUid}`, {
    config,
    ...(user && { session: { status: 'signed-in', user }, own: { user } }),
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages })));
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
      stand.on('chats/mark', () => ok({}));
      stand.on('chats/preview', () => ok({ preview }));
      prepare?.(stand);
    },
  });
  return server;
}
const askedFor = (server: FakeServer) => server.asked('chats/preview').map(({ number }) => number);

test.each([wide, phone])('a link shows what its page says of itself, $width px wide', async (size) => {
  await page.viewport(size.width, size.height);
  const server = await openChat({ texts: [`Read this ${link}`, `https://other.example.org/ x`] });
  await shown(words(preview.title).first());
  await shown(words('Harbour News · news.example.org'));
  const opened = page.getByRole('link', { name: /^The harbour at night/ }).first();
  await expect.element(opened).toHaveAttribute('href', link);
  await expect.element(opened).toHaveAttribute('rel', 'noopener noreferrer');
  await expect.element(button('Hide this preview').first()).toHaveAccessibleDescription(preview.title);
  await expectAccessible('all');
  expect(new Set(askedFor(server))).toEqual(new Set([1, 2]));
});

test('nothing is loaded from another host, and markup stays text', async () => {
  const title = '<img src="https://evil.example/x.png" onerror="alert(1)">';
  await openChat({ prepare: (server) => server.on('chats/preview', () => ok({ preview: { ...preview, title } })) });
  await shown(words(title));
  expect(
    [...document.querySelectorAll('img, iframe, script')].filter((each) => /example/.test(each.outerHTML)),
  ).toEqual([]);
});

test.each([
  ['the operator has not switched them on', { config: { linkPreviews: false } }],
  ['the user does not want them', { user: { ...mara, linkPreviews: false } }],
])('while %s, nothing is asked', async (_what, given) => {
  const server = await openChat(given);
  await shown(page.getByRole('link', { name: link }));
  await gone(button('Hide this preview'));
  expect(askedFor(server)).toEqual([]);
});

test('messages without such a link, tracks and links of this server ask nothing', async () => {
  const texts = ['words', 'http://news.example.org/', 'https://youtu.be/dQw4w9WgXcQ', 'https://127.0.0.1/', 'end'];
  const server = await openChat({
    texts,
    prepare: (stand) => stand.on('catalogue/cards', () => ok({ cards: [] })),
  });
  await shown(button('Play here'));
  expect(askedFor(server)).toEqual([]);
});

test.each([
  ['has none', () => ok({ preview: null })],
  ['could not be asked for', () => refused('limit/too-many')],
])('a link that %s stays a link', async (_what, answer) => {
  const server = await openChat({ prepare: (stand) => stand.on('chats/preview', answer) });
  await expect.poll(() => askedFor(server)).toEqual([1]);
  await shown(page.getByRole('link', { name: link }));
  await gone(button('Hide this preview'));
});

test('two are asked for at a time', async () => {
  const answers: (() => void)[] = [];
  const texts = Array.from({ length: 5 }, (_, n) => `https://news.example.org/${String(n)}`);
  const server = await openChat({
    texts,
    prepare: (stand) =>
      stand.on('chats/preview', async () => {
        await new Promise<void>((resolve) => void answers.push(resolve));
        return ok({ preview: null });
      }),
  });
  await expect.poll(() => answers.length).toBe(2);
  for (const all of [3, 4, 5]) {
    answers.shift()?.();
    await expect.poll(() => askedFor(server).length).toBe(all);
    expect(answers).toHaveLength(2);
  }
});

test('only what is on the screen is asked for', async () => {
  const texts = [link, ...Array.from({ length: 30 }, (_, n) => `${String(n)} words`)];
  // Before the page opens: a clock that is taken later can't stop what the page has begun to wait for.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await openChat({ texts });
  await shown(page.getByRole('article').first());
  const log = page.getByRole('log').element();
  const row = page.getByRole('link', { name: link });
  log.scrollTo({ top: 0 });
  await expect.element(row).toBeInViewport();
  log.scrollTo({ top: log.scrollHeight });
  await expect.element(row).not.toBeInViewport();
  await vi.advanceTimersByTimeAsync(1000);
  expect(askedFor(server), 'what scrolled by').toEqual([]);
  log.scrollTo({ top: 0 });
  await expect.element(row).toBeInViewport();
  await expect
    .poll(async () => {
      await vi.advanceTimersByTimeAsync(100);
      return askedFor(server);
    })
    .toEqual([1]);
});

test('a preview that is hidden stays so on this device', async () => {
  await openChat();
  await button('Hide this preview').click();
  await gone(words(preview.title));
  await shown(page.getByRole('link', { name: link }));
  expect(localStorage.getItem('tunemate/hidden-previews')).toContain(` 1 ${link}`);
});
