import type { ConversationRow } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { type FakeServer, ok, refused } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, field, gone, link, modal, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aMessage, ivoUid } from '../../../testing/screens/people.ts';

const adaUid = uidOf('Ada');
async function open(
  conversations: ConversationRow[],
  prepare: (server: FakeServer) => void = () => undefined,
  path = '/chats',
) {
  const { server } = await openPage(path, {
    prepare: (fake) => {
      fake.on('chats/list', () => ok({ conversations }));
      fake.on('chats/arrange', () => ok({}));
      fake.on('chats/clear', () => ok({}));
      fake.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 7, { text: 'hello' })] })));
      prepare(fake);
    },
  });
  return server;
}
const rows = () => page.getByRole('list', { name: 'Chats' }).getByRole('listitem');
const names = () =>
  rows()
    .elements()
    .map((row) => row.querySelector('strong')?.textContent);
const ivo = aConversationRow('Ivo', { timestamp: 2000 });
const ada = aConversationRow('Ada', { timestamp: 1000 }, { unread: 2 });
const sheet = () => page.getByRole('dialog', { name: 'Ivo', exact: true });
const holdIvo = () => link(/Ivo/).click({ button: 'right', position: { x: 120, y: 20 } });

test('a right click opens the menu of a chat, which pins it; the row moves up when the server says so', async () => {
  const server = await open([aConversationRow('Ada', { timestamp: 3000 }), ivo]);
  await holdIvo();
  await shown(sheet());
  await expectAccessible();
  await button('Pin').click();
  await gone(sheet());
  await expect.poll(() => server.asked('chats/arrange')).toEqual([{ pairId: ivo.pairId, isPinned: true }]);
  expect(names()).toEqual(['Ada', 'Ivo']);
  server.tell({ type: 'chats/arranged', pairId: ivo.pairId, isPinned: true, isMuted: true, isArchived: false });
  await expect.poll(names).toEqual(['Ivo', 'Ada']);
  await expect.element(rows().first()).toMatchTextContent(/Pinned.*Muted/);
  await expectAccessible('all');
});

test('the sheet of a chat sets when its messages go, and the chat says who set it', async () => {
  const server = await open([ivo], (fake) => fake.on('chats/setTimer', () => ok({})), `/chat/${ivoUid}`);
  await button('Ivo').first().click();
  await expect.element(page.getByRole('radio', { name: /They stay/ })).toBeChecked();
  await shown(words('Messages go after'));
  for (const days of ['1 day', '30 days']) await shown(page.getByRole('radio', { name: days }));
  await page.getByRole('radio', { name: /7 days/ }).click();
  await expect.poll(() => server.asked('chats/setTimer')).toEqual([{ pairId: ivo.pairId, days: 7 }]);
  server.tell({ type: 'chats/timerSet', pairId: ivo.pairId, timer: { days: 7, by: ivoUid, at: Date.now() } });
  await expect.element(page.getByRole('radio', { name: /7 days/ })).toBeChecked();
  await expectAccessible();
  await userEvent.keyboard('{Escape}');
  await shown(words('Ivo set messages to go after 7 days'));
});

test('the 21st pin is refused with a sentence', async () => {
  await open([ivo], (server) => server.on('chats/arrange', () => refused('limit/too-many')));
  await holdIvo();
  await button('Pin').click();
  await shown(words('You can pin 20 chats. Unpin another one first.'));
});

test('unread chats are shown alone on request, and archived ones on a list of their own', async () => {
  await open([ivo, ada, aConversationRow('Noor', { timestamp: 500 }, { isArchived: true })]);
  await expect.poll(names).toEqual(['Ivo', 'Ada']);
  await button('Unread 1').click();
  await expect.poll(names).toEqual(['Ada']);
  await button('All').click();
  await button('Archived (1)').click();
  await expect.poll(names).toEqual(['Noor']);
  await expectAccessible();
  await button('Unread').click();
  await shown(words('No unread chats.'));
  await button('Back to all chats').click();
  await expect.poll(names).toEqual(['Ada']);
});

test('deleting a chat for oneself asks first, and goes up to the last message that was seen', async () => {
  const server = await open([ivo, ada]);
  await holdIvo();
  await button('Delete chat for me').click();
  await shown(modal('Delete the chat with Ivo for you?'));
  await button('Cancel').click();
  expect(server.asked('chats/clear')).toEqual([]);
  await holdIvo();
  await button('Delete chat for me').click();
  await button('Delete for me').click();
  await expect.poll(() => server.asked('chats/clear')).toEqual([{ pairId: ivo.pairId, upTo: 1 }]);
  server.tell({ type: 'chats/cleared', pairId: ivo.pairId, upTo: 1, unread: 0 });
  await expect.poll(names).toEqual(['Ada']);
});

test('an open chat has the same actions in its menu, and shows nothing of what was deleted', async () => {
  const server = await open([{ ...ivo, isMuted: true }], undefined, `/chat/${ivoUid}`);
  await shown(words('hello').first());
  await shown(page.getByRole('main').getByText('Muted'));
  await button('More').click();
  await button('Delete chat for me').click();
  await button('Delete for me').click();
  await expect.poll(() => server.asked('chats/clear')).toEqual([{ pairId: ivo.pairId, upTo: 7 }]);
  await arrivedAt('/chats');
});

test('an answer that comes when the user is in another chat leaves them there', async () => {
  const answer = Promise.withResolvers<void>();
  await open(
    [ivo, ada],
    (server) => server.on('chats/clear', () => answer.promise.then(() => ok({}))),
    `/chat/${ivoUid}`,
  );
  await shown(words('hello').first());
  await button('More').click();
  await button('Delete chat for me').click();
  await button('Delete for me').click();
  await link('Back').click();
  await link(/Ada/).click();
  await arrivedAt(`/chat/${adaUid}`);
  answer.resolve();
  await shown(words('Chat deleted for you'));
  await arrivedAt(`/chat/${adaUid}`);
});

test('a chat with a message that was not sent says so in the list', async () => {
  await open([ivo, ada], (server) => server.on('chats/send', () => refused('access/forbidden')), `/chat/${ivoUid}`);
  await shown(words('hello').first());
  await field('Message').fill('are you there?');
  await userEvent.keyboard('{Enter}');
  await shown(page.getByRole('main').getByText(/^Not sent\./));
  await link('Back').click();
  await expect.element(rows().first()).toMatchTextContent(/Ivo.*Not sent\. are you there\?/);
  await expect.element(rows().last()).not.toMatchTextContent(/Not sent/);
  await expectAccessible();
});

test('a chat that is deleted on another device is empty here, and begins with the next message', async () => {
  const server = await open([ivo], undefined, `/chat/${ivoUid}`);
  await shown(words('hello').first());
  server.tell({ type: 'chats/cleared', pairId: ivo.pairId, upTo: 7, unread: 0 });
  await shown(words('No messages yet.'));
  server.tell({
    type: 'chats/messageSent',
    message: aMessage(ivoUid, 8, { text: 'and now?' }),
    other: { uid: ivoUid, name: 'Ivo' },
  });
  await shown(page.getByRole('article').filter({ hasText: 'and now?' }));
  await gone(page.getByRole('article').filter({ hasText: 'hello' }));
});

test('a row shows that the person is typing, until their message is there', async () => {
  const server = await open([ivo, ada]);
  await shown(link(/Ada/));
  server.sendEphemeral({ type: 'chats/typing', uid: adaUid });
  await expect.element(link(/Ada/)).toMatchTextContent(/Typing…/);
  server.tell({
    type: 'chats/messageSent',
    message: aMessage(adaUid, 5, { text: 'here' }),
    other: { uid: adaUid, name: 'Ada' },
  });
  await expect.element(link(/Ada/)).toMatchTextContent(/here/);
});

test('who types is still shown as typing in the chat that is opened from the list', async () => {
  const server = await open([ivo]);
  await shown(link(/Ivo/));
  server.sendEphemeral({ type: 'chats/typing', uid: ivoUid });
  await expect.element(link(/Ivo/)).toMatchTextContent(/Typing…/);
  // In one step: it is shown for five seconds.
  (link(/Ivo/).element() as HTMLElement).click();
  await shown(page.getByRole('log'));
  await shown(page.getByRole('main').getByText('Typing…'));
});

test('the search and a new chat stand in one line above the chats, and what is listed in another', async () => {
  await open([ivo, { ...ada, isArchived: true }]);
  await shown(button('Archived (1)'));
  for (const line of [
    ['Search chats', 'New chat'],
    ['All', 'Unread', 'Archived (1)'],
  ]) {
    const middles = line.map((name) => {
      const key = name === 'Search chats' ? link(name) : button(name);
      const { top, bottom } = key.element().getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    });
    expect(new Set(middles).size).toBe(1);
  }
});

test('an archived chat comes back with a message, a muted one stays', async () => {
  const noor = aConversationRow('Noor', { timestamp: 500 }, { isArchived: true, isMuted: true });
  const server = await open([ivo, { ...ada, isArchived: true }, noor]);
  await expect.poll(names).toEqual(['Ivo']);
  for (const { other, last } of [ada, noor]) {
    const message = aMessage(other.uid, last.number + 1, { text: 'again', timestamp: 9000 });
    server.tell({ type: 'chats/messageSent', message, other });
  }
  await expect.poll(names).toEqual(['Ada', 'Ivo']);
  await shown(button('Archived (1)'));
  await userEvent.keyboard('{Escape}');
});
