/** Two people read the words of a track, one on a phone: both pages go on to each line at the same moment. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type ServerProcess, startServerProcess } from '@tunemate/testkit/services/process';
import { makeTempDir, type TempDir } from '@tunemate/testkit/services/temp-dir';
import {
  askToJoin,
  closeVisits,
  createRoom,
  haveAccount,
  isPlaying,
  type Person,
  playFromLibrary,
  visitor,
} from './person.ts';

const kind = 'audio';
const lines = Array.from({ length: 60 }, (_, at) => `line ${String(at)}`);
const everySeconds = 1.5;
/** What two devices may differ by, beside the time in which the machine let one of them do nothing. */
const sameMomentMs = 50;
const linesInARow = 5;
const soughtLine = 'line 4';
/** A page that is let do its work notes the time this often. */
const tickMs = 5;

let media: TempDir;
let server: ServerProcess;

test.beforeAll(async () => {
  media = await makeTempDir('lyrics-media');
  await cp(join(import.meta.dirname, '../library/media/walking-home.m4a'), join(media.path, 'walking-home.m4a'));
  const stamp = (at: number) => new Date(at * everySeconds * 1000).toISOString().slice(14, 22);
  await writeFile(join(media.path, 'walking-home.lrc'), lines.map((line, at) => `[${stamp(at)}]${line}`).join('\n'));
  server = await startServerProcess({ env: { MEDIA_DIR: media.path } });
});
test.afterEach(closeVisits);
test.afterAll(async () => {
  await server.dispose();
  await media.remove();
});

/** When each line became the current one, by the clock of this machine, and how long the page could do nothing before that. */
type Seen = Record<string, { atMs: number; stalledMs: number }>;

/** Opens the words and notes the lines from now on. */
async function readAlong({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Words' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'line 20' })).toBeVisible();
  await page.evaluate((everyMs) => {
    const nowMs = () => performance.timeOrigin + performance.now();
    const seen: Seen = {};
    Object.assign(window, { seen });
    // The last ticks and how late each was: a busy machine stalls a page, and what it shows with it.
    const ticks: { atMs: number; lateMs: number }[] = [{ atMs: nowMs(), lateMs: 0 }];
    const lateMs = (atMs: number) => Math.max(0, atMs - (ticks.at(-1)?.atMs ?? atMs) - 2 * everyMs);
    setInterval(() => {
      const atMs = nowMs();
      ticks.push({ atMs, lateMs: lateMs(atMs) });
      if (ticks.length > 100) ticks.shift();
    }, everyMs);
    new MutationObserver((changes) => {
      const atMs = nowMs();
      const lately = ticks.filter((tick) => atMs - tick.atMs < 50).map((tick) => tick.lateMs);
      for (const { target } of changes) {
        const line = target as HTMLElement;
        if (line.ariaCurrent === 'true') seen[line.innerText] = { atMs, stalledMs: Math.max(lateMs(atMs), ...lately) };
      }
    }).observe(document, { subtree: true, attributeFilter: ['aria-current'] });
  }, tickMs);
}

const seenBy = ({ page }: Person) => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

test('two pages show the same line at the same moment, and the host seeks by a line (SYNC-73)', async ({ browser }) => {
  const [mara, ada] = [await visitor(browser, server.url, 'Mara'), await visitor(browser, server.url, 'Ada')];
  for (const person of [mara, ada]) await haveAccount(person, server);
  await ada.page.setViewportSize({ width: 390, height: 844 });
  const code = await createRoom(mara, kind, 'Words');
  await askToJoin(ada, kind, code);
  await mara.page.getByRole('button', { name: 'Accept Ada' }).first().click();
  await playFromLibrary(mara, kind, 'walking');
  await expect.poll(() => isPlaying(ada)).toBe(true);
  await readAlong(mara);
  await readAlong(ada);
  await mara.page.getByRole('button', { name: soughtLine, exact: true }).click();
  await expect.poll(async () => Object.keys(await seenBy(ada))).toContain(soughtLine);
  const apartMs = async (): Promise<number[]> => {
    const [hers, theirs] = [await seenBy(mara), await seenBy(ada)];
    return lines.flatMap((line) => {
      const [here, there] = [hers[line], theirs[line]];
      // The host's own page shows a seek before the room has it.
      if (line === soughtLine || !here || !there) return [];
      return Math.abs(here.atMs - there.atMs) - Math.max(here.stalledMs, there.stalledMs);
    });
  };
  // The machine lets a single line be late at times, which its page can't always see of itself.
  await expect
    .poll(async () => (await apartMs()).slice(-linesInARow).filter((ms) => ms <= sameMomentMs))
    .toHaveLength(linesInARow);
  console.log('milliseconds apart, stalls left out:', (await apartMs()).map(Math.round));
  for (const { complaints } of [mara, ada]) expect(complaints).toEqual([]);
});
