import { maraUid, mara } from '../../../testing/connection-fixtures.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { beOnline, pageLoads } from '../../../testing/screens/browser.ts';
import { ok, refused, silence, type FakeServer } from '../../../testing/screens/fake-server.ts';
import {
  arrivedAt,
  button,
  field,
  focused,
  gone,
  heading,
  leadsTo,
  link,
  modal,
  shown,
  words,
} from '../../../testing/screens/find.ts';
import { openPage, signedOut } from '../../../testing/screens/open-page.tsx';
import { keptNext } from './next-path.ts';

const unverified = { status: 'unverified', uid: maraUid, name: mara.name, email: mara.email } as const;
const signedIn = { status: 'signed-in', user: mara } as const;

const openLogin = (prepare: (server: FakeServer) => void = () => undefined, path = '/login') =>
  openPage(path, { session: signedOut, prepare });

async function typeAndSignIn(): Promise<void> {
  await field('Email').fill('mara@example.test');
  await field('Password').fill('correct horse battery');
  await userEvent.keyboard('{Enter}');
}

test('asks for email and password, with Sign In and Create Account, and is accessible', async () => {
  await openLogin();
  await shown(heading('Hear the same second'));
  await shown(button('Sign In'));
  await leadsTo(link('Create Account'), '/signup');
  await leadsTo(link('Forgot password?'), '/login?reset=');
  await shown(words('Same song.'));
  expect(document.title).toBe('Sign in · Tunemate');
  await expectAccessible('all');
});

test('the menu of languages moves nothing when it arrives', async () => {
  await openLogin();
  const menu = page.getByLabelText('Language');
  await shown(menu);
  const top = (): number => heading('Hear the same second').element().getBoundingClientRect().top;
  const withMenu = top();
  menu.element().closest('label')?.setAttribute('hidden', '');
  expect(menu.element().getClientRects()).toHaveLength(0);
  expect(top()).toBe(withMenu);
});

test('the choice of a language keeps what is typed, but no password', async () => {
  await openLogin();
  await field('Email').fill('mara@example.test');
  await field('Password').fill('correct horse battery');
  await page.getByLabelText('Language').selectOptions('de');
  document.cookie = 'language=; Path=/; Max-Age=0';
  await expect.poll(pageLoads).toEqual([location.pathname]);
  const kept = sessionStorage.getItem('tunemate/typed-text');
  expect(kept).toContain('mara@example.test');
  expect(kept).not.toContain('correct horse');
});

test('welcomes back in a browser in which a user was signed in before', async () => {
  await openPage('/login', { session: signedOut, config: { knowsBrowser: true } });
  await shown(heading('Welcome back'));
});

test('signs in with the keyboard alone, opens home and shows a success message', async () => {
  const { server } = await openLogin((stand) => stand.on('POST /api/accounts/sign-in', () => ok(signedIn)));
  server.on('session/hello', silence);
  await typeAndSignIn();
  await shown(words('Login successful!'));
  await arrivedAt('/');
  expect(server.asked('POST /api/accounts/sign-in')).toEqual([
    { email: 'mara@example.test', password: 'correct horse battery' },
  ]);
});

test('opens the page that was asked for before, and no other site', async () => {
  await openPage('/login?next=%2Fsoulmate');
  await arrivedAt('/soulmate');
});

test("shows 'Invalid credentials' for a wrong email or password, and moves the focus back", async () => {
  await openLogin((server) => server.on('POST /api/accounts/sign-in', () => refused('auth/invalid-credentials')));
  await typeAndSignIn();
  await focused(modal('Invalid credentials').getByRole('button', { name: 'OK' }));
  // Nothing goes on behind it.
  expect(document.querySelector('[aria-busy]')).toBeNull();
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await gone(modal('Invalid credentials'));
  await focused(field('Password'));
});

test('shows that the account is disabled, in one sentence, and moves the focus back', async () => {
  await openLogin((server) => server.on('POST /api/accounts/sign-in', () => refused('auth/disabled')));
  await typeAndSignIn();
  const sentence = 'This account was disabled. Ask the person who runs this server.';
  await focused(modal(sentence).getByRole('button', { name: 'OK' }));
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await focused(field('Password'));
});

test.each([
  [
    'the server is away',
    () => refused('server/unavailable'),
    "Can't reach the server. Check your connection and try again.",
  ],
  [
    'a visitor tried too often',
    () => refused('limit/too-many', { retryAfterMs: 30_000 }),
    'Too many requests. Try again in 30 seconds.',
  ],
])("shows the reason below 'Invalid credentials' when %s", async (_why, answer, sentence) => {
  await openLogin((server) => server.on('POST /api/accounts/sign-in', answer));
  await typeAndSignIn();
  await shown(modal('Invalid credentials').getByText(sentence));
});

test('shows that the device is offline', async () => {
  const { server } = await openLogin();
  beOnline(false);
  server.disconnect();
  await typeAndSignIn();
  await shown(modal('Invalid credentials').getByText('You are offline. Try again once you are connected.'));
});

test('shows at each empty field what is missing, and sends no request', async () => {
  const { server } = await openLogin();
  await button('Sign In').click();
  await expect.element(field('Email')).toHaveAccessibleDescription('Please enter your email.');
  await expect.element(field('Password')).toHaveAccessibleDescription('Please enter your password.');
  await expectAccessible();
  expect(server.asked('POST /api/accounts/sign-in')).toEqual([]);
});

test('sends one request only while a slow server answers', async () => {
  const { server } = await openLogin((stand) => stand.on('POST /api/accounts/sign-in', silence));
  await typeAndSignIn();
  await expect.element(button('Sign In')).toHaveAttribute('aria-busy', 'true');
  await button('Sign In').click();
  await expectAccessible();
  expect(server.asked('POST /api/accounts/sign-in')).toHaveLength(1);
});

test('shows the password on request', async () => {
  await openLogin();
  await field('Password').fill('correct horse');
  await button('Show password').click();
  await expect.element(field('Password')).toHaveAttribute('type', 'text');
  await button('Hide password').click();
  await expect.element(field('Password')).toHaveAttribute('type', 'password');
});

test("an unverified email sees 'Email Verification Required', with Resend Verification Email and Back to Login", async () => {
  const { server } = await openPage('/login', {
    session: unverified,
    prepare: (stand) => stand.on('POST /api/accounts/resend-verification', () => ok({})),
  });
  await shown(heading('Email Verification Required'));
  await shown(words(mara.email));
  await expectAccessible();
  await button('Resend Verification Email').click();
  await shown(words('Verification email resent!'));
  server.on('POST /api/accounts/resend-verification', () => refused('limit/too-many', { retryAfterMs: 60_000 }));
  await button('Resend Verification Email').click();
  await modal('Failed to resend verification email: Too many requests. Try again in 60 seconds.')
    .getByRole('button', { name: 'OK' })
    .click();
  server.on('POST /api/accounts/sign-out', () => refused('server/busy'));
  await button('Back to Login').click();
  await modal('The server is busy. Try again in a moment.').getByRole('button', { name: 'OK' }).click();
  server.on('POST /api/accounts/sign-out', () => ok({}));
  await button('Back to Login').click();
  await shown(button('Sign In'));
});

test('sends the link to a new password, and shows the same message for unknown addresses', async () => {
  const { server } = await openLogin((stand) =>
    stand.on('POST /api/accounts/request-password-reset', () => refused('input/invalid')),
  );
  await field('Email').fill('mara');
  await link('Forgot password?').click();
  await shown(heading('Reset your password'));
  await expect.element(field('Email')).toHaveValue('mara');
  await button('Send Reset Link').click();
  await expect.element(field('Email')).toHaveAccessibleDescription('This does not look like an email address.');
  await field('Email').fill('');
  await button('Send Reset Link').click();
  await expect.element(field('Email')).toHaveAccessibleDescription('Please enter your email.');
  await expectAccessible();
  server.on('POST /api/accounts/request-password-reset', () => ok({}));
  await field('Email').fill('mara@example.test');
  await userEvent.keyboard('{Enter}');
  await shown(heading('Check your email'));
  await expectAccessible();
  await leadsTo(link('Back to Login'), '/login');
  expect(server.asked('POST /api/accounts/request-password-reset')).toEqual([{ email: 'mara@example.test' }]);
});

test('after a new password, the sign-in still opens the requested page', async () => {
  await openLogin(
    (stand) => stand.on('POST /api/accounts/request-password-reset', () => ok({})),
    '/login?next=%2Ftunemate%2F7F3A9C',
  );
  await link('Forgot password?').click();
  await shown(heading('Reset your password'));
  await leadsTo(link('Back to Login'), '/login?next=%2Ftunemate%2F7F3A9C');
  await field('Email').fill('mara@example.test');
  await button('Send Reset Link').click();
  await shown(heading('Check your email'));
  // For the link of the mail, which names no page of its own.
  expect(keptNext()).toBe('/tunemate/7F3A9C');
  await link('Back to Login').click();
  await arrivedAt('/login?next=%2Ftunemate%2F7F3A9C');
});

test('shows an error when the link to a new password could not be sent', async () => {
  await openLogin(
    (server) => server.on('POST /api/accounts/request-password-reset', () => refused('server/storage-full')),
    '/login?reset=',
  );
  await field('Email').fill('mara@example.test');
  await button('Send Reset Link').click();
  await shown(page.getByText("Can't save right now"));
  await expectAccessible();
});
