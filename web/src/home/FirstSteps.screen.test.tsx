/** What a new user does first. */
import type { Result, RoomCode, Value } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { ok } from '../../testing/screens/fake-server.ts';
import { button, heading, shown } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { settled } from '../../testing/screens/settled.ts';
import { navigate } from '../store/address.ts';

test('who is on another screen by the time the room to try is there stays there', async () => {
  const created = Promise.withResolvers<Result<Value<'rooms/create'>>>();
  const { server } = await openPage('/', { prepare: (stand) => stand.on('rooms/create', () => created.promise) });
  await button('Try it now').click();
  await expect.poll(() => server.asked('rooms/create')).toHaveLength(1);
  navigate('/create');
  await shown(heading('Create a video room'));
  server.leaveUnanswered();
  created.resolve(ok({ code: '7F3A9C' as RoomCode }));
  expect(await settled(() => location.pathname)).toBe('/create');
});
