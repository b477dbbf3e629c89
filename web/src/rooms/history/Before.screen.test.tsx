/** Rooms that ended, on home and in the history of a room: opened again by one press. */
import type { EndedRoom, Result, RoomCode, RoomId, Uid, Value } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { maraUid } from '../../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { hostileNames, watchDrawn, watchSaved } from '../../../testing/screens/drawn.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, gone, heading, modal, shown } from '../../../testing/screens/find.ts';
import { aTrack } from '../../../testing/screens/rooms.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';
import { navigate } from '../../store/address.ts';

const at = new Date(2026, 10, 26, 20, 10).getTime();
const idOf = (n: number) => String(n).repeat(22).slice(0, 22) as RoomId;
const ended = (n: number, more: Partial<EndedRoom> = {}): EndedRoom => ({
  ...{ roomId: idOf(n), kind: 'video', code: 'C0FFEE' as RoomCode, name: `Friday ${String(n)}` },
  ...{ endedAt: at, thumbnail: null, left: 7, people: [{ uid: 'I'.repeat(22) as Uid, name: 'Ivo' }], ...more },
});
const section = () => page.getByRole('region', { name: 'Before' });

test('a room that ended is opened again by one press, which goes there and says how many are invited', async () => {
  const { server } = await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/before', () => ok({ rooms: [ended(1), ended(2, { kind: 'audio', left: 0 })] }));
      fake.on('rooms/openAgain', () => ok({ kind: 'video', code: 'D00D1E' as RoomCode, invited: 3 }));
      fake.on('rooms/enter', () => refused('room/not-found'));
    },
  });
  await shown(section().getByText(/^Video · .* · 7 tracks left$/));
  await expectAccessible('all');
  await button('Open again: Friday 1').click();
  await shown(page.getByText('3 people invited'));
  await expect.poll(() => location.pathname).toBe('/tunemate/D00D1E');
  expect(server.asked('rooms/openAgain')).toMatchObject([{ roomId: idOf(1) }]);
});

test('a user who is on another screen by the time the room is open stays there', async () => {
  const opened = Promise.withResolvers<Result<Value<'rooms/openAgain'>>>();
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/before', () => ok({ rooms: [ended(1)] }));
      fake.on('rooms/openAgain', () => opened.promise);
      fake.on('rooms/enter', () => refused('room/not-found'));
    },
  });
  await button('Open again: Friday 1').click();
  navigate('/create');
  await shown(heading('Create a video room'));
  opened.resolve(ok({ kind: 'video', code: 'D00D1E' as RoomCode, invited: 3 }));
  await shown(page.getByText('3 people invited'));
  expect(location.pathname).toBe('/create');
});

test('an evening leaves a print, which is kept as a picture and sent to a person who was there', async () => {
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/before', () => ok({ rooms: [ended(1)] }));
      fake.on('rooms/history', () =>
        ok({ tracks: [{ ...aTrack('1', { title: 'Rain <b>' }), number: 1, at, by: null }] }),
      );
      fake.onUpload(() => refused('access/forbidden'));
    },
  });
  await button('The print of Friday 1').click();
  const sheet = page.getByRole('dialog', { name: 'The print of this evening' });
  await shown(sheet.getByText(/^Friday 1, .*\. There were Mara.* and Ivo\. It played Rain <b>\.$/));
  await expectAccessible('this');
  await sheet.getByRole('button', { name: 'Send to Ivo' }).click();
  await shown(button('OK'));
});

test('a print offers to be kept once it is drawn, and sends while a key beside it waits', async () => {
  const files = watchSaved();
  const history = Promise.withResolvers<Result<Value<'rooms/history'>>>();
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/before', () => ok({ rooms: [ended(1)] }));
      fake.on('rooms/history', () => history.promise);
      fake.onUpload(silence);
    },
  });
  await button('The print of Friday 1').click();
  const sheet = page.getByRole('dialog', { name: 'The print of this evening' });
  await shown(sheet.getByText('Loading...'));
  await gone(button('Keep as a picture'));
  history.resolve(ok({ tracks: [] }));
  await sheet.getByRole('button', { name: 'Send to Ivo' }).click();
  await expect.element(sheet.getByRole('button', { name: 'Send to Ivo' })).toHaveAttribute('aria-busy');
  await button('Keep as a picture').click();
  await expect.poll(files).toHaveLength(1);
});

test.each(hostileNames)(
  'a print with the name %s keeps it as text, within its edges and out of its file’s name',
  async (name) => {
    const drawn = watchDrawn();
    const files = watchSaved();
    const room = { ...ended(1), name, people: [{ uid: 'I'.repeat(22) as Uid, name }] };
    await openPage('/', {
      prepare: (fake) => {
        fake.on('rooms/before', () => ok({ rooms: [room] }));
        fake.on('rooms/history', () => ok({ tracks: [{ ...aTrack('1', { title: name }), number: 1, at, by: null }] }));
      },
    });
    await button(`The print of ${name}`).click();
    await expect.poll(() => drawn().length).toBeGreaterThan(0);
    await button('Keep as a picture').click();
    await expect.poll(files).toEqual([expect.stringMatching(/^evening-[0-9A-F]{6}\.png$/)]);
    expect(drawn().filter(({ left, right }) => left < 0 || right > 1080)).toEqual([]);
    expect(document.querySelector('img[src="x"]')).toBeNull();
  },
);

test('one that another page opened meanwhile leaves the list, and six stand there at first', async () => {
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/before', () => ok({ rooms: Array.from({ length: 7 }, (_, n) => ended(n)) }));
      fake.on('rooms/openAgain', () => refused('access/not-found'));
    },
  });
  await shown(section().getByText('Friday 5'));
  await gone(section().getByText('Friday 6'));
  await section().getByRole('button', { name: 'Show all 7' }).click();
  await shown(section().getByText('Friday 6'));
  await button('Open again: Friday 5').click();
  await shown(page.getByText('The room could not be opened again'));
  await button('OK').click();
  await gone(section().getByText('Friday 5'));
});

test('a room that its host ends on home stands there at once', async () => {
  const mine = { kind: 'video', code: 'C0FFEE' as RoomCode, name: 'Friday 1', host: maraUid } as const;
  const facts = { hostName: 'Mara', people: 1, title: null, isPlaying: false, thumbnail: null, endsAt: null };
  let isEnded = false;
  await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/mine', () => ok({ rooms: isEnded ? [] : [{ ...mine, ...facts }] }));
      fake.on('rooms/before', () => ok({ rooms: isEnded ? [ended(1)] : [] }));
      fake.on('rooms/leave', () => {
        isEnded = true;
        return ok({});
      });
    },
  });
  await button('End Friday 1').click();
  await modal('End Friday 1?').getByRole('button', { name: 'End' }).click();
  await shown(button('Open again: Friday 1'));
});

test('the history of such a room opens it too', async () => {
  const room = ended(1);
  const { server } = await openPage('/', {
    prepare: (fake) => {
      fake.on('rooms/before', () => ok({ rooms: [room] }));
      const { roomId, kind, name } = room;
      const history = { roomId, kind, name, code: null, tracks: 1, from: at, to: at };
      fake.on('rooms/histories', () => ok({ isKept: true, histories: [history] }));
      fake.on('rooms/history', () => ok({ tracks: [] }));
      fake.on('rooms/openAgain', () => refused('room/too-many-live-rooms'));
    },
  });
  const list = page.getByRole('region', { name: 'What we played' });
  await list.getByRole('button', { name: /Friday 1/ }).click();
  await list.getByRole('button', { name: 'Open again' }).click();
  await expect.poll(() => server.asked('rooms/openAgain')).toMatchObject([{ roomId: room.roomId }]);
});
