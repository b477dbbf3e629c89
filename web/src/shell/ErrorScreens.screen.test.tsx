import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { AppContext } from '../app-context.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { pageLoads } from '../../testing/screens/browser.ts';
import { button, gone, heading, shown, words } from '../../testing/screens/find.ts';
import { closePage, openPage } from '../../testing/screens/open-page.tsx';
import { lazyScreen } from '../store/lazy-part.ts';
import { MissingScreen } from './ErrorScreens.tsx';

test('a screen that could not be fetched says so, and is fetched anew once the page is connected again', async () => {
  let isOffline = true;
  let asked = 0;
  const Screen = lazyScreen<object>(async () => {
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

const part = '/assets/Chat-12345678.js';
const notFetched = () => new TypeError(`Failed to fetch dynamically imported module: ${location.origin}${part}`);

/** A screen whose code can't be fetched, on a page with this app. */
async function openGone({ app }: Awaited<ReturnType<typeof openPage>>, error = notFetched()) {
  const Screen = lazyScreen<object>(() => Promise.reject(error), MissingScreen);
  return render(
    <AppContext value={app}>
      <Suspense>
        <Screen />
      </Suspense>
    </AppContext>,
  );
}

test('a page whose part is gone after an update reloads once, and then asks for a reload', async () => {
  for (const loads of [1, 0]) {
    const opened = await openPage('/nowhere');
    await expect.poll(() => opened.server.asked('session/hello').length).toBe(1);
    opened.server.answerFor((path) => (path === part ? new Response('', { status: 404 }) : null));
    const before = pageLoads().length;
    const screen = await openGone(opened);
    await shown(page.getByRole('main').getByText('There is a newer Tunemate. Reload this page.'));
    expect(pageLoads()).toHaveLength(before + loads);
    await button('Reload').first().click();
    expect(pageLoads()).toHaveLength(before + loads + 1);
    await screen.unmount();
    await closePage();
  }
});

test('a page that does not take code which the server has reloads once, and then says that a part is missing', async () => {
  for (const loads of [1, 0]) {
    const opened = await openPage('/nowhere');
    await expect.poll(() => opened.server.asked('session/hello').length).toBe(1);
    const before = pageLoads().length;
    const screen = await openGone(opened, new TypeError('Importing a module script failed.'));
    await shown(page.getByRole('main').getByText('A part of this page is missing. Reload it.'));
    expect(pageLoads()).toHaveLength(before + loads);
    await screen.unmount();
    await closePage();
  }
});

afterEach(() => vi.useRealTimers());

test('a screen whose code alone is away for long opens by itself, without a reload', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let isAway = true;
  const { server, app } = await openPage('/nowhere');
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  const script = { headers: { 'content-type': 'text/javascript' } };
  server.answerFor((path) =>
    path === part ? (isAway ? new Response('', { status: 503 }) : new Response('export {}', script)) : null,
  );
  const Screen = lazyScreen<object>(async () => {
    await Promise.resolve();
    if (isAway) throw notFetched();
    return () => <h1>The screen</h1>;
  }, MissingScreen);
  const screen = await render(
    <AppContext value={app}>
      <Suspense>
        <Screen />
        <Screen />
      </Suspense>
    </AppContext>,
  );
  const notice = page.getByText('Tunemate is not running right now.', { exact: false });
  // In the notice, and on each of the screens.
  await expect.poll(() => notice.all().length).toBe(3);
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => notice.all().length).toBe(3);
  isAway = false;
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => heading('The screen').all().length).toBe(2);
  await gone(notice);
  expect(pageLoads()).toEqual([]);
  await screen.unmount();
});

test.each([
  ['a proxy answers that the server is away', 502, 'Tunemate is not running right now.'],
  ['another page answers in its place', 200, 'If this network wants you to sign in, do that.'],
])('a screen that could not be fetched says that %s, and can be fetched again', async (_what, status, sentence) => {
  const opened = await openPage('/nowhere');
  await expect.poll(() => opened.server.asked('session/hello').length).toBe(1);
  opened.server.answerFor(new Response('<html>', { status }));
  const screen = await openGone(opened);
  await shown(page.getByRole('main').getByText(sentence, { exact: false }));
  await shown(button('Try Again'));
  expect(pageLoads()).toEqual([]);
  await screen.unmount();
});

test.each([
  ['WebSockets are blocked', null, 'Something between you and the server blocks WebSockets.'],
  ['the server behind a proxy is away', 504, 'Tunemate is not running right now.'],
  ['another page answers', 403, 'Something else answers in place of Tunemate.'],
])('a connection that can not be opened again says that %s', async (_what, status, sentence) => {
  const { server, app } = await openPage('/soulmate');
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  server.disconnect();
  server.answerFor(status === null ? Response.json({ ok: true, value: {} }) : new Response('<html>', { status }));
  await expect
    .poll(() => {
      app.reconnectNow();
      return document.body.textContent;
    })
    .toContain(sentence);
  await shown(button('Try Again'));
});

test('a part whose first request was lost is fetched again by itself', async () => {
  const { server, app } = await openPage('/nowhere');
  await expect.poll(() => server.asked('session/hello').length).toBe(1);
  server.answerFor(new Response('export {}', { headers: { 'content-type': 'text/javascript' } }));
  let asked = 0;
  const Screen = lazyScreen<object>(async () => {
    asked += 1;
    await Promise.resolve();
    if (asked === 1)
      throw new TypeError(`Failed to fetch dynamically imported module: ${location.origin}/assets/a-1.js`);
    return () => <h1>The screen</h1>;
  }, MissingScreen);
  const screen = await render(
    <AppContext value={app}>
      <Suspense>
        <Screen />
      </Suspense>
    </AppContext>,
  );
  await shown(heading('The screen'));
  expect(pageLoads()).toEqual([]);
  await screen.unmount();
});
