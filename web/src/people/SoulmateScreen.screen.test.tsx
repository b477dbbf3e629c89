import { expect, test } from 'vitest';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { arrivedAt, button, heading, leadsTo, link, modal, shown, words } from '../../testing/screens/find.ts';
import { ivoUid, presenceOf } from '../../testing/screens/people.ts';
import { openPage, signedOut } from '../../testing/screens/open-page.tsx';

test("shows the placeholder 'Soulmate Streaming Room' with 'coming soon' and Back to Home", async () => {
  await openPage('/soulmate');
  await shown(heading('Soulmate Streaming Room'));
  await shown(words(/Coming soon/));
  await leadsTo(link('Back to Home'), '/');
  await expectAccessible('all');
});

test("offers 'Add your Soulmate' to a user without one", async () => {
  await openPage('/soulmate', { prepare: (stand) => stand.on('soulmate/taken', () => ok({ uids: [] })) });
  await button('Add your Soulmate').click();
  await shown(modal('Who is your soulmate?'));
});

test("offers 'Listen together' to a user with a soulmate, and opens a room for both", async () => {
  const { server } = await openPage('/soulmate', {
    own: { soulmate: { uid: ivoUid, name: 'Ivo Baranov', presence: presenceOf(ivoUid) } },
    prepare: (stand) => stand.on('rooms/create', () => refused('server/busy')),
  });
  await expectAccessible('this');
  await button('Listen together').click();
  // A busy server is asked again.
  await expect.poll(() => server.asked('rooms/create')[0]).toMatchObject({ kind: 'audio' });
});

test('redirects a visitor to sign in, and remembers the page they asked for', async () => {
  await openPage('/soulmate', { session: signedOut });
  await arrivedAt('/login?next=%2Fsoulmate');
});
