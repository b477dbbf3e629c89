import type { PrivateMessage } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { type FakeServer, ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, heading, modal, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aMessage, ivoUid, pairOf } from '../../../testing/screens/people.ts';
import { navigate } from '../../store/address.ts';

const pairId = pairOf(maraUid, ivoUid);
const entries = (): Locator => page.getByRole('article');
const menu = (): Locator => page.getByRole('menu', { name: /essage of/ });
const item = (name: string): Locator => menu().getByRole('menuitem', { name });

const theirs = (number: number, more: Partial<PrivateMessage> = {}) => aMessage(ivoUid, number, more);
const mine = (number: number, more: Partial<PrivateMessage> = {}) =>
  aMessage(ivoUid, number, { sender: maraUid, ...more });

/** Answers what the page asks for and sends the change, as the server does. */
async function openChat(messages: PrivateMessage[], prepare: (server: FakeServer) => void = () => undefined) {
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages })));
      for (const name of ['chats/edit', 'chats/delete', 'chats/hide', 'chats/react'] as const)
        stand.on(name, () => ok({}));
      stand.on('chats/send', ({ clientId, text }) => ok({ message: mine(99, { clientId, text }) }));
      prepare(stand);
    },
  });
  await shown(entries().first());
  const change = (message: PrivateMessage) => server.tell({ type: 'chats/messageChanged', message, unread: 0 });
  return { server, change };
}
const focus = (entry: Locator) => (entry.element() as HTMLElement).focus();

test('a message is answered by its key; the quote is sent, shown and leads to the message', async () => {
  const quote = {
    number: 1,
    clientId: theirs(1).clientId,
    sender: ivoUid,
    text: 'Which take?',
    hasImage: false,
    isGone: false,
  };
  const { server } = await openChat([theirs(1, { text: 'Which take?' }), mine(2, { text: 'Hm' })], (stand) =>
    stand.on('chats/send', ({ clientId, text }) => ok({ message: mine(3, { clientId, text, reply: quote }) })),
  );
  focus(entries().first());
  await userEvent.keyboard('r');
  await shown(words('Reply to Ivo'));
  await focused(field('Message'));
  await expectAccessible('all');
  await userEvent.keyboard('The slow one{Enter}');
  await gone(words('Reply to Ivo'));
  expect(server.asked('chats/send')).toMatchObject([{ text: 'The slow one', replyTo: 1 }]);
  await button(/^Answers\s+Ivo/).click();
  await focused(entries().first());
});

test('a quote of a message that is not loaded loads it and goes there', async () => {
  const page = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => theirs(from + n));
  const named = { ...{ number: 3, clientId: theirs(3).clientId, sender: ivoUid }, text: 'message 3' };
  const reply = { ...named, hasImage: false, isGone: false };
  const { server } = await openChat([...page(101, 149), mine(150, { text: 'that one', reply })], (stand) => {
    const messages = [...page(101, 149), mine(150, { text: 'that one', reply })];
    const marks = [{ uid: maraUid, deliveredUpTo: 149, readUpTo: 149 }];
    stand.on('chats/open', () => ok(aConversation('Ivo', { messages, marks, hasEarlierMessages: true })));
    stand.on('chats/earlierMessages', ({ before, downTo = before }) => {
      const from = Math.max(1, Math.min(downTo, before - 50));
      return ok({ messages: page(from, before - 1), hasEarlierMessages: from > 1 });
    });
  });
  await button(/^Answers\s+Ivo/).click();
  await expect.poll(() => document.activeElement?.getAttribute('data-number')).toBe('3');
  expect(server.asked('chats/earlierMessages').length).toBeGreaterThan(0);
});

test('Escape drops the reply and keeps the text', async () => {
  const { server } = await openChat([theirs(1)]);
  focus(entries().first());
  await userEvent.keyboard('r');
  await focused(field('Message'));
  await userEvent.keyboard('still here{Escape}');
  await gone(words('Reply to Ivo'));
  await expect.element(field('Message')).toHaveValue('still here');
  await userEvent.keyboard('{Enter}');
  expect(server.asked('chats/send')[0]).not.toHaveProperty('replyTo');
});

test('arrow up in the empty field edits the last message; the draft of before is kept, and a clock shows until it is stored', async () => {
  const answer = Promise.withResolvers<void>();
  const { server, change } = await openChat([mine(1, { text: 'at eight' })], (stand) =>
    stand.on('chats/edit', async () => {
      await answer.promise;
      return ok({});
    }),
  );
  await field('Message').click();
  await userEvent.keyboard('{ArrowUp}');
  await shown(words('Edit message'));
  await expect.element(field('Message')).toHaveValue('at eight');
  await field('Message').fill('at nine');
  await userEvent.keyboard('{Enter}');
  await shown(entries().getByText('at nine'));
  await shown(entries().getByText('Sending'));
  expect(server.asked('chats/edit')).toMatchObject([{ pairId, number: 1, text: 'at nine', edits: 1 }]);
  answer.resolve();
  change(mine(1, { text: 'at nine', edits: 1, revision: 1 }));
  await shown(entries().getByText('Sent', { exact: true }));
  await shown(entries().getByText(/^edited \d/));
  await expect.element(field('Message')).toHaveValue('');
});

test('the words of a message that is deleted while it is answered go from above the field', async () => {
  const { change } = await openChat([theirs(1, { text: 'Which take?' }), mine(2)]);
  focus(entries().first());
  await userEvent.keyboard('r');
  await shown(words('Reply to Ivo'));
  change(theirs(1, { text: '', state: 'deleted', revision: 1 }));
  await gone(words('Which take?'));
  await shown(words('Reply to Ivo'));
});

test('an edit that is refused says why, and its words are not lost', async () => {
  await openChat([mine(1, { text: 'at eight' })], (stand) => stand.on('chats/edit', () => refused('access/forbidden')));
  await field('Message').click();
  await userEvent.keyboard('{ArrowUp}');
  await field('Message').fill('at nine');
  await userEvent.keyboard('{Enter}');
  await shown(modal('Your edit was not stored.'));
  await shown(words('A message can be edited for 15 minutes.'));
  await button('OK').click();
  await expect.element(field('Message')).toHaveValue('at nine');
  await shown(entries().getByText('at eight'));
});

test('an edit that is refused while another chat is open keeps its words, and says why, in its own chat', async () => {
  const answer = Promise.withResolvers<void>();
  await openChat([mine(1, { text: 'at eight' })], (stand) => {
    const ivo = aConversation('Ivo', { messages: [mine(1, { text: 'at eight' })] });
    stand.on('chats/open', ({ uid }) => ok(uid === ivoUid ? ivo : aConversation('Ben')));
    stand.on('chats/edit', async () => {
      await answer.promise;
      return refused('access/forbidden');
    });
  });
  await field('Message').click();
  await userEvent.keyboard('{ArrowUp}');
  await field('Message').fill('at nine');
  await userEvent.keyboard('{Enter}');
  await shown(entries().getByText('at nine'));
  navigate(`/chat/${uidOf('Ben')}`);
  await shown(heading('Ben'));
  await gone(entries());
  answer.resolve();
  await expect.poll(() => localStorage.getItem(`tunemate/drafts/${maraUid}/${ivoUid}`)).toContain('at nine');
  await gone(modal('Your edit was not stored.'));
  await expect.element(field('Message')).toHaveValue('');
  navigate(`/chat/${ivoUid}`);
  await shown(modal('Your edit was not stored.'));
  await button('OK').click();
  await expect.element(field('Message')).toHaveValue('at nine');
});

test('deleting for both asks once and leaves a place without the words, also in the quote', async () => {
  const reply = {
    number: 1,
    clientId: mine(1).clientId,
    sender: maraUid,
    text: 'oops',
    hasImage: false,
    isGone: false,
  };
  const { server } = await openChat([mine(1, { text: 'oops' }), theirs(2, { text: 'what?', reply })]);
  focus(entries().first());
  await userEvent.keyboard('{Enter}');
  await expectAccessible('all');
  await item('Delete for both').click();
  await shown(modal('Delete this message for both of you?'));
  await button('Cancel').click();
  await shown(entries().first().getByText('oops'));
  await entries().first().click({ button: 'right' });
  await item('Delete for both').click();
  await button('Delete for both').click();
  await shown(entries().first().getByText('Message deleted'));
  await shown(button(/^Answers\s+You/));
  await gone(entries().getByText('oops'));
  expect(server.asked('chats/delete')).toEqual([{ pairId, number: 1 }]);
});

test('deleting for oneself can be undone', async () => {
  const { server, change } = await openChat([theirs(1, { text: 'first' }), theirs(2, { text: 'second' })]);
  focus(entries().last());
  await userEvent.keyboard('{Delete}');
  await shown(words('Message deleted for you'));
  await gone(entries().getByText('second'));
  // The focus that comes from elsewhere holds it while it is looked at.
  focus(field('Message'));
  focus(button('Undo'));
  await expectAccessible('all');
  change(theirs(2, { text: '', state: 'hidden', revision: 1 }));
  await button('Undo').click();
  await gone(words('Message deleted for you'));
  await expect.poll(() => server.asked('chats/hide').map(({ isHidden }) => isHidden)).toEqual([true, false]);
  change(theirs(2, { text: 'second', revision: 2 }));
  await shown(entries().getByText('second'));
});

test('Undo shows the message again also while the server is away', async () => {
  await openChat([theirs(1, { text: 'Which take?' })], (stand) => stand.on('chats/hide', silence));
  focus(entries().first());
  await userEvent.keyboard('{Delete}');
  await gone(entries().getByText('Which take?'));
  await button('Undo').click();
  await shown(entries().getByText('Which take?'));
});

test('the keyboard that deleted a message is at Undo', async () => {
  const { server } = await openChat([theirs(1), theirs(2)]);
  focus(entries().last());
  await userEvent.keyboard('{Delete}');
  await focused(button('Undo'));
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => server.asked('chats/hide').map(({ isHidden }) => isHidden)).toEqual([true, false]);
});

test('what was not undone ends by itself', async () => {
  const { server } = await openChat([theirs(1), theirs(2)]);
  focus(entries().last());
  await userEvent.keyboard('{Delete}');
  await shown(words('Message deleted for you'));
  await gone(words('Message deleted for you'));
  expect(server.asked('chats/hide').map(({ isHidden }) => isHidden)).toEqual([true]);
});

test('the menu reacts by keyboard; a press on the reaction takes it back', async () => {
  const { server, change } = await openChat([theirs(1)]);
  focus(entries().first());
  await userEvent.keyboard('{Enter}');
  await focused(item('Reply'));
  await userEvent.keyboard('{ArrowUp}{Home}');
  await focused(menu().getByRole('menuitemcheckbox', { name: 'Love' }));
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}');
  await gone(menu());
  await focused(entries().first());
  await shown(button('Fire by you'));
  change(
    theirs(1, {
      reactions: [
        { uid: ivoUid, emoji: '🔥' },
        { uid: maraUid, emoji: '🔥' },
      ],
      revision: 2,
    }),
  );
  await shown(button('Fire, 2, by you and Ivo'));
  await expectAccessible('all');
  await button('Fire, 2, by you and Ivo').click();
  await shown(button('Fire by Ivo'));
  expect(server.asked('chats/react')).toMatchObject([
    { number: 1, emoji: '🔥', isOn: true },
    { number: 1, emoji: '🔥', isOn: false },
  ]);
});

test('any other emoji is chosen from more, or pasted', async () => {
  const { server } = await openChat([theirs(1)]);
  focus(entries().first());
  await userEvent.keyboard('{Enter}');
  await item('More emoji').click();
  await shown(button('grinning face'));
  await expectAccessible('all');
  await field('Search emoji').fill('not one');
  await field('Search emoji').fill('🦜');
  await gone(menu());
  await shown(button('🦜 by you'));
  focus(entries().first());
  await userEvent.keyboard('{Enter}');
  await item('More emoji').click();
  await field('Search emoji').fill('headph');
  await button('headphone').click();
  await gone(menu());
  await shown(button('🎧 by you'));
  expect(server.asked('chats/react')).toMatchObject([
    { emoji: '🦜', isOn: true },
    { emoji: '🎧', isOn: true },
  ]);
});

test('what the other does to a message shows at once', async () => {
  const { change } = await openChat([theirs(1, { text: 'hello' }), theirs(2, { text: 'bye' })]);
  change(theirs(1, { text: 'hello there', edits: 1, revision: 1 }));
  await shown(entries().getByText('hello there'));
  change(theirs(2, { text: '', state: 'deleted', revision: 2 }));
  await shown(entries().last().getByText('Message deleted'));
  await entries().last().click({ button: 'right' });
  await shown(item('Delete for me'));
  await shown(item('Report'));
  expect(menu().getByRole('menuitem').elements()).toHaveLength(2);
});

test('an act waits for a connection across a reload, and is sent once', async () => {
  const { server } = await openChat([theirs(1)], (stand) => stand.on('chats/react', silence));
  await entries().first().click({ button: 'right' });
  await menu().getByRole('menuitemcheckbox', { name: 'Wow' }).click();
  await shown(button('Wow by you'));
  const [first] = server.asked('chats/react');
  const again = await openChat([theirs(1)]);
  await shown(button('Wow by you'));
  await expect.poll(() => again.server.asked('chats/react')).toEqual([first]);
});

test('drafts are kept on the device until one signs out', async () => {
  await openChat([theirs(1)]);
  await field('Message').fill('half a th');
  expect(localStorage.getItem(`tunemate/drafts/${maraUid}/${ivoUid}`)).toContain('half a th');
  await openChat([theirs(1)]);
  await expect.element(field('Message')).toHaveValue('half a th');
});

test('on phones the menu is a sheet, and a swipe answers', async () => {
  await lookOnPhone();
  await openChat([theirs(1, { text: 'swipe me' })]);
  const frame = entries().first().element();
  const touch = (type: string, x: number): void => {
    const at = new Touch({ identifier: 1, target: frame, clientX: x, clientY: 200 });
    const touches = type === 'touchend' ? [] : [at];
    frame.dispatchEvent(new TouchEvent(type, { touches, changedTouches: [at], bubbles: true }));
  };
  touch('touchstart', 60);
  touch('touchmove', 130);
  touch('touchend', 130);
  await shown(words('Reply to Ivo'));
  focus(entries().first());
  await userEvent.keyboard('{Enter}');
  await shown(item('Reply'));
  const { bottom, width } = menu().element().getBoundingClientRect();
  expect([Math.round(bottom), Math.round(width)]).toEqual([innerHeight, innerWidth]);
  await expectAccessible('all');
});
