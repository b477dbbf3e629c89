import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../screen-tests/accessible.ts';
import { ok, refused, silence } from '../../screen-tests/fake-server.ts';
import { openPage, signedOut } from '../../screen-tests/open-page.tsx';
import { mara } from '../../screen-tests/people.ts';

async function typeAndSignIn(): Promise<void> {
  await page.getByLabelText('Email').fill('mara@example.test');
  await page.getByLabelText('Password').fill('correct horse battery');
  await userEvent.keyboard('{Enter}');
}

test('asks for email and password, with Sign In and Create Account, and can be read by everybody', async () => {
  await openPage('/login', { session: signedOut });
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Welcome back');
  await expect.element(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Create Account' })).toHaveAttribute('href', '/signup');
  await expectAccessible();
});

test('signs in by the keyboard alone and goes home with a word of success', async () => {
  const { server } = await openPage('/login', {
    session: signedOut,
    prepare: (stand) => stand.on('POST /api/accounts/sign-in', () => ok({ status: 'signed-in', user: mara })),
  });
  server.on('session/hello', () => silence());
  await typeAndSignIn();
  await expect.element(page.getByText('Login successful!')).toBeVisible();
  expect(location.pathname).toBe('/');
  expect(server.asked('POST /api/accounts/sign-in')).toEqual([
    { email: 'mara@example.test', password: 'correct horse battery' },
  ]);
});

test("says 'Invalid credentials' whatever was wrong with them, and gives the focus back", async () => {
  await openPage('/login', {
    session: signedOut,
    prepare: (server) => server.on('POST /api/accounts/sign-in', () => refused('auth/invalid-credentials')),
  });
  await typeAndSignIn();
  const modal = page.getByRole('alertdialog', { name: 'Invalid credentials' });
  await expect.element(modal.getByRole('button', { name: 'OK' })).toHaveFocus();
  await expectAccessible();
  await userEvent.keyboard('{Enter}');
  await expect.element(modal).not.toBeInTheDocument();
  await expect.element(page.getByLabelText('Password')).toHaveFocus();
});
