import { mara } from '../../../testing/connection-fixtures.ts';
import type { AppConfig } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
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
import { becomeMara, closePage, openPage, signedOut } from '../../../testing/screens/open-page.tsx';

const signedUp = { ticket: 'ticket-1', number: 47 };

/** The link is not pressed, unless `prepare` says otherwise. */
const openSignup = (prepare: (server: FakeServer) => void = () => undefined, config: Partial<AppConfig> = {}) =>
  openPage('/signup', {
    session: signedOut,
    prepare(server) {
      server.on('POST /api/accounts/continue-sign-up', silence);
      prepare(server);
    },
    config,
  });

async function typeAndSignUp(): Promise<void> {
  await field('Name').fill('Mara Lindqvist');
  await field('Email').fill(' mara@example.test');
  await field('Password').fill('correct horse battery');
  await userEvent.keyboard('{Enter}');
}

test('asks for name, email and password', async () => {
  await openSignup();
  await shown(heading('Create your account'));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible('all');
});

test('shows at each field what is wrong with it, in order, and moves the focus to the first', async () => {
  const { server } = await openSignup();
  await button('Create Account').click();
  await expect.element(field('Name')).toHaveAccessibleDescription('Please enter your name.');
  await expect.element(field('Email')).toHaveAccessibleDescription('Please enter your email.');
  await expect.element(field('Password')).toHaveAccessibleDescription(/Please enter your password\./);
  await focused(field('Name'));
  await expectAccessible();
  await field('Name').fill('x'.repeat(51));
  await field('Email').fill('mara');
  await field('Password').fill('short');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Name')).toHaveAccessibleDescription('A name has at most 50 characters.');
  await expect.element(field('Email')).toHaveAccessibleDescription('This does not look like an email address.');
  await expect.element(field('Password')).toHaveAccessibleDescription(/A password has at least 8 characters\./);
  await field('Name').fill('Mara\u0007');
  await field('Password').fill('x'.repeat(129));
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Name')).toHaveAccessibleDescription('This name holds characters that cannot be shown.');
  await expect.element(field('Password')).toHaveAccessibleDescription(/A password has at most 128 characters\./);
  expect(server.asked('POST /api/accounts/sign-up')).toEqual([]);
});

test("after signing up it shows 'Verification Email Sent!', with Resend and Go to Login", async () => {
  const { server } = await openSignup((stand) => {
    stand.on('POST /api/accounts/sign-up', () => ok(signedUp));
    stand.on('POST /api/accounts/resend-verification', () => ok({}));
  });
  await typeAndSignUp();
  await shown(heading('Verification Email Sent!'));
  await shown(words('mara@example.test'));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible();
  await button('Resend').click();
  await shown(words('Verification email resent!'));
  expect(server.asked('POST /api/accounts/resend-verification')).toEqual([{ ticket: 'ticket-1' }]);
});

test('shows why the e-mail could not be sent again', async () => {
  const { server } = await openSignup((stand) => {
    stand.on('POST /api/accounts/sign-up', () => ok(signedUp));
    stand.on('POST /api/accounts/resend-verification', () => refused('server/busy'));
  });
  await typeAndSignUp();
  await button('Resend').click();
  await modal('Failed to resend verification email: The server is busy. Try again in a moment.')
    .getByRole('button', { name: 'OK' })
    .click();
  server.on('POST /api/accounts/resend-verification', () => refused('auth/required'));
  await button('Resend').click();
  await shown(modal('Please sign up again to receive a verification email.'));
});

test.each([
  [refused('auth/password-weak'), 'Signup failed: This password is easy to guess. Choose another.'],
  [refused('input/invalid'), 'Signup failed: Check your name, email and password.'],
  [
    refused('limit/too-many', { retryAfterMs: 12 * 60_000 }),
    'Signup failed: Many people have signed up from this network. Try again in 12 minutes.',
  ],
  [refused('server/failed'), 'Signup failed: Something went wrong on the server. Try again.'],
])('a refused sign-up shows the reason: %o', async (answer, sentence) => {
  await openSignup((server) => server.on('POST /api/accounts/sign-up', () => answer));
  await typeAndSignUp();
  await shown(words(sentence));
  await expectAccessible();
});

test('sends one request only while a slow server answers', async () => {
  const { server } = await openSignup((stand) => stand.on('POST /api/accounts/sign-up', silence));
  await typeAndSignUp();
  await expect.element(button('Create Account')).toHaveAttribute('aria-busy', 'true');
  await button('Create Account').click();
  expect(server.asked('POST /api/accounts/sign-up')).toHaveLength(1);
});

test.each([
  ['closed', '/signup?invitation=of-yesterday', 'Nobody can sign up here now. Ask the person who runs this server.'],
  ['invite', '/signup', 'Signing up here needs an invitation link. Ask the person who runs this server for one.'],
] as const)('says in one sentence that sign-up is %s, and shows no form', async (signUp, path, sentence) => {
  await openPage(path, { session: signedOut, config: { signUp } });
  await shown(words(sentence));
  await gone(button('Create Account'));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible('all');
});

test('an invitation link shows the form, and says when it does not work any more', async () => {
  const { server } = await openPage('/signup?invitation=a-token', {
    session: signedOut,
    config: { signUp: 'invite' },
    prepare(stand) {
      stand.on('POST /api/accounts/continue-sign-up', silence);
      stand.on('POST /api/accounts/sign-up', () => refused('auth/invitation-needed'));
    },
  });
  await typeAndSignUp();
  await shown(
    words('Signup failed: You need an invitation link that works. Ask the person who runs this server for one.'),
  );
  server.on('POST /api/accounts/sign-up', () => ok(signedUp));
  await button('Create Account').click();
  await shown(heading('Verification Email Sent!'));
  expect(server.asked('POST /api/accounts/sign-up')).toMatchObject([
    { invitation: 'a-token' },
    { invitation: 'a-token', name: 'Mara Lindqvist' },
  ]);
});

test('the page shows a number, goes on home by itself once the link was pressed, and is signed in', async () => {
  const pressed = Promise.withResolvers<{ ok: true; value: { status: 'signed-in' } }>();
  const { server } = await openSignup((stand) => {
    stand.on('POST /api/accounts/sign-up', () => ok(signedUp));
    stand.on('POST /api/accounts/continue-sign-up', () => pressed.promise);
  });
  await typeAndSignUp();
  await shown(words(/goes on by itself/));
  await shown(words(/Your number is 47\./));
  await expect.poll(() => server.asked('POST /api/accounts/continue-sign-up')).toContainEqual({ ticket: 'ticket-1' });
  becomeMara(server);
  pressed.resolve(ok({ status: 'signed-in' }));
  await arrivedAt('/');
});

test('the page goes on home when its first question is answered at once', async () => {
  await openSignup((stand) => {
    stand.on('POST /api/accounts/sign-up', () => ok(signedUp));
    stand.on('POST /api/accounts/continue-sign-up', () => {
      becomeMara(stand);
      return ok({ status: 'signed-in' });
    });
  });
  await typeAndSignUp();
  await arrivedAt('/');
});

test('a page that the phone has dropped waits on after it is loaded again', async () => {
  await openSignup((stand) => stand.on('POST /api/accounts/sign-up', () => ok(signedUp)));
  await typeAndSignUp();
  await shown(words(/goes on by itself/));
  await closePage();
  const { server } = await openSignup();
  await shown(heading('Verification Email Sent!'));
  await shown(words('mara@example.test'));
  await expect.poll(() => server.asked('POST /api/accounts/continue-sign-up').length).toBeGreaterThan(0);
  await button('Change the email').click();
  await shown(heading('Create your account'));
  await closePage();
  await openSignup();
  await shown(heading('Create your account'));
});

test('a page whose sign-up is over says so and leads to the sign-in', async () => {
  await openSignup((stand) => {
    stand.on('POST /api/accounts/sign-up', () => ok(signedUp));
    stand.on('POST /api/accounts/continue-sign-up', () => ok({ status: 'over' }));
  });
  await typeAndSignUp();
  await shown(words(/can’t go on by itself any more/));
  await gone(words(/47/));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible();
});

test('a browser that another of its tabs has signed in by the same link goes on', async () => {
  await openSignup((stand) => {
    stand.on('POST /api/accounts/sign-up', () => ok(signedUp));
    stand.on('POST /api/accounts/continue-sign-up', () => {
      stand.on('GET /api/session', () => ok({ status: 'signed-in', user: { ...mara, email: 'mara@example.test' } }));
      return ok({ status: 'over' });
    });
    stand.on('session/hello', silence);
  });
  await typeAndSignUp();
  await arrivedAt('/');
});

test('a person who is signed in already has nothing to sign up for', async () => {
  await openPage('/signup?next=%2Fsoulmate');
  await arrivedAt('/soulmate');
});
