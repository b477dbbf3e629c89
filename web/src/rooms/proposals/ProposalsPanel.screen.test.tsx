/** Guests propose tracks and vote; the host adds and dismisses. */
import type { Participant, Proposal, Uid } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, type Locator, userEvent } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused, type FakeServer } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, shown, words } from '../../../testing/screens/find.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const guest = (name: string): Participant => ({ uid: uidOf(name), name, online: true });
const saoirse = guest('Saoirse Ní Bhriain of the Very Long Name');
const proposal = (letter: string, proposer: Uid, votes: number): Proposal => ({
  id: letter,
  track: aTrack(letter, { title: `A rather long title of the track ${letter}` }),
  proposer,
  votes,
});
const proposals = (): Locator => page.getByRole('region', { name: 'Proposals' });
const found = (server: FakeServer): void =>
  server.on('catalogue/search', () => ok({ status: 'ok', items: [{ ...aTrack('c'), source: 'library' }] }));

test('a new proposal is named to the host, with the key that adds it, and moves nothing', async () => {
  const room = await openRoom('video', {
    guests: [saoirse],
    playing: { tracks: [aTrack('f')] },
    prepare: (server) => server.on('rooms/addProposal', () => ok({})),
  });
  await shown(button('Proposals, none'));
  // The last part of the sidebar that comes.
  await shown(page.getByRole('region', { name: 'Invite people' }));
  const search = field('Search videos').element();
  const before = search.getBoundingClientRect().top;
  room.tell({ type: 'rooms/proposed', proposal: proposal('a', saoirse.uid, 1) });
  const card = page.getByRole('region', { name: 'New proposal' });
  await shown(card.getByText(/proposed by Saoirse/));
  expect(search.getBoundingClientRect().top).toBe(before);
  const key = card.getByRole('button', { name: 'Add A rather long title of the track a' });
  // The focus holds it while it is looked at.
  (key.element() as HTMLElement).focus();
  await expectAccessible('all');
  await key.click();
  await expect.poll(() => room.server.asked('rooms/addProposal')).toMatchObject([{ proposalId: 'a' }]);
  await gone(card);
});

test('the host reads who proposed what and its votes, adds one and dismisses another', async () => {
  const room = await openRoom('video', {
    guests: [saoirse],
    proposals: [proposal('a', saoirse.uid, 1), proposal('b', saoirse.uid, 9)],
    prepare: (server) => {
      server.on('rooms/addProposal', () => ok({}));
      server.on('rooms/dismissProposal', () => ok({}));
    },
  });
  await button('2 Proposals').click();
  const rows = proposals().getByRole('listitem');
  await expect.element(rows.first()).toMatchTextContent(/track b/);
  await expect.element(rows.first()).toMatchTextContent(/Saoirse Ní Bhriain.*9 votes/);
  await expectAccessible('all');
  await button('Add A rather long title of the track b').click();
  expect(room.server.asked('rooms/addProposal')).toMatchObject([{ proposalId: 'b' }]);
  room.tell({ type: 'rooms/proposalRemoved', proposalId: 'b' });
  await expect.poll(() => rows.length).toBe(1);
  await focused(page.getByRole('heading', { name: 'Proposals' }));
  await button('Dismiss A rather long title of the track a').click();
  room.tell({ type: 'rooms/proposalRemoved', proposalId: 'a' });
  await gone(proposals());
  expect(room.server.asked('rooms/dismissProposal')).toMatchObject([{ proposalId: 'a' }]);
});

test('the answer to an Add takes the focus from nothing that the host has pressed meanwhile', async () => {
  const answer = Promise.withResolvers<void>();
  const room = await openRoom('audio', {
    guests: [saoirse],
    proposals: [proposal('a', saoirse.uid, 1), proposal('b', saoirse.uid, 9)],
    playing: { tracks: [aTrack('c')] },
    prepare: (server) => server.on('rooms/addProposal', () => answer.promise.then(() => ok({}))),
  });
  await button('2 Proposals').click();
  await button('Add A rather long title of the track b').click();
  const volume = page.getByRole('slider', { name: 'Volume' });
  await volume.click();
  answer.resolve();
  room.tell({ type: 'rooms/proposalRemoved', proposalId: 'b' });
  await gone(button('Add A rather long title of the track b'));
  await new Promise((later) => setTimeout(later, 300));
  await focused(volume);
});

test('an Add that comes too late shows that the proposal is gone', async () => {
  await openRoom('audio', {
    guests: [saoirse],
    proposals: [proposal('a', saoirse.uid, 1)],
    prepare: (server) => server.on('rooms/addProposal', () => refused('access/not-found')),
  });
  await button('1 Proposal').click();
  await button('Add A rather long title of the track a').click();
  await shown(words('This proposal is gone: it was taken back, or somebody was faster.'));
});

test('a guest searches and proposes from the results, and reads the outcome', async () => {
  const outcomes = ['proposed', 'voted'] as const;
  let asked = 0;
  const room = await openRoom('video', {
    isHost: false,
    playing: { controller: 'another tab' },
    prepare: (server) => {
      found(server);
      server.on('rooms/propose', () => {
        asked += 1;
        return asked > 2 ? refused('proposals/too-many') : ok({ outcome: outcomes[asked - 1] ?? 'queued' });
      });
    },
  });
  await shown(field('Search videos'));
  expect(page.getByPlaceholder('Propose a track').element()).toBe(field('Search videos').element());
  await field('Search videos').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Propose Track c').click();
  await shown(words('Proposed to the host'));
  await gone(button('Add Track c to the queue'));
  await expectAccessible('all');
  await button('Propose Track c').click();
  await shown(words('Proposed before: it has your vote'));
  expect(room.server.asked('rooms/propose').map(({ track }) => track)).toEqual(
    [1, 2].map(() => ({ videoId: aTrack('c').videoId, title: 'Track c', durationSeconds: 120 })),
  );
  await button('Propose Track c').click();
  await shown(words('You have 5 tracks waiting. Take one back, or wait for one to be played.'));
});

test('on a phone a toast covers neither the chat bar nor the messages above the composer', async () => {
  await lookOnPhone();
  await openRoom('audio', {
    isHost: false,
    playing: { controller: 'another tab' },
    prepare: (server) => {
      server.on('catalogue/suggest', () => ok({ status: 'ok', items: [{ ...aTrack('d'), source: 'library' }] }));
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await button('Propose Track d').click();
  const toast = words('Proposed to the host');
  await shown(toast);
  const bottom = (): number => toast.element().getBoundingClientRect().bottom;
  expect(bottom()).toBeLessThan(button('Click here to Start Chat').element().getBoundingClientRect().top);
  expect(document.querySelector('[data-notice-slot]')?.contains(toast.element())).toBe(true);
});

test('host and guests see suggestions; a guest can propose them and not play them', async () => {
  const room = await openRoom('audio', {
    isHost: false,
    playing: { controller: 'another tab' },
    prepare: (server) => {
      server.on('catalogue/suggest', () => ok({ status: 'ok', items: [{ ...aTrack('d'), source: 'library' }] }));
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await button('Propose Track d').click();
  await expect.poll(() => room.server.asked('rooms/propose').length).toBe(1);
  await gone(button('Track d'));
  await lookOnPhone();
  await expectAccessible('all');
});

test('a suggestion shows that it is proposed, or in the queue, and keeps the focus', async () => {
  const room = await openRoom('audio', {
    isHost: false,
    playing: { controller: 'another tab', tracks: [aTrack('a'), aTrack('b')] },
    prepare: (server) => {
      const items = ['b', 'd'].map((letter) => ({ ...aTrack(letter), source: 'library' as const }));
      server.on('catalogue/suggest', () => ok({ status: 'ok', items }));
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await shown(page.getByRole('region', { name: 'Suggested' }));
  page.getByRole('region', { name: 'Suggested' }).element().scrollIntoView();
  await shown(button('Track b: In the queue'));
  await button('Propose Track d').click();
  room.tell({ type: 'rooms/proposed', proposal: { id: 'p', track: aTrack('d'), proposer: maraUid, votes: 1 } });
  await focused(button('Track d: Proposed'));
  await expect.element(button('Track d: Proposed')).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible('all');
  await button('Track d: Proposed').click({ force: true });
  expect(room.server.asked('rooms/propose')).toHaveLength(1);
  room.tell({ type: 'rooms/proposalRemoved', proposalId: 'p' });
  await shown(button('Propose Track d'));
});

test('a result of a search shows that it is proposed, or in the queue', async () => {
  const room = await openRoom('audio', {
    isHost: false,
    playing: { controller: 'another tab' },
    prepare: (server) => {
      found(server);
      server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
    },
  });
  await field('Search tracks').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Propose Track c').click();
  room.tell({ type: 'rooms/proposed', proposal: { id: 'p', track: aTrack('c'), proposer: maraUid, votes: 1 } });
  await focused(button('Track c: Proposed'));
});

test('where everyone can add, a guest’s buttons add, and they change with the host’s switch', async () => {
  const room = await openRoom('audio', {
    isHost: false,
    settings: { everyoneAdds: true },
    playing: { controller: 'another tab' },
    prepare: (server) => {
      found(server);
      server.on('catalogue/suggest', () => ok({ status: 'ok', items: [{ ...aTrack('d'), source: 'library' }] }));
      server.on('rooms/propose', () => ok({ outcome: 'queued' }));
    },
  });
  await shown(page.getByPlaceholder('Add a track'));
  await expect.element(button('Add Track d to the queue')).toMatchTextContent('Add');
  await field('Search tracks').fill('tea');
  await userEvent.keyboard('{Enter}');
  await button('Add Track c to the queue').click();
  await shown(words('In the queue'));
  await expectAccessible('all');
  room.tell({ type: 'rooms/set', settings: { everyoneAdds: false } });
  await shown(button('Propose Track c'));
  await gone(button('Add Track c to the queue'));
  await shown(page.getByPlaceholder('Propose a track'));
});

test('a guest votes with one button, and takes their own proposal back', async () => {
  const room = await openRoom('video', {
    isHost: false,
    guests: [saoirse],
    proposals: [proposal('a', saoirse.uid, 9), proposal('b', maraUid, 1)],
    ownVotes: ['b'],
    playing: { controller: 'another tab' },
    prepare: (server) => server.on('rooms/voteForProposal', () => ok({})),
  });
  const key = proposals().getByRole('button', { name: /^9 votes/ });
  await expect.element(key).toHaveAttribute('aria-pressed', 'false');
  await expectAccessible('all');
  await key.click();
  room.tell({
    type: 'rooms/proposalVoted',
    proposalId: 'a',
    uid: maraUid,
    isOn: true,
    votes: 10,
    proposer: saoirse.uid,
  });
  await expect.element(proposals().getByRole('button', { name: /^10 votes/ })).toHaveAttribute('aria-pressed', 'true');
  await proposals()
    .getByRole('button', { name: /^Take back/ })
    .click();
  expect(room.server.asked('rooms/voteForProposal')).toMatchObject([
    { proposalId: 'a', isOn: true },
    { proposalId: 'b', isOn: false },
  ]);
  room.tell({ type: 'rooms/proposed', proposal: proposal('c', maraUid, 1) });
  await expect.poll(() => proposals().getByRole('button', { name: /^Take back/ }).length).toBe(2);
});

test('the queue shows who proposed a track', async () => {
  const tracks = [aTrack('a'), { ...aTrack('b'), proposedBy: saoirse.uid }];
  await openRoom('audio', { isHost: false, guests: [saoirse], playing: { tracks, controller: 'another tab' } });
  await shown(page.getByText(`02:00 · proposed by ${saoirse.name}`));
  await expectAccessible('all');
});

test('a track without a picture has tiles of its own in the queue, proposals, results and suggestions', async () => {
  await openRoom('audio', {
    playing: { tracks: [aTrack('a'), aTrack('b', { thumbnail: '/icon-192.png' })] },
    guests: [saoirse],
    proposals: [proposal('e', saoirse.uid, 1)],
    prepare: (server) => {
      found(server);
      server.on('catalogue/suggest', () =>
        ok({
          status: 'ok',
          items: [{ ...aTrack('d', { thumbnail: 'data:image/png;base64,AAAA' }), source: 'library' }],
        }),
      );
    },
  });
  await field('Search tracks').fill('tea');
  await userEvent.keyboard('{Enter}');
  const row = (region: string, place = 0): Locator =>
    page.getByRole('region', { name: region }).getByRole('listitem').nth(place);
  const shapes = (place: Locator): string =>
    [...place.element().querySelectorAll('span[aria-hidden] path')].map((path) => path.getAttribute('d')).join(' ');
  await button('1 Proposal').click();
  await shown(page.getByRole('region', { name: 'Suggested' }));
  page.getByRole('region', { name: 'Suggested' }).element().scrollIntoView();
  const tiled = [row('Queue'), row('Proposals'), row('Search Results'), row('Suggested')];
  for (const place of tiled) await expect.poll(() => shapes(place)).not.toBe('');
  expect(new Set(tiled.map(shapes)).size).toBe(tiled.length);
  await expect.poll(() => row('Queue', 1).element().querySelector('img')?.naturalWidth).toBe(192);
  await expectAccessible('all');
});
