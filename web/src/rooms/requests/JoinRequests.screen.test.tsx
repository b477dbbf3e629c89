import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { copiedBy, withoutTls, withTls } from '../../../testing/screens/browser.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, field, focused, gone, heading, modal, shown, words } from '../../../testing/screens/find.ts';
import { aTunemate } from '../../../testing/screens/people.ts';
import { aRequest, openRoom, testRoomCode } from '../../../testing/screens/rooms.ts';

const requestOf = (name: string, askedAt: number) => ({
  type: 'rooms/requestChanged' as const,
  request: aRequest(name, askedAt),
});
const sheet = (name: string) => page.getByRole('dialog', { name });
/** For as long as it is new. */
const banner = button(/^New Join Request from \w/);

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('the door of a room', () => {
  const kind = 'video';
  test('accepts all requests that the host sees at once, and shows how many came in', async () => {
    const { server } = await openRoom(kind, {
      requests: [aRequest('Ada', 1), aRequest('Noor', 2)],
      prepare: (stand) => stand.on('rooms/acceptAll', () => ok({ inside: 2, isFull: false })),
    });
    await button('2 Requests').click();
    await button('Accept all').click();
    await shown(words('2 people let in'));
    expect(server.asked('rooms/acceptAll')).toEqual([
      { kind, code: testRoomCode, uids: [uidOf('Ada'), uidOf('Noor')] },
    ]);
  });

  test('has no button for a single request', async () => {
    await openRoom(kind, { requests: [aRequest('Ada', 1)] });
    await button('1 Request').click();
    await shown(button('Accept Ada').first());
    await gone(button('Accept all'));
  });

  test('shows that the room is full when there are more requests than places', async () => {
    await openRoom(kind, {
      requests: [aRequest('Ada', 1), aRequest('Noor', 2)],
      prepare: (stand) => stand.on('rooms/acceptAll', () => ok({ inside: 1, isFull: true })),
    });
    await button('2 Requests').click();
    await button('Accept all').click();
    await shown(modal('This room is full.'));
  });

  test('a new request moves nothing, is announced, and stays until it is answered', async () => {
    const room = await openRoom(kind, { guests: [{ uid: uidOf('Noor'), name: 'Noor', online: true }] });
    const field = page.getByLabelText('Search videos');
    await shown(page.getByRole('region', { name: 'Invite people' }));
    const before = field.element().getBoundingClientRect().top;
    room.pushToHost(requestOf('Ada', 5));
    await shown(banner);
    await expectAccessible();
    expect(field.element().getBoundingClientRect().top).toBe(before);
    await gone(banner);
    await shown(button('Ada asks to join'));
    await shown(button('Accept Ada'));
  });

  test('the notice of a request answers it', async () => {
    const room = await openRoom(kind, { prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})) });
    await shown(heading('Friday Slow Burn'));
    room.pushToHost(requestOf('Ada', 5));
    await shown(banner);
    await expectAccessible();
    await button('Accept Ada').click();
    await expect
      .poll(() => room.server.asked('rooms/acceptRequest'))
      .toEqual([{ kind, code: testRoomCode, uid: uidOf('Ada') }]);
  });

  test.each([
    [1024, true],
    [1280, false],
  ])('at %i px the key that rejects is a cross where a name needs its word’s room: %s', async (width, isCross) => {
    await page.viewport(width, 768);
    await openRoom(kind, { requests: [aRequest('Ada')] });
    await shown(button('Reject Ada'));
    expect(button('Reject Ada').element().querySelector('svg') !== null).toBe(isCross);
  });

  test('the host sets who comes in without approval, and a notice shows who came in', async () => {
    const room = await openRoom(kind, { prepare: (stand) => stand.on('rooms/set', () => ok({})) });
    await button('Room settings').click();
    await expect.element(field(/^Nobody/)).toBeChecked();
    await expectAccessible();
    await field('Everybody with the link').click();
    await expect.poll(() => room.server.asked('rooms/set')).toHaveLength(1);
    room.pushToHost({ type: 'rooms/set', settings: { admits: 'everybody' } });
    await expect.element(field('Everybody with the link')).toBeChecked();
    expect(room.server.asked('rooms/set')).toEqual([{ kind, code: testRoomCode, settings: { admits: 'everybody' } }]);
    await userEvent.keyboard('{Escape}');
    await gone(sheet('Room settings'));
    room.pushToHost({ type: 'rooms/cameIn', uid: uidOf('Ada'), name: 'Ada' });
    await shown(words('Ada came in'));
    await gone(banner);
  });

  test('a notice shows a person who comes in at the moment that the room is drawn', async () => {
    const drawn = Promise.withResolvers<void>();
    const observer = new MutationObserver(() => words('Click here to Start Chat').query() && drawn.resolve());
    observer.observe(document, { subtree: true, childList: true });
    const room = await openRoom(kind);
    await drawn.promise;
    observer.disconnect();
    room.pushToHost({ type: 'rooms/cameIn', uid: uidOf('Ada'), name: 'Ada' });
    await shown(words('Ada came in'));
  });

  test('a switch that the server refuses stays, and the host reads why; guests have none', async () => {
    await openRoom(kind, { prepare: (stand) => stand.on('rooms/set', () => refused('server/busy')) });
    await button('Room settings').click();
    await field('People I invited').click();
    await shown(modal('The server is busy. Try again in a moment.'));
    await expect.element(field(/^Nobody/)).toBeChecked();
  });

  test('Invite shows code, link and QR code, whether the link needs approval, and who can be invited', async () => {
    const { server } = await openRoom(kind, {
      own: { tunemates: [aTunemate('Ada'), aTunemate('Noor', {}, 'offline')] },
      prepare: (stand) => stand.on('notifications/invite', () => ok({})),
    });
    await button('Invite').click();
    const invite = sheet('Invite to Friday Slow Burn');
    await shown(invite.getByText(`${location.host}/join?code=${testRoomCode}`));
    await shown(invite.getByRole('img', { name: 'QR code of the link to room 7 F 3 A 9 C' }));
    await shown(invite.getByText(/Everyone still asks you first\./));
    await expectAccessible();
    await invite.getByRole('button', { name: 'Invite Noor' }).click();
    await modal('Invite Noor?').getByRole('button', { name: 'Invite' }).click();
    await shown(invite.getByText('Invited', { exact: true }));
    await expect.element(invite.getByRole('button', { name: 'Noor: Invited' })).toHaveFocus();
    expect(server.asked('notifications/invite')).toMatchObject([{ uid: uidOf('Noor') }]);
  });

  test('without TLS the link is copied from the sheet, and the keyboard stays where it was', async () => {
    await openRoom(kind, {});
    await button('Invite').click();
    const copy = sheet('Invite to Friday Slow Burn').getByRole('button', { name: 'Copy Link' });
    withoutTls();
    await copy.click();
    await shown(words('Room link copied to clipboard!'));
    await focused(copy);
    // Behind the sheet the host would neither see nor hear it.
    const toast = words('Room link copied to clipboard!').element();
    const { x, y, width, height } = toast.getBoundingClientRect();
    expect(toast.contains(document.elementFromPoint(x + width / 2, y + height / 2))).toBe(true);
    const copyWithoutTls = async (): Promise<void> => {
      withoutTls();
      await copy.click();
      withTls();
    };
    await expect.poll(() => copiedBy(copyWithoutTls)).toContain(`?code=${testRoomCode}`);
    await button('Close').click();
    await gone(words('Room link copied to clipboard!'));
    await button('Code').click();
    await shown(words('Room Code copied to clipboard!'));
  });

  test('a guest can invite and does not see who comes in without approval', async () => {
    await openRoom(kind, { isHost: false });
    await button('Invite').click();
    await shown(words('Scan this code with a phone.'));
    await gone(button('Room settings'));
  });

  test('the title shows the number of pending requests', async () => {
    const room = await openRoom(kind, { requests: [aRequest('Ada', 1)] });
    await expect.poll(() => document.title).toBe('(1) Friday Slow Burn · Tunemate');
    room.pushToHost(requestOf('Noor', 2));
    await expect.poll(() => document.title).toBe('(2) Friday Slow Burn · Tunemate');
  });
});

test('a notice of a request after one that was answered by keyboard closes in time', async () => {
  const room = await openRoom('video', { prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})) });
  await shown(heading('Friday Slow Burn'));
  room.pushToHost(requestOf('Ada', 5));
  await shown(banner);
  (button('Accept Ada').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await gone(banner);
  room.pushToHost(requestOf('Noor', 6));
  await shown(banner);
  await gone(banner);
  await shown(button('Accept Noor'));
});

test('a notice of a request that appears under a pointer at rest closes in time', async () => {
  const room = await openRoom('video', { prepare: (stand) => stand.on('rooms/acceptRequest', () => ok({})) });
  await shown(heading('Friday Slow Burn'));
  room.pushToHost(requestOf('Ada', 5));
  await button('Accept Ada').click();
  await gone(banner);
  room.pushToHost(requestOf('Noor', 6));
  await shown(banner);
  await gone(banner);
  await shown(button('Accept Noor'));
});

test('a notice of a request stays under the pointer, also when a newer request replaces it', async () => {
  const room = await openRoom('video');
  await shown(heading('Friday Slow Burn'));
  room.pushToHost(requestOf('Ada', 5));
  await button('Accept Ada').hover();
  room.pushToHost(requestOf('Noor', 6));
  await shown(words('New Join Request from Noor'));
  // Longer than one lasts.
  await new Promise((done) => setTimeout(done, 5500));
  await shown(words('New Join Request from Noor'));
});
