/** The page of a phone that is held beside a room, without an account. */
import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { besideTrack } from '../../testing/screens/beside.ts';
import { ok, refused, type FakeServer } from '../../testing/screens/fake-server.ts';
import { button, gone, heading, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { openPage, signedOut } from '../../testing/screens/open-page.tsx';

const open = (prepare: (server: FakeServer) => void) => openPage('/beside/a-key', { session: signedOut, prepare });

test('names the track, plays nothing before a press, and reads that the other device is paused', async () => {
  const { server } = await open((stand) => stand.on('GET /api/beside', () => ok(besideTrack())));
  await shown(heading('Walking Home'));
  await shown(words('Lena Vogt'));
  await expectAccessible();
  await button('Play here, too').click();
  await shown(words('Paused on the other device'));
  expect(server.asked('GET /api/beside')[0]).toEqual({ key: 'a-key' });
});

test('offers an account once the minute is over', async () => {
  await open((stand) => stand.on('GET /api/beside', () => refused('access/not-found')));
  await shown(heading('That was the minute'));
  await expectAccessible();
  await gone(button('Play here, too'));
  await leadsTo(link('Create Account'), '/signup');
});
