/** What others hear, on each screen that shows a person. */
import type { Hearing } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { phone, wide } from '../../testing/screens/browser.ts';
import { ok, silence } from '../../testing/screens/fake-server.ts';
import { button, focused, gone, link, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aTunemate, ivoUid, presenceOf } from '../../testing/screens/people.ts';

const ivo = { uid: ivoUid, name: 'Ivo', presence: presenceOf(ivoUid) };
const cover = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')}`;
const hearing = (more: Partial<Hearing> = {}): Hearing => ({
  ...{ uid: ivoUid, title: 'Walking Home', artist: 'Lena Vogt', thumbnail: cover, untilMs: null },
  ...more,
});
const sentence = 'Hears Walking Home, Lena Vogt';

async function open(path: string, hears: Hearing = hearing()) {
  const { server } = await openPage(path, {
    own: { soulmate: ivo, tunemates: [aTunemate('Ivo')], hears: [hears] },
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo')));
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo')] }));
    },
  });
  return server;
}
const card = () => page.getByRole('region', { name: 'Soulmate' });

test('the card of the soulmate says what they hear, with the key to listen along', async () => {
  const server = await open('/');
  await shown(card().getByText(sentence));
  expect(card().getByText('Walking Home', { exact: true }).element().tagName).toBe('STRONG');
  await shown(card().getByRole('button', { name: 'Listen along with Ivo' }));
  await shown(link(`Soulmate Ivo ${sentence}`));
  await expectAccessible('all');
  const untilMs = Date.now() - 2 * 3_600_000;
  server.sendEphemeral({ type: 'presence/hears', uid: ivoUid, hears: hearing({ untilMs }) });
  await shown(card().getByText('Heard last: Walking Home, 2 h ago'));
  await gone(button('Listen along with Ivo'));
  server.sendEphemeral({ type: 'presence/hears', uid: ivoUid, hears: null });
  await gone(words(/Heard last/));
});

test('beside the soulmate in the menu a long track ends before its picture', async () => {
  await page.viewport(wide.width, wide.height);
  await open('/', hearing({ title: 'A Song for Every Window of this Street at Night' }));
  const strip = link(/^Soulmate Ivo Hears A Song/);
  await shown(strip);
  const picture = strip.element().querySelector('img');
  await expect.poll(() => picture?.clientWidth).toBe(40);
  const words = strip.getByText(/^Hears A Song/).element();
  expect(words.getBoundingClientRect().right).toBeLessThanOrEqual(picture?.getBoundingClientRect().left ?? 0);
});

test('the key of a row keeps the focus while the door is asked for', async () => {
  const ada = aTunemate('Ada');
  await openPage('/', {
    own: { tunemates: [ada], hears: [hearing({ uid: ada.uid })] },
    prepare: (stand) => stand.on('presence/listenAlong', silence),
  });
  const key = page.getByRole('list', { name: 'Tunemates hear' }).getByRole('button', { name: 'Listen along with Ada' });
  await shown(key);
  (key.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(key).toHaveAttribute('aria-busy', 'true');
  await focused(key);
});

test('home lists which tunemates hear something now, each with the key to listen along', async () => {
  const people = ['Ada', 'Noor', 'Theo', 'Lena'].map((name) => aTunemate(name));
  const [ada, noor, theo] = people.map(({ uid }) => uid);
  const { server } = await openPage('/', {
    own: {
      tunemates: people,
      hears: [
        hearing({ uid: ada!, untilMs: Date.now() }),
        hearing({ uid: noor! }),
        hearing({ uid: theo!, thumbnail: null }),
      ],
    },
  });
  const list = page.getByRole('list', { name: 'Tunemates hear' });
  await expect.poll(() => list.getByRole('listitem').length).toBe(2);
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(`Noor${sentence}`);
  await shown(list.getByRole('button', { name: 'Listen along with Theo' }));
  await expectAccessible('all');
  for (const uid of [noor!, theo!]) server.sendEphemeral({ type: 'presence/hears', uid, hears: null });
  await gone(list);
});

test('a track that the server does not know is no words of another person', async () => {
  await open('/', hearing({ title: null, artist: null, thumbnail: null }));
  await shown(card().getByText('Hears a track'));
});

test('the head of a chat says it in the place of the presence, on phones a strip below it', async () => {
  await page.viewport(wide.width, wide.height);
  const chat = page.getByRole('main');
  const server = await open(`/chat/${ivoUid}`);
  await shown(chat.getByText(sentence));
  await gone(chat.getByText('Online'));
  await shown(button('Listen along with Ivo'));
  await expectAccessible('all');
  await page.viewport(phone.width, phone.height);
  await shown(chat.getByText('Online'));
  await shown(chat.getByText('Hears Walking Home'));
  await shown(chat.getByText('Lena Vogt'));
  await shown(button('Listen along with Ivo'));
  await expectAccessible('all');
  server.tell({ type: 'soulmate/changed', soulmate: null });
  await gone(chat.getByText('Hears Walking Home'));
});

test('the sheet about the person says it', async () => {
  await open(`/chat/${ivoUid}`);
  await button('Ivo').first().click();
  const sheet = page.getByRole('dialog', { name: 'Ivo' });
  await shown(sheet.getByText('Hears Walking Home'));
  await shown(sheet.getByText('Lena Vogt'));
  await shown(sheet.getByRole('button', { name: 'Listen along with Ivo' }));
  await expectAccessible();
});

test('in the list of chats the picture of the track takes the place of the presence dot', async () => {
  await page.viewport(phone.width, phone.height);
  await open('/chats');
  await expect.element(page.getByRole('link', { name: new RegExp(sentence) })).toBeVisible();
  await expectAccessible('all');
});
