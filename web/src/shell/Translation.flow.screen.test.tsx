import { expect, onTestFinished, test } from 'vitest';
import { routes } from '../routes.tsx';
import { tolerateMovedNodes } from './after-start.ts';
import { maraUid } from '../../testing/connection-fixtures.ts';
import { besideTrack } from '../../testing/screens/beside.ts';
import { ok, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, field, heading, shown, words } from '../../testing/screens/find.ts';
import { closePage, openPage, signedOut, type Visit } from '../../testing/screens/open-page.tsx';
import { blendedTracks, ourMusic, ourYear } from '../../testing/screens/our-music.ts';
import {
  aConversation,
  aConversationRow,
  aMessage,
  aNotification,
  aTunemate,
  ivoUid,
} from '../../testing/screens/people.ts';
import { aRequest, aRoomMessage, aTrack, openRoom, type RoomOnPage } from '../../testing/screens/rooms.ts';
import { settled } from '../../testing/screens/settled.ts';
import { addOwnElements, markWords, translatePage } from '../../testing/screens/translation.ts';

const broken = (): boolean => document.body.textContent.includes('This page broke');
const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Changes the page at once after each change of its own, as the browser and its extensions do. */
function keep(change: () => void): void {
  const watcher = new MutationObserver(change);
  watcher.observe(document.body, { childList: true, subtree: true, characterData: true });
  onTestFinished(() => watcher.disconnect());
  change();
}

const keepTranslated = (): void => keep(translatePage);

const visible = (found: HTMLElement): boolean => found.checkVisibility() && !found.closest('[inert]');
const nameOf = (found: HTMLElement): string => `${found.ariaLabel ?? ''} ${found.textContent}`;

/**
 * Fills each field and presses each button once, those that appear on the way too; a dialog's before the page's. Nothing
 * is copied: the clipboard is shared with the tests beside this one.
 */
async function pressEverything(): Promise<void> {
  const address = location.pathname;
  const pressed = new Set<string>();
  for (let presses = 0; presses < 40; presses += 1) {
    for (const input of document.querySelectorAll<HTMLInputElement>('input')) {
      if (input.value === '' && visible(input) && !input.readOnly) fill(input);
    }
    const area = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1) ?? document.body;
    const next = [...area.querySelectorAll<HTMLElement>('button, input[type=radio], input[type=checkbox]')].find(
      (one) => visible(one) && !pressed.has(nameOf(one)) && !/copy/iu.test(nameOf(one)),
    );
    if (next === undefined || location.pathname !== address) return;
    pressed.add(nameOf(next));
    next.click();
    await frame();
    expect(broken(), `after ${nameOf(next)}`).toBe(false);
  }
}

/** At once: a field may close while a locator waits for it. */
function fill(input: HTMLInputElement): void {
  input.focus();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, valueFor(input));
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

const valueFor = ({ type, inputMode }: HTMLInputElement): string =>
  type === 'email' || inputMode === 'email'
    ? 'ivo@example.test'
    : type === 'password'
      ? 'correct horse battery'
      : '7F3A9C';

/** Answers that show much, and none at all for what the test presses: a button stays busy. */
function answerAll(server: FakeServer): void {
  server.leaveUnanswered();
  server.on('chats/open', () => ok(aConversation('Ivo', { messages: [aMessage(ivoUid, 1)] })));
  server.on('chats/list', () => ok({ conversations: [aConversationRow('Ivo', {}, { unread: 2 })] }));
  server.on('GET /api/beside', () => ok(besideTrack()));
  server.on('music/pair', () => ok({ status: 'kept', music: ourMusic }));
  server.on('music/blend', () => ok({ tracks: blendedTracks }));
  server.on('music/year', () => ok(ourYear));
}

const own: Visit['own'] = {
  tunemates: [aTunemate('Ada'), aTunemate('Ben'), aTunemate('Ivo')],
  notifications: [aNotification()],
  unreadChats: 2,
};
const screens = routes
  .filter(({ access }) => access !== 'room')
  .map(({ path, access }) => [path.replace(':uid', ivoUid), access] as const);

test.each([...screens, ['/', 'signed-in'] as const])(
  'a translated page at %s stays whole, whatever is pressed (%s)',
  async (path, access) => {
    const visit: Visit = access === 'open' ? { session: signedOut } : { own: { ...own } };
    await openPage(path, { ...visit, prepare: answerAll });
    await expect.poll(() => document.querySelector('main h1, main h2')).not.toBeNull();
    keepTranslated();
    await pressEverything();
    expect(broken()).toBe(false);
  },
);

// As main.tsx does.
tolerateMovedNodes();

const others = [
  ['whose words a dictionary marks', markWords],
  ['to which extensions add elements of their own', addOwnElements],
] as const;

test.each(
  others.flatMap(([what, change]) => ['/login', '/', `/chat/${ivoUid}`].map((path) => [what, path, change] as const)),
)('a page %s stays whole at %s, whatever is pressed', async (_what, path, change) => {
  const visit: Visit = path === '/login' ? { session: signedOut } : { own: { ...own } };
  await openPage(path, { ...visit, prepare: answerAll });
  await expect.poll(() => document.querySelector('main h1, main h2')).not.toBeNull();
  keep(change);
  await pressEverything();
  expect(broken()).toBe(false);
});

/** What happens in a room, and the words that the page shows after each step. */
const steps: readonly ((room: RoomOnPage) => void)[] = [
  (room) => room.tell({ type: 'rooms/messageSent', message: aRoomMessage(2, { text: 'see example.org, @Mara' }) }),
  (room) => room.tell({ type: 'rooms/stamped', messageId: 'm1', uid: ivoUid, stamp: 'fire', isOn: true, count: 1 }),
  (room) => room.tell({ type: 'rooms/stamped', messageId: 'm1', uid: maraUid, stamp: 'fire', isOn: true, count: 2 }),
  (room) => room.tell({ type: 'rooms/messageDeleted', messageId: 'm2' }),
  (room) => room.tell({ type: 'rooms/participantRenamed', uid: ivoUid, name: 'Ivo B.' }),
  (room) => room.tell({ type: 'rooms/participantPresence', uid: ivoUid, online: false }),
  (room) => room.tell({ type: 'rooms/set', settings: { isLocked: true } }),
  (room) => room.tell({ type: 'rooms/skipVoted', uid: ivoUid, isOn: true }),
  (room) => room.tell({ type: 'rooms/set', settings: { isLocked: false } }),
  (room) => room.tell({ type: 'rooms/skipVotesCleared' }),
  (room) => room.replace(aTrack('b')),
  (room) => room.name('Another title'),
  (room) => room.edit({ type: 'added', track: aTrack('c') }),
  (room) => room.move({ isPlaying: false }),
  (room) => room.pushToHost({ type: 'rooms/requestChanged', request: aRequest('Ada') }),
  (room) => room.tell({ type: 'rooms/participantLeft', uid: ivoUid, people: 1 }),
];

/** The words of the page, without those that time alone changes. */
const wordsNow = (): string =>
  document.body.innerText
    // How long something loads depends on the machine.
    .replaceAll('Loading', '')
    .replaceAll(/\d+:\d\d(?::\d\d)?/g, 'TIME')
    .replaceAll(/\s+/g, ' ');

async function openBusyRoom(kind: 'video' | 'audio', translate: () => void): Promise<void> {
  const room = await openRoom(kind, {
    guests: [{ uid: ivoUid, name: 'Ivo', online: true }],
    messages: [aRoomMessage(1)],
    requests: [aRequest('Ben')],
    playing: { tracks: [aTrack('a')] },
  });
  await shown(heading('Friday Slow Burn'));
  await button('Click here to Start Chat').click();
  await shown(field('Message'));
  translate();
  for (const [index, step] of steps.entries()) {
    step(room);
    await frame();
    expect(broken(), `after step ${String(index)}`).toBe(false);
  }
}

test.each(['video', 'audio'] as const)('a translated %s room shows what happened as any other does', async (kind) => {
  await openBusyRoom(kind, () => undefined);
  const plain = await settled(wordsNow);
  await closePage();
  await openBusyRoom(kind, keepTranslated);
  expect(await settled(wordsNow)).toBe(plain);
});

test.each(others)('a room %s stays whole', async (_what, change) => {
  await openBusyRoom('video', () => keep(change));
  expect(broken()).toBe(false);
});

test('a translated page says that the connection is lost, and stops when it is back', async () => {
  const { server } = await openPage('/soulmate');
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  keepTranslated();
  server.disconnect();
  await shown(words('Reconnecting…'));
  server.reconnect();
  await expect.poll(() => document.body.textContent.includes('Reconnecting')).toBe(false);
  expect(broken()).toBe(false);
});
