/**
 * Measures YouTube's frame itself, or its stand-in: how soon it is there, cues, starts and seeks, how often it tells its
 * position, and whether it plays at rates beside its steps. On a page of ours, since only its rules let the script in.
 */
import { percentile } from '@tunemate/testkit/percentile';
import { chromiumLaunch } from '@tunemate/testkit/browsers/chromium';
import { chromium, type Page } from 'playwright-core';
import type { MeasuredPlayer } from './youtube-witness.ts';

/** What the page measured, in milliseconds. */
interface FrameTimes {
  readonly readyMs: number;
  readonly cueMs: number;
  readonly startsMs: readonly number[];
  readonly seeksMs: readonly number[];
  readonly messageGapsMs: readonly number[];
  /** What a rate reads back as. */
  readonly rates: readonly { readonly asked: number; readonly read: number }[];
}

export async function measureFrame(
  url: string,
  videoId: string,
  prepare: (page: Page) => Promise<void>,
): Promise<readonly string[]> {
  const { executablePath, args } = chromiumLaunch({ autoplay: true });
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ baseURL: url });
    await prepare(page);
    await page.goto('/login');
    return rowsOf(await page.evaluate(inPage, videoId));
  } finally {
    await browser.close();
  }
}

const words = (title: string, values: readonly number[]): string => {
  const [middle, most] = [0.5, 1].map((share) => percentile(values, share).toFixed(0));
  return `| ${title} | ${middle ?? ''} | ${most ?? ''} | ${String(values.length)} |`;
};

function rowsOf({ readyMs, cueMs, startsMs, seeksMs, messageGapsMs, rates }: FrameTimes): string[] {
  return [
    words('frame ready', [readyMs]),
    words('video cued', [cueMs]),
    words('first start, from the command to a moving clock', startsMs.slice(0, 1)),
    words('later starts', startsMs.slice(1)),
    words('seek, to a moving clock', seeksMs),
    words('between two messages about the position', messageGapsMs),
    ...rates.map(({ asked, read }) => `| rate ${String(asked)} reads back as | ${String(read)} | | 1 |`),
  ];
}

/** Runs in the page, as text. */
async function inPage(videoId: string): Promise<FrameTimes> {
  const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
  const until = async (isSo: () => boolean): Promise<number> => {
    const fromMs = performance.now();
    while (!isSo()) {
      if (performance.now() - fromMs > 30_000) throw new Error('YouTube’s frame did not do what it was asked to');
      await pause(5);
    }
    return performance.now() - fromMs;
  };
  await new Promise<void>((resolve, reject) => {
    window.onYouTubeIframeAPIReady = () => resolve();
    const script = document.createElement('script');
    script.addEventListener('error', () => reject(new Error('YouTube’s script could not be fetched')));
    script.src = 'https://www.youtube.com/iframe_api';
    document.head.append(script);
  });
  const place = document.body.appendChild(document.createElement('div'));
  const { YT } = window;
  if (YT === undefined) throw new Error('YouTube’s script made no API');
  let isReady = false;
  const player: MeasuredPlayer = new YT.Player(place, {
    width: 640,
    height: 360,
    events: { onReady: () => (isReady = true) },
    playerVars: { playsinline: 1, origin: location.origin },
  });
  const readyMs = await until(() => isReady);
  player.mute();
  player.cueVideoById({ videoId });
  const cueMs = await until(() => player.getPlayerState() === 5);
  await pause(800);
  const isMovingFrom = (seconds: number) =>
    player.getPlayerState() === 1 && (player.getCurrentTime() ?? 0) > seconds + 0.05;
  const startsMs: number[] = [];
  const seeksMs: number[] = [];
  for (let times = 0; times < 6; times += 1) {
    const fromSeconds = player.getCurrentTime() ?? 0;
    player.playVideo();
    startsMs.push((await until(() => isMovingFrom(fromSeconds))) - 50);
    await pause(1500);
    player.pauseVideo();
    await until(() => player.getPlayerState() === 2);
    await pause(300);
  }
  player.playVideo();
  await pause(1000);
  for (let times = 0; times < 8; times += 1) {
    const toSeconds = 20 + times * 15;
    player.seekTo(toSeconds, true);
    seeksMs.push((await until(() => isMovingFrom(toSeconds) && (player.getCurrentTime() ?? 0) < toSeconds + 5)) - 50);
    await pause(1500);
  }
  // Between two messages the position goes on by the wall clock; a message is where it does not.
  const messageGapsMs: number[] = [];
  let leadMs = Number.NaN;
  let lastMs = Number.NaN;
  for (const untilMs = performance.now() + 10_000; performance.now() < untilMs; await pause(5)) {
    const nextMs = (player.getCurrentTime() ?? 0) * 1000 - Date.now();
    const isMessage = Math.abs(nextMs - leadMs) > 2;
    leadMs = nextMs;
    if (!isMessage) continue;
    const nowMs = performance.now();
    if (!Number.isNaN(lastMs)) messageGapsMs.push(nowMs - lastMs);
    lastMs = nowMs;
  }
  const rates: { asked: number; read: number }[] = [];
  for (const asked of [1.05, 0.95, 1.25, 1]) {
    player.setPlaybackRate(asked);
    await pause(1000);
    rates.push({ asked, read: player.getPlaybackRate() ?? Number.NaN });
  }
  return { readyMs, cueMs, startsMs, seeksMs, messageGapsMs, rates };
}
