/** A host keeps order and hands over: the room, and the music in it, go on under another host. */
import { expect } from '@playwright/test';
import { askToJoin, becomeMember, isPlaying, playFromLibrary, positionOf, visitor } from './person.ts';
import { offerOnLeaving, press, remove } from './moderation-story.ts';
import { comeTogether, tracks } from './room-story.ts';
import { test } from './with-server.ts';

const kind = 'audio';

test(
  'one is removed, the host hands over and leaves, and the music goes on under the new host (ORDER-4, ORDER-9)',
  { tag: '@short' },
  async ({ browser, server }) => {
    const come = (name: string) => visitor(browser, server.url, name);
    const [mara, ada, samir] = [await come('Mara'), await come('Ada'), await come('Samir')];
    for (const person of [mara, ada, samir]) await becomeMember(person, server);
    const code = await comeTogether(mara, ada, kind, 'Friday Slow Burn');
    await askToJoin(samir, kind, code);
    await mara.page.getByRole('button', { name: 'Accept' }).first().click();
    await expect(samir.page.getByRole('heading', { name: 'Friday Slow Burn', level: 1 })).toBeVisible();
    await playFromLibrary(mara, kind, tracks[kind]);
    await expect.poll(() => isPlaying(ada)).toBe(true);

    await remove(mara, samir);
    await press(samir, 'OK');
    await expect(samir.page).toHaveURL('/');
    expect(await isPlaying(ada)).toBe(true);

    await offerOnLeaving(mara, ada, 'Friday Slow Burn');
    const before = await positionOf(ada);
    await press(ada, 'Take over');
    await expect(mara.page).toHaveURL('/');
    await expect(ada.page.getByText('You (Host)')).toBeVisible();
    await expect.poll(() => positionOf(ada)).toBeGreaterThan(before);
    await ada.page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect.poll(() => isPlaying(ada)).toBe(false);
    expect([...mara.complaints, ...ada.complaints, ...samir.complaints]).toEqual([]);
  },
);
