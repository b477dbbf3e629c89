/** A host removes a guest and hands the room over, through the screens: parts of more than one journey. */
import { expect } from '@playwright/test';
import type { Person } from './person.ts';

export const dialog = ({ page }: Person) => page.getByRole('alertdialog');
export const press = (person: Person, name: string) =>
  dialog(person).getByRole('button', { name, exact: true }).click();

/** The one who is removed has read so. */
export async function remove(host: Person, { page, name }: Person): Promise<void> {
  // Many people are one line until it is pressed.
  const folded = host.page.getByRole('button', { name: /^Participants, \d+ here$/ });
  if (await folded.isVisible()) await folded.click();
  await host.page
    .getByRole('region', { name: 'Participants' })
    .getByRole('button', { name: new RegExp(name) })
    .click();
  await host.page
    .getByRole('dialog', { name })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await press(host, 'Remove');
  await expect(page.getByRole('alertdialog')).toContainText('The host removed you from this room');
}

/** The one who is to go on has been asked, and has not answered yet. */
export async function offerOnLeaving(host: Person, next: Person, room: string): Promise<void> {
  await host.page.getByRole('button', { name: 'Leave' }).click();
  await dialog(host)
    .getByRole('radio', { name: /^Hand over and leave/ })
    .check();
  await press(host, 'Hand over and leave');
  await dialog(host)
    .getByRole('radio', { name: new RegExp(`^${next.name}`) })
    .check();
  await press(host, `Hand over to ${next.name}`);
  await expect(dialog(next)).toContainText(`${host.name} hands you ${room}`);
}
