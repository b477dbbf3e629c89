/** The page that the link of a verification mail opens: the way on, and the way back for somebody who never signed up. */
import { expect } from '@playwright/test';
import { password, type Person, signUp, visitor } from './person.ts';
import { test } from './with-server.ts';

test.use({ serverEnv: { RATE_LIMIT_SCALE: '0' } });

async function tryToSignIn({ page }: Person, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test('in the browser that waited for it the verified page leads home, signed in', async ({ browser, server }) => {
  const mara = await visitor(browser, server.url, 'Mara');
  const link = await signUp(mara, 'mara@example.test', server);
  await tryToSignIn(mara, 'mara@example.test');
  await expect(mara.page.getByRole('heading', { name: 'Email Verification Required' })).toBeVisible();
  await mara.page.goto(link);
  await mara.page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(mara.page.getByText('You are signed in as Mara.')).toBeVisible();
  await expect(mara.page.getByRole('button', { name: "This wasn't me" })).toBeHidden();
  await mara.page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(mara.page.getByRole('heading', { name: 'Mara', level: 1 })).toBeVisible();
  expect(mara.complaints).toEqual([]);
});

test('elsewhere it names the account, and somebody who never signed up deletes it there', async ({
  browser,
  server,
}) => {
  const [eve, vera] = [await visitor(browser, server.url, 'Eve'), await visitor(browser, server.url, 'Vera')];
  const link = await signUp(eve, 'vera@example.test', server);
  await vera.page.goto(link);
  await vera.page.getByRole('button', { name: 'Verify Email' }).click();
  await expect(vera.page.getByText('You can sign in now, as Eve.')).toBeVisible();
  await expect(vera.page.getByRole('link', { name: 'Go to Login' })).toBeVisible();
  await eve.page.getByRole('button', { name: 'Resend' }).click();
  await expect(eve.page.getByText('Your email is verified. You can sign in.')).toBeVisible();
  await vera.page.getByRole('button', { name: "This wasn't me" }).click();
  await vera.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(vera.page.getByRole('heading', { name: 'Account deleted' })).toBeVisible();
  await tryToSignIn(eve, 'vera@example.test');
  await expect(eve.page.getByText('Invalid credentials')).toBeVisible();
  expect(vera.complaints).toEqual([]);
});
