import type { FoundMessage } from '@tunemate/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { type FakeServer, ok, refused } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, field, focused, gone, heading, link, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aMessage, ivoUid, pairOf } from '../../../testing/screens/people.ts';
import { still } from '../../../testing/screens/settled.ts';

const pairId = pairOf(maraUid, ivoUid);
const theFound = (number: number, excerpt: string, more: Partial<FoundMessage> = {}): FoundMessage => ({
  ...{ pairId, number, excerpt, other: { uid: ivoUid, name: 'Ivo' }, sender: ivoUid, hasImage: false },
  timestamp: Date.UTC(2025, 2, 4, 12),
  ...more,
});
const pageOf = (...found: FoundMessage[]) => ({ found, hasMore: false, isWhole: true });
const results = () => page.getByRole('list', { name: 'Messages found' }).getByRole('listitem');

/** A chat of 400 messages, of which the server sends the pages that are asked for. */
function serveChat(server: FakeServer): void {
  const all = Array.from({ length: 400 }, (_, n) => aMessage(ivoUid, n + 1, { text: `message ${String(n + 1)}` }));
  server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
  server.on('chats/open', () => ok(aConversation('Ivo', { messages: all.slice(-50), hasEarlierMessages: true })));
  server.on('chats/earlierMessages', ({ before, downTo = before - 50 }) => {
    const from = Math.max(0, Math.min(downTo - 20, before - 50) - 1);
    return ok({ messages: all.slice(from, before - 1), hasEarlierMessages: from > 0 });
  });
}
const open = async (path: string, prepare: (server: FakeServer) => void) =>
  (await openPage(path, { prepare: (server) => [serveChat, prepare].forEach((each) => each(server)) })).server;

const zoe = { uid: uidOf('Zoe'), name: 'Zoe' };

test('a search in all chats shows chat, words and date, and a press opens the chat at that message', async () => {
  const server = await open('/chats', (fake) =>
    fake.on('chats/search', () =>
      ok(
        pageOf(
          theFound(12, 'the old recording of December'),
          theFound(3, 'your record', { sender: maraUid, other: zoe, pairId: pairOf(maraUid, zoe.uid) }),
        ),
      ),
    ),
  );
  await link('Search chats').click();
  await focused(field('Words in messages'));
  await arrivedAt('/chats/search');
  await shown(words('Type words, or how they begin.'));
  await field('Words in messages').fill('record');
  await shown(words('2 in 2 chats'));
  await expect.element(results().first()).toHaveTextContent('IIvothe old recording of December04/03/2025');
  await expect.element(results().last()).toHaveTextContent('ZZoeYou: your record04/03/2025');
  const marked = [...results().first().element().querySelectorAll('mark')].map(({ textContent }) => textContent);
  expect(marked).toContain('recording');
  await expectAccessible('all');
  await userEvent.keyboard('{Enter}');
  await focused(results().first().getByRole('link'));
  await userEvent.keyboard('{Enter}');
  await shown(page.getByRole('article').filter({ hasText: /^message 12\d\d:/ }));
  await focused(page.getByRole('article').filter({ hasText: /^message 12\d\d:/ }));
  expect(server.asked('chats/earlierMessages')[0]).toMatchObject({ downTo: 12 });
  history.back();
  await expect.element(field('Words in messages')).toHaveValue('record');
  await shown(words('2 in 2 chats'));
  await focused(heading('Chats'));
  await field('Words in messages').click();
  await userEvent.keyboard('{Escape}');
  await arrivedAt('/chats');
  await shown(link('Search chats'));
});

const article = (number: number) =>
  page.getByRole('article').filter({ hasText: new RegExp(`^message ${number}\\d\\d:`) });

test('a search in one chat is a line in its head; a message found is gone to, and its words are marked until the search ends', async () => {
  const server = await open(`/chat/${ivoUid}`, (fake) =>
    fake.on('chats/searchInChat', () =>
      ok(pageOf(theFound(390, 'message 390'), theFound(30, 'mine', { sender: maraUid }))),
    ),
  );
  const markedWords = () => [...(CSS.highlights.get('found') ?? [])].map(String);
  await lookOnPhone();
  await button('Search messages').click();
  await focused(field('Words in messages'));
  await shown(words('Type words, or how they begin.'));
  await field('Words in messages').fill('390');
  await expect.element(results().last()).toMatchTextContent(/^You.*mine$/);
  await expect.element(heading('Ivo')).toBeInTheDocument();
  await expectAccessible('all');
  await results().first().getByRole('button').click();
  await focused(article(390));
  await gone(results().first());
  expect(markedWords()).toEqual(['390']);
  const found = page.getByRole('group', { name: 'Messages found' });
  await shown(found.getByText('1 of 2'));
  await shown(found.getByText(/2025, \d\d:\d\d/));
  await expectAccessible('all');
  await found.getByRole('button', { name: 'The one before' }).click();
  await focused(article(30));
  await found.getByRole('button', { name: /^2 of 2/ }).click();
  await expect.element(results().last().getByRole('button')).toHaveAttribute('aria-current', 'true');
  await results().last().getByRole('button').click();
  await focused(article(30));
  await button('Jump to newest').click();
  await found.getByRole('button', { name: 'The one after' }).click();
  await focused(article(390));
  await button('End the search').click();
  await focused(button('Search messages'));
  await gone(found);
  expect(CSS.highlights.has('found')).toBe(false);
  expect(server.asked('chats/searchInChat')[0]).toEqual({ pairId, words: '390' });
});

test.each([820, 1280])('at %i px what was found stands beside the messages', async (width) => {
  await page.viewport(width, 800);
  await open(`/chat/${ivoUid}`, (fake) =>
    fake.on('chats/searchInChat', () => ok(pageOf(theFound(390, 'message 390')))),
  );
  await button('Search messages').click();
  await field('Words in messages').fill('390');
  await results().first().getByRole('button').click();
  await focused(article(390));
  await shown(words('1 of 1'));
  const log = page.getByRole('log', { name: 'Messages' }).element().getBoundingClientRect();
  const list = page.getByRole('complementary', { name: 'Messages found' }).element().getBoundingClientRect();
  expect(log.right).toBeLessThanOrEqual(list.left);
  expect(log.width).toBeGreaterThan(350);
  await expectAccessible('both');
  await userEvent.keyboard('{Escape}');
  await focused(button('Search messages'));
  await gone(results().first());
});

test('the message takes the focus once the dialog over it is gone, however long that takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const dialog = document.body.appendChild(document.createElement('dialog'));
  dialog.showModal();
  await open(`/chat/${ivoUid}?message=30`, () => undefined);
  const goal = page.getByRole('article').filter({ hasText: /^message 30\d\d:/ });
  await expect.element(goal).toHaveAttribute('data-lit', 'true');
  vi.advanceTimersByTime(60_000);
  dialog.remove();
  await focused(goal);
});

test('a day leads to its first message, or to a sentence', async () => {
  const server = await open(`/chat/${ivoUid}`, (fake) =>
    fake.on('chats/firstSince', ({ since }) => ok({ number: since > Date.UTC(2026, 0, 1) ? null : 40 })),
  );
  await button('Search messages').click();
  await field('Day').fill('2026-03-04');
  await button('Go to day').click();
  await shown(words('There are no messages from this day on.'));
  await expectAccessible();
  await field('Day').fill('2025-03-04');
  await button('Go to day').click();
  await focused(article(40));
  expect(server.asked('chats/firstSince').at(-1)).toEqual({ pairId, since: new Date('2025-03-04T00:00').getTime() });
});

test('from a message far back the log goes on to the newest, page by page, and keeps its place', async () => {
  const server = await open(`/chat/${ivoUid}?message=40`, () => undefined);
  const message = (number: number) =>
    page.getByRole('article').filter({ hasText: new RegExp(`^message ${String(number)}\\d\\d:`) });
  await focused(message(40));
  const box = page.getByRole('log', { name: 'Messages' }).element();
  const topPx = () => Math.round(message(40).element().getBoundingClientRect().top);
  // The log has come to its goal, and holds it for some frames more.
  await still(topPx);
  // Near the last that is loaded, the page after it comes.
  message(40).element().scrollIntoView({ block: 'start' });
  const before = topPx();
  await expect.poll(() => server.asked('chats/earlierMessages').at(-1)).toMatchObject({ before: 120 });
  await expect.poll(() => box.scrollHeight - box.scrollTop - box.clientHeight).toBeGreaterThan(1000);
  expect(topPx()).toBe(before);
  await button('Jump to newest').click();
  await shown(message(400));
  await gone(message(40));
  await gone(button('Jump to newest'));
});

test('says that nothing was found, why a search failed, and that older messages are missing', async () => {
  let asked = 0;
  await open('/chats/search', (fake) =>
    fake.on('chats/search', () => {
      asked += 1;
      if (asked === 1) return ok({ ...pageOf(), isWhole: false, hasMore: true });
      return refused('limit/too-many', { retryAfterMs: 1000 });
    }),
  );
  await field('Words in messages').fill('nowhere');
  await shown(words('No message has these words.'));
  await shown(words('Older messages are still being prepared for the search. Try again in a few minutes.'));
  await shown(button('More messages'));
  await field('Words in messages').fill('nowhere else');
  // It would add what has the new words to what has the old ones.
  await gone(button('More messages'));
  await shown(words(/^Too many/));
  await button('End the search').click();
  await arrivedAt('/chats');
});

test('more pages follow a press, and the answer to earlier words is not shown', async () => {
  const many = (from: number) =>
    Array.from({ length: 30 }, (_, n) => theFound(100 - from - n, `song ${String(100 - from - n)}`));
  const waiting: (() => void)[] = [];
  const server = await open('/chats/search', (fake) =>
    fake.on('chats/search', async ({ words: typed, from = 0 }) => {
      if (typed === 'slow') await new Promise<void>((resolve) => waiting.push(resolve));
      return ok({
        found: typed === 'slow' ? [theFound(1, 'slow one')] : many(from),
        hasMore: from === 0,
        isWhole: true,
      });
    }),
  );
  await field('Words in messages').fill('slow');
  await expect.poll(() => waiting.length).toBe(1);
  await field('Words in messages').fill('song');
  await shown(words('The newest 30 messages'));
  waiting.forEach((answer) => answer());
  await button('More messages').click();
  await shown(words('60 messages'));
  expect(server.asked('chats/search').at(-1)).toEqual({ words: 'song', from: 30 });
  await gone(words('slow one'));
});
