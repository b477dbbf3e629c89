import type { Hearing, WaitingPerson, YourRoom } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { mara } from '../../testing/connection-fixtures.ts';
import { lookOnPhone } from '../../testing/screens/browser.ts';
import { type FakeServer, ok } from '../../testing/screens/fake-server.ts';
import { link, shown } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { ivoUid, presenceOf } from '../../testing/screens/people.ts';
import type { App } from '../app.ts';

const operator = { ...mara, isOperator: true as const };
const theo: WaitingPerson = {
  ...{ id: 'w1', kind: 'sign-up', name: 'Theo Brandt', email: 'theo@brandt.example', number: 48, at: 0 },
};
const hears: Hearing = { uid: ivoUid, title: 'Walking Home', artist: null, thumbnail: null, untilMs: null };

const room: YourRoom = {
  ...{ kind: 'video', code: '7F3A9C', name: 'Friday', host: ivoUid, hostName: 'Ivo', people: 2 },
  ...{ endsAt: null, isPlaying: false, title: null, thumbnail: null },
};

test.each<[string, (app: App, server: FakeServer) => void]>([
  ['a room', ({ yourRooms }) => yourRooms.set([room])],
  ['the offer to install', ({ installing }) => installing.set('steps')],
  ['what the soulmate hears', ({ hearing }) => hearing.set(new Map([[ivoUid, hears]]))],
  [
    'a person who waits for the operator',
    (_, server) => {
      server.on('GET /api/operator', () => ok({ isNew: false, waiting: [theo] }));
      server.sendEphemeral({ type: 'operators/waiting' });
    },
  ],
])('%s that comes while a key of home is pressed moves it once it was clicked', async (_, come) => {
  await lookOnPhone();
  const { app, server } = await openPage('/', {
    session: { status: 'signed-in', user: operator },
    own: { user: operator, soulmate: { uid: ivoUid, name: 'Ivo Baranov', presence: presenceOf(ivoUid) } },
    prepare: (stand) => {
      stand.on('GET /api/operator', () => ok({ isNew: false, waiting: [] }));
      stand.on('rooms/mine', () => ok({ rooms: [] }));
    },
  });
  const key = link('Create Audio Room');
  await shown(key);
  const place = (): number => key.element().getBoundingClientRect().top;
  const before = place();
  const press = (name: string) => key.element().dispatchEvent(new PointerEvent(name, { bubbles: true }));
  press('pointerdown');
  come(app, server);
  // Long enough for the answer and the code of what comes, which React shows up to 300 ms later.
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(place()).toBe(before);
  press('pointerup');
  await Promise.resolve();
  expect(place()).toBe(before);
  await expect.poll(place).not.toBe(before);
});
