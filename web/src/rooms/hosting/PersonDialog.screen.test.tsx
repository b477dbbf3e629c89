/** Removing people from a room and locking it, on the screens of the host, the removed person and other guests. */
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { maraUid, uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { type FakeServer, ok, refused } from '../../../testing/screens/fake-server.ts';
import { arrivedAt, button, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aConversation, aTunemate } from '../../../testing/screens/people.ts';
import { aRoomMessage, aTrack, openRoom, testRoomCode } from '../../../testing/screens/rooms.ts';

const ada = { uid: uidOf('Ada Okafor'), name: 'Ada Okafor', online: true };
const people = () => page.getByRole('region', { name: 'Participants' });
const person = (name: string) => people().getByRole('button', { name: new RegExp(name) });
const sheet = (name: string) => page.getByRole('dialog', { name });
const inSheet = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const joinPath = { video: '/join', audio: '/join-audio-room' } as const;

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('moderation in a room', () => {
  const kind = 'video';
  const playing = { tracks: [aTrack('f')] };

  test('the host removes a guest after a confirmation, for good when chosen', async () => {
    const { server } = await openRoom(kind, {
      guests: [ada],
      playing,
      prepare: (stand) => {
        stand.on('chats/list', () => ok({ conversations: [] }));
        stand.on('rooms/removeParticipant', () => ok({}));
      },
    });
    await person('Ada Okafor').click();
    await shown(sheet('Ada Okafor'));
    await expectAccessible();
    await button(/^Remove/).click();
    await shown(modal('Remove Ada Okafor?').getByText(/may ask again after 10 minutes/));
    await page.getByRole('checkbox', { name: 'And don’t let back in' }).click();
    await shown(modal('Remove Ada Okafor?').getByText(/can’t ask to come in again/));
    await gone(modal('Remove Ada Okafor?').getByText(/after 10 minutes/));
    await expectAccessible();
    await button('Remove').click();
    await gone(page.getByRole('alertdialog'));
    expect(server.asked('rooms/removeParticipant')).toEqual([
      { kind, code: testRoomCode, uid: ada.uid, forGood: true },
    ]);
  });

  test('the question before a removal goes with the hosting', async () => {
    const prepare = (stand: FakeServer): void => stand.on('chats/list', () => ok({ conversations: [] }));
    const room = await openRoom(kind, { guests: [ada], playing, prepare });
    await person('Ada Okafor').click();
    await button(/^Remove/).click();
    await shown(modal('Remove Ada Okafor?'));
    room.tell({ type: 'rooms/hostChanged', host: ada.uid, hostAwaySince: null });
    await gone(modal('Remove Ada Okafor?'));
  });

  test('the host makes a guest the host from the same place', async () => {
    const { server } = await openRoom(kind, {
      guests: [ada],
      playing,
      prepare: (stand) => {
        stand.on('chats/list', () => ok({ conversations: [] }));
        stand.on('rooms/offerHosting', () => ok({}));
      },
    });
    await person('Ada Okafor').click();
    await button(/^Make host/).click();
    await expect.poll(() => server.asked('rooms/offerHosting')).toMatchObject([{ uid: ada.uid, leaves: false }]);
  });

  test('a guest asks another to be tunemates, and has no such action with a tunemate', async () => {
    const { server } = await openRoom(kind, {
      isHost: false,
      guests: [ada],
      playing,
      prepare: (stand) => {
        stand.on('chats/list', () => ok({ conversations: [] }));
        stand.on('tunemates/ask', () => ok({}));
      },
    });
    await person('Ada Okafor').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Add as tunemate/ })
      .click();
    await shown(words('Ada is asked'));
    expect(server.asked('tunemates/ask')).toMatchObject([{ kind, code: testRoomCode, uid: ada.uid }]);
    const tunemate = aTunemate('Ada Okafor');
    server.tell({ type: 'tunemates/added', tunemate });
    await person('Ada Okafor').click();
    await shown(sheet('Ada Okafor').getByText('Tunemate, met in video'));
    await gone(page.getByRole('dialog').getByRole('button', { name: /^Add as tunemate/ }));
  });

  test('a guest sees none of the host’s actions, and reads why they can’t invite', async () => {
    await openRoom(kind, {
      isHost: false,
      guests: [ada],
      playing,
      own: { tunemates: [aTunemate('Ada Okafor')] },
      prepare: (stand) => stand.on('chats/open', () => ok(aConversation('Ada Okafor'))),
    });
    await person('Ada Okafor').click();
    await shown(sheet('Ada Okafor').getByText('Tunemate, met in video'));
    await gone(button(/^Remove/));
    await gone(button(/^Make host/));
    await expect.element(inSheet('Invite Is in this room already')).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible();
    await inSheet('Chat').click();
    await arrivedAt(`/chat/${ada.uid}`);
    await shown(page.getByRole('heading', { name: 'Ada Okafor' }));
  });

  test('a press on the author of a room message opens their sheet, and Escape leads back', async () => {
    await openRoom(kind, {
      guests: [ada],
      playing,
      prepare: (stand) => stand.on('chats/list', () => ok({ conversations: [] })),
      messages: [aRoomMessage(1, { sender: ada.uid, senderName: ada.name })],
    });
    await button(/Click here to Start Chat/).click();
    await page.getByRole('article').getByRole('button', { name: 'Ada Okafor' }).click();
    await shown(sheet('Ada Okafor').getByText('In Friday Slow Burn'));
    await userEvent.keyboard('{Escape}');
    await gone(sheet('Ada Okafor'));
    (page.getByRole('article').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await page
      .getByRole('group', { name: 'Message of Ada Okafor' })
      .getByRole('button', { name: 'About Ada Okafor' })
      .click();
    await shown(sheet('Ada Okafor'));
  });

  test.each([
    ['for-now', 'You can ask again in 10 minutes.'],
    ['for-good', 'You can’t ask to come in again.'],
  ] as const)('a person removed %s reads so and goes home', async (removed, text) => {
    const room = await openRoom(kind, { isHost: false, guests: [ada], playing });
    await shown(page.getByRole('slider', { name: 'Position' }));
    room.tell({ type: 'rooms/participantLeft', uid: maraUid, people: 1, removed });
    await shown(modal('The host removed you from this room').getByText(text));
    await button('OK').click();
    await arrivedAt('/');
  });

  test.each([
    ['room/removed', 'The host removed you from this room'],
    ['room/locked', 'This room is not taking requests now'],
  ] as const)('who asks and gets %s reads why', async (code, sentence) => {
    await openPage(`${joinPath[kind]}?code=${testRoomCode}`, {
      prepare: (server) => server.on('rooms/askToJoin', () => refused(code)),
    });
    await button('Join Session').click();
    await shown(modal(sentence));
  });

  test('the host locks the room, and all participants see it', async () => {
    const room = await openRoom(kind, {
      guests: [ada],
      playing,
      prepare: (stand) => stand.on('rooms/set', () => ok({})),
    });
    await button('Room settings').click();
    await button('Lock room').click();
    await expect.poll(() => room.server.asked('rooms/set')).toMatchObject([{ settings: { isLocked: true } }]);
    room.tell({ type: 'rooms/set', settings: { isLocked: true } });
    await shown(words('Locked'));
    // Its name says what it does: it is not pressed besides.
    await expect.element(button('Unlock room')).not.toHaveAttribute('aria-pressed');
    await expectAccessible();
  });
});
