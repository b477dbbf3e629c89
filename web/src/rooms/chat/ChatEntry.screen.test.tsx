import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { letThingsMove, withoutTls } from '../../../testing/screens/browser.ts';
import { mara, maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, link, shown, words } from '../../../testing/screens/find.ts';
import { ivoUid } from '../../../testing/screens/people.ts';
import { roomId } from '../../../testing/room-fixtures.ts';
import { aRoomMessage, aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const log = (): Locator => page.getByRole('log', { name: 'Chat' });
const messageWith = (text: string): Locator => log().getByRole('article').filter({ hasText: text });
const menu = (): Locator => page.getByRole('group', { name: /^Message of/ });
const guests = [
  { uid: ivoUid, name: 'Ivo Baranov', online: true },
  { uid: uidOf('Ada'), name: 'Ada Okafor', online: true },
];
const said = aRoomMessage(1, {
  text: 'Putting this on every Sunday',
  stamps: [
    { stamp: 'love', count: 6, isMine: true },
    { stamp: 'fire', count: 2, isMine: false },
  ],
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('the chat of a room', () => {
  const kind = 'video';
  async function openChat(visit: RoomVisit = {}) {
    const room = await openRoom(kind, {
      guests,
      messages: [said],
      prepare: (server) => {
        for (const name of [
          'rooms/stamp',
          'rooms/cheer',
          'rooms/deleteMessage',
          'rooms/editMessage',
          'rooms/typing',
        ] as const)
          server.on(name, () => ok({}));
      },
      ...visit,
    });
    await button('Click here to Start Chat').click();
    // Its code may not be loaded yet.
    await expect.element(field('Message')).toBeInTheDocument();
    return room;
  }

  test('why a stamp was refused is said until the user writes again', async () => {
    const why = words("Can't reach the server. Check your connection and try again.");
    const { server } = await openChat();
    server.on('rooms/cheer', () => refused('server/unavailable'));
    server.on('rooms/sendMessage', ({ clientId, text }) =>
      ok({ message: aRoomMessage(2, { sender: maraUid, clientId, text }) }),
    );
    await page.getByRole('group', { name: 'React to what plays' }).getByRole('button', { name: 'Fire' }).click();
    await shown(why);
    await field('Message').fill('never mind');
    await userEvent.keyboard('{Enter}');
    await shown(messageWith('never mind'));
    await gone(why);
  });

  test('addresses are links that open in a new tab without an opener; other schemes are plain text', async () => {
    const text = 'see tunemate.org/2019 and https://tune.example/a?b=1, not javascript:alert(1)';
    await openChat({ messages: [aRoomMessage(1, { text })] });
    for (const [name, href] of [
      ['tunemate.org/2019', 'https://tunemate.org/2019'],
      ['https://tune.example/a?b=1', 'https://tune.example/a?b=1'],
    ] as const) {
      await expect.element(link(name)).toHaveAttribute('href', href);
      await expect.element(link(name)).toHaveAttribute('target', '_blank');
      await expect.element(link(name)).toHaveAttribute('rel', 'noopener noreferrer');
    }
    await expect.element(messageWith('javascript:')).toMatchTextContent(/not javascript:alert\(1\)$/);
    expect(log().getByRole('link').length).toBe(2);
    await expectAccessible('this');
  });

  test('a time stands beside the name, below an own message, and after each line of the closed chat', async () => {
    const at = new Date(2026, 0, 5, 21, 4).getTime();
    const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(at);
    await openChat({
      messages: [
        aRoomMessage(1, { timestamp: at }),
        aRoomMessage(2, { timestamp: at, sender: maraUid, senderName: mara.name }),
      ],
    });
    await expect.poll(() => log().getByText(clock).length).toBe(2);
    await button('Click here to Return Room').click();
    const last = page.getByRole('log', { name: 'Last 10 messages' });
    await expect.poll(() => last.getByText(clock).length).toBe(2);
  });

  test('a short name over a message is large enough for a finger', async () => {
    await openChat({ messages: [aRoomMessage(1, { senderName: 'Al' })] });
    const { width, height } = button('Al').element().getBoundingClientRect();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  });

  test('lines of one person keep a gap, own ones as those of others, also with stamps', async () => {
    const mine = { sender: maraUid, senderName: mara.name };
    const stamps = [{ stamp: 'love', count: 1, isMine: false }] as const;
    await openChat({
      messages: [
        ...[1, 2].map((n) => aRoomMessage(n, mine)),
        aRoomMessage(3, { ...mine, stamps: [...stamps] }),
        aRoomMessage(4, mine),
        ...[5, 6].map((n) => aRoomMessage(n)),
      ],
    });
    const bubble = (n: number): DOMRect =>
      messageWith(`message ${String(n)}`)
        .getByText(`message ${String(n)}`)
        .element()
        .getBoundingClientRect();
    for (const n of [1, 2, 3, 5]) expect(bubble(n + 1).top - bubble(n).bottom).toBeGreaterThanOrEqual(3);
  });

  test('a name after @ is bold, and the mentioned user sees it marked and counted on the closed bar', async () => {
    const room = await openChat({ messages: [] });
    await button('Click here to Return Room').click();
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(1, { text: '@Mara the rain session next' }) });
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(2, { text: '@Ada seconded' }) });
    await shown(button('Click here to Start Chat 1 message names you'));
    await expectAccessible('both');
    await button(/^Click here to Start Chat/).click();
    await shown(log().getByText('@Mara', { exact: true }));
    expect(getComputedStyle(log().getByText('@Mara', { exact: true }).element()).fontWeight).toBe('700');
    const shadowOf = (text: string) =>
      getComputedStyle(messageWith(text).element().querySelector('p:last-of-type') ?? document.body).boxShadow;
    expect(shadowOf('the rain session')).not.toBe(shadowOf('seconded'));
    await button('Click here to Return Room').click();
    await shown(button('Click here to Start Chat'));
  });

  test('a message offers stamps, Copy and Reply by right click, Enter and hold, and Escape closes them', async () => {
    const room = await openChat();
    await messageWith('Sunday').click({ button: 'right' });
    await shown(menu());
    await expectAccessible('both');
    await userEvent.keyboard('{Escape}');
    await gone(menu());
    await focused(messageWith('Sunday'));
    await userEvent.keyboard('{Enter}');
    await menu().getByRole('button', { name: 'Wow' }).click();
    await gone(menu());
    await expect
      .poll(() => room.server.asked('rooms/stamp').at(-1))
      .toMatchObject({ messageId: 'm1', stamp: 'wow', isOn: true });
    const { left, top } = messageWith('Sunday').element().getBoundingClientRect();
    const at = { bubbles: true, pointerType: 'touch', isPrimary: true, clientX: left + 60, clientY: top + 30 };
    messageWith('Sunday').element().dispatchEvent(new PointerEvent('pointerdown', at));
    await menu().getByRole('button', { name: 'Reply' }).click();
    await shown(words('Reply to Ivo Baranov'));
    await focused(field('Message'));
  });

  test('the menu lies over the chat: it moves nothing, never covers its message, and a press elsewhere closes it', async () => {
    await openChat({ messages: [said, aRoomMessage(2, { text: 'and the rain one' })] });
    const line = messageWith('and the rain one');
    await shown(line);
    const placeOf = (each: Locator) => each.element().getBoundingClientRect();
    const before = placeOf(line);
    await line.click({ button: 'right' });
    await shown(menu());
    expect(placeOf(line)).toEqual(before);
    const bubble = placeOf(words('and the rain one'));
    const box = placeOf(menu());
    expect(box.bottom <= bubble.top || box.top >= bubble.bottom || box.right <= bubble.left).toBe(true);
    expect(bubble.left - box.right).toBeLessThanOrEqual(64);
    await expectAccessible('all');
    await page.getByRole('region', { name: 'Player' }).click();
    await gone(menu());
  });

  test('arrows go through the menu, and letters on a message do what it offers', async () => {
    const room = await openChat();
    await messageWith('Sunday').click({ button: 'right' });
    await expect.poll(() => menu().element().contains(document.activeElement)).toBe(true);
    await userEvent.keyboard('{ArrowDown}');
    await focused(menu().getByRole('button', { name: 'Reply' }));
    await userEvent.keyboard('{ArrowUp}');
    await focused(menu().getByRole('button', { name: 'Delete for all' }));
    await userEvent.keyboard('{ArrowDown}{Escape}');
    await focused(messageWith('Sunday'));
    await userEvent.keyboard('{Delete}');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await focused(messageWith('Sunday'));
    expect(room.server.asked('rooms/deleteMessage')).toEqual([]);
    await userEvent.keyboard('a');
    await shown(page.getByRole('dialog', { name: 'Ivo Baranov' }));
  });

  test('a chat without a message says so, offers the stamps there, and goes on with the first message', async () => {
    const room = await openChat({ messages: [] });
    const none = log().getByText('Nobody has written yet.');
    await shown(none);
    const boxOf = (each: Locator) => each.element().getBoundingClientRect();
    const stamps = page.getByRole('group', { name: 'React to what plays' });
    expect(boxOf(stamps).top - boxOf(log()).bottom).toBeLessThan(24);
    expect(boxOf(field('Message')).top - boxOf(stamps).bottom).toBeGreaterThan(20);
    await expectAccessible('both');
    room.tell({ type: 'rooms/messageSent', message: aRoomMessage(2, { text: 'the first' }) });
    await gone(none);
    await expect.poll(() => boxOf(field('Message')).top - boxOf(stamps).bottom).toBeLessThan(20);
  });

  test('the emoji key writes at the caret of the field', async () => {
    await openChat();
    await field('Message').fill('ab');
    await userEvent.keyboard('{ArrowLeft}');
    await button('Emoji').click();
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('🎧');
    await expect.element(field('Message')).toHaveValue('a🎧b');
  });

  test('arrow keys go from message to message', async () => {
    await openChat({ messages: [aRoomMessage(1), aRoomMessage(2), aRoomMessage(3)] });
    (messageWith('message 3').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    await focused(messageWith('message 1'));
    await userEvent.keyboard('{ArrowUp}{ArrowDown}');
    await focused(messageWith('message 2'));
  });

  test('stamps are counted under the bubble, the user’s own are pressed, and a press toggles one', async () => {
    const room = await openChat();
    await expect.element(button('Love, 6')).toHaveAttribute('aria-pressed', 'true');
    await expect.element(button('Fire, 2')).toHaveAttribute('aria-pressed', 'false');
    await expectAccessible('both');
    await button('Fire, 2').click();
    await button('Love, 6').click();
    await expect
      .poll(() => room.server.asked('rooms/stamp').map(({ stamp, isOn }) => [stamp, isOn]))
      .toEqual([
        ['fire', true],
        ['love', false],
      ]);
    room.tell({ type: 'rooms/stamped', messageId: 'm1', uid: maraUid, stamp: 'fire', isOn: true, count: 3 });
    await expect.element(button('Fire, 3')).toHaveAttribute('aria-pressed', 'true');
  });

  test('an own stamp looks pressed in the menu of its message', async () => {
    await openChat();
    await messageWith('Sunday').click({ button: 'right' });
    const ringOf = (name: string) => getComputedStyle(menu().getByRole('button', { name }).element()).boxShadow;
    await shown(menu().getByRole('button', { name: 'Love' }));
    expect(ringOf('Love')).not.toBe('none');
    expect(ringOf('Fire')).toBe('none');
  });

  test('the host deletes a message for all; its text disappears from every page', async () => {
    const room = await openChat();
    await messageWith('Sunday').click({ button: 'right' });
    await menu().getByRole('button', { name: 'Delete for all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for all' }).click();
    await expect.poll(() => room.server.asked('rooms/deleteMessage')).toMatchObject([{ messageId: 'm1' }]);
    room.tell({ type: 'rooms/messageDeleted', messageId: 'm1', isDeletedByHost: true });
    await shown(log().getByText('Message deleted by the host'));
    await gone(words(/Sunday/));
    await gone(button('Love, 6'));
    await gone(menu());
    await expectAccessible('both');
    (messageWith('Message deleted by the host').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await gone(menu());
    await button('Click here to Return Room').click();
    await shown(page.getByRole('log', { name: 'Last 10 messages' }).getByText(/Message deleted by the host/));
  });

  test('a guest deletes an own message of the last 15 minutes', async () => {
    const now = Date.now();
    const own = { sender: maraUid, senderName: 'Mara' };
    const messages = [
      aRoomMessage(1, { ...own, text: 'An hour ago', timestamp: now - 60 * 60 * 1000 }),
      aRoomMessage(2, { ...own, text: 'Just now', timestamp: now }),
    ];
    const room = await openChat({ isHost: false, guests: [], playing: { controller: 'another tab' }, messages });
    await messageWith('An hour ago').click({ button: 'right' });
    await shown(menu().getByRole('button', { name: 'Reply' }));
    await gone(button('Delete for all'));
    await userEvent.keyboard('{Escape}');
    await messageWith('Just now').click({ button: 'right' });
    await menu().getByRole('button', { name: 'Delete for all' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for all' }).click();
    await expect.poll(() => room.server.asked('rooms/deleteMessage')).toMatchObject([{ messageId: 'm2' }]);
  });

  test('a guest cannot delete a message of another person', async () => {
    await openChat({ isHost: false, guests: [], playing: { controller: 'another tab' } });
    await messageWith('Sunday').click({ button: 'right' });
    await shown(menu().getByRole('button', { name: 'Reply' }));
    await gone(button('Delete for all'));
  });

  test('stamps of all participants rise over the picture, and a press goes through them', async () => {
    await letThingsMove();
    const room = await openChat({ playing: { tracks: [aTrack('f')] } });
    await page.getByRole('group', { name: 'React to what plays' }).getByRole('button', { name: 'Tune' }).click();
    await expect.poll(() => room.server.asked('rooms/cheer')).toMatchObject([{ stamp: 'tune' }]);
    const over = page.getByTestId('rising-stamps');
    // Its code is loaded after the room; what comes before does not rise.
    await expect.element(over).toBeInTheDocument();
    for (let n = 0; n < 15; n += 1)
      room.server.sendEphemeral({ type: 'rooms/cheered', roomId, uid: ivoUid, stamp: 'fire' });
    await expect.poll(() => over.element().children.length).toBe(12);
    expect(getComputedStyle(over.element()).pointerEvents).toBe('none');
    await expect.poll(() => over.element().children.length).toBe(0);
  });

  test('without motion nothing rises', async () => {
    const room = await openChat();
    room.server.sendEphemeral({ type: 'rooms/cheered', roomId, uid: ivoUid, stamp: 'fire' });
    await expect.poll(() => getComputedStyle(page.getByTestId('rising-stamps').element()).display).toBe('none');
  });

  test('stamps beyond the limit show one sentence with the time to wait', async () => {
    await openChat({
      prepare: (server) => server.on('rooms/cheer', () => refused('limit/too-many', { retryAfterMs: 3000 })),
    });
    await page.getByRole('group', { name: 'React to what plays' }).getByRole('button', { name: 'Ha' }).click();
    await shown(words('Too many stamps at once. Try again in 3 seconds.'));
    await expectAccessible('both');
  });

  test('the menu of a message reports it, with a reason, and shows who will read that', async () => {
    const room = await openChat();
    room.server.on('reports/send', () => refused('limit/too-many', { retryAfterMs: 60_000 }));
    await messageWith(said.text).click();
    await userEvent.keyboard('{Enter}');
    await menu().getByRole('button', { name: 'Report' }).click();
    await focused(field('What is wrong?'));
    await shown(
      words(/^The person who runs this server will read this message and what you write\. .+ does not learn of it\.$/),
    );
    await expectAccessible('all');
    await userEvent.keyboard('{Enter}');
    await expect.element(field('What is wrong?')).toHaveAccessibleDescription('Please say what is wrong.');
    await userEvent.keyboard('Insults{Enter}');
    await shown(words(/^Too many requests\./));
    room.server.on('reports/send', () => ok({}));
    await userEvent.keyboard('{Enter}');
    await shown(words('Reported. You get a notification when it was read.'));
    await gone(field('What is wrong?'));
    const [first, second] = room.server.asked('reports/send');
    expect(second).toMatchObject({
      reason: 'Insults',
      uid: said.sender,
      about: { type: 'roomMessage', kind, messageId: said.id },
    });
    expect(second).toEqual(first);
  });

  test('the sheet about a person reports them, without TLS too', async () => {
    const room = await openChat();
    withoutTls();
    room.server.on('reports/send', () => ok({}));
    await messageWith(said.text).getByRole('button', { name: said.senderName }).click();
    await button('Report').click();
    await focused(field('What is wrong?'));
    await shown(words(/^The person who runs this server will read what you write\./));
    await userEvent.keyboard('Insults{Enter}');
    await shown(words('Reported. You get a notification when it was read.'));
    expect(room.server.asked('reports/send')).toMatchObject([{ uid: said.sender, about: { type: 'person' } }]);
  });
});

test('the time of a message under the closed chat is not broken, as 06:54 PM would be', async () => {
  await openRoom('audio', { messages: [said] });
  const time = () => document.querySelector('[class*="messageLine"] > :last-child');
  await expect.poll(() => time()?.textContent).toMatch(/\d\d:\d\d/);
  expect(getComputedStyle(time() ?? document.body).whiteSpace).toBe('nowrap');
});
