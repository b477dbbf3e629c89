import { uidOf } from '../../testing/connection-fixtures.ts';
import type { ConversationRow } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused, silence, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, field, gone, heading, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import {
  aConversation,
  aConversationRow,
  aMessage,
  aTunemate,
  ivoUid,
  longName,
  presenceOf,
  tunemates,
} from '../../testing/screens/people.ts';

const open = (prepare: (server: FakeServer) => void) => openPage('/chats', { prepare });
const withChats = (...conversations: ConversationRow[]) =>
  open((server) => server.on('chats/list', () => ok({ conversations })));
const rows = () => page.getByRole('list', { name: 'Chats' }).getByRole('listitem');

test("shows 'No private chats yet.' when there are none, with Back to Home", async () => {
  await withChats();
  await shown(words('No private chats yet.'));
  await leadsTo(link('Back to Home'), '/');
  await expectAccessible();
});

test('shows that it loads, before and after the connection is live', async () => {
  await open((server) => server.on('session/hello', silence));
  await shown(heading('Chats'));
  await expect.element(words('Loading...')).toBeInTheDocument();
});

test('shows that the list is loading', async () => {
  await open((server) => server.on('chats/list', silence));
  await expect.element(words('Loading...')).toBeInTheDocument();
  await expectAccessible();
});

test('shows why the list could not be loaded', async () => {
  await open((server) => server.on('chats/list', () => refused('server/failed')));
  await shown(words('Something went wrong on the server. Try again.'));
  await expectAccessible();
});

test('each row has the initial, the name, the last message, and the time of today or else the date', async () => {
  const noon = new Date();
  noon.setHours(12, 0, 0, 0);
  await withChats(
    aConversationRow('Ivo', { text: 'see you at nine', timestamp: noon.getTime() }, { unread: 3 }),
    aConversationRow('Ada', { text: 'good night', timestamp: Date.UTC(2025, 2, 4, 12) }, { presence: null }),
  );
  await expect.element(rows().first()).toHaveTextContent('IOnlineIvosee you at nine12:003 unread');
  await expect.element(rows().last()).toHaveTextContent('AAdagood night04/03/2025');
  await leadsTo(link(/Ivo/), `/chat/${ivoUid}`);
  await expectAccessible('all');
});

test("a message without text is marked 'Photo'", async () => {
  await withChats(aConversationRow('Ivo', { text: '', image: { imageId: 'i1', width: 30, height: 20 } }));
  await shown(link(/Photo/));
  await expectAccessible();
});

test('a new message moves its chat to the top, and a new name or presence is shown at once', async () => {
  const ada = uidOf('Ada');
  const { server } = await withChats(
    aConversationRow('Ivo', { timestamp: 2000 }),
    aConversationRow('Ada', { timestamp: 1000 }),
  );
  await expect.element(rows().first()).toMatchTextContent(/Ivo/);
  server.tell({
    type: 'chats/messageSent',
    message: aMessage(ada, 2, { text: 'hello again' }),
    other: { uid: ada, name: 'Ada' },
  });
  await expect.element(rows().first()).toMatchTextContent(/Ada.*hello again.*1 unread/);
  const presence = { ...presenceOf(ada, 'offline'), last_changed: 2 };
  server.sendEphemeral({ type: 'people/changed', person: { uid: ada, name: 'Ada Okafor', presence } });
  await expect.element(rows().first()).toMatchTextContent(/OfflineAda Okafor/);
});

test('a hundred chats and the longest names fit the page', async () => {
  await withChats(
    ...Array.from({ length: 100 }, (_, index) =>
      aConversationRow(
        index === 0 ? longName : `Person ${String(index)}`,
        { text: longName.repeat(8) },
        { unread: index },
      ),
    ),
  );
  await expect.poll(() => rows().length).toBe(100);
  await expectAccessible('this');
});

test('a chat begins from here: soulmate and tunemates, who is online first, and a field where they are many', async () => {
  const own = { tunemates: [aTunemate('Zoe Łuć', {}, 'offline'), ...tunemates(8)] };
  await openPage('/chats', { own, prepare: (server) => server.on('chats/list', () => ok({ conversations: [] })) });
  await button('New chat').click();
  const people = page.getByRole('list', { name: 'New chat' });
  await shown(people.getByText('Person 1'));
  await expect.element(people.getByRole('listitem').last()).toMatchTextContent(/Zoe.*Offline/);
  await expectAccessible('all');
  await field('Find a tunemate').fill('zoë ł');
  await leadsTo(people.getByRole('link'), `/chat/${uidOf('Zoe Łuć')}`);
  await field('Find a tunemate').fill('nobody of this name');
  await shown(words('No tunemate has this name.'));
});

test('a user with chats begins another from the head of the list; one without tunemates reads where to meet them', async () => {
  await withChats(aConversationRow('Ivo'));
  await button('New chat').click();
  await shown(words('You have no tunemates yet. You meet them in rooms.'));
});

test('from 1200 px on the list stands beside the chat, with its row marked, and a press opens another', async () => {
  await page.viewport(1280, 800);
  await open((server) => {
    server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo'), aConversationRow('Ada')] }));
    server.on('chats/open', ({ uid }) => ok(aConversation(uid === ivoUid ? 'Ivo' : 'Ada')));
  });
  await shown(words('Choose a chat'));
  await link(/Ivo/).click();
  await shown(page.getByRole('main').getByRole('heading', { name: 'Ivo' }));
  await expect.element(link(/Ivo/)).toHaveAttribute('aria-current', 'page');
  const [list, chat] = ['complementary', 'main'].map((role) => page.getByRole(role as 'main').element());
  expect(list?.getBoundingClientRect().right).toBeLessThanOrEqual(chat?.getBoundingClientRect().left ?? 0);
  await expectAccessible('both');
  await link(/Ada/).click();
  await shown(page.getByRole('main').getByRole('heading', { name: 'Ada' }));
  await expect.element(link(/Ivo/)).not.toHaveAttribute('aria-current');
  await link('Back').click();
  await shown(words('Choose a chat'));
  await page.viewport(1100, 800);
  await gone(words('Choose a chat'));
  await link(/Ivo/).click();
  await shown(heading('Ivo'));
  await gone(rows().first());
});

test('strangers stand below the people one knows, and the list says how many more there are and goes on', async () => {
  const ada = aConversationRow('Ada', { timestamp: 1000 });
  const noor = aConversationRow('Noor', { timestamp: 3000 }, { isStranger: true });
  const last = aConversationRow('Zoe', { timestamp: 500 }, { isStranger: true });
  const { server } = await openPage('/chats', {
    prepare: (stand) =>
      stand.on('chats/list', ({ from }) =>
        ok(from ? { conversations: [last] } : { conversations: [noor, ada], more: 1 }),
      ),
  });
  const namesIn = (name: string) =>
    page
      .getByRole('list', { name, exact: true })
      .getByRole('listitem')
      .elements()
      .map((row) => row.querySelector('strong')?.textContent);
  const strangers = 'People you have not answered';
  await expect.poll(() => [namesIn('Chats'), namesIn(strangers)]).toEqual([['Ada'], ['Noor']]);
  await expectAccessible('all');
  await button('Show more chats (1)').click();
  await expect.poll(() => namesIn(strangers)).toEqual(['Noor', 'Zoe']);
  await gone(button('Show more chats (1)'));
  expect(server.asked('chats/list')).toEqual([{}, { from: 2 }]);
});
