/**
 * A listener that can be heard: a page in a real browser whose sound goes to one channel of the loopback sound. Chromium
 * by Playwright, with its sound left on; Firefox over WebDriver BiDi. Both are asked in plain expressions.
 */
import { chromium } from 'playwright-core';
import { chromiumLaunch } from '../browsers/chromium.ts';
import type { Person } from '../worlds/people.ts';
import { openFirefoxPage } from '../browsers/firefox.ts';

export type BrowserName = 'chromium' | 'firefox';

/** A page, whichever browser it is in. */
export interface HeardPage {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Opens a browser for one person. */
export async function openHeardPage(
  browser: BrowserName,
  env: Record<string, string>,
  url: string,
  person: Person,
): Promise<HeardPage> {
  const [name = '', value = ''] = person.cookie.split('=');
  if (browser === 'firefox') {
    const page = await openFirefoxPage(env);
    await page.setCookie(name, value, url);
    return page;
  }
  const { executablePath, args } = chromiumLaunch({ autoplay: true });
  const opened = await chromium.launch({ executablePath, args, env, ignoreDefaultArgs: ['--mute-audio'] });
  const context = await opened.newContext({ baseURL: url, locale: 'en-GB', reducedMotion: 'reduce' });
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  return {
    goto: async (to) => void (await page.goto(to)),
    reload: async () => void (await page.reload()),
    evaluate: (expression) => page.evaluate(expression),
    close: () => opened.close(),
  };
}

/** What a page's follower said of its own player at one moment. */
export interface DriftReading {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** Player minus timeline, in milliseconds, positive when ahead; null while it does not play. */
  readonly driftMs: number | null;
  /** What the badge shows; without its sign there. */
  readonly smoothedDriftMs: number | null;
  readonly uncertaintyMs: number;
  readonly seeks: number;
}

const readDriftEveryMs = 100;

/**
 * Notes several times a second what the page says of its own drift, with its sign: the badge shows it without one, so
 * it is read from the component behind the badge.
 */
export async function watchDrift(page: HeardPage): Promise<void> {
  await page.evaluate(`(() => {
    if (window.heardDrifts) return true;
    const drifts = (window.heardDrifts = []);
    const modelOf = (fiber) => (!fiber ? undefined : (fiber.memoizedProps?.model?.follow ?? modelOf(fiber.return)));
    setInterval(() => {
      const badge = document.querySelector('[data-testid=sync-badge]');
      const key = Object.keys(badge ?? {}).find((each) => each.startsWith('__reactFiber$'));
      const status = key === undefined ? undefined : modelOf(badge[key])?.get();
      if (status === undefined) return;
      const { driftMs, smoothedDriftMs, uncertaintyMs, seeks } = status;
      drifts.push({ atMs: performance.timeOrigin + performance.now(), driftMs, smoothedDriftMs, uncertaintyMs, seeks });
    }, ${String(readDriftEveryMs)});
    return true;
  })()`);
}

/** Hands over what was noted since the last time. */
export const takeDrifts = async (page: HeardPage): Promise<DriftReading[]> =>
  (await page.evaluate('window.heardDrifts.splice(0)')) as DriftReading[];

const media = `document.querySelector('[data-testid=player-media]')`;
/** What a page waits for may take long on a busy machine; what is heard then is what is judged. */
const patienceMs = 60_000;

/** Waits in the page until an expression is true. */
async function until(page: HeardPage, condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const giveUpMs = performance.now() + ${String(patienceMs)};
    const look = () => {
      if (${condition}) resolve(true);
      else if (performance.now() > giveUpMs) reject(new Error('waited in vain: ' + document.body.innerText.slice(0, 200)));
      else setTimeout(look, 50);
    };
    look();
  })`);
}

export const untilPlaying = (page: HeardPage): Promise<void> =>
  until(page, `(media => media && !media.paused && media.readyState >= 3 && media.currentTime > 0)(${media})`);

export const untilPaused = (page: HeardPage): Promise<void> => until(page, `${media}.paused`);

const button = (label: string): string =>
  `[...document.querySelectorAll('button')].find(each => (each.ariaLabel ?? each.textContent).trim() === '${label}')`;

export const clickButton = async (page: HeardPage, label: string): Promise<void> =>
  void (await pressed(page, button(label)));

/** The first button whose name begins so. Resolves to when it was pressed, in milliseconds since the epoch. */
export const pressButton = (page: HeardPage, label: string): Promise<number> =>
  pressed(
    page,
    `[...document.querySelectorAll('button')].find(each => (each.ariaLabel ?? each.textContent).trim().startsWith('${label}'))`,
  );

async function pressed(page: HeardPage, found: string): Promise<number> {
  await until(page, found);
  return Number(
    await page.evaluate(`(found => {
      const atMs = performance.timeOrigin + performance.now();
      found.click();
      return atMs;
    })(${found})`),
  );
}

/** The host searches for a track and starts it. */
export async function startTrack(page: HeardPage, track: string): Promise<void> {
  await search(page, track);
  const result = `[...document.querySelectorAll('button')].find(each => each.textContent.includes('${track}'))`;
  await pressed(page, result);
}

/** The host searches for tracks, adds those of these titles to the queue, and lets the room play it. */
export async function queueTracks(page: HeardPage, words: string, titles: readonly string[]): Promise<void> {
  await search(page, words);
  for (const title of titles) await clickButton(page, `Add ${title} to the queue`);
  const choice = `[...document.querySelectorAll('label')].find(each => each.textContent === 'Play the queue')`;
  await pressed(page, choice);
}

async function search(page: HeardPage, words: string): Promise<void> {
  const field = `document.querySelector('input[aria-label^="Search "]') ?? document.querySelector('input[type=search]')`;
  await until(page, field);
  await page.evaluate(`(input => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${words}');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  })(${field})`);
  await page.evaluate(`(${field}).form.requestSubmit()`);
}

/** The host seeks ahead, as by the keyboard. */
export async function seekForward(page: HeardPage): Promise<void> {
  await page.evaluate(`(slider => {
    slider.focus();
    slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true }));
  })(document.querySelector('[aria-label=Seek]'))`);
}

/** Changes the rate of the page's player from outside this often; the page brings it back each time. */
export async function excursions(page: HeardPage, count: number): Promise<void> {
  await page.evaluate(`(async () => {
    const media = ${media};
    for (let left = ${String(count)}; left > 0; left -= 1) {
      media.playbackRate = left % 2 ? 1.008 : 0.992;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return true;
  })()`);
}

/** Counts, from now on, how often the page's player gets another rate. */
export async function countRateChanges(page: HeardPage): Promise<() => Promise<number>> {
  await page.evaluate(`(() => {
    const own = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'playbackRate');
    window.heardRateChanges = 0;
    Object.defineProperty(${media}, 'playbackRate', { configurable: true, get: own.get,
      set(value) { window.heardRateChanges += Number(value !== this.playbackRate); own.set.call(this, value); } });
    return true;
  })()`);
  return async () => Number(await page.evaluate('window.heardRateChanges'));
}
