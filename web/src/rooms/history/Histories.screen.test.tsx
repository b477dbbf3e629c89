/** What one's rooms have played, on home; and the switch that ends it, under Account. */
import type { PlayedTrack, RoomHistory, RoomId } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, link, modal, shown } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { aTrack } from '../../../testing/screens/rooms.ts';

const at = new Date(2026, 10, 26, 20, 10).getTime();
const roomId = 'R'.repeat(22) as RoomId;
const evening: RoomHistory = {
  ...{ roomId, kind: 'video', code: null, name: 'Friday Slow Burn' },
  ...{ tracks: 2, from: at, to: at + 60_000 },
};
const tracks: PlayedTrack[] = [2, 1].map((number) => ({
  ...aTrack(String(number), { title: `Song ${String(number)}` }),
  ...{ number, at: at + number * 60_000, by: null },
}));
const list = () => page.getByRole('region', { name: 'What we played' });

test('an evening unfolds to its tracks, and is deleted after a question', async () => {
  const { server } = await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/histories', () => ok({ isKept: true, histories: [evening] }));
      fake.on('rooms/history', () => ok({ tracks }));
      fake.on('rooms/forgetHistory', () => ok({}));
    },
  });
  await list()
    .getByRole('button', { name: /Friday Slow Burn/ })
    .click();
  await shown(list().getByText('Song 2'));
  await shown(list().getByText('Song 1'));
  await gone(button('Queue all again'));
  await expectAccessible('all');
  await list().getByRole('button', { name: 'Delete', exact: true }).click();
  await modal('Delete what Friday Slow Burn played?').getByRole('button', { name: 'Delete', exact: true }).click();
  await gone(list());
  expect(server.asked('rooms/forgetHistory')).toEqual([{ roomId }]);
});

test('the list may come late: no key of home moves then', async () => {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/histories', async () => {
        await arrived;
        return ok({ isKept: true, histories: [evening] });
      });
    },
  });
  await shown(link('Join Tunemate Audio Room'));
  const places = () =>
    Array.from(document.querySelectorAll('main a'), (key) => key.getBoundingClientRect().top + scrollY);
  const before = places();
  arrive();
  await shown(list());
  expect(places()).toEqual(before);
});

test('a list that is lost with the line comes later, and so do the tracks of an evening', async () => {
  const lostOnce = new Set<string>();
  const answered = <Value,>(name: string, value: Value) => {
    if (lostOnce.has(name)) return ok(value);
    lostOnce.add(name);
    return refused('server/unavailable');
  };
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/histories', () => answered('list', { isKept: true, histories: [evening] }));
      fake.on('rooms/history', () => answered('tracks', { tracks }));
    },
  });
  await list()
    .getByRole('button', { name: /Friday Slow Burn/ })
    .click();
  await shown(list().getByText('Song 2'));
});

test('home draws nothing where nothing was played', async () => {
  await openPage('/');
  await shown(page.getByRole('heading', { name: 'Mara Lindqvist' }).first());
  await gone(list());
});

test('under Account the switch shows what is kept, and stands there once that is known', async () => {
  const { server } = await openPage('/account#privacy', {
    prepare: (fake) => {
      fake.on('GET /api/listens', () => ok({ status: 'off' }));
      fake.on('GET /api/accounts/sessions', () => ok({ sessions: [] }));
      fake.on('rooms/histories', () => refused('limit/too-many'));
    },
  });
  const keep = page.getByRole('switch', { name: 'Keep what we played' });
  await shown(page.getByRole('heading', { name: 'What we played' }));
  await expect.poll(() => server.asked('rooms/histories').length).toBeGreaterThan(0);
  await gone(keep);
  server.on('rooms/histories', () => ok({ isKept: false, histories: [] }));
  await expect.element(keep).toHaveAttribute('aria-checked', 'false');
});

test('under Account one switch ends the keeping, after a question, and begins it again', async () => {
  const { server } = await openPage('/account#privacy', {
    prepare: (fake) => {
      fake.on('GET /api/listens', () => ok({ status: 'off' }));
      fake.on('GET /api/accounts/sessions', () => ok({ sessions: [] }));
      fake.on('rooms/keepHistory', () => refused('server/busy'));
    },
  });
  const keep = page.getByRole('switch', { name: 'Keep what we played' });
  const turnOff = async () => {
    await keep.click();
    await modal('Stop keeping what you played?').getByRole('button', { name: 'Stop and delete' }).click();
  };
  await turnOff();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  await expect.element(keep).toHaveAttribute('aria-checked', 'true');
  server.on('rooms/keepHistory', () => ok({}));
  await turnOff();
  await expect.element(keep).toHaveAttribute('aria-checked', 'false');
  await keep.click();
  await expect.element(keep).toHaveAttribute('aria-checked', 'true');
  expect(server.asked('rooms/keepHistory').map(({ isKept }) => isKept)).toEqual([false, false, true]);
});

test('of two evenings that are deleted at once none comes back', async () => {
  const other: RoomHistory = { ...evening, roomId: 'S'.repeat(22) as RoomId, name: 'Rain' };
  const first = Promise.withResolvers<ReturnType<typeof ok<Record<string, never>>>>();
  const second = Promise.withResolvers<ReturnType<typeof ok<Record<string, never>>>>();
  const { server } = await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/histories', () => ok({ isKept: true, histories: [evening, other] }));
      fake.on('rooms/history', () => ok({ tracks }));
      fake.on('rooms/forgetHistory', (asked) => (asked.roomId === roomId ? first : second).promise);
    },
  });
  for (const name of ['Friday Slow Burn', 'Rain']) {
    await list()
      .getByRole('button', { name: new RegExp(name) })
      .click();
    await list().getByRole('button', { name: 'Delete', exact: true }).click();
    await modal(`Delete what ${name} played?`).getByRole('button', { name: 'Delete', exact: true }).click();
  }
  await expect.poll(() => server.asked('rooms/forgetHistory')).toHaveLength(2);
  first.resolve(ok({}));
  await gone(list().getByText('Friday Slow Burn'));
  second.resolve(ok({}));
  await gone(list());
});
