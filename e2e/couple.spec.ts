/** Two become soulmates and listen together: one opens the room while the other is away, and a push message leads in. */
import { expect } from '@playwright/test';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { createDeviceKeys, startPushServer } from '@tunemate/testkit/fakes/push-device';
import { sees } from './notices.ts';
import { becomeSoulmates, openChatWith, tunemateRow } from './people-story.ts';
import {
  entry,
  haveAccount,
  isPlaying,
  listen,
  log,
  type Person,
  playFromLibrary,
  spreadMs,
  visitor,
  write,
} from './person.ts';
import { havePush, optIn, watchWorker } from './push-story.ts';
import { comeTogether, endRoom, tracks } from './room-story.ts';
import { expectUnbroken, record } from './unbroken.ts';
import { test } from './with-server.ts';

test.use({ serverProgram: 'e2e/pushing-server.ts', launchOptions: chromiumLaunch({ isBrief: true }) });

const together = 'Mara & Ivo';
const phonePath = '/phone-of-ivo';

type LockScreenKey = 'pause' | 'play';
interface WithLockScreen {
  lockScreen: Partial<Record<LockScreenKey, () => void>>;
}

/** A browser without a lock screen: its pages keep what they would do at the press of a key there. */
async function keepLockScreen({ context }: Person): Promise<void> {
  await context.addInitScript(() => {
    const keys: Record<string, MediaSessionActionHandler | null> = {};
    MediaSession.prototype.setActionHandler = (action, handler) => void (keys[action] = handler);
    Object.assign(window, { lockScreen: keys });
  });
}

async function pressOnLockScreen({ page }: Person, key: LockScreenKey): Promise<void> {
  const press = (name: LockScreenKey): boolean => {
    const act = (window as unknown as WithLockScreen).lockScreen[name];
    act?.();
    return act !== undefined;
  };
  await expect.poll(() => page.evaluate(press, key)).toBe(true);
}

test('a soulmate is chosen, invited while away, comes straight in, and they write while the music plays', async ({
  browser,
  member,
  server,
}) => {
  // Push messages need a worker.
  const [mara, ivo] = [await member('Mara'), await visitor(browser, server.url, 'Ivo', 'reduce', 'allow')];
  await haveAccount(ivo, server);
  const [service, phone] = [await startPushServer(), createDeviceKeys()];
  await havePush(ivo.context, server.url, `${service.url}${phonePath}`, phone);
  for (const person of [mara, ivo]) await keepLockScreen(person);
  await optIn(ivo.page);
  const worker = await watchWorker(ivo.context, server.url);
  // Once in a room together they are tunemates.
  await comeTogether(mara, ivo, 'audio', 'Kitchen Radio');
  await endRoom(mara, ivo);

  await test.step('Mara chooses Ivo among her tunemates, and he accepts', () => becomeSoulmates(mara, ivo));

  await test.step('Ivo closes the app, and Mara opens a room for the two', async () => {
    await ivo.page.close();
    await expect(mara.page.getByRole('region', { name: 'Soulmate' })).toContainText('Offline');
    await mara.page.getByRole('button', { name: 'Listen together' }).click();
    await expect(mara.page).toHaveURL(/\/audio-room\//);
    await expect(mara.page.getByRole('heading', { name: together, level: 1 })).toBeVisible();
    await sees(mara.page, 'Invitation sent to Ivo');
    await playFromLibrary(mara, 'audio', tracks.audio);
    await expect.poll(() => isPlaying(mara)).toBe(true);
  });

  await test.step('Ivo’s phone shows the invitation, and a tap on it leads straight into the room', async () => {
    await expect.poll(() => service.at(phonePath)).toHaveLength(1);
    for (const { body } of service.at(phonePath)) await worker.deliver(phone.open(body));
    await expect.poll(() => worker.shown()).toHaveLength(1);
    const [shown] = await worker.shown();
    expect(shown?.body).toBe('Mara invites you to listen together');
    const { opened } = await worker.tap(shown?.path ?? '');
    ivo.page = await ivo.context.newPage();
    await ivo.page.goto(opened ?? '');
    await expect(ivo.page.getByRole('heading', { name: together, level: 1 })).toBeVisible();
    await expect(mara.page.getByText('New Join Request from')).toHaveCount(0);
    await listen(ivo);
    await expect.poll(async () => Math.abs(await spreadMs(mara, ivo))).toBeLessThan(100);
  });

  await test.step('the lock screen of each pauses and plays for both: the other holds the remote from the start', async () => {
    await pressOnLockScreen(mara, 'pause');
    await expect.poll(() => isPlaying(ivo)).toBe(false);
    await pressOnLockScreen(mara, 'play');
    await expect.poll(() => isPlaying(ivo)).toBe(true);
    await pressOnLockScreen(ivo, 'pause');
    await expect.poll(() => isPlaying(mara)).toBe(false);
    await pressOnLockScreen(ivo, 'play');
    await expect.poll(() => isPlaying(mara)).toBe(true);
    await expect.poll(() => isPlaying(ivo)).toBe(true);
    await expect.poll(async () => Math.abs(await spreadMs(mara, ivo))).toBeLessThan(100);
  });

  await test.step('they write to each other on other screens, see what was read, and the music has no gap', async () => {
    for (const person of [mara, ivo]) await record(person);
    for (const { page } of [mara, ivo]) {
      await page.getByRole('link', { name: 'Tunemate home' }).click();
      await expect(page.getByRole('region', { name: 'Room', exact: true })).toContainText('Playing');
    }
    await expect(tunemateRow(mara.page, 'Ivo')).toContainText('Online');
    for (const [writer, reader, words] of [
      [mara, ivo, 'Do you hear the keys?'],
      [ivo, mara, 'From the second verse on'],
    ] as const) {
      if (writer === mara) await openChatWith(mara, 'Ivo');
      await write(writer.page, words);
      if (reader === ivo) await openChatWith(ivo, 'Mara');
      await expect(log(reader.page).getByText(words)).toBeVisible();
      await expect(entry(writer.page, words)).toContainText('Read');
    }
    for (const person of [mara, ivo]) {
      await person.page.getByRole('link', { name: /^Return to room: / }).click();
      await expect(person.page.getByRole('heading', { name: together, level: 1 })).toBeVisible();
      await expectUnbroken(person);
    }
  });
  expect([...mara.complaints, ...ivo.complaints]).toEqual([]);
  await service.close();
});
