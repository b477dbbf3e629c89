import { test } from 'vitest';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { arrivedAt, heading, leadsTo, link, shown, words } from '../../testing/screens/find.ts';
import { openPage, signedOut } from '../../testing/screens/open-page.tsx';

test("shows the placeholder 'Soulmate Streaming Room' with 'coming soon' and Back to Home", async () => {
  await openPage('/soulmate');
  await shown(heading('Soulmate Streaming Room'));
  await shown(words(/Coming soon/));
  await leadsTo(link('Back to Home'), '/');
  await expectAccessible('all');
});

test('redirects a visitor to sign in, and remembers the page they asked for', async () => {
  await openPage('/soulmate', { session: signedOut });
  await arrivedAt('/login?next=%2Fsoulmate');
});
