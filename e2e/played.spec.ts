/** An evening that is kept: a track plays, the host saves the queue for another room, the guest finds the evening on home. */
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { createRoom, isPlaying, playFromLibrary } from './person.ts';
import { comeTogether } from './room-story.ts';
import { test } from './with-server.ts';

test.use({ serverEnv: { RATE_LIMIT_SCALE: '0' } });

test('what two people played is in the room, on the guest’s home, and loaded into the host’s next room', async ({
  member,
}) => {
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  await comeTogether(mara, ada, 'video', 'Friday Slow Burn');
  await playFromLibrary(mara, 'video', 'Poppy Season');
  await expect.poll(() => isPlaying(ada)).toBe(true);
  // What plays now is not among what was played.
  await mara.page.getByRole('button', { name: 'Pause' }).click();
  const played = ada.page.getByRole('region', { name: 'What we played' });
  await expect(played.getByText('Poppy Season')).toBeVisible();

  await mara.page.getByRole('button', { name: 'Saved queues' }).click();
  const sheet = mara.page.getByRole('dialog', { name: 'Saved queues' });
  await sheet.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(sheet.getByRole('button', { name: 'Load Friday Slow Burn' })).toBeVisible();
  await sheet.getByRole('button', { name: 'Edit Friday Slow Burn' }).click();
  const downloading = mara.page.waitForEvent('download');
  await sheet.getByRole('button', { name: 'Save as a file' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toMatch(/^#EXTM3U\n#PLAYLIST:Friday Slow Burn\n#EXTINF:\d+,.+ - Poppy Season\nhttp.+\/library\/lib_/);
  const buffer = Buffer.from(`${file}#EXTINF:9,Nobody - Nothing\r\nC:\\Music\\1.mp3\r\n`);
  await sheet
    .locator('input[type="file"]')
    .setInputFiles({ name: 'Read back.m3u8', mimeType: 'audio/x-mpegurl', buffer });
  await expect(
    sheet.getByText('1 of 2 tracks are here, and saved as Read back. Not here: Nobody - Nothing.'),
  ).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Load Read back' })).toBeVisible();
  await mara.page.keyboard.press('Escape');

  await ada.page.getByRole('button', { name: 'Saved queues' }).click();
  const hers = ada.page.getByRole('dialog', { name: 'Saved queues' });
  await hers.getByRole('button', { name: 'Save', exact: true }).click();
  await hers.getByRole('button', { name: 'Tracks of Friday Slow Burn' }).click();
  await expect(hers.getByRole('button', { name: /^Propose Poppy Season/ })).toBeVisible();
  await ada.page.keyboard.press('Escape');

  await ada.page.getByRole('button', { name: 'Leave' }).first().click();
  await ada.page.goto('/');
  const evening = ada.page.getByRole('region', { name: 'What we played' });
  await evening.getByRole('button', { name: /Friday Slow Burn/ }).click();
  await expect(evening.getByText('Poppy Season')).toBeVisible();

  // The first room goes on without her.
  await mara.page.addLocatorHandler(mara.page.getByRole('button', { name: 'Change rooms' }), (change) =>
    change.click(),
  );
  await createRoom(mara, 'video', 'Second room');
  await mara.page.getByRole('button', { name: 'Saved queues' }).click();
  await sheet.getByRole('button', { name: 'Load Friday Slow Burn' }).click();
  await mara.page.keyboard.press('Escape');
  await expect(mara.page.getByRole('region', { name: 'Queue' }).getByText('Poppy Season')).toBeVisible();
  for (const { complaints } of [mara, ada]) expect(complaints).toEqual([]);
});
