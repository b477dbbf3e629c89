import type { WaitingPerson } from '@tunemate/protocol';
import { mara } from '../../testing/connection-fixtures.ts';
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, gone, heading, modal, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';

const theo: WaitingPerson = {
  ...{ id: 'w1', kind: 'sign-up', name: 'Theo Brandt', email: 'theo@brandt.example', number: 48, at: 0 },
};
const ida: WaitingPerson = {
  ...theo,
  id: 'w2',
  kind: 'reset',
  name: 'Ida Klee',
  email: 'ida@klee.example',
  number: null,
};

async function openDesk(isNew: boolean, waiting: WaitingPerson[]): Promise<FakeServer> {
  const operator = { ...mara, isOperator: true as const };
  const { server } = await openPage('/', {
    session: { status: 'signed-in', user: operator },
    own: { user: operator },
    prepare: (stand) => stand.on('GET /api/operator', () => ok({ isNew, waiting })),
  });
  return server;
}

test('an operator reads once that they run the server', async () => {
  const server = await openDesk(true, []);
  await shown(words('You run this server'));
  await expectAccessible('all');
  server.on('POST /api/operator/told', () => ok({}));
  server.on('GET /api/operator', () => ok({ isNew: false, waiting: [] }));
  await button('OK').click();
  await gone(words('You run this server'));
});

test('reads name, address and number of who waits, and lets them in; what changes comes by itself', async () => {
  const server = await openDesk(false, []);
  await gone(heading('Waiting for you'));
  server.on('GET /api/operator', () => ok({ isNew: false, waiting: [theo] }));
  server.sendEphemeral({ type: 'operators/waiting' });
  await shown(heading('Waiting for you'));
  await shown(words('48'));
  await shown(words(/theo@brandt\.example · signed up/));
  await expectAccessible('all');
  server.on('POST /api/operator/let-in', () => refused('access/not-found'));
  server.on('GET /api/operator', () => ok({ isNew: false, waiting: [] }));
  await button('Let in').click();
  await gone(words('Theo Brandt'));
  expect(server.asked('POST /api/operator/let-in')).toEqual([{ id: 'w1' }]);
});

test('refuses one at once, and all after a question', async () => {
  const server = await openDesk(false, [theo, ida]);
  server.on('POST /api/operator/refuse', () => ok({}));
  await button(/^Refuse$/).click();
  await button('Refuse all').click();
  await modal('Refuse all 2 who wait?').getByRole('button', { name: 'Refuse all' }).click();
  await expect.poll(() => server.asked('POST /api/operator/refuse')).toEqual([{ id: 'w1' }, {}]);
});

test('copies the link to a new password, to hand it over', async () => {
  const server = await openDesk(false, [ida]);
  server.on('POST /api/operator/reset-link', () => ok({ link: 'http://192.168.1.20:3000/auth/action?oobCode=x' }));
  await button('Copy the link for Ida').click();
  await shown(button('Copied, works for an hour'));
  await expectAccessible();
});
