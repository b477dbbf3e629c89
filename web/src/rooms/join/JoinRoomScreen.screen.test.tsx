import type { RoomCode, RoomKind } from '@tunemate/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused, silence, type FakeServer } from '../../../testing/screens/fake-server.ts';
import {
  arrivedAt,
  button,
  field,
  focused,
  gone,
  heading,
  leadsTo,
  link,
  modal,
  shown,
  words,
} from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';

const code = '7F3A9C' as RoomCode;

/** The sentences that differ between the kinds. */
const kinds = [
  {
    kind: 'video',
    path: '/join',
    create: '/create',
    room: `/tunemate/${code}`,
    title: 'Join a video room',
    missing: 'Please enter Room Code',
    notFound: 'Room not found',
    ended: 'This Tunemate Room is ended by the host',
  },
  {
    kind: 'audio',
    path: '/join-audio-room',
    create: '/create-audio-room',
    room: `/audio-room/${code}`,
    title: 'Join an audio room',
    missing: 'Please enter Audio Room Code',
    notFound: 'Audio Room not found',
    ended: 'This Audio Room is ended by the host.',
  },
] as const satisfies readonly { kind: RoomKind; [text: string]: string }[];

const pending = (server: FakeServer): void => {
  server.on('rooms/askToJoin', () => ok({ code, status: 'pending' }));
  server.on('rooms/cancelRequest', () => ok({}));
  server.on('rooms/renewRequest', () => ok({ status: 'pending' }));
};

/** What the worker of push messages stores for a tap. */
const recordsName = 'tunemate-taps';
const recordTap = async (link: string, atMs: number): Promise<void> =>
  (await caches.open(recordsName)).put(link, new Response(String(atMs)));
async function tapRecords(): Promise<string[]> {
  const links = await (await caches.open(recordsName)).keys();
  return links.map(({ url }) => url.slice(location.origin.length));
}
afterEach(() => caches.delete(recordsName));

const opening =
  (path: string) =>
  (prepare: (server: FakeServer) => void = () => undefined, query = '') =>
    openPage(`${path}${query}`, { prepare });

async function ask(typed = code.toLowerCase()): Promise<void> {
  await field('Room code').fill(typed);
  await userEvent.keyboard('{Enter}');
}

describe.each(kinds)('joining $kind rooms', ({ kind, path, create, room, title, missing, notFound, ended }) => {
  const open = opening(path);

  test.each([
    'Room code: 7F3A9C',
    `Listen with me: ${location.origin}${room}).`,
    `${location.origin}${path}?code=7f3a9c`,
    '7F3-A9C',
  ])('asks for the room whose code the pasted text holds: %s', async (text) => {
    const { server } = await open(pending);
    await ask(text);
    await expect.poll(() => server.asked('rooms/askToJoin').map((asked) => asked.code)).toEqual([code]);
  });

  test('a pasted link to a room of the other kind leads to its form', async () => {
    const other = kinds.find((one) => one.kind !== kind);
    await open();
    await field('Room code').fill(`${location.origin}${other?.room ?? ''}`);
    await arrivedAt(`${other?.path ?? ''}?code=${code}`);
    await shown(heading(other?.title ?? ''));
    await expect.element(field('Room code')).toHaveValue(code);
  });

  test('asks for a code of at most 8 characters, with Join Session, Create New Room and Back to Home', async () => {
    await open();
    await shown(heading(title));
    await expect.element(field('Room code')).toHaveAttribute('placeholder', 'ROOM123');
    await leadsTo(link('Create New Room'), create);
    await leadsTo(link('Back to Home'), '/');
    await field('Room code').fill('ab cdefghijk');
    await expect.element(field('Room code')).toHaveValue('ABCDEFGH');
    await shown(button('Join Session'));
    await expectAccessible('all');
  });

  test(`a blank code gives '${missing}'`, async () => {
    const { server } = await open();
    await button('Join Session').click();
    await focused(modal(missing).getByRole('button', { name: 'OK' }));
    await expectAccessible();
    await userEvent.keyboard('{Enter}');
    await gone(modal(missing));
    await ask('   ');
    await shown(modal(missing));
    expect(server.asked('rooms/askToJoin')).toEqual([]);
  });

  test.each(['room/not-found', 'room/ended'] as const)(`%s gives '${notFound}'`, async (why) => {
    const { server } = await open((stand) => stand.on('rooms/askToJoin', () => refused(why)));
    await ask();
    await shown(modal(notFound));
    expect(server.asked('rooms/askToJoin')).toEqual([{ kind, code }]);
  });

  test('a member enters without waiting', async () => {
    await open((server) => {
      server.on('rooms/askToJoin', () => ok({ code, status: 'member' }));
      server.on('rooms/enter', silence);
      server.on('catalogue/suggest', silence);
    });
    await ask();
    await arrivedAt(room);
  });

  test("while waiting it shows 'Waiting for Host Approval...' and 'Don't leave this page', and enters once accepted", async () => {
    const { server } = await open((stand) => {
      pending(stand);
      stand.on('rooms/enter', silence);
    });
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    await shown(words("Don't leave this page"));
    await expectAccessible('all');
    server.tell({ type: 'rooms/requestAnswered', kind, code, answer: 'accepted' });
    await arrivedAt(room);
    expect(server.asked('rooms/cancelRequest')).toEqual([]);
  });

  test(`a room that ends while the user waits shows '${ended}'`, async () => {
    const { server } = await open(pending);
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    server.tell({ type: 'rooms/requestAnswered', kind, code, answer: 'ended' });
    await shown(modal(ended));
  });
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('joining rooms', () => {
  const { kind, path, title, notFound, ended } = kinds[1];
  const open = opening(path);

  test('a tap on a push message asks at once, and shows when the room of the invitation has ended', async () => {
    await recordTap(`${path}?code=${code}`, Date.now());
    await open((server) => server.on('rooms/askToJoin', () => refused('room/ended')), `?code=${code}`);
    await shown(modal(notFound).getByText('The room of this invitation has ended.'));
  });

  test('a tap on a push message is used once, within a minute, and for its room alone', async () => {
    await recordTap(`${path}?code=${code}`, Date.now() - 60_000);
    await recordTap(`${path}?code=FFFFFF`, Date.now());
    const { server } = await open(pending, `?code=${code}`);
    await expect.poll(() => tapRecords()).toEqual([`${path}?code=FFFFFF`]);
    await shown(button('Join Session'));
    expect(server.asked('rooms/askToJoin')).toEqual([]);
  });

  test('a link fills the form and sends nothing before the button is pressed', async () => {
    const { server } = await open(pending, `?code=${code.toLowerCase()}&ask&next=%2F&invitation=x`);
    await expect.element(field('Room code')).toHaveValue(code);
    await expect.poll(() => server.asked('session/hello').length).toBe(1);
    expect(server.asked('rooms/askToJoin')).toEqual([]);
    await button('Join Session').click();
    await shown(heading('Waiting for Host Approval...'));
  });

  test('the button is busy while a slow server answers', async () => {
    await open((server) => server.on('rooms/askToJoin', silence));
    await ask();
    await expect.element(button('Join Session')).toHaveAttribute('aria-busy', 'true');
    await expectAccessible();
  });

  test('a room whose code is loaded replaces the join page at once, with no loading page between', async () => {
    await import('../visit/RoomScreen.tsx');
    const { server } = await open((stand) => {
      stand.on('rooms/askToJoin', () => ok({ code, status: 'member' }));
      stand.on('rooms/enter', silence);
      stand.on('catalogue/suggest', silence);
    });
    await shown(heading(title));
    let sawLoadingPage = false;
    // A loading page instead of a screen: the loading of a room itself is inside the room's layout.
    const hasLoadingPage = () => document.querySelector('main') === null && words('Loading...').elements().length > 0;
    const watch = new MutationObserver(() => (sawLoadingPage ||= hasLoadingPage()));
    watch.observe(document.body, { childList: true, subtree: true });
    await ask();
    await expect.poll(() => server.asked('rooms/enter').length).toBeGreaterThan(0);
    watch.disconnect();
    expect(sawLoadingPage).toBe(false);
  });

  test('the page measures the server’s clock while the user is still typing the code', async () => {
    const { server } = await open();
    await expect.poll(() => server.asked('clock/probe').length).toBeGreaterThan(0);
    expect(server.asked('rooms/askToJoin')).toEqual([]);
  });

  test('leaving the page while waiting cancels the request', async () => {
    const { server } = await open(pending);
    await ask();
    await link('Back to Home').click();
    await expect.poll(() => server.asked('rooms/cancelRequest')).toEqual([{ kind, code }]);
    await arrivedAt('/');
  });

  test('closing the page cancels nothing, and a page that comes back goes on waiting', async () => {
    const { server } = await open(pending);
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    window.dispatchEvent(new Event('pagehide'));
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await expect.poll(() => server.asked('rooms/renewRequest')).toEqual([{ kind, code }]);
    await shown(heading('Waiting for Host Approval...'));
    expect(server.asked('rooms/cancelRequest')).toEqual([]);
  });

  test('a page that was reloaded while it waits leads back to the filled form', async () => {
    // As the tab keeps it over a reload.
    sessionStorage.setItem('tunemate/asked', [kind, code, Date.now()].join(' '));
    const { server } = await open(pending);
    await shown(heading('Waiting for Host Approval...'));
    server.tell({ type: 'rooms/requestAnswered', kind, code, answer: 'rejected' });
    await button('OK').click();
    await expect.element(field('Room code')).toHaveValue(code);
  });

  test('a declined request shows that it was declined, and when the user may ask again', async () => {
    const { server } = await open(pending);
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    server.tell({ type: 'rooms/requestAnswered', kind, code, answer: 'rejected' });
    await shown(modal('The host declined your request.').getByText(/^You can ask again in/));
    await expectAccessible();
    await button('OK').click();
    await shown(heading(title));
  });

  test.each([
    [
      'JOIN-W18 the fifth decline shows that it was the last',
      'rejected-for-good',
      'The host declined your request.',
      'That was your last request: the host declined five. You can’t ask to join this room again.',
    ],
  ] as const)('%s', async (_title, answer, message, hint) => {
    const { server } = await open(pending);
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    server.tell({ type: 'rooms/requestAnswered', kind, code, answer });
    await shown(modal(message).getByText(hint));
    await button('OK').click();
    await shown(heading(title));
  });

  test('a request that expired leads back to the filled form, which shows why', async () => {
    const { server } = await open(pending);
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    await shown(words(/^Asked just now\. The host sees it wherever they are in Tunemate\./));
    server.tell({ type: 'rooms/requestAnswered', kind, code, answer: 'lapsed' });
    await shown(words(/^Your request has lapsed, because this page was away for more than a minute\./));
    await expect.element(field('Room code')).toHaveValue(code);
    await expectAccessible('all');
    await button('Join Session').click();
    await shown(heading('Waiting for Host Approval...'));
  });

  test('asking again after the last request shows that it was the last', async () => {
    await open((server) => server.on('rooms/askToJoin', () => refused('room/declined-for-good')));
    await ask();
    await shown(modal('The host declined five requests of yours. You can’t ask to join this room again.'));
  });

  test.each([
    [
      'a request that lapsed',
      () => ok({ status: 'none' as const }),
      'Your request was taken back. Ask again to come in.',
    ],
    ['a room that is over', () => refused('room/ended'), ended],
    ['a request that was declined', () => ok({ status: 'rejected' as const }), 'The host declined your request.'],
  ])('%s while the connection was lost is shown when it is live again', async (_what, status, message) => {
    const { server } = await open(pending);
    await ask();
    await shown(heading('Waiting for Host Approval...'));
    server.on('rooms/renewRequest', status);
    server.disconnect();
    server.reconnect();
    await shown(modal(message));
  });

  test('asking too often shows when to try again', async () => {
    await open((server) => server.on('rooms/askToJoin', () => refused('limit/too-many', { retryAfterMs: 20_000 })));
    await ask();
    await shown(modal('That was a little fast.').getByText('You can ask again in 20 seconds.'));
  });

  test('a full room shows that it is full', async () => {
    await open((server) => server.on('rooms/askToJoin', () => refused('room/full')));
    await ask();
    await shown(modal('This room is full.'));
  });
});
