import { lazy } from 'react';
import { afterEach, expect, test } from 'vitest';
import { routes, type Route } from '../routes.tsx';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { gone, heading, link, shown, words } from '../../testing/screens/find.ts';
import { openPage, signedOut } from '../../testing/screens/open-page.tsx';
import { aTrack, openRoom } from '../../testing/screens/rooms.ts';

const before = routes.map((route) => ({ ...route }));
afterEach(() => routes.forEach((route, index) => Object.assign(route, before[index])));

/** From now on the code of this screen is on its way. */
function delay(path: Route['path']): void {
  const route = routes.find((one) => one.path === path);
  expect(Object.assign(route ?? {}, { Screen: lazy(() => new Promise(() => undefined)) })).toMatchObject({ path });
}

test.each(['/', '/soulmate'] as const)('the bar is on a screen whose code is on its way, too: %s', async (path) => {
  delay(path);
  await openRoom('audio', { playing: { tracks: [aTrack('a')] } });
  await shown(heading('Friday Slow Burn'));
  history.pushState(null, '', path);
  await shown(words('Loading...'));
  await shown(link(/^Return to room: /));
  await shown(link('Tunemate home'));
  await expectAccessible();
});

test('a screen for visitors whose code is on its way has no band', async () => {
  delay('/login');
  await openPage('/login', { session: signedOut });
  await shown(words('Loading...'));
  await gone(link('Tunemate home'));
});

test('a screen whose code comes late has the focus before it can be seen, so that a pressed field keeps it', async () => {
  const route = routes.find(({ path }) => path === '/soulmate');
  const Late = () => (
    <main>
      <h1>Late</h1>
      <input aria-label="Words" />
    </main>
  );
  let arrive: () => void = () => undefined;
  const code = new Promise<{ default: typeof Late }>((resolve) => {
    arrive = () => resolve({ default: Late });
  });
  Object.assign(route ?? {}, { Screen: lazy(() => code) });
  await openPage('/');
  history.pushState(null, '', '/soulmate');
  await shown(words('Loading...'));
  const atFirst = new Promise<Element | null>((resolve) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('input[aria-label="Words"]')?.checkVisibility() !== true) return;
      observer.disconnect();
      resolve(document.activeElement);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  arrive();
  expect((await atFirst)?.textContent).toBe('Late');
});
