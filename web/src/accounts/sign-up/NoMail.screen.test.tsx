import type { AppConfig, RouteValue } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { ok, refused, silence, type FakeServer } from '../../../testing/screens/fake-server.ts';
import { button, field, gone, heading, link, shown, words } from '../../../testing/screens/find.ts';
import { openPage, signedOut } from '../../../testing/screens/open-page.tsx';

type SignedUp = RouteValue<'POST /api/accounts/sign-up'>;
const mail = { subject: 'Verify your email for Tunemate', link: '/auth/action?mode=verifyEmail&oobCode=abc', at: 0 };
const signedUp: SignedUp = { ticket: 'ticket-1', number: 48 };

async function signUp(
  config: Partial<AppConfig>,
  value: SignedUp,
  prepare: (server: FakeServer) => void = () => undefined,
): Promise<FakeServer> {
  const { server } = await openPage('/signup', {
    session: signedOut,
    config,
    prepare(stand) {
      stand.on('POST /api/accounts/sign-up', () => ok(value));
      stand.on('POST /api/accounts/continue-sign-up', silence);
      prepare(stand);
    },
  });
  await field('Name').fill('Theo Brandt');
  await field('Email').fill('theo@brandt.example');
  await field('Password').fill('correct horse battery');
  await userEvent.keyboard('{Enter}');
  return server;
}

test("on the server's own machine the page shows the mail itself, whose link opens a page of its own", async () => {
  const server = await signUp({ noMail: 'here' }, { ...signedUp, mail });
  await shown(heading('Verification Email Sent!'));
  await shown(words('This server has no mail server, so here is your mail.'));
  await shown(words('48'));
  await shown(words('Verify your email for Tunemate'));
  await expect.element(link('Open the mail')).toHaveAttribute('href', mail.link);
  await expect.element(link('Open the mail')).toHaveAttribute('target', '_blank');
  await expectAccessible('all');
  const next = { ...mail, link: '/auth/action?mode=verifyEmail&oobCode=def' };
  server.on('POST /api/accounts/resend-verification', () => ok({ mail: next }));
  await button('Resend').click();
  await expect.element(link('Open the mail')).toHaveAttribute('href', next.link);
});

test('elsewhere it says no word of a mail, shows the number to say, and asks again after a minute at the earliest', async () => {
  await signUp({ noMail: 'elsewhere' }, signedUp);
  await shown(heading('Hello, Theo'));
  await shown(words('This server sends no mail. The person who runs it can let you in.'));
  await shown(words('48'));
  await shown(words('Waiting. This page goes on by itself.'));
  await gone(heading('Verification Email Sent!'));
  await gone(words('Do you run this server?'));
  await expect.element(button('Resend')).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible('all');
});

test('elsewhere it says when the person was not let in', async () => {
  await signUp({ noMail: 'elsewhere' }, signedUp, (stand) =>
    stand.on('POST /api/accounts/continue-sign-up', () => ok({ status: 'refused' })),
  );
  await shown(heading('Not let in'));
  await shown(words('The person who runs this server did not let you in.'));
  await expectAccessible();
  await button('Sign up again').click();
  await shown(heading('Create your account'));
});

test('while no person runs the server, the code of its log makes this person the first', async () => {
  const server = await signUp({ noMail: 'elsewhere', needsOperator: true }, signedUp, (stand) =>
    stand.on('POST /api/accounts/run-server', () => refused('auth/code-invalid')),
  );
  await words('Do you run this server?').click();
  await field('Code').fill('7F3A-9C05');
  await expectAccessible();
  await button('Run this server').click();
  await shown(words('This is not the code, or the server has a person who runs it.'));
  server.on('POST /api/accounts/run-server', () => ok({}));
  await field('Code').fill('7F3A-9C04');
  await button('Run this server').click();
  await shown(words('You run this server.'));
  expect(server.asked('POST /api/accounts/run-server').at(-1)).toEqual({ ticket: 'ticket-1', code: '7F3A-9C04' });
});
