import { clientId, maraUid, uidOf } from '../../testing/connection-fixtures.ts';
import type { Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { beUsed, copiedBy, lookOnPhone, phone, wide } from '../../testing/screens/browser.ts';
import { ok, refused, silence, type FakeServer } from '../../testing/screens/fake-server.ts';
import {
  button,
  field,
  focused,
  gone,
  heading,
  leadsTo,
  link,
  modal,
  shown,
  words,
} from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import {
  aConversation,
  aConversationRow,
  aMessage,
  ivoUid,
  longName,
  pairOf,
  presenceOf,
} from '../../testing/screens/people.ts';
import { restoreTypedText } from '../shell/page-life.ts';
import { aTrack, openRoom } from '../../testing/screens/rooms.ts';
import { navigate } from '../store/address.ts';

type Change = Parameters<typeof aConversation>[1];
const pairId = pairOf(maraUid, ivoUid);
const noorUid = uidOf('Noor');

async function openChat(more: Change = {}, prepare: (server: FakeServer) => void = () => undefined) {
  const opened = await openPage(`/chat/${ivoUid}`, {
    prepare: (server) => {
      server.on('chats/open', () => ok(aConversation('Ivo', more)));
      server.on('soulmate/ask', () => ok({}));
      server.on('soulmate/part', () => ok({}));
      server.on('chats/block', () => ok({}));
      server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
      prepare(server);
    },
  });
  return opened.server;
}
const log = (): Locator => page.getByRole('log', { name: 'Messages' });
const sheet = (): Locator => page.getByRole('dialog', { name: 'Ivo', exact: true });
const avatar = (): Locator => button(/^Ivo(?:, your soulmate)?\. Hold or double-click/);

async function write(text: string): Promise<void> {
  await field('Message').fill(text);
  await userEvent.keyboard('{Enter}');
}

test('a chat that another site opened has delivered its messages, and reads none until the user presses something', async () => {
  beUsed(false);
  const server = await openChat({ messages: [aMessage(ivoUid, 1)] }, (stand) => stand.on('chats/mark', () => ok({})));
  await shown(log().getByText('message 1'));
  window.dispatchEvent(new Event('focus'));
  const read = () => server.asked('chats/mark').filter(({ readUpTo }) => readUpTo > 0);
  // Longer than marks are gathered.
  await new Promise((later) => setTimeout(later, 400));
  expect(read()).toEqual([]);
  beUsed(true);
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(() => read().length).toBe(1);
});

test('a chat that the tap on a push message opened is read at once, and what is answered there too', async () => {
  beUsed(false);
  const records = await caches.open('tunemate-taps');
  await records.put(`/chat/${ivoUid}`, new Response(String(Date.now())));
  const server = await openChat({ messages: [aMessage(ivoUid, 1)] }, (stand) => {
    stand.on('chats/mark', () => ok({}));
    stand.on('chats/send', ({ clientId, text }) =>
      ok({ message: aMessage(ivoUid, 3, { sender: maraUid, clientId, text }) }),
    );
  });
  const readUpTo = () => server.asked('chats/mark').at(-1)?.readUpTo;
  await expect.poll(readUpTo).toBe(1);
  server.tell({
    type: 'chats/messageSent',
    message: aMessage(ivoUid, 2, { text: 'and now?' }),
    other: { uid: ivoUid, name: 'Ivo' },
  });
  await write('coming');
  await expect.poll(readUpTo).toBe(2);
  // Taken, so that a page that another site opens later is not read.
  expect(await records.match(`/chat/${ivoUid}`)).toBeUndefined();
});

test('shows that it loads until the chat is open', async () => {
  await openPage(`/chat/${ivoUid}`, { prepare: (server) => server.on('chats/open', silence) });
  await shown(words('Loading...'));
  await expectAccessible('all');
});

test('shows that it loads until the connection is live', async () => {
  await openPage(`/chat/${ivoUid}`, { prepare: (server) => server.on('session/hello', silence) });
  await shown(words('Loading...'));
  await leadsTo(link('Back'), '/chats');
});

test.each([wide, phone])('a chat that loads has a way back and the bar of the room, $width px wide', async (size) => {
  await page.viewport(size.width, size.height);
  const opening = Promise.withResolvers<void>();
  await openRoom('audio', {
    playing: { tracks: [aTrack('a')] },
    prepare: (server) => {
      server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
      server.on('chats/open', async () => {
        await opening.promise;
        return ok(aConversation('Ivo'));
      });
    },
  });
  await shown(heading('Friday Slow Burn'));
  navigate(`/chat/${ivoUid}`);
  await shown(words('Loading...'));
  await leadsTo(link('Back'), '/chats');
  await shown(link(/^Return to room: /));
  await expectAccessible();
  link('Back').element().focus();
  opening.resolve();
  await shown(link(/^Return to room: /));
  // What had the focus is gone with the page that loaded.
  await focused(heading('Ivo'));
});

test('shows a message with a link back when a chat cannot be opened', async () => {
  await openPage(`/chat/${ivoUid}`, {
    prepare: (server) => server.on('chats/open', () => refused('access/not-found')),
  });
  await shown(words('This chat did not open'));
  await shown(words('This is not here any more.'));
  await leadsTo(link('Back'), '/chats');
  await expectAccessible();
});

test('an empty chat invites the user to write; the head has Back, the name and the presence', async () => {
  const server = await openChat();
  await shown(heading('Ivo'));
  await shown(page.getByRole('main').getByText('Online'));
  await shown(words('Write the first one.'));
  // Below each other in the middle, not spread over the page.
  await page.viewport(1280, 800);
  const topOf = (line: string): number => words(line).element().getBoundingClientRect().top;
  expect(topOf('Write the first one.') - topOf('No messages yet.')).toBeLessThan(60);
  await leadsTo(link('Back'), '/chats');
  await expect.poll(() => document.title).toBe('Ivo · Tunemate');
  await expectAccessible();
  server.tell({ type: 'presence/changed', presence: presenceOf(ivoUid, 'offline') });
  await shown(page.getByRole('main').getByText('Offline'));
});

test('a message shows a clock, then one tick, then two, and in the read colour once it was read', async () => {
  const answer = Promise.withResolvers<void>();
  const server = await openChat({}, (stand) =>
    stand.on('chats/send', async ({ clientId, text }) => {
      await answer.promise;
      return ok({ message: aMessage(ivoUid, 1, { sender: maraUid, clientId, text }) });
    }),
  );
  await write('Are you still up?');
  await expect.element(log().getByText('Sending')).toBeInTheDocument();
  await expect.element(field('Message')).toHaveValue('');
  await expectAccessible();
  answer.resolve();
  await expect.element(log().getByText('Sent')).toBeInTheDocument();
  server.tell({ type: 'chats/marked', pairId, marks: { uid: ivoUid, deliveredUpTo: 1, readUpTo: 0 }, unread: null });
  await expect.element(log().getByText('Delivered')).toBeInTheDocument();
  await expectAccessible();
  const colour = (): string => getComputedStyle(log().element().querySelector('svg') as Element).color;
  const before = colour();
  server.tell({ type: 'chats/marked', pairId, marks: { uid: ivoUid, deliveredUpTo: 1, readUpTo: 1 }, unread: null });
  await expect.element(log().getByText('Read', { exact: true })).toBeInTheDocument();
  expect(log().getByText('Delivered').elements()).toEqual([]);
  expect(colour()).not.toBe(before);
  await expectAccessible('all');
});

test('a half-written message is there again when its chat is opened again, and gone once it is sent', async () => {
  await openChat({}, (stand) => {
    stand.on('chats/open', ({ uid }) => ok(uid === ivoUid ? aConversation('Ivo') : aConversation('Noor')));
    stand.on('chats/typing', () => ok({}));
    stand.on('chats/send', ({ clientId, text }) =>
      ok({ message: aMessage(ivoUid, 1, { sender: maraUid, clientId, text }) }),
    );
  });
  const goTo = async (uid: Uid, name: string): Promise<void> => {
    await link('Back').click();
    await shown(heading('Chats'));
    navigate(`/chat/${uid}`);
    await shown(heading(name));
  };
  await field('Message').fill('Half a rep');
  await goTo(noorUid, 'Noor');
  await expect.element(field('Message')).toHaveValue('');
  await field('Message').fill('And to Noor');
  await goTo(ivoUid, 'Ivo');
  await expect.element(field('Message')).toHaveValue('Half a rep');
  await write('Half a reply');
  await expect.element(log().getByText('Sent')).toBeInTheDocument();
  await goTo(noorUid, 'Noor');
  await expect.element(field('Message')).toHaveValue('And to Noor');
  await goTo(ivoUid, 'Ivo');
  await expect.element(field('Message')).toHaveValue('');
});

test('text that a reload for an update brought back is kept like typed text, and put in no other chat', async () => {
  sessionStorage.setItem(
    'tunemate/typed-text',
    JSON.stringify({ path: `/chat/${ivoUid}`, fields: [{ place: 'input Message', text: 'Half a rep' }] }),
  );
  const opening = Promise.withResolvers<void>();
  await openChat({}, (stand) => {
    stand.on('chats/typing', () => ok({}));
    stand.on('chats/open', async ({ uid }) => {
      if (uid === noorUid) return ok(aConversation('Noor'));
      await opening.promise;
      return ok(aConversation('Ivo'));
    });
  });
  restoreTypedText(sessionStorage);
  navigate(`/chat/${noorUid}`);
  await shown(heading('Noor'));
  opening.resolve();
  await expect.element(field('Message')).toHaveValue('');
  for (const round of ['restored', 'kept']) {
    navigate(`/chat/${ivoUid}`);
    await shown(heading('Ivo'));
    await expect.element(field('Message'), { message: round }).toHaveValue('Half a rep');
    navigate(`/chat/${noorUid}`);
    await shown(heading('Noor'));
  }
});

test('a blank message is not sent, and a note shows when a message is too long', async () => {
  const server = await openChat();
  await write('   ');
  await field('Message').fill('x'.repeat(2001));
  await shown(words('This message is too long. Shorten it to 2,000 characters.'));
  await expectAccessible();
  await button('Send').click();
  expect(server.asked('chats/send')).toEqual([]);
});

test('a refused message shows the reason, and can be sent again or discarded', async () => {
  const server = await openChat({}, (stand) => stand.on('chats/send', () => refused('access/forbidden')));
  await write('hello');
  await shown(log().getByText('Not sent. It can’t be delivered now.'));
  await expectAccessible();
  server.on('chats/send', ({ clientId, text }) =>
    ok({ message: aMessage(ivoUid, 1, { sender: maraUid, clientId, text }) }),
  );
  await log().getByRole('button', { name: 'Retry' }).click();
  await expect.element(log().getByText('Sent')).toBeInTheDocument();
  await expect.element(log().getByRole('article')).toHaveFocus();
  server.on('chats/send', () => refused('chat/first-contact-limit'));
  await write('again');
  await shown(log().getByText('Not sent. Wait for an answer before you write more.'));
  await log().getByRole('button', { name: 'Discard' }).click();
  await gone(log().getByText('again'));
  await expect.element(log().getByRole('article')).toHaveFocus();
});

test('messages of the other person have days, links and a divider above the unread ones; seen messages are marked as read', async () => {
  const server = await openChat({
    messages: [
      aMessage(ivoUid, 1, { text: 'old', timestamp: Date.UTC(2025, 2, 4, 12) }),
      aMessage(ivoUid, 2, { text: 'See https://example.org/tea' }),
    ],
    marks: [{ uid: maraUid, deliveredUpTo: 1, readUpTo: 1 }],
  });
  await shown(log().getByText('New messages'));
  await shown(log().getByText('Today'));
  await expect
    .element(log().getByRole('link', { name: 'https://example.org/tea' }))
    .toHaveAttribute('target', '_blank');
  await expectAccessible('all');
  server.tell({
    type: 'chats/messageSent',
    message: aMessage(ivoUid, 3, { text: 'and now?' }),
    other: { uid: ivoUid, name: 'Ivo' },
  });
  await shown(log().getByText(/^and now\?/));
  server.sendEphemeral({ type: 'chats/typing', uid: ivoUid });
  await shown(page.getByRole('main').getByText('Typing…'));
  await expectAccessible();
});

test('the other person is notified while the user types', async () => {
  const server = await openChat({ messages: [aMessage(ivoUid, 1)] });
  await field('Message').fill('h');
  await expect.poll(() => server.asked('chats/typing')).toEqual([{ uid: ivoUid }]);
});

test('a message can be copied', async () => {
  await openChat({ messages: [aMessage(ivoUid, 1, { text: 'keep this' })] });
  await log()
    .getByText(/^keep this/)
    .hover();
  const copy = log().getByRole('button', { name: 'Copy' });
  await expect.poll(() => copiedBy(() => copy.click())).toBe('keep this');
  await shown(words('Message copied'));
});

test('of a thousand messages only the visible ones are in the page, earlier ones are loaded, and a button scrolls to the newest', async () => {
  const server = await openChat(
    {
      messages: Array.from({ length: 50 }, (_, index) => aMessage(ivoUid, 951 + index)),
      hasEarlierMessages: true,
      marks: [{ uid: maraUid, deliveredUpTo: 1000, readUpTo: 1000 }],
    },
    (stand) =>
      stand.on('chats/earlierMessages', ({ before }) =>
        ok({
          messages: Array.from({ length: 50 }, (_, index) => aMessage(ivoUid, before - 50 + index)),
          hasEarlierMessages: before > 51,
        }),
      ),
  );
  await shown(log().getByText(/^message 1000/));
  // Once more where the page before has come since: the log keeps its place then.
  await expect
    .poll(() => {
      log().element().scrollTop = 0;
      return server.asked('chats/earlierMessages').length;
    })
    .toBeGreaterThan(1);
  expect(log().element().querySelectorAll('[data-index]').length).toBeLessThan(80);
  await expectAccessible('this');
  await button('Jump to newest').click();
  await shown(log().getByText(/^message 1000/));
});

test('earlier messages that failed to load can be loaded again', async () => {
  const server = await openChat({ messages: [aMessage(ivoUid, 51)], hasEarlierMessages: true }, (stand) =>
    stand.on('chats/earlierMessages', () => refused('server/failed')),
  );
  await shown(button('Earlier messages'));
  await expectAccessible();
  server.on('chats/earlierMessages', () => ok({ messages: [aMessage(ivoUid, 50)], hasEarlierMessages: false }));
  await button('Earlier messages').click();
  await shown(log().getByText(/^message 50/));
});

test('on a phone a double-click on the avatar sends a soulmate request after a confirmation', async () => {
  await lookOnPhone();
  const server = await openChat();
  await avatar().dblClick();
  await shown(modal('Ask Ivo to be your soulmate?').getByText('They can accept or decline.'));
  await expectAccessible();
  await lookOnPhone();
  await modal('Ask Ivo to be your soulmate?').getByRole('button', { name: 'Cancel' }).click();
  expect(server.asked('soulmate/ask')).toEqual([]);
  await avatar().dblClick();
  await modal('Ask Ivo to be your soulmate?').getByRole('button', { name: 'Ask' }).click();
  await shown(words('Invitation sent!'));
  expect(server.asked('soulmate/ask')).toMatchObject([{ uid: ivoUid }]);
});

test('on a phone a long press on the avatar of the soulmate ends the link after a confirmation', async () => {
  await lookOnPhone();
  const server = await openChat({ isSoulmate: true });
  await shown(avatar());
  const finger = { bubbles: true, isPrimary: true, button: 0, clientX: 60, clientY: 30 };
  avatar().element().dispatchEvent(new PointerEvent('pointerdown', finger));
  await shown(modal('Part from Ivo?').getByText('You are no longer each other’s soulmates.'));
  avatar().element().dispatchEvent(new PointerEvent('pointerup', finger));
  await modal('Part from Ivo?').getByRole('button', { name: 'Part' }).click();
  await expect.poll(() => server.asked('soulmate/part').length).toBe(1);
  server.tell({ type: 'soulmate/changed', soulmate: null });
  await shown(button(/^Ivo\. Hold or double-click to ask/));
});

test('on a wide screen a click on the avatar does nothing; Enter and the menu ask for a confirmation', async () => {
  await openChat();
  await avatar().dblClick();
  await gone(page.getByRole('alertdialog'));
  avatar().element().focus();
  await userEvent.keyboard('{Enter}');
  await shown(modal('Ask Ivo to be your soulmate?'));
  await userEvent.keyboard('{Escape}');
  await button('More').click();
  await sheet().getByRole('button', { name: 'Ask to be soulmates' }).click();
  await shown(modal('Ask Ivo to be your soulmate?'));
});

test('shows why a soulmate request is refused', async () => {
  const server = await openChat({}, (stand) => stand.on('soulmate/ask', () => refused('soulmate/self-taken')));
  await button('More').click();
  await focused(sheet().getByRole('button', { name: 'Close' }));
  // On phones the head has a band, whose colours are not the sheet's.
  await expectAccessible('all');
  await sheet().getByRole('button', { name: 'Ask to be soulmates' }).click();
  await modal('Ask Ivo to be your soulmate?').getByRole('button', { name: 'Ask' }).click();
  await shown(modal('That did not work').getByText('You already have a soulmate.'));
  expect(server.asked('soulmate/ask')).toHaveLength(1);
});

test('blocking says what it does before, and one line takes the place of the message field until it is undone', async () => {
  const server = await openChat({ isSoulmate: true });
  await shown(field('Message'));
  server.tell({ type: 'soulmate/changed', soulmate: { uid: ivoUid, name: 'Ivo', presence: presenceOf(ivoUid) } });
  await button('More').click();
  await shown(sheet().getByText('Your soulmate'));
  await sheet().getByRole('button', { name: 'Block' }).click();
  await shown(
    modal('Block Ivo?').getByText(/^You are no longer soulmates\. You leave each other’s lists, and Ivo leaves/),
  );
  await expectAccessible();
  await modal('Block Ivo?').getByRole('button', { name: 'Block' }).click();
  await expect.poll(() => server.asked('chats/block')).toEqual([{ uid: ivoUid, isBlocked: true }]);
  await shown(words('Ivo is blocked'));
  server.tell({ type: 'chats/blocked', uid: ivoUid, isBlocked: true });
  server.tell({ type: 'chats/closed', uid: ivoUid, isClosed: true });
  await shown(words('You can’t write to Ivo now.'));
  await gone(field('Message'));
  await gone(button('Add a photo'));
  await expectAccessible();
  await button('More').click();
  await sheet().getByRole('button', { name: 'Unblock' }).click();
  await modal('Unblock Ivo?').getByRole('button', { name: 'Unblock' }).click();
  await expect.poll(() => server.asked('chats/block').at(-1)).toEqual({ uid: ivoUid, isBlocked: false });
  server.tell({ type: 'chats/blocked', uid: ivoUid, isBlocked: false });
  server.tell({ type: 'chats/closed', uid: ivoUid, isClosed: false });
  await shown(field('Message'));
});

test('a blocked user reads the same line, and not who did it', async () => {
  const server = await openChat();
  await shown(field('Message'));
  server.tell({ type: 'chats/closed', uid: ivoUid, isClosed: true });
  await shown(words('You can’t write to Ivo now.'));
  await gone(field('Message'));
  await gone(words('Write the first one.'));
  await button('More').click();
  await shown(sheet().getByRole('button', { name: 'Block' }));
});

test('the longest names and messages fit the page', async () => {
  await openChat({
    other: { uid: ivoUid, name: longName },
    messages: [aMessage(ivoUid, 1, { text: longName.repeat(20) })],
  });
  await shown(heading(longName));
  await expectAccessible();
});

test('at four times the size the head of a chat grows with the lines of a name', async () => {
  await page.viewport(320, 640);
  await openChat({ other: { uid: ivoUid, name: longName } });
  await shown(heading(longName));
  const name = heading(longName).element().getBoundingClientRect();
  const head = heading(longName).element().closest('header')?.getBoundingClientRect();
  expect(name.top).toBeGreaterThanOrEqual(head?.top ?? Infinity);
  expect(name.bottom).toBeLessThanOrEqual(head?.bottom ?? 0);
});

test('a chat with a deleted account can be read, with a note in place of the message field', async () => {
  await openChat({
    other: { uid: ivoUid, name: 'Deleted user' },
    isGone: true,
    isClosed: true,
    presence: null,
    messages: [aMessage(ivoUid, 1, { text: 'remember me' })],
  });
  await shown(log().getByText(/^remember me/));
  await shown(words('You can’t write to Deleted user now.'));
  await gone(field('Message'));
  await gone(button('Add a photo'));
  await button('More').click();
  await expect.element(button('Ask to be soulmates This account is gone')).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible('this');
});

test('a message to an account that was deleted meanwhile shows a note below it', async () => {
  await openChat({}, (server) => server.on('chats/send', () => refused('access/not-found')));
  await write('are you there?');
  await shown(words('Not sent. This account is gone.'));
});

test('a photo that was uploaded and not sent for too long is gone, and not the account', async () => {
  const image = { imageId: 'i1', width: 600, height: 400 };
  const unsent = { clientId: clientId(7), uid: ivoUid, text: '', image, writtenAtMs: 1, failure: null };
  localStorage.setItem(`tunemate/outbox/${maraUid}/${unsent.clientId}`, JSON.stringify({ place: 1, one: unsent }));
  await openChat({}, (server) => server.on('chats/send', () => refused('access/not-found')));
  await shown(words('Not sent. This is not here any more.'));
});
