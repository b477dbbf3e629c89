import { uidOf } from '../../testing/connection-fixtures.ts';
import type { ConversationRow } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused, silence, type FakeServer } from '../../testing/screens/fake-server.ts';
import { heading, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversationRow, aMessage, ivoUid, longName, presenceOf } from '../../testing/screens/people.ts';

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
