/**
 * What people do with each other outside a room's music: the sidebar, invitations, soulmates, chats. Each person has a
 * second tab that stays at home, so that what happens to them is seen live and never by a reload.
 */
import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import type { ServerProcess } from '@tunemate/testkit/services/process';
import { sees } from './notices.ts';
import { haveAccount, type Person, visitor } from './person.ts';

export interface Resident extends Person {
  /** The tab at home. */
  home: Page;
}

/** Someone new, with an account and a tab at home. */
export async function moveIn(browser: Browser, server: ServerProcess, name: string): Promise<Resident> {
  const person = await visitor(browser, server.url, name);
  await haveAccount(person, server);
  const home = await person.context.newPage();
  await home.goto('/');
  await expect(home.getByRole('heading', { name, level: 1 })).toBeVisible();
  return { ...person, home };
}

/** The line of a tunemate in a person's sidebar. */
export function tunemateRow(page: Page, name: string): Locator {
  return page.getByRole('list', { name: 'Tunemates' }).getByRole('button', { name: new RegExp(`^${name}`) });
}

/** What the soulmate card at home says. */
export function soulmateCard(page: Page): Locator {
  return page.getByRole('region', { name: 'Soulmate' }).getByRole('heading');
}

/** Opens a tunemate's row and presses one of its keys; only one row is open at a time. */
export async function pressInRow(page: Page, name: string, key: 'Invite' | 'Remove' | 'Chat'): Promise<void> {
  const row = tunemateRow(page, name);
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
  const list = page.getByRole('list', { name: 'Tunemates' });
  await list.getByRole(key === 'Chat' ? 'link' : 'button', { name: key, exact: true }).click();
}

/** Answers the question on the screen by the key that names the act. */
export async function confirm(page: Page, question: string, act: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: question, exact: true });
  await dialog.getByRole('button', { name: act, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Reads what the message on the screen says, and closes it. */
export async function acknowledge(page: Page, title: string, text: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true });
  await expect(dialog).toContainText(text);
  await dialog.getByRole('button', { name: 'OK' }).click();
}

/** From home to the chat with a tunemate, within the page. */
export async function openChatWith({ page }: Person, name: string): Promise<void> {
  await pressInRow(page, name, 'Chat');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

/** From any screen to the chat with a tunemate. */
export async function openChat(person: Person, name: string): Promise<void> {
  await person.page.goto('/');
  await openChatWith(person, name);
}

/** Presses a key of the sheet about the other person of the open chat. */
export async function chooseInChat({ page }: Person, act: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click();
}

/** Opens the chat with a tunemate and asks them to be one's soulmate; the caller checks the outcome. */
export async function askToBeSoulmate(person: Person, name: string): Promise<void> {
  await openChat(person, name);
  await chooseInChat(person, 'Ask to be soulmates');
  await confirm(person.page, `Ask ${name} to be your soulmate?`, 'Ask');
}

/** At home, `one` chooses `other` among the tunemates, who accepts. */
export async function becomeSoulmates(one: Person, other: Person): Promise<void> {
  const menu = one.page.getByRole('complementary', { name: 'Menu' });
  await menu.getByRole('button', { name: 'Add your Soulmate' }).click();
  const choice = one.page.getByRole('alertdialog', { name: 'Who is your soulmate?' });
  await choice.getByRole('radio', { name: new RegExp(`^${other.name}`) }).check();
  await choice.getByRole('button', { name: `Ask ${other.name}` }).click();
  await sees(one.page, 'Invitation sent!');
  await other.page.getByRole('main').getByRole('link', { name: 'Notifications 1 new' }).click();
  await other.page.getByRole('button', { name: 'Accept' }).click();
  await expect(soulmateCard(one.page)).toHaveText(other.name);
}

/** The tab of this person shows as many unread notifications, on the button and before the title. */
export async function expectUnread(home: Page, count: number): Promise<void> {
  await expect(home).toHaveTitle(count === 0 ? 'Home · Tunemate' : `(${String(count)}) Home · Tunemate`);
  const name = count === 0 ? 'Notifications' : `Notifications ${String(count)} new`;
  await expect(home.getByRole('banner').getByRole('link', { name, exact: true })).toBeVisible();
}
