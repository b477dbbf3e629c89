import type { RoomCode } from '@tunemate/protocol';
import { describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/screens/accessible.ts';
import { lookOnPhone } from '../../../testing/screens/browser.ts';
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
  shown,
  words,
} from '../../../testing/screens/find.ts';
import { becomeMara, closePage, openPage, signedOut } from '../../../testing/screens/open-page.tsx';

const signedUp = { ticket: 'ticket-1', number: 47 };
const kinds = [
  ['video', '/join?code=7F3A9C', 'This link opens a video room', 'The video room is next'],
  ['audio', '/join-audio-room?code=7F3A9C', 'This link opens an audio room', 'The audio room is next'],
] as const;

describe.each(kinds)('the link of a shared %s room', (kind, path, title, next) => {
  const withNext = (screen: string) => `${screen}?next=${encodeURIComponent(path)}`;

  test('says to a stranger what it opens and what Tunemate is, and asks for one thing', async () => {
    const { server } = await openPage(path, { session: signedOut });
    await arrivedAt(withNext('/login'));
    await shown(heading(title));
    await shown(words(/to everybody in the room, at the same second/));
    await shown(words('You ask to come in, and the host answers.'));
    await leadsTo(link('Create an account'), withNext('/signup'));
    await expectAccessible('all');
    await button('I have an account').click();
    await shown(heading('Welcome back'));
    await leadsTo(link('Create Account'), withNext('/signup'));
    // Opening its link asks nothing of a room.
    expect(server.asked('rooms/askToJoin')).toEqual([]);
  });

  async function signUpInSteps(): Promise<void> {
    await field('Name').fill('Mara Lindqvist');
    await userEvent.keyboard('{Enter}');
    await field('Email').fill('mara@example.test');
    await userEvent.keyboard('{Enter}');
    await field('Password').fill('correct horse battery');
    await userEvent.keyboard('{Enter}');
  }

  const nobodyPresses = (server: FakeServer): void => {
    server.on('POST /api/accounts/sign-up', () => ok(signedUp));
    server.on('POST /api/accounts/continue-sign-up', silence);
  };

  test('the browser’s own way back leads one field back, and past the form once the mail is sent', async () => {
    await openPage(withNext('/login'), { session: signedOut, prepare: nobodyPresses });
    await link('Create an account').click();
    await field('Name').fill('Mara Lindqvist');
    await userEvent.keyboard('{Enter}');
    await field('Email').fill('mara@example.test');
    await userEvent.keyboard('{Enter}');
    await focused(field('Password'));
    history.back();
    await expect.element(field('Email')).toHaveValue('mara@example.test');
    history.back();
    await expect.element(field('Name')).toHaveValue('Mara Lindqvist');
    await signUpInSteps();
    await shown(heading('Verification Email Sent!'));
    await expect.poll(() => history.state).toBeNull();
    history.back();
    await arrivedAt(withNext('/login'));
  });

  test('asks for one field a page, with its problem below it, and going back keeps what was typed', async () => {
    const { server } = await openPage(withNext('/signup'), { session: signedOut, prepare: nobodyPresses });
    await focused(field('Name'));
    await shown(words('Step 1 of 3'));
    await leadsTo(link('Back'), withNext('/login'));
    await expectAccessible('all');
    await button('Next').click();
    await expect.element(field('Name')).toHaveAccessibleDescription(/Please enter your name\./);
    await field('Name').fill('Mara Lindqvist');
    await button('Next').click();
    await focused(field('Email'));
    await field('Email').fill('mara');
    await userEvent.keyboard('{Enter}');
    await expect.element(field('Email')).toHaveAccessibleDescription(/This does not look like an email address\./);
    await button('Back').click();
    await expect.element(field('Name')).toHaveValue('Mara Lindqvist');
    await signUpInSteps();
    await shown(heading('Verification Email Sent!'));
    await shown(words(next));
    await expectAccessible('all');
    expect(server.asked('POST /api/accounts/sign-up')).toEqual([
      {
        name: 'Mara Lindqvist',
        email: 'mara@example.test',
        password: 'correct horse battery',
        room: { kind, code: '7F3A9C' },
      },
    ]);
  });

  test('shows why the server refused, and the password can be changed', async () => {
    const { server } = await openPage(withNext('/signup'), {
      session: signedOut,
      prepare(stand) {
        nobodyPresses(stand);
        stand.on('POST /api/accounts/sign-up', () => refused('auth/password-weak'));
      },
    });
    await signUpInSteps();
    await shown(words('Signup failed: This password is easy to guess. Choose another.'));
    await expectAccessible();
    server.on('POST /api/accounts/sign-up', () => ok(signedUp));
    await button('Create Account').click();
    await shown(heading('Verification Email Sent!'));
  });

  test('leads on to waiting for the host by itself once the link of the mail was pressed', async () => {
    const pressed = Promise.withResolvers<{ ok: true; value: { status: 'signed-in' } }>();
    const { server } = await openPage(withNext('/signup'), {
      session: signedOut,
      prepare(stand) {
        nobodyPresses(stand);
        stand.on('POST /api/accounts/continue-sign-up', () => pressed.promise);
      },
    });
    await signUpInSteps();
    await shown(words(/goes on by itself/));
    becomeMara(server);
    server.on('rooms/askToJoin', () => ok({ status: 'pending', code: '7F3A9C' as RoomCode }));
    server.on('rooms/cancelRequest', () => ok({}));
    pressed.resolve(ok({ status: 'signed-in' }));
    await shown(heading('Waiting for Host Approval...'));
    expect(location.pathname + location.search).toBe(path);
    expect(server.asked('rooms/askToJoin')).toEqual([{ kind, code: '7F3A9C' }]);
  });

  test('leads on to waiting for the host where the browser leaves the entries of the form late', async () => {
    const late: (() => void)[] = [];
    const go = vi.spyOn(history, 'go').mockImplementation((by) => {
      late.push(() => {
        go.mockRestore();
        history.go(by);
      });
    });
    const { server } = await openPage(withNext('/signup'), {
      session: signedOut,
      prepare(stand) {
        nobodyPresses(stand);
        stand.on('POST /api/accounts/continue-sign-up', () => {
          becomeMara(stand);
          return ok({ status: 'signed-in' });
        });
        stand.on('rooms/askToJoin', () => ok({ status: 'pending', code: '7F3A9C' as RoomCode }));
        stand.on('rooms/cancelRequest', () => ok({}));
      },
    });
    await signUpInSteps();
    await expect.poll(() => late).toHaveLength(1);
    await expect.poll(() => server.asked('GET /api/session')).toHaveLength(2);
    // Long enough for a page that does not wait to open the room's form.
    for (let frame = 0; frame < 20; frame += 1) await new Promise(requestAnimationFrame);
    const isLeft = new Promise((resolve) => {
      addEventListener('popstate', resolve, { once: true });
    });
    late[0]?.();
    await isLeft;
    await shown(heading('Waiting for Host Approval...'));
    expect(server.asked('rooms/cancelRequest')).toEqual([]);
  });

  test('goes to the sign-in form at once where a visitor signed up for this room', async () => {
    await openPage(withNext('/signup'), { session: signedOut, prepare: nobodyPresses });
    await signUpInSteps();
    await leadsTo(link('Go to Login'), withNext('/login'));
    await link('Go to Login').click();
    await shown(heading('Welcome back'));
  });

  test('the page of the mail asks to come in by a press where its press signed in', async () => {
    await openPage(`/auth/action?mode=verifyEmail&oobCode=abc&next=${encodeURIComponent(path)}`, {
      session: signedOut,
      prepare(server) {
        server.on('GET /api/accounts/mailed-link', () => ok({ status: 'open' }));
        server.on('POST /api/accounts/verify-email', () => ok({ name: 'Mara', isSignedIn: true, rejectCode: null }));
      },
    });
    await button('Verify Email').click();
    await leadsTo(link('Ask to Join'), path);
    await closePage();
  });
});

test('a server where sign-up is closed says so, and offers the sign-in', async () => {
  await lookOnPhone();
  await openPage('/join?code=7F3A9C', { session: signedOut, config: { signUp: 'closed' } });
  await shown(words('Nobody can sign up here now. Ask the person who runs this server.'));
  await gone(link('Create an account'));
  await shown(button('I have an account'));
  await expectAccessible('all');
});

test('a room that one was in, and a page of another kind, lead to the sign-in form', async () => {
  await openPage('/login?next=%2Ftunemate%2F7F3A9C', { session: signedOut });
  await shown(heading('Hear the same second'));
  await closePage();
  await openPage('/login?next=%2Fchats', { session: signedOut });
  await shown(heading('Hear the same second'));
});
