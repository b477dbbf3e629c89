import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react/pure';
import { AppContext } from '../app-context.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { gone, heading, shown, words } from '../../testing/screens/find.ts';
import { openPage } from '../../testing/screens/open-page.tsx';
import { lazyPart } from '../store/lazy-part.ts';
import { MissingScreen } from './ErrorScreens.tsx';

test('a screen that could not be fetched says so, and is fetched anew once the page is connected again', async () => {
  let isOffline = true;
  let asked = 0;
  const Screen = lazyPart<object>(async () => {
    asked += 1;
    await Promise.resolve();
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module');
    return () => <h1>The screen</h1>;
  }, MissingScreen);
  const { server, app } = await openPage('/nowhere');
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  server.disconnect();
  const screen = await render(
    <AppContext value={app}>
      <Suspense>
        <Screen />
      </Suspense>
    </AppContext>,
  );
  await shown(heading("Can't reach the server"));
  await shown(words('This screen opens once you are connected again.'));
  await expectAccessible();
  expect(asked).toBe(1);
  isOffline = false;
  server.reconnect();
  await shown(heading('The screen'));
  await gone(words('This screen opens once you are connected again.'));
  expect(asked).toBe(2);
  await screen.unmount();
});
