/**
 * The page that the link of a verification mail opens: the way on, and the way back for a person who never signed up.
 */
import { expect } from '@playwright/test';
import { password, type Person, signUp, visitor } from './person.ts';
import { test } from './with-server.ts';

test.use({ serverEnv: { RATE_LIMIT_SCALE: '0' } });

const verify = ({ page }: Person) => page.getByRole('button', { name: 'Verify Email' }).click();
const notMe = ({ page }: Person) => page.getByRole('button', { name: "This wasn't me" });

async function tryToSignIn({ page }: Person, email: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test('in the browser that signed up the verified page leads home, signed in, and so does the page that waited', async ({
  browser,
  server,
}) => {
  const mara = await visitor(browser, server.url, 'Mara');
  const link = await signUp(mara, 'mara@example.test', server);
  const second = { ...mara, page: await mara.context.newPage() };
  await second.page.goto(link);
  await verify(second);
  await expect(second.page.getByText('You are signed in as Mara.')).toBeVisible();
  await expect(notMe(second)).toBeHidden();
  await second.page.getByRole('link', { name: 'Go to Home' }).click();
  for (const { page } of [mara, second]) {
    await expect(page.getByRole('heading', { name: 'Mara', level: 1 })).toBeVisible();
  }
  expect(mara.complaints).toEqual([]);
});

test('a person who never signed up ends the sign-up that a stranger made with their address', async ({
  browser,
  server,
}) => {
  const [eve, vera] = [await visitor(browser, server.url, 'Eve'), await visitor(browser, server.url, 'Vera')];
  const link = await signUp(eve, 'vera@example.test', server);
  await vera.page.goto(link);
  await expect(vera.page.getByText('vera@example.test')).toBeVisible();
  await notMe(vera).click();
  await vera.page.getByRole('button', { name: 'End', exact: true }).click();
  await expect(vera.page.getByRole('heading', { name: 'Sign-up ended' })).toBeVisible();
  await expect(eve.page.getByText(/can’t go on by itself any more/)).toBeVisible();
  await tryToSignIn(eve, 'vera@example.test');
  await expect(eve.page.getByText('Invalid credentials')).toBeVisible();
  expect(vera.complaints).toEqual([]);
});

test('and deletes the account when they notice only after the press', async ({ browser, server }) => {
  const [eve, vera] = [await visitor(browser, server.url, 'Eve'), await visitor(browser, server.url, 'Vera')];
  await vera.page.goto(await signUp(eve, 'vera@example.test', server));
  await verify(vera);
  await expect(vera.page.getByText('You can sign in now, as Eve.')).toBeVisible();
  await expect(eve.page.getByRole('heading', { name: 'Eve', level: 1 })).toBeVisible();
  await notMe(vera).click();
  await vera.page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(vera.page.getByRole('heading', { name: 'Account deleted' })).toBeVisible();
  // The stranger's browser is signed out at once.
  await expect(eve.page.getByRole('link', { name: 'Log In' })).toBeVisible();
  await tryToSignIn(eve, 'vera@example.test');
  await expect(eve.page.getByText('Invalid credentials')).toBeVisible();
});
