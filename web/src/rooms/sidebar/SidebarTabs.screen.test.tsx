import { describe, expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { copiedBy, lookOnPhone } from '../../../testing/screens/browser.ts';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { aRequest, aRoomMessage, aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const requests = ['Ada', 'Noor', 'Samir'].map((name, index) => aRequest(name, index));
const guests = Array.from({ length: 20 }, (_, index) => ({
  uid: uidOf(`Guest${String(index)}`),
  name: `Guest ${String(index)}`,
  online: true,
}));
const messages = Array.from({ length: 12 }, (_, index) => aRoomMessage(index + 1));
const openFull = (visit: RoomVisit = {}) =>
  openRoom('video', {
    requests,
    guests,
    messages,
    playing: { tracks: [aTrack('f')] },
    prepare: (server) =>
      server.on('catalogue/search', () =>
        ok({ status: 'ok', items: [{ ...aTrack('c'), source: 'library' as const }] }),
      ),
    ...visit,
  });
const section = (name: string): Locator => page.getByRole('region', { name });
const chat = (): Locator => page.getByRole('log', { name: 'Chat' });
const peopleLine = (): Locator => button(/^Participants, \d+ here$/);
const isCovered = (locator: Locator): boolean => {
  const { left, top, width, height } = locator.element().getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  return onTop === null || !(locator.element().contains(onTop) || onTop.contains(locator.element()));
};
async function search(): Promise<void> {
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await shown(section('Search Results').getByText('Track c'));
}

describe('the panels of the sidebar', () => {
  test('at rest show the first request, the search, the people and the last lines of the chat', async () => {
    await openFull();
    await shown(button('Accept Ada'));
    await gone(button('Accept Noor'));
    await shown(field('Search videos'));
    await shown(section('Participants'));
    await shown(page.getByRole('log', { name: 'Last 10 messages' }));
    await expectAccessible('all');
    await button('3 Requests').click();
    await shown(button('Accept Samir'));
    await expectAccessible('all');
    await userEvent.keyboard('{Escape}');
    await gone(button('Accept Samir'));
    await focused(button('3 Requests'));
    await shown(section('Participants'));
  });

  test('fold beside an open chat: the first request is answered there, people and search are one press away', async () => {
    const room = await openFull({
      prepare: (server) => {
        server.on('rooms/acceptRequest', () => ok({}));
      },
    });
    await button('Click here to Start Chat').click();
    await shown(chat());
    await shown(words('asks, and 2 more'));
    await shown(peopleLine());
    await expectAccessible('all');
    await button('Accept Ada').click();
    await expect.poll(() => room.server.asked('rooms/acceptRequest').length).toBe(1);
    room.pushToHost({ type: 'rooms/requestChanged', request: { ...aRequest('Ada', 0), status: 'accepted' } });
    await shown(words('asks, and 1 more'));
    await button('Search').click();
    await focused(field('Search videos'));
    await gone(chat());
  });

  test('open by the part of a folded request that names, and by the line of avatars', async () => {
    await openFull();
    await button('Click here to Start Chat').click();
    await button(/^Ada asks/).click();
    await shown(button('Accept Samir'));
    await button('Close').click();
    await shown(chat());
    await peopleLine().click();
    await shown(section('Participants'));
    await shown(button('Click here to Start Chat'));
  });

  test('fold beside search results, which stay while the people are open', async () => {
    await openFull();
    await search();
    await shown(words('asks, and 2 more'));
    await gone(section('Participants'));
    await shown(button('Click here to Start Chat'));
    await peopleLine().click();
    await shown(section('Participants'));
    await gone(section('Search Results'));
    await button('Show the results').click();
    await shown(section('Search Results').getByText('Track c'));
    await button('Cancel').click();
    await shown(section('Participants'));
  });

  test('come back to the results after the chat', async () => {
    await openFull();
    await search();
    await button('Click here to Start Chat').click();
    await gone(section('Search Results'));
    await button('Click here to Return Room').click();
    await shown(section('Search Results').getByText('Track c'));
  });

  test('have no requests for a guest, and keep the avatars and the search button beside an open chat', async () => {
    await openFull({ isHost: false, playing: { tracks: [aTrack('f')], controller: 'another tab' } });
    await gone(section('Pending Join Requests'));
    await button('Click here to Start Chat').click();
    await shown(peopleLine());
    await shown(button('Search'));
  });
});

describe('in windows of other sizes', () => {
  test('an open chat is a column of its own from 1600 px, and nothing folds', async () => {
    await page.viewport(1920, 1080);
    await openFull();
    await shown(chat());
    await shown(section('Participants'));
    await expect.element(button('3 Requests')).toBeInViewport({ ratio: 1 });
    await search();
    await shown(chat());
    await expectAccessible('this');
  });

  test('a sidebar of 300 px shows one request with its name and both keys', async () => {
    await page.viewport(1024, 768);
    await openFull();
    await shown(button('Accept Ada'));
    await gone(button('Accept Noor'));
    await expect.element(button(/^Ada asks/)).toBeInViewport({ ratio: 1 });
    await expect.element(button('Reject Ada')).toBeInViewport({ ratio: 1 });
    await expectAccessible('this');
  });

  test('a phone keeps the first request, the line of avatars and the messages in sight beside an open chat', async () => {
    await lookOnPhone();
    await openFull();
    await button('Click here to Start Chat').click();
    for (const one of [button('Accept Ada'), peopleLine(), chat(), field('Message')]) {
      await expect.element(one).toBeInViewport({ ratio: 1 });
      expect(isCovered(one)).toBe(false);
    }
    expect(chat().element().clientHeight).toBeGreaterThan(160);
    await gone(button('Play'));
    await expectAccessible('this');
  });

  test('a phone pins the request under the picture while results are read, and keeps the bar of the chat', async () => {
    await lookOnPhone();
    await openFull();
    await search();
    window.scrollTo(0, document.documentElement.scrollHeight);
    await expect.element(button('Accept Ada')).toBeInViewport({ ratio: 1 });
    await expect.element(button('Click here to Start Chat')).toBeInViewport({ ratio: 1 });
    await expectAccessible('this');
  });

  test('a low window keeps every panel within reach', async () => {
    await page.viewport(1280, 560);
    await openFull();
    for (const one of [button('Accept Ada'), field('Search videos'), section('Participants')]) await shown(one);
    button('Click here to Start Chat').element().scrollIntoView();
    await expect.element(button('Click here to Start Chat')).toBeInViewport({ ratio: 1 });
  });
});

describe('wide view', () => {
  test('folds the sidebar to tabs with counts, and back', async () => {
    await openFull();
    await button('Wide view').click();
    await shown(button('Pending Join Requests, 3'));
    await shown(button('Participants, 21'));
    await expect.element(section('Participants')).not.toBeInTheDocument();
    await expectAccessible('this');
    await button('Leave wide view').click();
    await shown(section('Participants'));
  });

  test.each([
    ['Pending Join Requests, 3', () => button('Accept Samir')],
    ['Participants, 21', () => section('Participants')],
    ['Room chat', chat],
    ['Search', () => field('Search videos')],
  ] as const)('a press of %s unfolds the sidebar with that panel full', async (key, found) => {
    await openFull();
    await button('Wide view').click();
    await button(key).click();
    await shown(found());
    await gone(button('Leave wide view'));
    await expect.poll(() => document.activeElement?.closest('aside')?.getAttribute('aria-label')).toBe('Room');
  });

  test('keeps what was typed in the chat', async () => {
    await openFull();
    await button('Click here to Start Chat').click();
    await field('Message').fill('half a sentence');
    await button('Wide view').click();
    await button('Room chat').click();
    await expect.element(field('Message')).toHaveValue('half a sentence');
  });

  test('keeps the controls in sight below the picture', async () => {
    await page.viewport(1280, 720);
    await openFull();
    await button('Wide view').click();
    await expect.element(button('Play')).toBeInViewport({ ratio: 1 });
  });
});

describe('the invitation', () => {
  const invitation = (): Locator => section('Invite people');
  const qrCode = (): Locator => invitation().getByLabelText('QR code of the room’s link');
  const few = (people: number, visit: RoomVisit = {}) =>
    openFull({ requests: [], guests: guests.slice(0, people - 1), messages: [], ...visit });

  test('is whole for a room of one, on one line from two on, and gone while the chat is open', async () => {
    const room = await few(1);
    await shown(qrCode());
    await shown(invitation().getByRole('button', { name: 'Code' }));
    await shown(invitation().getByRole('button', { name: 'Link' }));
    await expectAccessible('all');
    const [second] = guests;
    if (second) room.tell({ type: 'rooms/participantJoined', participant: second, people: 2 });
    await gone(qrCode());
    await shown(invitation());
    expect(invitation().element().getBoundingClientRect().height).toBeLessThan(60);
    await button('Click here to Start Chat').click();
    await gone(invitation());
    await button('Click here to Return Room').click();
    await shown(invitation());
  });

  test('on one line copies code and link, and opens the QR code', async () => {
    await few(2);
    await expectAccessible('all');
    await shown(button('Copy Link'));
    // In one step: it says so for two seconds.
    (button('Copy Link').element() as HTMLElement).click();
    await shown(button('Copied'));
    const copyLink = (): Promise<void> => button(/^Cop(?:y Link|ied)$/).click();
    await expect.poll(() => copiedBy(copyLink)).toMatch(/\/join\?code=7F3A9C$/);
    await expect.poll(() => copiedBy(() => button('7F3A9C: Copy Code').click())).toBe('7F3A9C');
    await button('QR code').click();
    await shown(page.getByRole('dialog', { name: /^Invite to/ }));
  });

  test('gives its place to a line while the room is locked', async () => {
    const room = await few(3);
    await shown(invitation());
    room.tell({ type: 'rooms/set', settings: { isLocked: true } });
    await gone(invitation());
    await shown(words('This room is locked. Nobody can ask to come in.'));
  });

  test.for([
    [1280, 720],
    [1366, 768],
    [1280, 800],
    [1024, 768],
  ] as const)('eight people are whole at %i × %i, and the chat bar is in sight', async ([width, height]) => {
    await page.viewport(width, height);
    await few(8);
    await shown(invitation());
    await shown(words('Guest 6'));
    for (const name of section('Participants').getByRole('listitem').all()) {
      await expect.element(name).toBeInViewport({ ratio: 1 });
    }
    const list = section('Participants').element().parentElement;
    expect(list?.scrollHeight).toBeLessThanOrEqual(list?.clientHeight ?? 0);
    await expect.element(button('Click here to Start Chat')).toBeInViewport({ ratio: 1 });
  });
});
