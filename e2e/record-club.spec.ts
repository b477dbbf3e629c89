/** A record club: guests of an audio room propose, vote and add, and the music goes on by itself. */
import { expect, type Page } from '@playwright/test';
import { sees } from './notices.ts';
import { askToJoin, isPlaying, type Person, playFromLibrary, write } from './person.ts';
import { comeTogether, tracks } from './room-story.ts';
import { test } from './with-server.ts';

const kind = 'audio';

const panel = ({ page }: Person, name: string) => page.getByRole('region', { name, exact: true });
const press = ({ page }: Person, name: string | RegExp) => page.getByRole('button', { name }).first().click();

const log = (page: Page) => page.getByRole('log', { name: 'Chat' });
const entry = (page: Page, words: string) => log(page).getByRole('article').filter({ hasText: words });

/** The host at a desk, the guest with a phone: typing is shown, an answer quotes, own words are edited and deleted. */
async function talk({ page: desk, name }: Person, { page: phone }: Person): Promise<void> {
  const wide = phone.viewportSize();
  await phone.setViewportSize({ width: 390, height: 844 });
  for (const page of [desk, phone]) await page.getByRole('button', { name: 'Click here to Start Chat' }).click();
  await desk.getByRole('textbox', { name: 'Message' }).pressSequentially('Which side first?');
  await sees(phone, `${name} is typing…`);
  await desk.keyboard.press('Enter');
  await expect(phone.getByText(`${name} is typing…`)).toHaveCount(0);

  await entry(phone, 'Which side').focus();
  await phone.keyboard.press('r');
  await write(phone, 'The B side, alwais');
  const answer = entry(desk, 'The B side, alwais');
  await expect(answer.getByRole('button', { name: /Answers\s+You/ })).toBeVisible();

  await phone.getByRole('textbox', { name: 'Message' }).press('ArrowUp');
  await write(phone, 'The B side, always');
  await expect(entry(desk, 'The B side, always')).toContainText('edited');
  await expect(answer).toHaveCount(0);

  await entry(phone, 'The B side, always').focus();
  await phone.keyboard.press('Enter');
  await phone.getByRole('button', { name: 'Delete for all' }).click();
  await phone.getByRole('alertdialog').getByRole('button', { name: 'Delete for all' }).click();
  for (const page of [desk, phone]) {
    await expect(entry(page, 'Message deleted')).toBeVisible();
    await expect(page.getByText('The B side')).toHaveCount(0);
  }
  // Only the host can change the host's words.
  await entry(phone, 'Which side').focus();
  await phone.keyboard.press('Enter');
  await expect(phone.getByText('Reply', { exact: true })).toBeVisible();
  for (const act of ['Edit', 'Delete for all']) await expect(phone.getByText(act, { exact: true })).toHaveCount(0);
  await phone.keyboard.press('Escape');
  for (const page of [desk, phone]) await page.getByRole('button', { name: 'Click here to Return Room' }).click();
  if (wide) await phone.setViewportSize(wide);
}

test('guests propose, vote and add; the room goes on with what is suggested (AFTER-3)', async ({ member }) => {
  const [mara, ada, ivo] = [await member('Mara'), await member('Ada'), await member('Ivo')];
  const code = await comeTogether(mara, ada, kind, 'Record Club');
  await askToJoin(ivo, kind, code);
  await press(mara, 'Accept Ivo');
  await playFromLibrary(mara, kind, tracks[kind]);
  await expect.poll(() => isPlaying(ada)).toBe(true);
  await test.step('they talk', () => talk(mara, ivo));

  // Ada proposes what is suggested, Ivo votes for it; Mara adds it, and the queue says whose it was.
  // The list is read once it is in view.
  await panel(ada, 'Suggested').scrollIntoViewIfNeeded();
  const first = panel(ada, 'Suggested')
    .getByRole('button', { name: /^Propose / })
    .first();
  const title = ((await first.getAttribute('aria-label')) ?? '').replace('Propose ', '');
  await first.click();
  // Title and artist are lines of their own there.
  await expect(panel(ada, 'Proposals').getByText(title.split(' – ')[0] ?? '')).toBeVisible();
  await press(mara, '1 Proposal');
  await expect(panel(mara, 'Proposals').getByText('Ada')).toBeVisible();
  const vote = panel(ivo, 'Proposals').getByRole('button', { name: `1 vote for ${title}` });
  await vote.click();
  await expect(
    panel(ivo, 'Proposals').getByRole('button', { name: `2 votes for ${title}`, pressed: true }),
  ).toBeVisible();
  await expect(panel(mara, 'Proposals').getByRole('listitem')).toContainText('2 votes');
  await panel(mara, 'Proposals')
    .getByRole('button', { name: `Add ${title}` })
    .click();
  await expect(panel(mara, 'Queue').getByText(/proposed by Ada/)).toBeVisible();
  await expect(panel(ada, 'Proposals')).toBeHidden();

  // A link of a playlist without a key: the video that it names, and why there is no more.
  const link = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf';
  await ada.page.getByLabel('Search tracks').fill(link);
  await ada.page.keyboard.press('Enter');
  await expect(panel(ada, 'Search Results').getByText(/this server has no key to read playlists/)).toBeVisible();
  await panel(ada, 'Search Results')
    .getByRole('button', { name: /^Propose / })
    .click();
  await press(ada, 'Cancel');
  await panel(mara, 'Proposals')
    .getByRole('button', { name: /^Dismiss / })
    .click();
  await expect(panel(ada, 'Proposals')).toBeHidden();

  await press(mara, 'Close');

  // Everyone can add: from the library by its artist, straight to the queue.
  await press(mara, 'Room settings');
  await mara.page.getByRole('switch', { name: /^Everyone can add/ }).click();
  await mara.page.keyboard.press('Escape');
  const free = ['Walking Home', 'Paper Lanterns'].find((other) => !title.startsWith(other)) ?? '';
  const artist = free === 'Walking Home' ? /^Bartholomew Band/ : /^Harbour Sessions/;
  await press(ada, 'Library');
  await ada.page.getByRole('button', { name: /^Artists/ }).click();
  await ada.page.getByRole('list', { name: 'Artists' }).getByRole('button', { name: artist }).click();
  await press(ada, `Add ${free} to the queue`);
  await sees(ada.page, /^In the queue/);

  // Ada wants the next one; Mara goes on, and the vote is gone.
  await press(ada, 'Vote to skip');
  await expect(mara.page.getByRole('button', { name: '1 of 2 Skip votes' })).toBeVisible();
  await mara.page.getByRole('radiogroup', { name: 'After the track' }).getByText('Go on with Suggested').click();
  await press(mara, 'Next');
  await expect(mara.page.getByRole('button', { name: 'Skip votes, none' })).toBeVisible();
  await expect(
    panel(mara, 'Player')
      .getByText(title.split(' – ')[0] ?? '')
      .first(),
  ).toBeVisible();
  await expect.poll(() => isPlaying(ada)).toBe(true);

  // The last of the queue ends, and the room goes on with what is suggested, for all and by itself.
  await panel(mara, 'Queue')
    .getByRole('button', { name: new RegExp(`^\\d.*${free}`) })
    .click();
  await expect(panel(ada, 'Player').getByText(free).first()).toBeVisible();
  await expect.poll(() => isPlaying(ada)).toBe(true);
  await mara.page.getByRole('slider', { name: 'Seek' }).press('End');
  await expect(panel(ada, 'Player').getByText(free)).toHaveCount(0);
  for (const person of [mara, ada, ivo]) await expect.poll(() => isPlaying(person)).toBe(true);
  expect([...mara.complaints, ...ada.complaints, ...ivo.complaints]).toEqual([]);
});
