import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok } from '../../testing/screens/fake-server.ts';
import { shown } from '../../testing/screens/find.ts';
import { drawFinger, middleOf, moveFingerTo, putFingerOn } from '../../testing/screens/fingers.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aMessage, ivoUid } from '../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../testing/screens/rooms.ts';

test('the finger that opened a menu by holding chooses nothing in it when it lifts, and the next press does', async () => {
  await lookOnPhone();
  const messages = Array.from({ length: 12 }, (_, n) => aMessage(ivoUid, n + 1, { text: `line ${n + 1}` }));
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages })));
      for (const name of ['chats/mark', 'chats/react'] as const) stand.on(name, () => ok({}));
    },
  });
  const clicks: (Element | null)[] = [];
  const note = ({ target }: Event): void => void clicks.push(target as Element);
  document.addEventListener('click', note);
  onTestFinished(() => document.removeEventListener('click', note));
  await shown(page.getByText('line 12'));
  const { left, top, height } = page.getByText('line 12').element().getBoundingClientRect();
  const [x, y] = [left + 8, top + height / 2];
  const lift = await putFingerOn(x, y);
  const menu = page.getByRole('menu', { name: /essage of/ });
  await shown(menu);
  const under = document.elementFromPoint(x, y);
  expect(menu.element().contains(under), 'the menu lies under the finger').toBe(true);
  await lift();
  // A finger on the same point: what lifting the first one did is done by then.
  const liftAgain = await putFingerOn(x, y);
  expect(clicks).toEqual([]);
  expect(server.asked('chats/react')).toEqual([]);
  await expect.element(menu).toBeVisible();
  await liftAgain();
  await expect.poll(() => clicks).toEqual([under]);
});

test('a held row of the chats opens its menu: lifting the finger neither goes to the chat nor chooses in it', async () => {
  await lookOnPhone();
  const { server } = await openPage('/chats', {
    prepare: (stand) => {
      stand.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo'), aConversationRow('Ada')] }));
      stand.on('chats/arrange', () => ok({}));
    },
  });
  const row = page.getByRole('list', { name: 'Chats' }).getByRole('link').first();
  await shown(row);
  const { left, top, height } = row.element().getBoundingClientRect();
  const [x, y] = [left + 120, top + height / 2];
  const lift = await putFingerOn(x, y);
  const sheet = page.getByRole('dialog');
  await shown(sheet);
  await lift();
  // A finger beside it: what lifting the first one did is done by then.
  await (
    await putFingerOn(left + 8, innerHeight - 2)
  )();
  expect(location.pathname).toBe('/chats');
  expect(server.asked('chats/arrange')).toEqual([]);
});

test('a finger that draws a message to the right answers it once, and opens no menu', async () => {
  await lookOnPhone();
  await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1, { text: 'draw me' })] })));
      stand.on('chats/mark', () => ok({}));
    },
  });
  await shown(page.getByText('draw me'));
  const { left, top, height } = page.getByText('draw me').element().getBoundingClientRect();
  const [x, y] = [left + 8, top + height / 2];
  const lift = await putFingerOn(x, y);
  for (const by of [20, 45, 70, 90]) await moveFingerTo(x + by, y);
  await lift();
  await shown(page.getByText('Reply to Ivo'));
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
});

test('a finger on the seek bar seeks once, where it is lifted', async () => {
  await lookOnPhone();
  const room = await openRoom('audio', { playing: { tracks: [aTrack('a')] } });
  const bar = page.getByRole('slider', { name: 'Seek' });
  await expect.element(bar).toBeEnabled();
  bar.element().scrollIntoView({ block: 'center' });
  const { left, width } = bar.element().getBoundingClientRect();
  const { y } = middleOf(bar.element());
  const at = (share: number) => ({ x: left + width * share, y });
  await drawFinger(at(0.1), [at(0.25), at(0.4), at(0.5)]);
  const seeks = () => room.intents().filter(({ type }) => type === 'seek');
  await expect.poll(() => seeks().length).toBe(1);
});
