/** Saved queues: saved, loaded, shared, renamed and deleted in a sheet over the room. */
import type { QueueFromFile, SavedQueue } from '@tunemate/protocol';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
import { ok, refused, silence } from '../../../testing/screens/fake-server.ts';
import { button, gone, modal, shown, words } from '../../../testing/screens/find.ts';
import { ivoUid } from '../../../testing/screens/people.ts';
import { aTrack, openRoom } from '../../../testing/screens/rooms.ts';
import { queueWords } from './queue-words.ts';

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
  await shown(sheet());
  return room;
}
const named = ({ videoId, title, durationSeconds }: ReturnType<typeof aTrack>) => ({ videoId, title, durationSeconds });

test('a list that is refused after a change is asked for again', async () => {
  const room = await openSheet([own]);
  await shown(row('Sunday'));
  let asked = 0;
  room.server.on('queues/list', () => {
    asked += 1;
    return asked === 1 ? refused('limit/too-many', { retryAfterMs: 1 }) : ok({ queues: [] });
  });
  await edit('Sunday').click();
  await sheet().getByRole('button', { name: 'Delete', exact: true }).click();
  await modal(/Sunday/)
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await gone(row('Sunday'));
});

/** As if the person had chosen the file in the browser's dialog, which opens once the one before is read. */
async function pick(file: File): Promise<void> {
  await expect.element(button('Add a playlist file')).not.toHaveAttribute('aria-busy');
  const input = document.querySelector<HTMLInputElement>('input[accept*=".m3u8"]');
  if (input === null) throw new Error('there is nothing to pick a file with');
  const data = new DataTransfer();
  data.items.add(file);
  input.files = data.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
const row = (name: string) => sheet().getByText(name, { exact: true });
const edit = (name: string) => sheet().getByRole('button', { name: `Edit ${name}` });

test('while the list is awaited no user reads that it is empty, and one lost with the line is asked for again', async () => {
  const room = await openRoom('video', {
    playing: { tracks: [aTrack('a')] },
    prepare: (server) => server.on('queues/list', () => refused('server/unavailable')),
  });
  await button('Saved queues').click();
  await expect.poll(() => room.server.asked('queues/list').length).toBeGreaterThan(1);
  await gone(words(queueWords.none));
  room.server.on('queues/list', () => ok({ queues: [own] }));
  await shown(row('Sunday'));
});

test('the host saves the queue under a name, and loads one of the same kind of room', async () => {
  const room = await openSheet();
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

test('the owner deletes one while another key of it waits for its answer', async () => {
  const room = await openSheet();
  await edit('Sunday').click();
  room.server.on('queues/rename', silence);
  await sheet().getByRole('button', { name: 'Rename' }).click();
  await expect.poll(() => room.server.asked('queues/rename')).toHaveLength(1);
  await sheet().getByRole('button', { name: 'Delete' }).click();
  await shown(modal('Delete Sunday?'));
});

test("a host's other tab, which can do neither, reads nothing of loading and proposing", async () => {
  await openRoom('video', {
    playing: { tracks: [aTrack('a')], controller: 'another tab' },
    prepare: (server) => server.on('queues/list', () => ok({ queues: [own] })),
  });
  await button('Saved queues').click();
  await shown(row('Sunday'));
  await gone(words('The host can load saved queues into this room.'));
});

test('a tunemate saves a queue that is shared with them as a file, and takes it off their list after a question', async () => {
  const room = await openSheet([shared]);
  room.server.onFile('GET /api/queues/q2/m3u8', () => Response.json(refused('access/not-found'), { status: 404 }));
  await sheet().getByRole('button', { name: 'More of Rain' }).click();
  await gone(sheet().getByRole('button', { name: 'Rename' }));
  await expectAccessible('this');
  await sheet().getByRole('button', { name: 'Save as a file' }).click();
  await modal('That did not work').getByRole('button', { name: 'OK' }).click();
  await sheet().getByRole('button', { name: 'Remove' }).click();
  await modal('Take Rain off your list?').getByRole('button', { name: 'Remove' }).click();
  await gone(row('Rain'));
  expect(room.server.asked('queues/delete')).toEqual([{ queueId: 'q2' }]);
});

test('a guest saves, reads that the host can load, and proposes a track of a saved queue', async () => {
  const room = await openSheet([own], false);
  room.server.on('rooms/propose', () => ok({ outcome: 'proposed' }));
  await shown(words('The host can load saved queues into this room.'));
  await gone(sheet().getByRole('button', { name: /^Load/ }));
  await sheet().getByRole('button', { name: 'Tracks of Sunday' }).click();
  await sheet().getByRole('button', { name: 'Propose Track c from Sunday' }).click();
  await expect.poll(() => room.server.asked('rooms/propose')).toMatchObject([{ track: { title: 'Track c' } }]);
  await shown(words('2 of 18 are not here now'));
  await expectAccessible('this');
});

test('a file of another player is read, and what is not here is named as plain text', async () => {
  const room = await openSheet([own]);
  const sent: { name: string | null; kind: string | null; type: string }[] = [];
  const answer = (value: QueueFromFile) =>
    room.server.onFile('POST /api/queues/m3u8', (body, query) => {
      sent.push({ name: query.get('name'), kind: query.get('kind'), type: (body as Blob).type });
      return Response.json(ok(value));
    });
  answer({ outcome: 'saved', found: 14, missing: ['<b>One</b>', 'Two'] });
  await pick(new File(['#EXTM3U'], 'Slow Sunday.m3u8'));
  await shown(words('14 of 16 tracks are here, and saved as Slow Sunday. Not here: <b>One</b>, Two.'));
  expect(sent).toEqual([{ name: 'Slow Sunday', kind: 'video', type: 'audio/x-mpegurl' }]);
  await expectAccessible('this');
  answer({ outcome: 'nothing', found: 0, missing: Array.from({ length: 22 }, () => 'x') });
  await pick(new File(['#EXTM3U'], `${'n'.repeat(90)}.m3u`));
  await shown(words(/^None of the tracks of this file are here\. Not here: x, .* and 2 more\.$/));
  expect(sent.at(-1)?.name).toBe('n'.repeat(60));
  room.server.onFile('POST /api/queues/m3u8', () => Response.json(refused('limit/too-many'), { status: 429 }));
  await pick(new File(['#EXTM3U'], '.m3u'));
  await shown(words('Too many requests'));
  await pick(new File([new Uint8Array(300_000)], 'large.m3u8'));
  await shown(words('This file is larger than 200 kB.'));
});

test.each([
  ['Sunday.pls', '[playlist]\nFile1=a.mp3\n'],
  ['Sunday.xspf', '\uFEFF<?xml version="1.0"?>\n<playlist/>'],
  ['Sunday.jspf', ' {"playlist": {}}'],
])('a playlist of another kind (%s) is not sent, and the kinds that can be read are said', async (name, text) => {
  const room = await openSheet([own]);
  let sent = 0;
  room.server.onFile('POST /api/queues/m3u8', () => {
    sent += 1;
    return Response.json(ok({ outcome: 'nothing', found: 0, missing: [text] }));
  });
  await pick(new File([text], name));
  await shown(words('Choose a playlist in the format M3U (.m3u8 or .m3u).'));
  expect(sent).toBe(0);
});

test('a file that is read again after a lost answer is the same queue, and after an answer another one', async () => {
  const room = await openSheet([own]);
  const ids: (string | null)[] = [];
  const answer = (give: () => Response) =>
    room.server.onFile('POST /api/queues/m3u8', (_body, query) => {
      ids.push(query.get('clientId'));
      return give();
    });
  const file = new File(['#EXTM3U'], 'Sunday.m3u8');
  answer(() => Response.error());
  await pick(file);
  await shown(words(/the server/));
  answer(() => Response.json(ok({ outcome: 'saved', found: 1, missing: [] })));
  await pick(file);
  await shown(words('1 of 1 tracks are here, and saved as Sunday.'));
  await pick(file);
  await expect.poll(() => ids).toHaveLength(3);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[1]);
});

test('the owner saves a queue as a file', async () => {
  const room = await openSheet();
  room.server.onFile(
    'GET /api/queues/q1/m3u8',
    () => new Response('#EXTM3U', { headers: { 'content-type': 'audio/x-mpegurl; charset=utf-8' } }),
  );
  const saved = Promise.withResolvers<string>();
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function noteFile(
    this: HTMLAnchorElement,
  ) {
    saved.resolve(this.download);
  });
  await edit('Sunday').click();
  await sheet().getByRole('button', { name: 'Save as a file' }).click();
  expect(await saved.promise).toBe('Sunday.m3u8');
  click.mockRestore();
  room.server.onFile('GET /api/queues/q1/m3u8', () => Response.json(refused('access/not-found'), { status: 404 }));
  await sheet().getByRole('button', { name: 'Save as a file' }).click();
  await shown(modal('That did not work').getByText('This is not here any more.'));
});

test('a queue whose answer was lost is saved by one press, and once', async () => {
  const room = await openSheet();
  let isLost = true;
  room.server.on('queues/save', () => {
    if (!isLost) return ok({ outcome: 'saved' });
    isLost = false;
    return refused('server/unavailable');
  });
  await sheet().getByRole('button', { name: 'Save', exact: true }).click();
  await shown(words('Queue saved'));
  const [first, again] = room.server.asked('queues/save').map(({ clientId }) => clientId);
  expect(again).toBe(first);
});

test('a queue whose answer was lost for good is saved once by a second press, and twice after an answer', async () => {
  const room = await openSheet();
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  room.server.on('queues/save', () => {
    patience.abort();
    return refused('server/unavailable');
  });
  const save = sheet().getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await shown(words(/reach the server/));
  timeout.mockRestore();
  room.server.on('queues/save', () => ok({ outcome: 'saved' }));
  await save.click();
  await shown(words('Queue saved'));
  await save.click();
  await expect.poll(() => room.server.asked('queues/save').length).toBe(3);
  const [first, second, third] = room.server.asked('queues/save').map(({ clientId }) => clientId);
  expect(second).toBe(first);
  expect(third).not.toBe(second);
});
