import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { ok } from '../../testing/screens/fake-server.ts';
import { button, focused, modal, shown } from '../../testing/screens/find.ts';
import { drawFinger, middleOf, moveFingerTo, putFingerOn } from '../../testing/screens/fingers.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { aConversation, aConversationRow, aMessage, ivoUid } from '../../testing/screens/people.ts';
import { aRoomMessage, aTrack, openRoom } from '../../testing/screens/rooms.ts';

const pointIn = (element: Element): [x: number, y: number] => {
  const { x, y } = middleOf(element);
  return [x, y];
};

/** No press counts as held, however long the machine takes for it, until the answer is called. */
function stopTime(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const goOn = (): void => void vi.useRealTimers();
  onTestFinished(goOn);
  return goOn;
}

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
  const goOn = stopTime();
  const lift = await putFingerOn(x, y);
  for (const by of [20, 45, 70, 90]) await moveFingerTo(x + by, y);
  await lift();
  goOn();
  await shown(page.getByText('Reply to Ivo'));
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
});

test('a held message of a room opens its menu: lifting the finger leaves it open and chooses nothing in it', async () => {
  await lookOnPhone();
  const said = aRoomMessage(1, { text: 'hold this one' });
  const { server } = await openRoom('audio', {
    messages: [said],
    prepare: (stand) => stand.on('rooms/stamp', () => ok({})),
  });
  await button('Click here to Start Chat').click();
  const line = page.getByRole('article').filter({ hasText: 'hold this one' });
  await shown(line);
  const { x, y } = middleOf(line.element());
  const lift = await putFingerOn(x, y);
  const menu = page.getByRole('group', { name: /^Message of/ });
  await shown(menu);
  await lift();
  const wow = menu.getByRole('button', { name: 'Wow' });
  // What lifting the first finger did is done by then.
  const liftAgain = await putFingerOn(...pointIn(wow.element()));
  await shown(menu);
  expect(server.asked('rooms/stamp')).toEqual([]);
  await liftAgain();
  await expect
    .poll(() => server.asked('rooms/stamp'))
    .toMatchObject([{ messageId: said.id, stamp: 'wow', isOn: true }]);
});

test('a held picture of a person asks once: lifting the finger answers nothing and leaves the focus on the answer', async () => {
  await lookOnPhone();
  const { server } = await openPage(`/chat/${ivoUid}`, {
    prepare: (stand) => {
      stand.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1, { text: 'hello' })] })));
      for (const name of ['chats/mark', 'soulmate/ask'] as const) stand.on(name, () => ok({}));
    },
  });
  const avatar = button(/^Ivo\. Hold/);
  await shown(avatar);
  const lift = await putFingerOn(...pointIn(avatar.element()));
  const asked = modal(/^Ask Ivo/);
  await shown(asked);
  await focused(button('Cancel'));
  await lift();
  const liftAgain = await putFingerOn(...pointIn(asked.element()));
  await shown(asked);
  expect(server.asked('soulmate/ask')).toEqual([]);
  await focused(button('Cancel'));
  await liftAgain();
});

describe('the menu of the browser, which some devices open by a held press', () => {
  test.each(['before', 'after'])('does not come with ours: asked for %s half a second', async (when) => {
    await lookOnPhone();
    await openPage(`/chat/${ivoUid}`, {
      prepare: (stand) => {
        const messages = [aMessage(ivoUid, 1, { text: 'https://tune.example/a' })];
        stand.on('chats/open', () => ok(aConversation('Ivo', { messages })));
        stand.on('chats/mark', () => ok({}));
      },
    });
    const link = page.getByRole('link', { name: /tune\.example/ });
    await shown(link);
    const [x, y] = pointIn(link.element());
    const menu = page.getByRole('menu', { name: /essage of/ });
    const goOn = when === 'before' ? stopTime() : () => undefined;
    const lift = await putFingerOn(x, y);
    if (when === 'after') await shown(menu);
    const asked = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: x, clientY: y });
    document.elementFromPoint(x, y)?.dispatchEvent(asked);
    expect(asked.defaultPrevented).toBe(true);
    goOn();
    await shown(menu);
    await lift();
    await shown(menu);
  });
});

test('a finger draws a row of the queue to another place, once, and leaves the others as they were', async () => {
  await lookOnPhone();
  const tracks = ['a', 'b', 'c'].map((name) => aTrack(name));
  const room = await openRoom('audio', { playing: { tracks } });
  await button('Edit').click();
  await shown(button('Move Track c up'));
  const grips = () => [...document.querySelectorAll('[data-grip]')];
  const [first, , third] = grips();
  if (first === undefined || third === undefined) throw new Error('no grips');
  first.scrollIntoView({ block: 'center' });
  const [from, to] = [middleOf(first), middleOf(third)];
  await drawFinger(from, [
    { x: from.x, y: from.y + 20 },
    { x: from.x, y: (from.y + to.y) / 2 },
    { x: from.x, y: to.y },
  ]);
  const moves = () => room.intents().filter(({ type }) => type === 'move');
  await expect.poll(moves).toEqual([{ type: 'move', from: 0, to: 2, videoId: tracks[0]?.videoId }]);
  expect(grips().map((grip) => grip.closest('li')?.style.translate)).toEqual(['', '', '']);
});

test('a finger on the seek bar seeks once, where it is lifted, and a second one at once after it too', async () => {
  await lookOnPhone();
  const room = await openRoom('audio', { playing: { tracks: [aTrack('a')] } });
  const bar = page.getByRole('slider', { name: 'Seek' });
  await expect.element(bar).toBeEnabled();
  bar.element().scrollIntoView({ block: 'center' });
  const { left, width } = bar.element().getBoundingClientRect();
  const { y } = middleOf(bar.element());
  const at = (share: number) => ({ x: left + width * share, y });
  await drawFinger(at(0.1), [at(0.25), at(0.4), at(0.5)]);
  const firstEndMs = performance.now();
  const seeks = () => room.intents().filter(({ type }) => type === 'seek');
  await expect.poll(() => seeks().length).toBe(1);
  const lift = await putFingerOn(at(0.8).x, y);
  // Longer than the bar waits for the end of the first drag.
  await expect.poll(() => performance.now() - firstEndMs).toBeGreaterThan(200);
  await lift();
  await expect.poll(() => seeks().length).toBe(2);
});
