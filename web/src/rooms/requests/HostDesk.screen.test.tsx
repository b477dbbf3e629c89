/** The host's desk: one counted place, which moves nothing else. */
import { roomKinds } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, gone, heading, shown } from '../../../testing/screens/find.ts';
import { aRequest, aRoomMessage, aTrack, openRoom } from '../../../testing/screens/rooms.ts';
import { settled } from '../../../testing/screens/settled.ts';

const ada = { uid: uidOf('Ada'), name: 'Ada', online: true };
const proposal = { id: 'a', track: aTrack('b'), proposer: ada.uid, votes: 1 };

/** Where everything stands that a request, a proposal or a vote could move. */
function places(): Record<string, number> {
  const all = document.querySelectorAll('aside [data-panel], aside input, main section, main [role=group]');
  return Object.fromEntries(
    [...all].map((one, at) => [
      `${String(at)} ${one.getAttribute('aria-label') ?? ''}`,
      one.getBoundingClientRect().top,
    ]),
  );
}

test.for(roomKinds)(
  'in a %s room nothing moves while requests, proposals, votes and a lock come and go',
  async (kind) => {
    const room = await openRoom(kind, { guests: [ada], playing: { tracks: [aTrack('a')] } });
    await shown(button('Requests, none'));
    await shown(page.getByRole('region', { name: 'Invite people' }));
    const before = await settled(places);
    room.pushToHost({ type: 'rooms/requestChanged', request: aRequest('Noor') });
    await shown(button('1 Request'));
    room.tell({ type: 'rooms/proposed', proposal });
    room.tell({ type: 'rooms/skipVoted', uid: ada.uid, isOn: true });
    await shown(button('1 of 1 Skip votes'));
    expect(places()).toEqual(before);
    room.pushToHost({ type: 'rooms/requestChanged', request: { ...aRequest('Noor'), status: 'accepted' } });
    await shown(button('Requests, none'));
    expect(places()).toEqual(before);
    await button('1 Proposal').click();
    expect(places()).toEqual(before);
  },
);

test('on a phone the counts stand in the first screen, and a press opens what waits', async () => {
  await lookOnPhone();
  const room = await openRoom('video', {
    guests: [ada],
    requests: [aRequest('Noor', 1), aRequest('Samir', 2)],
    proposals: [proposal],
    playing: { tracks: [aTrack('f')] },
    prepare: (server) => server.on('rooms/addProposal', () => ok({})),
  });
  for (const name of ['2 Requests', '1 Proposal', 'Skip votes, none']) {
    await expect.element(button(name)).toBeInViewport({ ratio: 1 });
  }
  await button(/^Noor asks/).click();
  await shown(button('Accept Samir'));
  await expectAccessible('all');
  await button('Add Track b').click();
  await expect.poll(() => room.server.asked('rooms/addProposal')).toMatchObject([{ proposalId: 'a' }]);
  await button('Close').click();
  await gone(button('Accept Samir'));
});

test('on a phone an open chat has the place of a desk at which no person waits', async () => {
  await lookOnPhone();
  const room = await openRoom('video', { guests: [ada] });
  await shown(button('Requests, none'));
  await button('Click here to Start Chat').click();
  await shown(button('Click here to Return Room'));
  await expect.element(button('Requests, none')).not.toBeInTheDocument();
  room.pushToHost({ type: 'rooms/requestChanged', request: aRequest('Noor') });
  const card = page.getByRole('region', { name: 'Pending Join Requests' });
  await expect.element(card.getByRole('button', { name: /^Accept/ })).toBeInViewport();
});

test.for(roomKinds)("the opened desk of a %s room begins with 'Pending Join Requests'", async (kind) => {
  await openRoom(kind, { guests: [ada], proposals: [proposal] });
  await button('Requests, none').click();
  const desk = page.getByRole('region', { name: 'Waiting for you' });
  await expect.element(desk.getByRole('heading').first()).toMatchTextContent('Pending Join Requests');
  await shown(desk.getByText('Nobody asks to come in.'));
  await expectAccessible('this');
});

test('with no person waiting the desk is 56 px high', async () => {
  await openRoom('video', { guests: [ada] });
  await shown(button('Requests, none'));
  expect(button('Requests, none').element().getBoundingClientRect().height).toBe(56);
});

/** The element that a finger in the middle of it would press. */
function underFinger(found: Locator): Element | null {
  const { left, right, top, bottom } = found.element().getBoundingClientRect();
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
}

test.each(['audio', 'video'] as const)(
  'on a phone a request to the %s room is answered at rest, and above results, without scrolling',
  async (kind) => {
    await lookOnPhone();
    const items = Array.from('abcdef', (letter) => ({ ...aTrack(letter), source: 'library' as const }));
    await openRoom(kind, {
      guests: [ada],
      requests: [aRequest('Noor')],
      messages: [1, 2, 3, 4].map((number) => aRoomMessage(number)),
      playing: { tracks: [aTrack('f'), aTrack('e')], controller: 'this tab' },
      prepare: (server) => server.on('catalogue/search', () => ok({ status: 'samples', items })),
    });
    const accept = page.getByRole('region', { name: 'Pending Join Requests' }).getByRole('button', { name: /^Accept/ });
    const isInSight = (): boolean => accept.element().contains(underFinger(accept));
    await shown(accept);
    await expect.poll(isInSight).toBe(true);
    await page.getByRole('searchbox').fill('anything');
    await userEvent.keyboard('{Enter}');
    await shown(page.getByRole('heading', { name: 'Search Results' }));
    await expect.poll(isInSight).toBe(true);
    scrollTo(0, document.documentElement.scrollHeight);
    await expect.poll(isInSight).toBe(true);
  },
);

test('a guest has no desk', async () => {
  await openRoom('video', { isHost: false, playing: { controller: 'another tab' } });
  await shown(heading('Nothing plays yet'));
  await gone(button(/Requests$/));
});
