/** Two people and what they hear: from the soulmate's card to the sound, the remote on its way, and our music from nothing. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { makeTempDir } from '@tunemate/testkit/services/temp-dir';
import { sees } from './notices.ts';
import { becomeSoulmates } from './people-story.ts';
import { createRoom, isPlaying, type Person, playFromLibrary, positionOf, uidOf } from './person.ts';
import { comeTogether, endRoom, expectTogether, tracks } from './room-story.ts';
import { test as withServer } from './with-server.ts';

const kind = 'audio';
const short = 'Rain on Tiles';

const test = withServer.extend({
  serverProgram: 'e2e/moved-server.ts',
  launchOptions: chromiumLaunch(),
});

const press = ({ page }: Person, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const player = ({ page }: Person) => page.getByRole('region', { name: 'Player' });

/** It shows as chosen once the server has stored it. */
async function choose({ page }: Person, name: string | RegExp): Promise<void> {
  const row = page.getByRole('radio', { name });
  await row.click();
  await expect(row).toBeChecked();
}

test('from the soulmate’s card to the sound it is one press, where their room admits the user', async ({ member }) => {
  const [mara, ivo] = [await member('Mara'), await member('Ivo')];
  await comeTogether(mara, ivo, kind, 'Kitchen Radio');
  await endRoom(mara, ivo);
  await becomeSoulmates(mara, ivo);
  await ivo.page.goto('/account#privacy');
  await choose(ivo, /^My soulmate\s*Mara$/);

  await createRoom(ivo, kind, 'Late Shift');
  await press(ivo, 'Room settings');
  await choose(ivo, 'My soulmate and tunemates');
  await ivo.page.keyboard.press('Escape');
  await playFromLibrary(ivo, kind, tracks[kind]);

  const card = mara.page.getByRole('region', { name: 'Soulmate' });
  await expect(card).toContainText(`Hears ${tracks[kind]}, Lena Vogt Septet`);
  let presses = 1;
  await card.getByRole('button', { name: 'Listen along with Ivo' }).click();
  await expect(mara.page.getByRole('heading', { name: 'Late Shift', level: 1 })).toBeVisible();
  const tap = mara.page.getByRole('button', { name: 'Tap to listen' });
  await expect
    .poll(async () => {
      if (await tap.isVisible()) await tap.click().then(() => (presses += 1));
      return await isPlaying(mara);
    })
    .toBe(true);
  expect(presses).toBeLessThanOrEqual(2);
  await expectTogether(ivo, mara);
  expect([...mara.complaints, ...ivo.complaints]).toEqual([]);
});

const holds = ({ page }: Person) => page.getByText('You hold the remote', { exact: true });

async function lend(host: Person, { name }: Person): Promise<void> {
  const people = host.page.getByRole('region', { name: 'Participants' });
  await people.getByRole('button', { name: new RegExp(name) }).click();
  await press(host, /^Lend the remote/);
}

test('the remote goes round a record club, and the host takes it back in the middle of a seek', async ({ member }) => {
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  await comeTogether(mara, ada, kind, 'Record Club');
  await playFromLibrary(mara, kind, tracks[kind]);
  await expectTogether(mara, ada);

  await lend(mara, ada);
  await expect(holds(ada)).toBeVisible();
  await press(ada, 'Pause');
  await sees(mara.page, 'Ada paused');
  for (const person of [mara, ada]) await expect.poll(() => isPlaying(person)).toBe(false);
  await press(ada, 'Give back');
  await expect(holds(ada)).toHaveCount(0);
  await expect(ada.page.getByText('Paused by Ada')).toHaveCount(0);
  await press(mara, /^Play/);
  await expectTogether(mara, ada);

  await lend(mara, ada);
  await expect(holds(ada)).toBeVisible();
  // So that the key is there that takes it back.
  await press(ada, 'Pause');
  await press(ada, /^Play/);
  await expectTogether(mara, ada);
  const bar = ada.page.getByRole('slider', { name: 'Seek' });
  const box = await bar.boundingBox();
  if (!box) throw new Error('no bar to seek on');
  const [y, at] = [box.y + box.height / 2, (share: number) => box.x + box.width * share];
  await ada.page.mouse.move(at(0.2), y);
  await ada.page.mouse.down();
  await ada.page.mouse.move(at(0.9), y, { steps: 5 });
  await press(mara, 'Take the remote back');
  await expect(player(ada).getByRole('slider', { name: 'Position' })).toBeDisabled();
  await ada.page.mouse.up();
  await expectTogether(mara, ada);
  // No page went to nine tenths of the track.
  expect(await positionOf(mara)).toBeLessThan(60);
  await expect(ada.page.getByRole('button', { name: 'Pause', exact: true })).toHaveCount(0);
  expect([...mara.complaints, ...ada.complaints]).toEqual([]);
});

/** A quiet tone of sixteen seconds as a WAV file. */
function tone(): Buffer {
  const [rate, seconds] = [8000, 16];
  const samples = Buffer.alloc(rate * seconds * 2);
  for (let n = 0; n < rate * seconds; n += 1) samples.writeInt16LE(Math.round(2000 * Math.sin(n / 6)), n * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  [1, 1].forEach((value, index) => head.writeUInt16LE(value, 20 + index * 2));
  [rate, rate * 2].forEach((value, index) => head.writeUInt32LE(value, 24 + index * 4));
  [2, 16].forEach((value, index) => head.writeUInt16LE(value, 32 + index * 2));
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

const withTone = test.extend({
  serverEnv: async ({ browserName }, provide) => {
    expect(browserName).toBe('chromium');
    await using music = await makeTempDir('two-people');
    await mkdir(join(music.path, 'Ada Byrd'));
    await writeFile(join(music.path, 'Ada Byrd', `${short}.wav`), tone());
    await provide({ MEDIA_DIR: music.path });
  },
});

/** A second page of this person's. */
async function tabOf({ context }: Person, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

withTone(
  'our music begins with nothing, keeps what both heard, and makes a blend of it',
  async ({ member, server }) => {
    const [mara, ivo] = [await member('Mara'), await member('Ivo')];
    const path = `/our-music/${await uidOf(ivo)}`;
    await comeTogether(mara, ivo, kind, 'Kitchen Radio');
    const music = await tabOf(mara, path);
    await music.getByRole('button', { name: 'Ask Ivo' }).click();
    const home = await tabOf(ivo, '/');
    await home.getByRole('region', { name: 'Waiting for you' }).getByRole('button', { name: 'Accept' }).click();
    await music.goto(path);
    await expect(music.getByText(/^Nothing yet\./)).toBeVisible();

    await playFromLibrary(mara, kind, short);
    await expectTogether(mara, ivo);
    // More than half of it.
    await expect.poll(() => positionOf(ivo)).toBeGreaterThan(10);
    await endRoom(mara, ivo);
    // What both heard is counted a minute later.
    process.kill(server.pid, 'SIGUSR2');
    await expect
      .poll(async () => {
        await music.goto(path);
        return await music.getByRole('heading', { name: 'First song together' }).count();
      })
      .toBe(1);
    await expect(music.getByRole('region', { name: 'First song together' })).toContainText(short);
    await expect(music.getByText(/^Kitchen Radio, where you met on /)).toBeVisible();

    await music.getByRole('link', { name: 'Make a blend' }).click();
    await expect(music.getByRole('list', { name: 'Blend' })).toContainText('you both, today');
    await music.getByRole('button', { name: 'Open a room with it' }).click();
    await expect(music).toHaveURL(/\/audio-room\//);
    await expect(music.getByRole('region', { name: 'Player' })).toContainText(short);
    expect([...mara.complaints, ...ivo.complaints]).toEqual([]);
  },
);
