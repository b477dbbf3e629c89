import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mara } from '../../testing/connection-fixtures.ts';
import { ok } from '../../testing/screens/fake-server.ts';
import { button, field, shown } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import {
  aConversation,
  aConversationRow,
  aMessage,
  aNotification,
  aTunemate,
  ivoUid,
} from '../../testing/screens/people.ts';
import { aRequest, aRoomMessage, aTrack, openRoom } from '../../testing/screens/rooms.ts';
import { navigate } from '../store/address.ts';

const name = 'דנה לוי';
const title = 'שיר לשלום?';
const text = 'מה שלומך?';
const written = new Set([name, title, text]);

/** Texts of the page that people wrote and that have no direction of their own. */
function withoutDirection(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode;
    if (parentElement === null || !written.has(nodeValue?.trim() ?? '')) continue;
    if (parentElement.closest('[dir=auto]') === null) found.push(`${nodeValue ?? ''} in ${parentElement.outerHTML}`);
  }
  const fields = document.querySelectorAll<HTMLElement>('textarea, input[type=text], input[type=search]');
  return [...found, ...Array.from(fields).flatMap((one) => (one.dir !== '' ? [] : [one.outerHTML]))];
}

const other = { other: { uid: ivoUid, name } };

test('what people wrote has its own direction on the home screen, in lists of chats and in notifications', async () => {
  const own = {
    user: { ...mara, name },
    tunemates: [{ ...aTunemate('Ivo'), name }],
    notifications: [aNotification({ senderName: name, message: `${name} invites you to listen` })],
  };
  const prepare = (server: Parameters<NonNullable<Parameters<typeof openPage>[1]>['prepare'] & object>[0]): void =>
    server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo', { text }, other)] }));
  await openPage('/', { own, prepare });
  await expect.poll(() => document.body.textContent).toContain(name);
  expect(withoutDirection().join('\n')).toBe('');
  for (const [label, found] of [
    ['Chat', text],
    ['Notifications', name],
  ] as const) {
    navigate(label === 'Chat' ? '/chats' : '/notifications');
    await expect.poll(() => document.querySelector('main')?.textContent).toContain(found);
    expect(withoutDirection().join('\n')).toBe('');
  }
});

test('what people wrote has its own direction in a private chat', async () => {
  await openPage(`/chat/${ivoUid}`, {
    prepare: (server) =>
      server.on('chats/open', () => ok(aConversation('Ivo', { ...other, messages: [aMessage(ivoUid, 1, { text })] }))),
  });
  await shown(field('Message'));
  await expect.poll(() => document.body.textContent).toContain(text);
  expect(withoutDirection().join('\n')).toBe('');
  const bubble = [...document.querySelectorAll('p')].find((one) => one.textContent.includes(text));
  expect(bubble && getComputedStyle(bubble).direction).toBe('rtl');
  const time = bubble?.querySelector('time');
  expect(time && getComputedStyle(time).direction).toBe('ltr');
});

test.each(['video', 'audio'] as const)('what people wrote has its own direction in a %s room', async (kind) => {
  await openRoom(kind, {
    name: title,
    guests: [{ uid: ivoUid, name, online: true }],
    messages: [aRoomMessage(1, { text, senderName: name })],
    requests: [{ ...aRequest('Ben'), name }],
    playing: { tracks: [aTrack('a', { title }), aTrack('b', { title })] },
  });
  await expect.poll(() => document.body.textContent).toContain(text);
  await expect.poll(() => document.body.textContent).toContain(title);
  expect(withoutDirection().join('\n')).toBe('');
  await button('1 Request').click();
  await shown(button(`Accept ${name}`).first());
  expect(withoutDirection().join('\n')).toBe('');
  await userEvent.keyboard('{Escape}');
  await button('Click here to Start Chat').click();
  await shown(field('Message'));
  expect(withoutDirection().join('\n')).toBe('');
});

test('a sentence about a person keeps the direction of its language, though the name comes first', async () => {
  const room = await openRoom('audio', { guests: [{ uid: ivoUid, name, online: true }] });
  await shown(button('Click here to Start Chat'));
  room.pushToHost({ type: 'rooms/cameIn', uid: ivoUid, name });
  const sentence = page.getByText(`${name} came in`);
  await shown(sentence);
  expect(getComputedStyle(sentence.element()).direction).toBe('ltr');
});

/** What the page itself says, in a message and in the name of a room. */
const imitations = [
  'You are offline',
  'Mara is typing\u2026',
  'Ivo came in',
  'New Join Request from Ben',
  'Leave',
  'Host',
];

test('words of the page in a message or a name of a room stand only where people write, each with its sender', async () => {
  const messages = imitations.map((words, index) => aRoomMessage(index + 1, { text: words, senderName: name }));
  await openRoom('audio', { name: 'You are offline', guests: [{ uid: ivoUid, name, online: true }], messages });
  await button('Click here to Start Chat').click();
  await shown(field('Message'));
  await expect.poll(() => document.querySelector('[role=log]')?.textContent).toContain(imitations.at(-1));
  const said = document.querySelectorAll('output, [role=status], [role=alert], [role=alertdialog]');
  for (const region of said) expect(imitations.filter((words) => region.textContent === words)).toEqual([]);
  for (const article of document.querySelectorAll('[role=log] article')) {
    const words = imitations.find((each) => article.textContent.includes(each));
    expect(words).toBeDefined();
    expect(article.getAttribute('aria-label') ?? article.textContent).toContain(name);
    const own = [...article.querySelectorAll('p, span')].filter(({ textContent }) => textContent === words);
    expect(own.every((one) => one.closest('[dir=auto]') !== null)).toBe(true);
    expect(own).not.toEqual([]);
  }
  const heading = page.getByRole('heading', { name: 'You are offline' });
  await shown(heading);
  expect(heading.element().closest('[dir=auto]') ?? heading.element().querySelector('[dir=auto]')).not.toBeNull();
});

test('on a page from right to left empty fields do too, and codes and times run from left to right', async () => {
  document.documentElement.dir = 'rtl';
  try {
    await openRoom('audio', { playing: { tracks: [aTrack('a', { title })] } });
    const search = page.getByLabelText('Search tracks');
    await shown(search);
    const direction = () => getComputedStyle(search.element()).direction;
    expect(direction()).toBe('rtl');
    await search.fill('Sunday');
    expect(direction()).toBe('ltr');
    const code = page.getByRole('img', { name: /^Room code/ }).first();
    await shown(code);
    const lefts = Array.from(code.element().children, (letter) => letter.getBoundingClientRect().left);
    expect(lefts).toHaveLength(6);
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b));
    const times = page.getByText(/^\d\d:\d\d \/ \d\d:\d\d$/).first();
    await shown(times);
    expect(getComputedStyle(times.element()).direction).toBe('ltr');
  } finally {
    document.documentElement.dir = '';
  }
});
