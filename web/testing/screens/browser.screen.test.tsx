import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pageLoads } from './browser.ts';
import { signedOut, openPage } from './open-page.tsx';

const openNowhere = () => openPage('/nowhere', { session: signedOut });

test('a load of another page is recorded and not followed', async () => {
  await openNowhere();
  location.assign('/elsewhere');
  location.reload();
  expect(pageLoads()).toEqual(['/elsewhere', '/nowhere']);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
});
