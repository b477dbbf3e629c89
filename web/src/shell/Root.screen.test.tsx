import type { SessionState } from '@tunemate/protocol';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { causes } from '../words/shell.ts';
import { lazy } from 'react';
import { cleanup, render } from 'vitest-browser-react/pure';
import { aSnapshot, mara, uidOf } from '../../testing/connection-fixtures.ts';
import { pageLoads, beOnline } from '../../testing/screens/browser.ts';
import { ok, refused, silence } from '../../testing/screens/fake-server.ts';
import {
  arrivedAt,
  button,
  field,
  heading,
  shown,
  gone,
  link,
  words,
  leadsTo,
  modal,
} from '../../testing/screens/find.ts';
import { becomeMara, openPage, signedOut } from '../../testing/screens/open-page.tsx';
import { aConversation, aNotification, ivoUid } from '../../testing/screens/people.ts';
import { routes, type Route } from '../routes.tsx';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { aTrack, openRoom } from '../../testing/screens/rooms.ts';
import { CrashBoundary } from './Root.tsx';
import { keepTypedText, restoreTypedText } from './page-life.ts';
import { navigate } from '../store/address.ts';

describe('owner of the page', () => {
  const adaUid = uidOf('Ada');
  const ivo = { ...mara, uid: ivoUid, name: 'Ivo' };
  const asIvo: SessionState = { status: 'signed-in', user: ivo };

  test('a page on which another user signs in reloads before it connects as them (CONN-W1)', async () => {
    const { server } = await openPage('/soulmate', {
      prepare: (stand) => stand.on('POST /api/accounts/sign-in', () => ok(asIvo)),
    });
    await shown(heading('Soulmate Streaming Room'));
    await expect.poll(() => server.asked('session/hello').length).toBe(1);
    server.on('GET /api/session', () => ok({ status: 'signed-out' }));
    server.closeLink({ code: 'auth/required' });
    await arrivedAt('/login?next=%2Fsoulmate');
    await field('Email').fill('ivo@example.test');
    await field('Password').fill('correct horse battery');
    await button('Sign In').click();
    await expect.poll(() => pageLoads().length).toBe(1);
    expect(server.asked('session/hello')).toHaveLength(1);
  });

  test('each hello but the first, which comes with the page, names its owner, and the page reloads when the session is another user’s (CONN-W1)', async () => {
    const { server } = await openPage(`/chat/${adaUid}`, {
      prepare: (stand) => stand.on('chats/open', () => ok(aConversation('Ada'))),
    });
    await shown(heading('Ada'));
    server.disconnect();
    await field('Message').fill('for Ada, of Mara');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('log', { name: 'Messages' }).getByText('Sending')).toBeInTheDocument();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    server.on('GET /api/session', () => ok(asIvo));
    server.on('session/hello', ({ uid }) =>
      uid === mara.uid ? refused('auth/required') : ok(aSnapshot({ user: ivo })),
    );
    server.on('chats/send', () => refused('auth/required'));
    server.reconnect();
    await expect.poll(pageLoads).toEqual([`/chat/${adaUid}`]);
    // A load that takes long is not begun anew.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pageLoads()).toHaveLength(1);
    expect(server.asked('session/hello').map(({ uid }) => uid)).toEqual([undefined, mara.uid]);
  });

  test('a page whose first hello is another user’s than its session is loaded anew (CONN-W1)', async () => {
    const { server } = await openPage('/', {
      prepare: (stand) => stand.on('session/hello', () => ok(aSnapshot({ user: ivo }))),
    });
    await expect.poll(() => pageLoads().length).toBe(1);
    expect(server.asked('chats/list')).toEqual([]);
  });
});

describe('views of routes', () => {
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
    navigate(path);
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
    navigate('/soulmate');
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
});

describe('shell', () => {
  test('an unknown address shows that it is not found, with a link home', async () => {
    await openPage('/nowhere/at/all');
    await shown(heading('Nothing plays here'));
    await leadsTo(link('Back to Home'), '/');
    expect(document.title).toBe('Nothing plays here · Tunemate');
    await expectAccessible('all');
  });

  test.each(['/', '/chats', '/tunemate/7F3A9C'])(
    '%s shows that the server is unavailable, with a button to try again',
    async (path) => {
      const { server } = await openPage(path, { session: signedOut, prepare: (stand) => stand.disconnect() });
      await shown(heading("Can't reach the server"));
      await shown(words(/^Trying again in \d+ s$/));
      await expectAccessible('all');
      // In one step, before the page tries again by itself.
      const tryAgain = button('Try Again').element() as HTMLElement;
      server.reconnect();
      tryAgain.click();
      await gone(heading("Can't reach the server"));
    },
  );

  test('a page that could not reach the server opens by itself once it answers', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const { server } = await openPage('/chats', { prepare: (stand) => stand.disconnect() });
      await shown(heading("Can't reach the server"));
      vi.advanceTimersByTime(10_000);
      await shown(heading("Can't reach the server"));
      server.reconnect();
      vi.advanceTimersByTime(10_000);
      await shown(heading('Chats'));
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ['/', refused('limit/too-many', { retryAfterMs: 8000 }), 'Too many requests. Try again in 8 seconds.'],
    ['/chats', refused('server/busy'), 'The server is busy. Try again in a moment.'],
  ] as const)(
    'a refusal from the server at %s is shown with its reason, not as an unreachable server',
    async (path, why, said) => {
      const { server } = await openPage(path, { prepare: (stand) => stand.on('GET /api/session', () => why) });
      await shown(heading('Not opened yet'));
      await shown(words(said));
      await gone(heading("Can't reach the server"));
      await expectAccessible();
      const tryAgain = button('Try Again').element() as HTMLElement;
      server.on('GET /api/session', () => ok({ status: 'signed-in', user: mara }));
      tryAgain.click();
      await gone(heading('Not opened yet'));
    },
  );

  test('shows that the device is offline', async () => {
    beOnline(false);
    await openPage('/chats', { session: signedOut, prepare: (stand) => stand.disconnect() });
    await shown(heading('You are offline'));
  });

  test.each([
    ['/notifications', '/login?next=%2Fnotifications'],
    ['/join?code=7F3A9C', '/login?next=%2Fjoin%3Fcode%3D7F3A9C'],
  ])('a visitor of %s has to sign in first', async (path, login) => {
    await openPage(path, { session: signedOut });
    await arrivedAt(login);
  });

  test.each(['/tunemate/7F3A9C', '/audio-room/7F3A9C'])(
    "a visitor of the room %s reads 'You must be logged in to access rooms' and signs in",
    async (path) => {
      await openPage(path, { session: signedOut });
      await shown(modal('You must be logged in to access rooms'));
      await expectAccessible();
      await button('OK').click();
      await arrivedAt(`/login?next=${encodeURIComponent(path)}`);
    },
  );

  test('a page that requires a user shows that it loads until the session is known', async () => {
    await openPage('/soulmate', { prepare: (server) => server.on('GET /api/session', silence) });
    await shown(words('Loading...'));
  });

  test("a connection that stays lost shows 'Reconnecting…', and Try Again retries at once", async () => {
    const { server } = await openPage('/soulmate');
    await shown(heading('Soulmate Streaming Room'));
    await expect.poll(() => server.asked('session/hello').length).toBe(1);
    server.disconnect();
    await shown(words(/^Reconnecting…/));
    await expectAccessible('all');
    // In one step, before the page tries again by itself.
    const tryAgain = button('Try Again').element() as HTMLElement;
    server.reconnect();
    tryAgain.click();
    await gone(words(/^Reconnecting…/));
    expect(server.asked('session/hello')).toHaveLength(2);
  });

  test('in the lowest window a long notice ends above the bar of a room’s chat, which stands at the bottom', async () => {
    await page.viewport(320, 256);
    const { server } = await openPage('/soulmate');
    await expect.poll(() => server.asked('session/hello').length).toBe(1);
    server.disconnect();
    await shown(words(/^Reconnecting…/));
    const said = words(/^Reconnecting…/).element();
    const notice = said.parentElement;
    // What it says after five attempts.
    said.textContent = causes.ours;
    // Its key, and above it as much of its last messages as it shows there.
    expect(notice?.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight * 0.88 - 52);
    await expectAccessible('this');
  });

  test('a device without a network shows that it is offline, without a retry button', async () => {
    const { server } = await openPage('/soulmate');
    await expect.poll(() => server.asked('session/hello').length).toBe(1);
    beOnline(false);
    server.disconnect();
    await shown(words('You are offline'));
    await gone(button('Try Again'));
  });

  test('what a page shows is stored when it is hidden, and not a second later', async () => {
    const { app } = await openPage('/soulmate');
    await shown(heading('Soulmate Streaming Room'));
    app.kept.start();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    onTestFinished(app.kept.follow('shown', { subscribe: () => () => undefined }, () => 'seen'));
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    onTestFinished(() => void Reflect.deleteProperty(document, 'visibilityState'));
    document.dispatchEvent(new Event('visibilitychange'));
    // A poll would let the second pass.
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let frames = 0; frames < 100 && (await app.kept.read('shown')) === undefined; frames += 1) await frame();
    expect(await app.kept.read('shown')).toBe('seen');
  });

  test('a page older than the server is reloaded once, keeps typed text, and shows a notice when it is still older', async () => {
    const { server } = await openPage('/join');
    await field('Room code').fill('7F3A9C');
    server.closeLink({ code: 'client/outdated' });
    await expect.poll(pageLoads).toEqual(['/join']);
    expect(sessionStorage.getItem('tunemate/typed-text')).toContain('7F3A9C');
    await shown(words(/^There is a newer Tunemate. Reload this page\./));
    await expectAccessible();
    await button('Reload').click();
    expect(pageLoads()).toEqual(['/join', '/join']);
  });

  test('a user whose session ended elsewhere is redirected to sign in, and the title counts nothing more', async () => {
    const { server } = await openPage('/soulmate', { own: { notifications: [aNotification()] } });
    await shown(heading('Soulmate Streaming Room'));
    await expect.poll(() => document.title).toMatch(/^\(1\) /);
    server.on('GET /api/session', () => ok({ status: 'signed-out' }));
    server.closeLink({ code: 'auth/required' });
    await arrivedAt('/login?next=%2Fsoulmate');
    await expect.poll(() => document.title).toBe('Sign in · Tunemate');
  });

  test('a page that asks for the password goes on by itself once its user has signed in on another tab', async () => {
    const { server } = await openPage('/login?next=%2Fsoulmate', { session: signedOut });
    await shown(button('Sign In'));
    becomeMara(server);
    document.dispatchEvent(new Event('visibilitychange'));
    await arrivedAt('/soulmate');
  });

  test('a connection refused while HTTP accepts the session is opened again every 5 s, and no sooner', async () => {
    const { server } = await openPage('/soulmate');
    const tries = () => server.asked('session/hello').length;
    await expect.poll(tries).toBe(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    server.on('session/hello', () => refused('auth/required'));
    server.closeLink({ code: 'auth/required' });
    for (let second = 0; second < 30; second += 1) {
      await vi.advanceTimersByTimeAsync(1000);
      // The fake server's answers arrive meanwhile.
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    expect(tries()).toBeGreaterThan(1);
    expect(tries()).toBeLessThanOrEqual(1 + 30 / 5);
    expect(pageLoads()).toEqual([]);
  });

  test('a page whose place a newer one has taken says so and rests, until its user wants it back', async () => {
    const { server } = await openPage('/soulmate');
    const tries = () => server.asked('session/hello').length;
    await expect.poll(tries).toBe(1);
    server.closeLink({ code: 'session/elsewhere' });
    await shown(words('Tunemate is open in many other places, so this page rests.'));
    await expectAccessible();
    expect([tries(), pageLoads()]).toEqual([1, []]);
    await button('Use it here').click();
    await expect.poll(tries).toBe(2);
    await gone(button('Use it here'));
  });

  test('a name that was changed on another device is shown at once', async () => {
    const { server } = await openPage('/');
    await shown(heading(mara.name));
    server.tell({ type: 'accounts/changed', name: 'Mara L.', readReceipts: true });
    await shown(heading('Mara L.'));
  });

  test('a page at an address that the server does not accept shows where to open it', async () => {
    await openPage('/login', { session: signedOut, config: { openAt: 'http://192.168.1.7:3000/' } });
    await leadsTo(link('http://192.168.1.7:3000/'), 'http://192.168.1.7:3000/');
    await shown(words(`PUBLIC_URL=${location.origin}`));
    await expectAccessible();
  });

  test('text that was typed before a reload is restored', async () => {
    await openPage('/join');
    await field('Room code').fill('7F3A9C');
    keepTypedText(sessionStorage);
    await field('Room code').fill('');
    restoreTypedText(sessionStorage);
    await expect.element(field('Room code')).toHaveValue('7F3A9C');
    expect(sessionStorage.getItem('tunemate/typed-text')).toBeNull();
  });

  test('a screen that throws shows a message, and can be reloaded', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const Broken = (): never => {
      throw new Error('a bug');
    };
    const { container } = await render(
      <CrashBoundary>
        <Broken />
      </CrashBoundary>,
    );
    await shown(words('This page broke'));
    await expectAccessible();
    await button('Reload').click();
    expect(pageLoads()).toHaveLength(1);
    expect(said).toHaveBeenCalled();
    said.mockRestore();
    await cleanup();
    container.remove();
  });
});
