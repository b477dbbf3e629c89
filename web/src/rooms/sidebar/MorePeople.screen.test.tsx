/** A room with more people than its snapshot contains: pages of the list, and finding a person. */
import { type Participant, type SomePeople, type WhichPeople } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok } from '../../../testing/screens/fake-server.ts';
import { button, gone, modal, shown } from '../../../testing/screens/find.ts';
import { aRoomMessage, aTrack, openRoom, type RoomVisit } from '../../../testing/screens/rooms.ts';

const person = (name: string): Participant => ({ uid: uidOf(name), name, online: true });
const zora = person('Zora Quist');
const named = Array.from({ length: 49 }, (_, n) => person(`Guest ${String(n + 1)}`));

function answerTo(which: WhichPeople): SomePeople {
  const found = { after: [person('Guest 50'), person('Guest 51')], named: [zora], these: [zora] } as const;
  return { participants: [...found[which.type]], hasMore: which.type === 'after' };
}

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('a large room', () => {
  const kind = 'audio';
  const open = (visit: RoomVisit = {}) =>
    openRoom(kind, {
      guests: named,
      people: 300,
      playing: { tracks: [aTrack('f')] },
      messages: [aRoomMessage(1, { sender: zora.uid, senderName: zora.name })],
      prepare: (server) => {
        server.on('chats/list', () => ok({ conversations: [] }));
        server.on('rooms/people', ({ which }) => ok(answerTo(which)));
        server.on('rooms/offerHosting', () => ok({}));
      },
      ...visit,
    });
  const people = () => page.getByRole('region', { name: 'Participants' });

  test('the list shows how many people are in the room, and more of them on demand', async () => {
    const { tell } = await open();
    await shown(people().getByText('300', { exact: true }));
    await gone(people().getByText('Online'));
    await expectAccessible();
    await button('Show more people').click();
    await shown(people().getByText('Guest 51'));
    tell({ type: 'rooms/headCount', people: 301 });
    await shown(people().getByText('301', { exact: true }));
  });

  test('a guest of an audience sees how many people are there, and its host who they are', async () => {
    await open({ isHost: false, guests: [], people: 9812 });
    await shown(people().getByText('9812', { exact: true }));
    await shown(people().getByText('More than 1000 people are here. Only the host sees who they are.'));
    await gone(button('Show more people'));
    await expectAccessible('all');
  });

  test('the host of an audience finds people as in any large room', async () => {
    await open({ people: 9812 });
    await button('Show more people').click();
    await shown(people().getByText('Guest 51'));
  });

  test('the host hands over to a participant that the page had not loaded', async () => {
    const { server } = await open();
    await button('Leave').click();
    await shown(modal('Leave Friday Slow Burn?').getByText(/299 others/));
    await page.getByRole('radio', { name: /^Hand over and leave/ }).click();
    await button('Hand over and leave').click();
    await modal('Who hosts now?').getByRole('textbox').fill('zora');
    await page.getByRole('radio', { name: /^Zora Quist/ }).click();
    await button('Hand over to Zora').click();
    await expect.poll(() => server.asked('rooms/offerHosting')).toMatchObject([{ uid: zora.uid }]);
  });
});
