/** Makes the pictures of README.md from the demo: the host's desktop, a guest's phone, and both in motion. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumLaunch } from '../browsers/chromium.ts';

const folder = join(import.meta.dirname, '../../../docs/pictures');
const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 800 };
/** The moving picture: both pages beside each other, at this scale. */
const scale = 0.6;
const framesASecond = 4;
const seconds = 7;

/** `urls` sign in the host and a guest. */
export async function takePictures([hostUrl = '', guestUrl = '']: readonly string[]): Promise<void> {
  const browser = await chromium.launch(chromiumLaunch({ autoplay: true }));
  const host = await open(browser, hostUrl, desktop);
  const guest = await open(browser, guestUrl, phone);
  // The film has to be past its first, dark second.
  await pause(6000);
  await host.screenshot({ path: join(folder, 'room-desktop.png') });
  await guest.screenshot({ path: join(folder, 'room-phone.png') });
  await move(host, guest);
  await browser.close();
}

async function open(browser: Browser, url: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: 'dark', hasTouch: viewport.width < 500 });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('video').first().waitFor();
  return page;
}

/** The host pauses and goes on; the guest's page does the same. */
async function move(host: Page, guest: Page): Promise<void> {
  const frames: Buffer[] = [];
  for (let index = 0; index < seconds * framesASecond; index += 1) {
    const startedMs = performance.now();
    if (index === 2 * framesASecond || index === 5 * framesASecond) await host.keyboard.press('k');
    const [left, right] = await Promise.all([host.screenshot(), guest.screenshot()]);
    frames.push(await beside(left, right));
    await pause(Math.max(0, 1000 / framesASecond - (performance.now() - startedMs)));
  }
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, delay: frames.map(() => 1000 / framesASecond), loop: 0 })
    .toFile(join(folder, 'in-sync.webp'));
}

async function beside(left: Buffer, right: Buffer): Promise<Buffer> {
  const gap = 20;
  const both = await sharp({
    create: { width: desktop.width + gap + phone.width, height: desktop.height, channels: 3, background: '#000' },
  })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: desktop.width + gap, top: 0 },
    ])
    .png()
    .toBuffer();
  return await sharp(both)
    .resize({ width: Math.round((desktop.width + gap + phone.width) * scale) })
    .png()
    .toBuffer();
}
