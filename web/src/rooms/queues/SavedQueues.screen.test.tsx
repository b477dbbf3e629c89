/** Saved queues: saved, loaded, shared, renamed and deleted in a sheet over the room. */
import type { SavedQueue } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused } from '../../../testing/screens/fake-server.ts';
import { button, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';

const own: SavedQueue = {
  ...{ queueId: 'q1', kind: 'video', name: 'Sunday', tracks: 18, savedAt: 1 },
  ...{ owner: null, sharedWith: [] },
};
const shared: SavedQueue = { ...own, queueId: 'q2', name: 'Rain', owner: { uid: ivoUid, name: 'Ivo' } };
const audio: SavedQueue = { ...own, queueId: 'q3', kind: 'audio', name: 'Tracks' };
const sheet = () => page.getByRole('dialog', { name: 'Saved queues' });

async function openSheet(queues: readonly SavedQueue[] = [own, shared, audio], isHost = true) {
  let saved = [...queues];
  const room = await openRoom('video', {
    isHost,
    playing: { tracks: [aTrack('a')], ...(!isHost && { controller: 'another tab' }) },
    prepare: (server) => {
      server.on('queues/list', () => ok({ queues: saved }));
      server.on('queues/save', ({ name }) => {
        saved = [{ ...own, queueId: 'q9', name }, ...saved];
        return ok({ outcome: 'saved' });
      });
      server.on('queues/read', () => ok({ tracks: [aTrack('b'), aTrack('c')].map(named), gone: 2 }));
      server.on('queues/delete', ({ queueId }) => {
        saved = saved.filter((queue) => queue.queueId !== queueId);
        return ok({});
      });
      server.on('queues/rename', () => refused('access/not-found'));
    },
  });
  await button('Saved queues').click();
  return room;
}
const named = ({ videoId, title, durationSeconds }: ReturnType<typeof aTrack>) => ({ videoId, title, durationSeconds });
const row = (name: string) => sheet().getByText(name, { exact: true });
const edit = (name: string) => sheet().getByRole('button', { name: `Edit ${name}` });

test('the host saves the queue under a name, and loads one of the same kind of room', async () => {
  const room = await openSheet();
  await shown(sheet());
  await gone(row('Tracks'));
  await sheet().getByLabelText('Name of the queue').fill('Kitchen, late');
  await sheet().getByRole('button', { name: 'Save', exact: true }).click();
  await shown(row('Kitchen, late'));
  expect(room.server.asked('queues/save')).toMatchObject([{ name: 'Kitchen, late', of: 'queue' }]);
  await shown(words(/shared by Ivo/));
  await gone(edit('Rain'));
  await expectAccessible('this');
  await sheet().getByRole('button', { name: 'Load Rain' }).click();
  await expect
    .poll(() => room.intents().at(-1))
    .toMatchObject({ type: 'enqueueAll', items: [{ title: 'Track b' }, { title: 'Track c' }] });
  await shown(words('2 of 18 are not here now'));
});

test('the owner deletes one after a question, and reads why a new name was refused', async () => {
  await lookOnPhone();
  const room = await openSheet();
  await edit('Sunday').click();
  await expectAccessible('this');
  await sheet().getByRole('button', { name: 'Rename' }).click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  await sheet().getByRole('button', { name: 'Delete' }).click();
  await modal('Delete Sunday?').getByRole('button', { name: 'Delete' }).click();
  await gone(row('Sunday'));
  expect(room.server.asked('queues/delete')).toEqual([{ queueId: 'q1' }]);
});

test('a guest saves, and reads that the host can load', async () => {
  await openSheet([own], false);
  await shown(words('The host can load saved queues into this room.'));
  await shown(row('Sunday'));
  await gone(sheet().getByRole('button', { name: /^Load/ }));
});
