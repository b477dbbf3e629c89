/**
 * A record club with the host's own music server: the host at a desk, a guest on a phone. They look through artists, propose,
 * listen, read the words and what was played, and the queue is loaded into another room. Then the server has its bad days.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startSupysonic, type TestSupysonic } from '@tunemate/testkit/services/programs/supysonic';
import { orNotRun } from './not-run.ts';
import { createRoom, isPlaying, type Person, positionOf, spreadMs } from './person.ts';
import { comeTogether } from './room-story.ts';
import { test as withServer } from './with-server.ts';

const album = { artist: 'Ada Byrd', album: 'Ferries', seconds: 600 };
const lyrics = '[00:00.10]Over the water\n[00:02.00]we go home';
const tracks = [
  { ...album, file: 'Ada Byrd/Ferries/01.flac', title: 'Night Ferry', number: 1, lyrics },
  { ...album, file: 'Ada Byrd/Ferries/02.flac', title: 'Morning Ferry', number: 2 },
  { ...album, file: 'Ada Byrd/Ferries/03.flac', title: 'Last Ferry', number: 3 },
  { ...album, file: 'Ada Byrd/Ferries/04.flac', title: 'Lost Ferry', number: 4 },
  { ...album, file: 'Ada Byrd/Ferries/05.flac', title: 'Locked Ferry', number: 5 },
];
/** A track that another replaces sooner counts as skipped. */
const notSkippedSeconds = 11;
const phone = { width: 390, height: 844 };

const test = withServer.extend<{ music: TestSupysonic | null }>({
  music: async ({ browserName }, provide) => {
    const music = await orNotRun(() => startSupysonic(tracks));
    expect(browserName).toBe('chromium');
    await provide(music);
    await music?.stop();
  },
  serverEnv: async ({ music }, provide) => {
    await provide(music?.env ?? {});
  },
});

const panel = ({ page }: Person, name: string) => page.getByRole('region', { name, exact: true });
const press = ({ page }: Person, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first().click();

/** Opens the library at the tracks of the artist. */
async function lookAtArtist(person: Person): Promise<void> {
  await press(person, 'Library');
  await panel(person, 'Library')
    .getByRole('list', { name: 'Artists' })
    .getByRole('button', { name: /^Ada Byrd/ })
    .click();
}

const playTrack = (person: Person, title: string) =>
  panel(person, 'Library')
    .getByRole('button', { name: `Play ${title}`, exact: true })
    .click();

async function expectTogether(mara: Person, ada: Person): Promise<void> {
  await expect.poll(() => isPlaying(ada)).toBe(true);
  const before = await positionOf(ada);
  await expect.poll(() => positionOf(ada)).toBeGreaterThan(before + 1);
  await expect.poll(async () => Math.abs(await spreadMs(mara, ada))).toBeLessThan(250);
}

const expectSaid = async (people: readonly Person[], words: string | RegExp): Promise<void> => {
  for (const { page } of people) await expect(page.getByText(words).first()).toBeVisible();
};

test('a record club with a music server: browsed, proposed, played, read along, kept and loaded again; and its bad days', async ({
  member,
  music,
}) => {
  if (music === null) return;
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  await ada.page.setViewportSize(phone);
  await comeTogether(mara, ada, 'audio', 'Ferry Evening');

  await test.step('the host plays by artist, and both hear it', async () => {
    await lookAtArtist(mara);
    await playTrack(mara, 'Night Ferry');
    await expectTogether(mara, ada);
  });

  await test.step('the guest reads the words on the phone, and proposes from the library', async () => {
    await press(ada, 'Words');
    await expect(ada.page.getByRole('listitem').filter({ hasText: 'we go home' })).toHaveAttribute(
      'aria-current',
      'true',
    );
    await press(ada, 'Words');
    await lookAtArtist(ada);
    await press(ada, 'Propose Morning Ferry');
    await press(ada, 'Close');
    await press(mara, 'Close');
    await press(mara, '1 Proposal');
    await panel(mara, 'Proposals')
      .getByRole('button', { name: /^Add Morning Ferry/ })
      .click();
    await expect(panel(mara, 'Queue').getByText(/proposed by Ada/)).toBeVisible();
    // The open desk lies over the search.
    await press(mara, 'Close');
  });

  await test.step('what was played is read by both, and saved for another evening', async () => {
    await expect.poll(() => positionOf(ada)).toBeGreaterThan(notSkippedSeconds);
    await press(mara, 'Next');
    await expectTogether(mara, ada);
    for (const person of [mara, ada]) {
      await expect(panel(person, 'What we played').getByText('Night Ferry')).toBeVisible();
      await expect(panel(person, 'What we played').getByText('Morning Ferry')).toHaveCount(0);
    }
    await press(mara, 'Saved queues');
    await press(mara, 'Save');
    await expect(mara.page.getByRole('button', { name: 'Load Ferry Evening' })).toBeVisible();
    await mara.page.keyboard.press('Escape');
  });

  await test.step('a server that is away ends nothing', async () => {
    await music.kill();
    await lookAtArtist(mara);
    await playTrack(mara, 'Last Ferry');
    await expectSaid([mara, ada], 'This track could not be fetched. Trying again…');
    await music.restart();
    await expectTogether(mara, ada);
  });

  await test.step('a changed password is as if it were away', async () => {
    await music.setPassword('another one');
    await playTrack(mara, 'Locked Ferry');
    await expectSaid([mara, ada], 'This track could not be fetched. Trying again…');
    await music.setPassword(music.env.SUBSONIC_PASSWORD);
    await expectTogether(mara, ada);
  });

  await test.step('a track that was deleted in the middle of the evening is named, and the next one plays', async () => {
    await rm(join(music.folder, 'Ada Byrd/Ferries/04.flac'));
    await music.scan();
    await playTrack(mara, 'Lost Ferry');
    await expectSaid([mara], /^Lost Ferry.* cannot be played\. It is not there any more\.$/);
    await playTrack(mara, 'Last Ferry');
    await expectTogether(mara, ada);
  });

  await test.step('the saved queue is loaded into another room', async () => {
    await mara.page.addLocatorHandler(mara.page.getByRole('button', { name: 'Change rooms' }), (change) =>
      change.click(),
    );
    await createRoom(mara, 'audio', 'Second Evening');
    await press(mara, 'Saved queues');
    await press(mara, 'Load Ferry Evening');
    await mara.page.keyboard.press('Escape');
    for (const title of ['Night Ferry', 'Morning Ferry']) {
      await expect(
        panel(mara, 'Queue')
          .getByText(new RegExp(`^${title}`))
          .first(),
      ).toBeVisible();
    }
  });
  for (const { complaints } of [mara, ada]) expect(complaints).toEqual([]);
});
