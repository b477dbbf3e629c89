/** The participants of a room: eight are whole, and from nine on the heading leads to all of them. */
import type { Participant } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { uidOf } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { button, gone, shown } from '../../../testing/screens/find.ts';
import { openRoom } from '../../../testing/screens/rooms.ts';

const person = (at: number): Participant => ({
  uid: uidOf(`Guest ${String(at)}`),
  name: `Guest ${String(at)}`,
  online: true,
});
const guests = (count: number) => Array.from({ length: count }, (_, at) => person(at + 1));
const all = () => page.getByRole('dialog', { name: 'Participants' });

test('eight people are whole in the sidebar, without a key', async () => {
  await openRoom('video', { guests: guests(7) });
  await shown(button(/Guest 7/));
  await gone(button(/^All 8/));
});

test('from nine people on the count opens the list of all, and a person in it their sheet', async () => {
  await openRoom('video', { guests: guests(8) });
  await button('All 9 participants').click();
  const rows = all().getByRole('listitem');
  await expect.element(rows.first()).toMatchTextContent(/You, host/);
  await expect.poll(() => rows.elements().length).toBe(9);
  await expectAccessible('all');
  await all()
    .getByRole('button', { name: /Guest 8/ })
    .click();
  await gone(all());
  await shown(page.getByRole('dialog', { name: /Guest 8/ }));
});
