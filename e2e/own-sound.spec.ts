/**
 * The sound of one's own files: a loud and a quiet recording at one loudness, until a listener switches that off on the own
 * device; and what a person hears goes to their account at a server of listens.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { type FakeListenbrainz, startFakeListenbrainz } from '@tunemate/testkit/fakes/fake-listenbrainz';
import { ffmpegPath } from '@tunemate/testkit/services/system-programs';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import { orNotRun } from './not-run.ts';
import { isPlaying, type Person, player, playFromLibrary } from './person.ts';
import { comeTogether, expectTogether } from './room-story.ts';
import { test as withServer } from './with-server.ts';

const seconds = 40;
/** As recorded; a tag says so of the first one, and the server measures the second one. */
const recordings = [
  { title: 'Brass Parade', volume: 8, gain: '-10.00 dB' },
  { title: 'Small Lullaby', volume: 0.5 },
];

const test = withServer.extend<{ music: TempDir | null; listens: FakeListenbrainz }>({
  listens: async ({ browserName }, provide) => {
    expect(browserName).toBe('chromium');
    const listens = await startFakeListenbrainz();
    await provide(listens);
    await listens.close();
  },
  music: async ({ listens }, provide) => {
    expect(listens.calls).toEqual([]);
    const music = await orNotRun(async () => {
      const dir = await makeTempDir('own-sound');
      await Promise.all(recordings.map((recording) => record(dir.path, recording)));
      return dir;
    });
    await provide(music);
    await music?.remove();
  },
  serverEnv: async ({ music, listens }, provide) => {
    await provide({ LISTENBRAINZ_URL: listens.url, ...(music !== null && { MEDIA_DIR: music.path }) });
  },
});

async function record(folder: string, { title, volume, gain }: { title: string; volume: number; gain?: string }) {
  const tags = { title, artist: 'Ada Byrd', ...(gain !== undefined && { REPLAYGAIN_TRACK_GAIN: gain }) };
  const metadata = Object.entries(tags).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const sound = `sine=duration=${String(seconds)},volume=${String(volume)}`;
  const to = join(folder, `${title}.flac`);
  await promisify(execFile)(ffmpegPath(), ['-v', 'error', '-f', 'lavfi', '-i', sound, ...metadata, to]);
}

const volumeOf = (person: Person) => player(person).evaluate((element: HTMLMediaElement) => element.volume);

/** Under Account; a token that is none is answered with the reason. */
async function sendListens({ page }: Person, listens: FakeListenbrainz): Promise<void> {
  listens.accounts.set('a-token', 'Mara-there');
  await page.goto('/account#privacy');
  for (const [token, answer] of [
    ['another', /does not know this token/],
    ['a-token', /^Your listens go to Mara-there at /],
  ] as const) {
    await page.getByLabel('User token').fill(token);
    await page.getByRole('button', { name: 'Send My Listens' }).click();
    await expect(page.getByText(answer)).toBeVisible();
  }
}

test('a loud and a quiet file are heard at one loudness, and what was heard is sent for who asked for it', async ({
  member,
  music,
  listens,
}) => {
  if (music === null) return;
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  await sendListens(mara, listens);
  await comeTogether(mara, ada, 'audio', 'Loud and Quiet');
  await playFromLibrary(mara, 'audio', 'Brass');
  await expect.poll(() => isPlaying(ada)).toBe(true);
  const loud = await volumeOf(ada);
  expect(loud).toBeLessThan(0.5);
  expect(await volumeOf(mara)).toBeCloseTo(loud, 2);

  await ada.page.getByRole('button', { name: 'Sound and sync' }).first().click();
  const even = ada.page.getByRole('switch', { name: 'Same loudness for all tracks' });
  await expect(even).toBeChecked();
  await even.click();
  await expect.poll(() => volumeOf(ada)).toBeGreaterThan(loud * 2);
  expect(await volumeOf(mara)).toBeCloseTo(loud, 2);
  await even.click();
  await expect.poll(() => volumeOf(ada)).toBeCloseTo(loud, 2);
  await ada.page.keyboard.press('Escape');
  await expectTogether(mara, ada);

  // Half of it was heard.
  await expect.poll(() => listens.taken()).toEqual(['Brass Parade']);
  expect(listens.nowPlaying()).toEqual(['Brass Parade']);
  expect(new Set(listens.calls.map(({ token }) => token))).toEqual(new Set(['another', 'a-token']));

  await playFromLibrary(mara, 'audio', 'Lullaby');
  await expect.poll(() => isPlaying(ada)).toBe(true);
  await expect.poll(() => volumeOf(ada)).toBeGreaterThan(loud * 2);
  await expect.poll(() => listens.nowPlaying()).toContain('Small Lullaby');
  for (const { complaints } of [mara, ada]) expect(complaints).toEqual([]);
});

/** As on an iPhone: the volume belongs to the device. */
function ignoreVolume(): void {
  Object.defineProperty(HTMLMediaElement.prototype, 'volume', { get: () => 1, set() {} });
}

test('a device that ignores the volume plays a loud file from a copy that is turned down, in step with the others', async ({
  member,
  music,
}) => {
  if (music === null) return;
  const [mara, ada] = [await member('Mara'), await member('Ada')];
  await ada.page.addInitScript(ignoreVolume);
  await ada.page.reload();
  await comeTogether(mara, ada, 'audio', 'Loud and Quiet');
  const sourceOf = (person: Person) => player(person).evaluate((element: HTMLMediaElement) => element.src);
  // The first time the copy is made, and the track plays as it was recorded.
  await playFromLibrary(mara, 'audio', 'Brass');
  await expect.poll(() => isPlaying(ada)).toBe(true);
  const plain = await sourceOf(mara);
  const copy = `${plain}?even=-140`;
  const typeOf = async () => (await ada.page.request.head(copy)).headers()['content-type'];
  // ffmpeg runs below all else, and on a busy machine after it.
  await expect.poll(typeOf, { timeout: 400_000 }).toBe('audio/mp4');
  await playFromLibrary(mara, 'audio', 'Lullaby');
  await expect.poll(() => sourceOf(ada)).not.toBe(plain);
  await playFromLibrary(mara, 'audio', 'Brass');
  await expect.poll(() => sourceOf(ada)).toBe(copy);
  expect(await sourceOf(mara)).toBe(plain);
  await expectTogether(mara, ada);
  for (const { complaints } of [mara, ada]) expect(complaints).toEqual([]);
});
