/** The question after the first evening with another person. */
import type { EveningWith, HearingAudience, Result, RouteValue } from '@tunemate/protocol';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mara } from '../../testing/connection-fixtures.ts';
import { expectAccessible } from '../../testing/screens/accessible.ts';
import { ok, refused } from '../../testing/screens/fake-server.ts';
import { focused, gone, heading, shown } from '../../testing/screens/find.ts';
import { closePage, openPage } from '../../testing/screens/open-page.tsx';
import { aTunemate, ivoUid } from '../../testing/screens/people.ts';
import { aTrack } from '../../testing/screens/rooms.ts';

const last = aTrack('1', { title: 'Walking Home' });
const evening: EveningWith = { uid: ivoUid, name: 'Ivo Baranov', tracks: 11, last };

async function open(user: { hearingShownTo?: HearingAudience } = {}) {
  return await openPage('/', {
    session: { status: 'signed-in', user: { ...mara, ...user } },
    own: { user: { ...mara, ...user }, tunemates: [aTunemate('Ivo'), aTunemate('Ada')] },
    prepare: (stand) => {
      stand.on('rooms/firstEvening', () => ok({ evening }));
      stand.on('PATCH /api/accounts/me', ({ hearingShownTo }) => ok({ ...mara, hearingShownTo }));
    },
  });
}
const dialog = () => page.getByRole('alertdialog', { name: 'Show Ivo what you hear?' });
const inDialog = (name: string) => dialog().getByRole('button', { name });

test('is asked once, with what the other would read; what is chosen is stored and asked no more', async () => {
  const { server } = await open();
  await shown(dialog().getByText('You have just heard 11 songs together.', { exact: false }));
  await shown(dialog().getByRole('figure', { name: 'Ivo would see' }).getByText('Hears Walking Home'));
  await expect.element(dialog().getByRole('radio', { name: /^Nobody/ })).toBeChecked();
  await expectAccessible('all');
  await dialog()
    .getByRole('radio', { name: /^My soulmate and tunemates/ })
    .click();
  await inDialog('Save').click();
  await gone(dialog());
  expect(server.asked('PATCH /api/accounts/me')).toEqual([{ hearingShownTo: 'tunemates' }]);
});

test('Not now, and Escape, are Nobody', async () => {
  const { server } = await open();
  await dialog().getByRole('radio', { name: 'My soulmate You have none yet' }).click();
  await inDialog('Not now').click();
  await gone(dialog());
  expect(server.asked('PATCH /api/accounts/me')).toEqual([{ hearingShownTo: 'nobody' }]);
  await closePage();
  const again = await open();
  await shown(dialog());
  await userEvent.keyboard('{Escape}');
  await gone(dialog());
  expect(again.server.asked('PATCH /api/accounts/me')).toEqual([{ hearingShownTo: 'nobody' }]);
});

test('an answer on another device closes it, and a user who was asked is not asked', async () => {
  const { server } = await open();
  await shown(dialog());
  const { name, readReceipts } = mara;
  server.tell({ type: 'accounts/changed', name, readReceipts, hearingShownTo: 'soulmate' });
  await gone(dialog());
  await closePage();
  const { server: asked } = await open({ hearingShownTo: 'nobody' });
  await shown(heading(mara.name));
  expect(asked.asked('rooms/firstEvening')).toEqual([]);
});

test('an answer that fails leaves the focus on the key that gave it', async () => {
  const { server } = await open();
  const answer = Promise.withResolvers<Result<RouteValue<'PATCH /api/accounts/me'>>>();
  server.on('PATCH /api/accounts/me', () => answer.promise);
  await inDialog('Not now').click();
  await expect.poll(() => server.asked('PATCH /api/accounts/me')).toHaveLength(1);
  await focused(inDialog('Not now'));
  answer.resolve(refused('server/failed'));
  await page.getByRole('button', { name: 'OK' }).click();
  await focused(inDialog('Not now'));
});
