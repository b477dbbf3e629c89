import { maraUid } from '../../testing/connection-fixtures.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok } from '../../testing/screens/fake-server.ts';
import { field, focused, gone, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid } from '../../testing/screens/people.ts';
import { still } from '../../testing/screens/settled.ts';

const entries = (): Locator => page.getByRole('article');
const menu = (): Locator => page.getByRole('menu', { name: /essage of/ });

async function openChat() {
  const messages = [
    aMessage(ivoUid, 1, { text: 'an insult' }),
    aMessage(ivoUid, 2, { sender: maraUid, text: 'an answer' }),
  ];
  const opened = await openPage(`/chat/${ivoUid}`, {
    prepare: (server) => {
      server.on('chats/open', () => ok(aConversation('Ivo', { messages })));
      server.on('reports/send', () => ok({}));
    },
  });
  await shown(entries().first());
  return opened.server;
}

test('a message of the other person is reported by keyboard alone, with a reason', async () => {
  const server = await openChat();
  (entries().last().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowUp}');
  await focused(entries().first());
  await userEvent.keyboard('{Enter}');
  await shown(menu().getByRole('menuitem', { name: 'Copy' }));
  await expectAccessible('all');
  await userEvent.keyboard('{Escape}');
  await gone(menu());
  await focused(entries().first());
  await userEvent.keyboard('{Enter}');
  await menu().getByRole('menuitem', { name: 'Report' }).click();
  await focused(field('What is wrong?'));
  await shown(
    words(/^The person who runs this server will read this message and what you write\. Ivo does not learn of it\.$/),
  );
  await userEvent.keyboard('Insults{Enter}');
  await shown(words('Reported. You get a notification when it was read.'));
  expect(server.asked('reports/send')).toMatchObject([
    { uid: ivoUid, reason: 'Insults', about: { type: 'privateMessage', number: 1 } },
  ]);
});

/** A chat longer than the window, at its end, with the menu of its last message. */
async function openLastMenu() {
  await page.viewport(1280, 400);
  const messages = Array.from({ length: 20 }, (_, index) => aMessage(ivoUid, index + 1, { text: 'a message' }));
  const marks = [{ uid: maraUid, deliveredUpTo: 20, readUpTo: 20 }];
  await openPage(`/chat/${ivoUid}`, {
    prepare: (server) => server.on('chats/open', () => ok(aConversation('Ivo', { messages, marks }))),
  });
  await shown(entries().last());
  const log = page.getByRole('log').element();
  const belowPx = () => log.scrollHeight - log.scrollTop - log.clientHeight;
  await expect.poll(belowPx).toBe(0);
  const last = entries().last().element() as HTMLElement;
  const topPx = await still(() => last.getBoundingClientRect().top);
  last.focus();
  await userEvent.keyboard('{Enter}');
  const reply = menu().getByRole('menuitem', { name: 'Reply' });
  await shown(reply);
  return { last, movedPx: last.getBoundingClientRect().top - topPx, reply, belowPx };
}

test('a message stays in its place while its menu is open', async () => {
  expect((await openLastMenu()).movedPx).toBe(0);
});

test('the last message stays in sight when it is answered, though its row changes at the same moment', async () => {
  const { last, reply, belowPx } = await openLastMenu();
  const row = last.closest<HTMLElement>('[data-index]');
  reply.element().addEventListener('click', () => row?.style.setProperty('padding-bottom', '20px'));
  await reply.click();
  await shown(words('Reply to Ivo'));
  await expect.poll(belowPx).toBe(0);
});

test('one’s own message has no Report, and a right click opens the menu too', async () => {
  await openChat();
  await entries().last().click({ button: 'right' });
  await shown(menu().getByRole('menuitem', { name: 'Copy' }));
  await gone(menu().getByRole('menuitem', { name: 'Report' }));
});

test('Tab stays in the menu, and arrow keys go where they point, from right to left too', async () => {
  await openChat();
  (entries().last().element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await shown(menu().getByRole('menuitem', { name: 'Copy' }));
  await userEvent.keyboard('{Tab}');
  await focused(menu().getByRole('menuitem', { name: 'Reply' }));
  const emoji = menu().getByRole('menuitemcheckbox');
  try {
    for (const [dir, key] of [
      ['ltr', 'ArrowRight'],
      ['rtl', 'ArrowLeft'],
    ]) {
      document.documentElement.dir = dir ?? '';
      (emoji.first().element() as HTMLElement).focus();
      await userEvent.keyboard(`{${key ?? ''}}`);
      await focused(emoji.nth(1));
    }
  } finally {
    document.documentElement.dir = '';
  }
});

test('a message that its sender has taken back is reported too', async () => {
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      const taken = aMessage(ivoUid, 1, { text: '', state: 'deleted' });
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [taken] })));
      stand.on('reports/send', () => ok({}));
    },
  });
  await shown(entries().first());
  await entries().first().click({ button: 'right' });
  await menu().getByRole('menuitem', { name: 'Report' }).click();
  await focused(field('What is wrong?'));
  await userEvent.keyboard('A threat{Enter}');
  await expect
    .poll(() => server.asked('reports/send'))
    .toMatchObject([{ reason: 'A threat', about: { type: 'privateMessage', number: 1 } }]);
});

test('a photo that did not load, as without a network, is fetched again while it is on the screen', async () => {
  const server = await openChat();
  let failures = 0;
  const onError = ({ target }: Event): void => void (failures += Number(target instanceof HTMLImageElement));
  document.addEventListener('error', onError, true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    document.removeEventListener('error', onError, true);
  });
  // The server of these tests has no files.
  const image = { imageId: '00000000-0000-4000-8000-000000000000', width: 40, height: 30 } as never;
  const message = aMessage(ivoUid, 3, { text: '', image });
  server.tell({ type: 'chats/messageSent', message, other: { uid: ivoUid, name: 'Ivo' } });
  await expect.poll(() => failures).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  await expect.poll(() => failures).toBe(2);
});
