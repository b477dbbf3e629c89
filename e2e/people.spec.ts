/** Two and three people live in the app: tunemates, invitations, soulmates, presence, blocks, and looking after an account. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { sees } from './notices.ts';
import {
  acknowledge,
  askToBeSoulmate,
  chooseInChat,
  confirm,
  expectUnread,
  moveIn,
  openChat,
  pressInRow,
  type Resident,
  soulmateCard,
  tunemateRow,
} from './people-story.ts';
import { askToJoin, closeVisits, leaveBy, password, signIn, write } from './person.ts';
import { comeTogether } from './room-story.ts';

// One story: each part begins with the state that the last one left.
test.describe.configure({ mode: 'serial' });

let server: ServerProcess;
let mara: Resident;
let ivo: Resident;
let ada: Resident;

test.beforeAll(async ({ browser }) => {
  server = await startServerProcess({ env: { RATE_LIMIT_SCALE: '0' } });
  mara = await moveIn(browser, server, 'Mara');
  ivo = await moveIn(browser, server, 'Ivo');
  ada = await moveIn(browser, server, 'Ada');
});
test.afterAll(async () => {
  await closeVisits();
  await server.dispose();
});

test('a person accepted into a room is a tunemate at once, on both sides, with the room where they met', async () => {
  await expect(mara.home.getByText('No tunemates yet')).toBeVisible();
  const code = await comeTogether(mara, ivo, 'audio', 'Kitchen Radio');
  await expect(tunemateRow(mara.home, 'Ivo')).toContainText('Online, met in audio');
  await expect(tunemateRow(ivo.home, 'Mara')).toContainText('Online, met in audio');
  await askToJoin(ada, 'audio', code);
  await mara.page.getByRole('button', { name: 'Accept' }).first().click();
  await expect(tunemateRow(ada.home, 'Mara')).toBeVisible();
  await expect(tunemateRow(mara.home, 'Ada')).toBeVisible();
  await expect(tunemateRow(ivo.home, 'Ada')).toHaveCount(0);
});

test('an invitation from inside a room arrives live, one tap leads straight in, and after the end it says so', async () => {
  await ivo.page.getByRole('button', { name: 'Leave' }).click();
  await ivo.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(ivo.page).toHaveURL('/');
  await mara.page.getByRole('button', { name: 'Invite', exact: true }).click();
  await mara.page.getByRole('button', { name: 'Invite Ivo' }).click();
  await confirm(mara.page, 'Invite Ivo?', 'Invite');
  await sees(mara.page, 'Invitation sent to Ivo');
  await mara.page.getByRole('button', { name: 'Close' }).click();
  await expectUnread(ivo.home, 1);

  await ivo.page
    .getByRole('banner')
    .getByRole('link', { name: /^Notifications/ })
    .click();
  await expect(ivo.page.getByText(/Mara.*Kitchen Radio/)).toBeVisible();
  await expectUnread(ivo.home, 0);
  await ivo.page.getByRole('link', { name: 'Join', exact: true }).click();
  await expect(ivo.page.getByRole('heading', { name: 'Kitchen Radio', level: 1 })).toBeVisible();

  await mara.page.getByRole('button', { name: 'Leave' }).click();
  await mara.page.getByRole('alertdialog').getByRole('button', { name: 'End for everyone' }).click();
  for (const { page } of [ivo, ada]) await page.getByRole('button', { name: 'OK' }).click();
  await ivo.page.goto('/notifications');
  await expect(ivo.page.getByText('The room has ended')).toBeVisible();
  await expect(ivo.page.getByRole('link', { name: 'Join', exact: true })).toHaveCount(0);
  // Who looks at the list has read what arrives there.
  await ivo.page.goto('/');
});

test('soulmates are asked, declined, linked by crossing requests, closed to a third person, and parted, live', async () => {
  await askToBeSoulmate(mara, 'Ivo');
  await sees(mara.page, 'Invitation sent!');
  await expectUnread(ivo.home, 1);
  await ivo.page.goto('/notifications');
  await ivo.page.getByRole('button', { name: 'Decline' }).click();
  await expect(ivo.page.getByRole('button', { name: 'Decline' })).toHaveCount(0);
  await expect(soulmateCard(mara.home)).toHaveText('Add your Soulmate');

  await askToBeSoulmate(mara, 'Ivo');
  await askToBeSoulmate(ivo, 'Mara');
  await mara.page.goto('/notifications');
  await ivo.page.goto('/notifications');
  await expect(mara.page.getByRole('button', { name: 'Accept' })).toBeVisible();
  await ivo.page.getByRole('button', { name: 'Accept' }).click();
  await expect(soulmateCard(mara.home)).toHaveText('Ivo');
  await expect(soulmateCard(ivo.home)).toHaveText('Mara');
  await expect(mara.page.getByText('No notifications')).toBeVisible();

  await askToBeSoulmate(ada, 'Mara');
  await acknowledge(ada.page, 'That did not work', 'They already have a soulmate.');
  await openChat(mara, 'Ada');
  await mara.page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(
    mara.page.getByRole('button', { name: 'Ask to be soulmates You have a soulmate. Part first.' }),
  ).toBeDisabled();

  await openChat(mara, 'Ivo');
  await chooseInChat(mara, 'Stop being soulmates');
  await confirm(mara.page, 'Part from Ivo?', 'Part');
  await expect(soulmateCard(mara.home)).toHaveText('Add your Soulmate');
  await expect(soulmateCard(ivo.home)).toHaveText('Add your Soulmate');
});

test('a block takes each off the other’s list, and nothing arrives until it is lifted on the account screen', async () => {
  await openChat(mara, 'Ada');
  await openChat(ada, 'Mara');
  await chooseInChat(ada, 'Block');
  await confirm(ada.page, 'Block Mara?', 'Block');
  await expect(ada.page.getByText('You can’t write to Mara now.')).toBeVisible();
  await expect(mara.page.getByText('You can’t write to Ada now.')).toBeVisible();
  await expect(mara.page.getByRole('textbox', { name: 'Message' })).toHaveCount(0);
  await expect(tunemateRow(mara.home, 'Ada')).toHaveCount(0);
  await expect(tunemateRow(ada.home, 'Mara')).toHaveCount(0);

  await ada.page.goto('/account#privacy');
  await ada.page.getByRole('button', { name: 'Show Blocked People' }).click();
  await ada.page.getByRole('button', { name: 'Unblock Mara' }).click();
  await expect(ada.page.getByText('You have blocked nobody.')).toBeVisible();
  await write(mara.page, 'And now?');
  await ada.page.goto('/chats');
  await ada.page.getByRole('link', { name: /Mara/ }).click();
  await expect(ada.page.getByRole('log').getByText('And now?')).toBeVisible();
  await comeTogether(mara, ada, 'audio', 'Kitchen Radio Again');
  await expect(tunemateRow(mara.home, 'Ada')).toBeVisible();
});

test('name, password, receipts, devices and data are looked after on one screen', async ({ browser }) => {
  const { page } = ada;
  await ada.home.getByRole('link', { name: /Account$/ }).click();
  await expect(ada.home.getByRole('heading', { name: 'Profile', level: 1 })).toBeVisible();
  await ada.home.goto('/');

  const elsewhere = await browser.newContext({ baseURL: server.url });
  const other = await elsewhere.newPage();
  await signIn({ ...ada, page: other }, 'ada@example.test');

  const open = (part: string) =>
    page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: part }).click();
  await page.goto('/account');
  await page.getByLabel('Name', { exact: true }).fill('Ada Okafor');
  await page.getByRole('button', { name: 'Save Name' }).click();
  await expect(ada.home.getByRole('heading', { name: 'Ada Okafor', level: 1 })).toBeVisible();
  await expect(tunemateRow(mara.home, 'Ada Okafor')).toBeVisible();

  await open('Sign-in');
  await expect(page.getByText('This device', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^End / })).toHaveCount(1);
  await page.getByLabel('Current password').fill('not this one');
  await page.getByLabel('New password').fill(`${password} again`);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByText('This is not your current password.')).toBeVisible();
  await page.getByLabel('Current password').fill(password);
  await page.getByRole('button', { name: 'Change Password' }).click();
  await sees(page, 'Password changed. Your other devices are signed out.');
  await expect(page.getByRole('button', { name: /^End / })).toHaveCount(0);
  await expect(other.getByRole('link', { name: 'Log In' })).toBeVisible();
  await elsewhere.close();

  await open('Privacy');
  const receipts = page.getByRole('switch', { name: 'Show when I have read messages' });
  await receipts.click();
  await expect(receipts).not.toBeChecked();
  await page.reload();
  await expect(receipts).not.toBeChecked();

  await open('Data');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export My Data' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('tunemate-data.json');
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { user: { name: string }; blocked: string[] };
  expect(data).toMatchObject({ user: { name: 'Ada Okafor' }, blocked: [] });
});

test('deleting an account takes the person out of lists and notifications of others, live', async () => {
  await openChat(ada, 'Mara');
  await chooseInChat(ada, 'Ask to be soulmates');
  await confirm(ada.page, 'Ask Mara to be your soulmate?', 'Ask');
  await expectUnread(mara.home, 1);
  await ada.page.goto('/account#data');
  const form = ada.page.getByRole('form', { name: 'Delete account' });
  await form.getByLabel('Password', { exact: true }).fill('not this one');
  await form.getByRole('button', { name: 'Delete Account' }).click();
  await confirm(ada.page, 'Delete your account?', 'Delete');
  await expect(form.getByText('This is not your current password.')).toBeVisible();
  await form.getByLabel('Password', { exact: true }).fill(`${password} again`);
  await form.getByRole('button', { name: 'Delete Account' }).click();
  await confirm(ada.page, 'Delete your account?', 'Delete');
  await expect(ada.page.getByRole('link', { name: 'Log In' })).toBeVisible();
  await expect(tunemateRow(mara.home, 'Ada Okafor')).toHaveCount(0);
  await expectUnread(mara.home, 0);
});

test('a person is online until their last tab is closed, and offline after Logout', async () => {
  const row = tunemateRow(mara.home, 'Ivo');
  await ivo.page.close();
  await ivo.home.reload();
  await expect(ivo.home.getByRole('heading', { name: 'Ivo', level: 1 })).toBeVisible();
  await expect(row).toContainText('Online');
  await ivo.home.goto('about:blank');
  await expect(row).toContainText('Offline');
  await ivo.home.goto('/');
  await expect(row).toContainText('Online');
  await leaveBy(ivo.home, () => ivo.home.getByRole('button', { name: 'Logout' }).click());
  await expect(ivo.home.getByRole('link', { name: 'Log In' })).toBeVisible();
  await expect(row).toContainText('Offline');
  await signIn({ ...ivo, page: ivo.home }, 'ivo@example.test');
  await expect(row).toContainText('Online');
});

test('removing a tunemate is confirmed and shows on both sides, live', async () => {
  await pressInRow(mara.home, 'Ivo', 'Remove');
  await confirm(mara.home, 'Remove Ivo?', 'Remove');
  for (const { home } of [mara, ivo]) await expect(home.getByText('No tunemates yet')).toBeVisible();
  expect([mara, ivo, ada].flatMap(({ complaints }) => complaints)).toEqual([]);
});
