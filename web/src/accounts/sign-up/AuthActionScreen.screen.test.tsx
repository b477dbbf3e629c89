import { mara } from '../../../testing/connection-fixtures.ts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused, silence, type FakeServer } from '../../../testing/screens/fake-server.ts';
import {
  arrivedAt,
  button,
  field,
  heading,
  leadsTo,
  link,
  modal,
  shown,
  words,
} from '../../../testing/screens/find.ts';
import { becomeMara, openPage, signedOut } from '../../../testing/screens/open-page.tsx';

const openLink = (mode: string, prepare: (server: FakeServer) => void = () => undefined) =>
  openPage(`/auth/action?mode=${mode}&oobCode=abc`, {
    session: signedOut,
    prepare: (server) => {
      server.on('GET /api/accounts/mailed-link', () => ok({ status: 'open' }));
      prepare(server);
    },
  });

const verified = { name: 'Mara', isSignedIn: false, rejectCode: null };
const press = () => button('Verify Email').click();
const alreadyVerified = 'Your email is verified. You can sign in.';

test('opening the link verifies nothing before the button is pressed', async () => {
  const { server } = await openLink('verifyEmail');
  await shown(heading('Verify your email'));
  await shown(button('Verify Email'));
  await expectAccessible('all');
  expect(server.asked('POST /api/accounts/verify-email')).toEqual([]);
});

const account = { name: 'Mara', email: 'mara@example.test', number: 47 };
const openNamed = (prepare: (server: FakeServer) => void = () => undefined) =>
  openLink('verifyEmail', (server) => {
    server.on('GET /api/accounts/mailed-link', () => ok({ status: 'open', account }));
    prepare(server);
  });

test('says before the press whose account it is, with the number of the page that signed up', async () => {
  await openNamed();
  await shown(heading('Is this your account?'));
  await shown(words('mara@example.test'));
  await shown(words('Go on only if you signed up yourself, just now.'));
  await shown(words(/Your number is 47\./));
  await expectAccessible('all');
});

test("'This wasn't me' before the press ends the sign-up after a question, and verifies nothing", async () => {
  const { server } = await openNamed((stand) =>
    stand.on('POST /api/accounts/reject-sign-up', () => refused('server/busy')),
  );
  await button("This wasn't me").click();
  await shown(words('End the sign-up of Mara?'));
  await expectAccessible();
  await button('End').click();
  await modal('The sign-up was not ended').getByRole('button', { name: 'OK' }).click();
  server.on('POST /api/accounts/reject-sign-up', () => ok({}));
  await button("This wasn't me").click();
  await button('End').click();
  await shown(heading('Sign-up ended'));
  expect(server.asked('POST /api/accounts/reject-sign-up').at(-1)).toEqual({ oobCode: 'abc' });
  expect(server.asked('POST /api/accounts/verify-email')).toEqual([]);
});

test('on a device that did not sign up the password is asked for once, and leads to the room', async () => {
  const { server } = await openPage('/auth/action?mode=verifyEmail&oobCode=abc&next=%2Fjoin%3Fcode%3D7F3A9C', {
    session: signedOut,
    prepare(stand) {
      stand.on('GET /api/accounts/mailed-link', () => ok({ status: 'open', account }));
      stand.on('POST /api/accounts/verify-email', () => ok({ ...verified, rejectCode: 'undo' }));
      stand.on('POST /api/accounts/sign-in', () => refused('auth/invalid-credentials'));
    },
  });
  await press();
  await shown(words(/The page where you signed up goes on by itself\./));
  await shown(button("This wasn't me"));
  await expectAccessible('all');
  await button('Sign In').click();
  await expect.element(field('Password')).toHaveAccessibleDescription('Please enter your password.');
  await field('Password').fill('correct horse battery');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Password')).toHaveAccessibleDescription('Invalid credentials');
  server.on('POST /api/accounts/sign-in', () => ok({ status: 'signed-in', user: mara }));
  becomeMara(server);
  await userEvent.keyboard('{Enter}');
  await arrivedAt('/join?code=7F3A9C');
  // The room is asked for by a press of its own.
  await shown(button('Join Session'));
  expect(server.asked('rooms/askToJoin')).toEqual([]);
  expect(server.asked('POST /api/accounts/sign-in').at(-1)).toEqual({
    email: 'mara@example.test',
    password: 'correct horse battery',
  });
});

test('a link that was used already says that the email is verified, without a button', async () => {
  await openLink('verifyEmail', (server) => server.on('GET /api/accounts/mailed-link', () => ok({ status: 'done' })));
  await shown(heading('Email verified'));
  await shown(words(alreadyVerified));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible();
});

test.each([
  ['verifyEmail', 'open'],
  ['verifyEmail', 'done'],
  ['resetPassword', 'done'],
] as const)('a link of %s that is %s leads on to the room it was mailed for, on any device', async (mode, status) => {
  await openPage(`/auth/action?mode=${mode}&oobCode=abc&next=%2Fjoin%3Fcode%3D7F3A9C`, {
    session: signedOut,
    prepare: (server) => {
      server.on('GET /api/accounts/mailed-link', () => ok({ status }));
      server.on('POST /api/accounts/verify-email', () => ok(verified));
    },
  });
  if (status === 'open') await press();
  await leadsTo(link('Go to Login'), '/login?next=%2Fjoin%3Fcode%3D7F3A9C');
});

test('a link that another device uses meanwhile says that the email is verified', async () => {
  const { server } = await openLink('verifyEmail', (stand) =>
    stand.on('POST /api/accounts/verify-email', () => refused('auth/code-invalid')),
  );
  await shown(button('Verify Email'));
  server.on('GET /api/accounts/mailed-link', () => ok({ status: 'done' }));
  await press();
  await shown(words(alreadyVerified));
});

const needsInvitation = 'You need an invitation link that works. Ask the person who runs this server for one.';

test('says why a link that works does not verify: the last place of the invitation is taken', async () => {
  await openLink('verifyEmail', (stand) =>
    stand.on('POST /api/accounts/verify-email', () => refused('auth/invitation-needed')),
  );
  await press();
  await shown(heading('Verification Failed'));
  await shown(words(needsInvitation));
  await expectAccessible();
});

test('verifies the email with the code of the link, shows that it is working, and then success', async () => {
  const answer = Promise.withResolvers<{ ok: true; value: typeof verified }>();
  const { server } = await openLink('verifyEmail', (stand) =>
    stand.on('POST /api/accounts/verify-email', () => answer.promise),
  );
  await press();
  await shown(words('Verifying your email...'));
  await expectAccessible();
  answer.resolve(ok(verified));
  await shown(heading('Email verified'));
  await shown(words('You can sign in now, as Mara.'));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible('all');
  expect(server.asked('POST /api/accounts/verify-email')).toEqual([{ oobCode: 'abc' }]);
  // The page's first request: the link signed no user in.
  expect(server.asked('GET /api/session')).toHaveLength(1);
});

test('shows which account the link signed in, and lets a person who never signed up delete it', async () => {
  const { server } = await openLink('verifyEmail', (stand) => {
    stand.on('POST /api/accounts/verify-email', () => ok({ ...verified, isSignedIn: true, rejectCode: 'undo' }));
    stand.on('POST /api/accounts/reject-sign-up', () => ok({}));
  });
  await press();
  await shown(words('You are signed in as Mara.'));
  await leadsTo(link('Go to Home'), '/');
  await expectAccessible();
  await button("This wasn't me").click();
  await shown(words('Delete the account of Mara?'));
  await expectAccessible();
  await button('Delete').click();
  await shown(heading('Account deleted'));
  expect(server.asked('POST /api/accounts/reject-sign-up')).toEqual([{ oobCode: 'undo' }]);
});

test("an expired link shows 'Verification Failed' and the reason", async () => {
  await openLink('verifyEmail', (server) => server.on('GET /api/accounts/mailed-link', () => ok({ status: 'over' })));
  await shown(heading('Verification Failed'));
  await shown(words('There was an error verifying your email. The link may have expired or already been used.'));
  await leadsTo(link('Back to Login'), '/login');
  await expectAccessible();
});

test('when the server cannot be reached, the same link can be tried again', async () => {
  const { server } = await openLink('verifyEmail', (stand) =>
    stand.on('POST /api/accounts/verify-email', () => refused('server/unavailable')),
  );
  await press();
  await shown(heading("Can't reach the server"));
  await expectAccessible();
  server.on('POST /api/accounts/verify-email', () => ok(verified));
  await button('Try Again').click();
  await shown(heading('Email verified'));
});

test.each(['/auth/action', '/auth/action?mode=verifyEmail', '/auth/action?mode=recoverEmail&oobCode=abc'])(
  'a link without a known action shows that it is unknown: %s',
  async (path) => {
    await openPage(path, { session: signedOut });
    await shown(heading('Link Not Recognized'));
    await expectAccessible();
  },
);

test('sets a new password with the code of the link', async () => {
  const { server } = await openLink('resetPassword', (stand) =>
    stand.on('POST /api/accounts/reset-password', () => refused('auth/password-weak')),
  );
  await shown(heading('Choose a new password'));
  await expectAccessible('all');
  await field('New password').fill('short');
  await userEvent.keyboard('{Enter}');
  await expect.element(field('New password')).toHaveAccessibleDescription(/A password has at least 8 characters\./);
  await field('New password').fill('password');
  await button('Save Password').click();
  await expect.element(field('New password')).toHaveAccessibleDescription(/This password is easy to guess\./);
  await expectAccessible();
  server.on('POST /api/accounts/reset-password', () => refused('server/busy'));
  await button('Save Password').click();
  await expect.element(field('New password')).toHaveAccessibleDescription(/The server is busy\./);
  server.on('POST /api/accounts/reset-password', () => ok({}));
  await field('New password').fill('correct horse battery');
  await userEvent.keyboard('{Enter}');
  await shown(heading('Password changed'));
  await leadsTo(link('Go to Login'), '/login');
  await expectAccessible();
});

test.each([
  ['done', 'Password changed'],
  ['over', 'Reset Failed'],
] as const)('a password link that is %s says so at once', async (status, title) => {
  await openLink('resetPassword', (server) => server.on('GET /api/accounts/mailed-link', () => ok({ status })));
  await shown(heading(title));
  await expectAccessible();
});

test('a used password link offers to send a new one', async () => {
  await openLink('resetPassword', (server) =>
    server.on('POST /api/accounts/reset-password', () => refused('auth/code-invalid')),
  );
  await field('New password').fill('correct horse battery');
  await button('Save Password').click();
  await shown(heading('Reset Failed'));
  await leadsTo(link('Get a New Link'), '/login?reset=');
  await leadsTo(link('Back to Login'), '/login');
  await expectAccessible();
});

test('a password that was saved by a press whose answer was lost is not called failed by the next', async () => {
  const { server } = await openLink('resetPassword', (stand) =>
    stand.on('POST /api/accounts/reset-password', () => refused('server/unavailable')),
  );
  await field('New password').fill('correct horse battery');
  await button('Save Password').click();
  await expect.element(field('New password')).toHaveAccessibleDescription(/Can't reach the server/);
  server.on('POST /api/accounts/reset-password', () => refused('auth/code-invalid'));
  server.on('GET /api/accounts/mailed-link', () => ok({ status: 'done' }));
  await button('Save Password').click();
  await shown(heading('Password changed'));
});

test('says why a password link that works does not set one', async () => {
  await openLink('resetPassword', (server) =>
    server.on('POST /api/accounts/reset-password', () => refused('auth/invitation-needed')),
  );
  await field('New password').fill('correct horse battery');
  await button('Save Password').click();
  await shown(words(needsInvitation));
});

test('sends one request only while a slow server answers', async () => {
  const { server } = await openLink('resetPassword', (stand) => stand.on('POST /api/accounts/reset-password', silence));
  await field('New password').fill('correct horse battery');
  await button('Save Password').click();
  await expect.element(button('Save Password')).toHaveAttribute('aria-busy', 'true');
  await button('Save Password').click();
  expect(server.asked('POST /api/accounts/reset-password')).toHaveLength(1);
});
