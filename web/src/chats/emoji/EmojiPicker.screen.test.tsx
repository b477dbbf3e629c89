import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid } from '../../../testing/screens/people.ts';

const dialog = () => page.getByRole('dialog', { name: 'Emoji' });
const isList = ({ name }: PerformanceEntry) => name.endsWith('/emoji/en.txt');
const lists = () => performance.getEntriesByType('resource').filter(isList).length;

async function openChat() {
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1)] }))),
  });
  await shown(field('Message'));
  return server;
}

beforeEach(() => localStorage.removeItem('tunemate/recent-emoji'));

test('on a desktop an emoji is searched by word and written where the caret was; nothing is loaded before', async () => {
  performance.clearResourceTimings();
  await openChat();
  expect(lists()).toBe(0);
  await field('Message').fill('to night');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  const written = field('Message').element();
  await button('Emoji').click();
  await focused(field('Search emoji'));
  await shown(button('grinning face'));
  // What is written stays in sight.
  const top = written.getBoundingClientRect().top;
  await expect.poll(() => dialog().element().getBoundingClientRect().bottom).toBeLessThanOrEqual(top);
  await expectAccessible('all');
  await userEvent.keyboard('guitar{Enter}');
  await gone(dialog());
  await focused(field('Message'));
  await expect.element(field('Message')).toHaveValue('to 🎸night');
});

test('arrows go from the search through the rows; Escape closes and writes nothing', async () => {
  await openChat();
  await button('Emoji').click();
  await shown(button('grinning face'));
  await userEvent.keyboard('{ArrowDown}{ArrowRight}');
  await focused(button('grinning face with big eyes'));
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{ArrowUp}');
  await focused(field('Search emoji'));
  await userEvent.keyboard('xyzzy');
  await shown(words('No results found'));
  await userEvent.keyboard('{Escape}');
  // Browsers take the first Escape in a search field for its text.
  await userEvent.keyboard('{Escape}');
  await gone(dialog());
  await focused(button('Emoji'));
  await expect.element(field('Message')).toHaveValue('');
});

test('what was chosen last stands first the next time, above shorter rows that arrows cross', async () => {
  await openChat();
  await button('Emoji').click();
  await button('Objects').click();
  await button('headphone').click();
  await button('Emoji').click();
  await shown(words('Recent'));
  await expectAccessible('all');
  await userEvent.keyboard('{ArrowDown}');
  await focused(button('headphone'));
  await userEvent.keyboard('{ArrowDown}');
  await focused(button('grinning face'));
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.element(field('Message')).toHaveValue('🎧🎧');
});

test('a skin tone is kept on the device, and counts for those that have tones', async () => {
  localStorage.removeItem('tunemate/skin-tone');
  await openChat();
  await button('Emoji').click();
  await button('People').click();
  await button('Medium dark').click();
  await button('thumbs up').click();
  await expect.element(field('Message')).toHaveValue('👍🏾');
  await button('Emoji').click();
  await expect.element(button('Medium dark')).toHaveAttribute('aria-pressed', 'true');
  await button('Objects').click();
  await button('headphone').click();
  await expect.element(field('Message')).toHaveValue('👍🏾🎧');
  localStorage.removeItem('tunemate/skin-tone');
});

test('an emoji that this device draws as several is not offered: no row is wider than the others', async () => {
  await openChat();
  await button('Emoji').click();
  await shown(button('grinning face'));
  const keys = Array.from(document.querySelectorAll('[data-emoji-grid] button'));
  const [plain = 0, ...others] = keys.map((key) => {
    const range = document.createRange();
    range.selectNodeContents(key);
    return range.getBoundingClientRect().width;
  });
  expect(others.length).toBeGreaterThan(100);
  expect(Math.max(...others)).toBeLessThan(plain * 1.6);
});

test('a phone has its own, and gets no button', async () => {
  await lookOnPhone();
  await openChat();
  await gone(button('Emoji'));
});
