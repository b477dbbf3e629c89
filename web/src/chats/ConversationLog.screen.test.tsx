/** What a screen reader says of a private chat: each message that arrives, once, and the message that has the focus. */
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { maraUid } from '../../testing/connection-fixtures.ts';
import { renderOf } from '../../testing/screens/render-of.ts';
import { ok, silence } from '../../testing/screens/fake-server.ts';
import { shown } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid } from '../../testing/screens/people.ts';

const image = { imageId: '00000000-0000-4000-8000-000000000000', width: 40, height: 30 } as never;

/** Opens a chat with one message of Ivo's and one of Mara's, and collects what its live region says from then on. */
async function openChat() {
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      const messages = [
        aMessage(ivoUid, 1, { text: 'old' }),
        aMessage(ivoUid, 2, { text: 'also old' }),
        aMessage(ivoUid, 3, { sender: maraUid, text: 'mine' }),
      ];
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages })));
      stand.on('chats/hide', () => ok({}));
    },
  });
  await shown(page.getByRole('article').first());
  const region = document.querySelector('main output');
  if (region === null) throw new Error('no live region');
  const said: string[] = [];
  const say = ({ addedNodes, target, type }: MutationRecord): void => {
    const nodes = type === 'characterData' ? [target] : [...addedNodes];
    for (const { textContent } of nodes) if (textContent) said.push(textContent);
  };
  new MutationObserver((changes) => changes.forEach(say)).observe(region, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  const comes = (number: number, more: Parameters<typeof aMessage>[2]) =>
    server.tell({
      type: 'chats/messageSent',
      message: aMessage(ivoUid, number, more),
      other: { uid: ivoUid, name: 'Ivo' },
    });
  return { server, said, comes };
}

test('each message that arrives is read out, also the same words twice, and a photo', async () => {
  const { said, comes } = await openChat();
  comes(4, { text: 'yes' });
  await expect.poll(() => said).toEqual(['yes']);
  comes(5, { text: 'yes' });
  await expect.poll(() => said).toEqual(['yes', 'yes']);
  comes(6, { text: '', image });
  await expect.poll(() => said).toEqual(['yes', 'yes', 'Photo']);
  comes(7, { text: 'and' });
  comes(8, { text: 'this' });
  await expect.poll(() => said).toEqual(['yes', 'yes', 'Photo', 'and', 'this']);
});

test('the newest message is reached by keys also where the line of a timer stands behind it', async () => {
  const { server } = await openChat();
  const newest = page.getByRole('article').last();
  await expect.element(newest).toHaveAttribute('tabindex', '0');
  const { pairId } = aConversation('Ivo');
  server.tell({ type: 'chats/timerSet', pairId, timer: { days: 7, by: ivoUid, at: Date.now() } });
  await shown(page.getByText('Ivo set messages to go after 7 days'));
  await expect.element(newest).toHaveAttribute('tabindex', '0');
});

test('no older message is read out when a later one goes', async () => {
  const { said, server } = await openChat();
  server.tell({
    type: 'chats/messageChanged',
    message: aMessage(ivoUid, 3, { sender: maraUid, text: '', state: 'hidden', revision: 1 }),
    unread: 0,
  });
  await expect.poll(() => page.getByRole('article').length).toBe(2);
  expect(said).toEqual([]);
});

test('the words of the message that has the focus describe it', async () => {
  await openChat();
  (page.getByRole('article').last().element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect
    .element(page.elementLocator(document.activeElement ?? document.body))
    .toHaveAccessibleDescription(/also old/);
});

test('a message that comes or is sent renders none of the rows above it again', async () => {
  const { comes, server } = await openChat();
  server.on('chats/send', silence);
  const first = page.getByRole('article').first().element();
  await expect.poll(() => page.getByRole('article').length).toBe(3);
  const before = renderOf(first);
  comes(4, { text: 'yes' });
  await expect.poll(() => page.getByRole('article').length).toBe(4);
  await page.getByRole('textbox', { name: 'Message' }).fill('and');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => page.getByRole('article').length).toBe(5);
  expect(page.getByRole('article').first().element()).toBe(first);
  expect(renderOf(first)).toBe(before);
});
