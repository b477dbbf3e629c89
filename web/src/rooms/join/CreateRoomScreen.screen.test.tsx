import type { RoomCode, RoomKind } from '@tunemate/protocol';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { copiedBy, withoutTls } from '../../../testing/screens/browser.ts';
import { ok, refused, silence, type FakeServer } from '../../../testing/screens/fake-server.ts';
import { button, field, heading, leadsTo, link, modal, shown, words } from '../../../testing/screens/find.ts';
import { openPage } from '../../../testing/screens/open-page.tsx';

const code = '7F3A9C' as RoomCode;
const kinds = [
  {
    kind: 'video',
    path: '/create',
    room: `/tunemate/${code}`,
    title: 'Create a video room',
    failed: 'Failed to create room.',
  },
  {
    kind: 'audio',
    path: '/create-audio-room',
    room: `/audio-room/${code}`,
    title: 'Create an audio room',
    failed: 'Failed to create room',
  },
] as const satisfies readonly { kind: RoomKind; [text: string]: string }[];

const opening =
  (path: string) =>
  (prepare: (server: FakeServer) => void = () => undefined) =>
    openPage(path, { prepare });

async function create(name = 'Friday Slow Burn'): Promise<void> {
  await field('Room name').fill(name);
  await userEvent.keyboard('{Enter}');
}

describe.each(kinds)('creating $kind rooms', ({ kind, path, room, title, failed }) => {
  const open = opening(path);

  test('asks for a name, with Create Room and Back to Home', async () => {
    await open();
    await shown(heading(title));
    await shown(button('Create Room'));
    await leadsTo(link('Back to Home'), '/');
    await expectAccessible('all');
  });

  test('shows the code with Copy Code and Enter Room', async () => {
    const { server } = await open((stand) => stand.on('rooms/create', () => ok({ code })));
    await create();
    await shown(page.getByRole('img', { name: 'Room code 7 F 3 A 9 C' }));
    await leadsTo(link('Enter Room'), room);
    await leadsTo(link('Back to Home'), '/');
    await expectAccessible();
    await button('Copy Code').click();
    await shown(words('Room Code copied to clipboard!'));
    await expectAccessible('all');
    await expect.poll(() => copiedBy(() => button('Copy Code').click())).toBe(code);
    expect(server.asked('rooms/create')).toMatchObject([{ kind, name: 'Friday Slow Burn' }]);
  });

  test.each([
    [refused('server/storage-full'), null],
    [refused('limit/too-many', { retryAfterMs: 60_000 }), 'Try again in 60 seconds.'],
    [refused('room/too-many-live-rooms'), 'You already host five rooms. End one of them first.'],
  ])(`a failure gives '${failed}': %o`, async (answer, text) => {
    await open((server) => server.on('rooms/create', () => answer));
    await create();
    await shown(modal(failed));
    if (text !== null) await shown(modal(failed).getByText(text));
    await expectAccessible();
    await button('OK').click();
    await expect.element(field('Room name')).toHaveValue('Friday Slow Burn');
  });
});

/** One kind stands for both: none of this is in the table of what differs between them. */
describe('creating rooms', () => {
  const { path, failed } = kinds[0];
  const open = opening(path);

  test("a blank name gives 'Please enter a Room Name', until something is typed", async () => {
    const { server } = await open();
    await create('   ');
    await expect.element(field('Room name')).toHaveAccessibleDescription('Please enter a Room Name');
    await expectAccessible();
    await field('Room name').fill('F');
    await expect.element(field('Room name')).not.toHaveAccessibleDescription('Please enter a Room Name');
    expect(server.asked('rooms/create')).toEqual([]);
  });

  test('shows a message when copying is not allowed', async () => {
    await open((server) => server.on('rooms/create', () => ok({ code })));
    await create();
    await shown(button('Copy Code'));
    const { execCommand } = document;
    document.execCommand = () => false;
    withoutTls();
    await button('Copy Code').click();
    await shown(words('Copying is not allowed here. Write the code down.'));
    document.execCommand = execCommand;
  });

  test('a second attempt with the same name asks for the same room', async () => {
    const { server } = await open((stand) => stand.on('rooms/create', () => refused('server/failed')));
    await create();
    await button('OK').click();
    await button('Create Room').click();
    await shown(modal(failed));
    const [first, second] = server.asked('rooms/create');
    expect(first?.clientId).toBe(second?.clientId);
  });

  test('a name that cannot be shown is refused at the field', async () => {
    await open();
    await create('Fri\u0007day');
    await expect
      .element(field('Room name'))
      .toHaveAccessibleDescription('This name holds characters that cannot be shown');
  });

  test('the button is busy while a slow server answers, and a name of the maximum length fits', async () => {
    await open((server) => server.on('rooms/create', silence));
    await create('W'.repeat(100));
    await expect.element(button('Create Room')).toHaveAttribute('aria-busy', 'true');
    await expectAccessible();
  });
});
