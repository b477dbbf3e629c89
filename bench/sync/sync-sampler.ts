/**
 * What runs inside a measured page: looks at the player every few milliseconds and notes where it is, on the machine's
 * clock. Nothing of ours is asked: the media element (or the stand-in's true position) is the witness.
 */
import type { BrowserContext, Page } from 'playwright-core';

/** Where a player was at `atMs` (milliseconds since the epoch); null while it was not playing. */
export interface Sample {
  readonly atMs: number;
  readonly positionSeconds: number | null;
}

declare global {
  interface Window {
    benchSamples?: Sample[];
    benchEpochMs?: () => number;
    /** The true position of a stand-in player, where there is no media element. */
    benchPosition?: () => number | null;
  }
}

const sampleEveryMs = 25;

/** Samples every page of the context from its first moment; its own clocks are ahead of the truth by `skewMs`. */
export async function sample(context: BrowserContext, skewMs: number): Promise<void> {
  await context.addInitScript(install, { skewMs, everyMs: sampleEveryMs });
}

function install({ skewMs, everyMs }: { skewMs: number; everyMs: number }): void {
  const originMs = performance.timeOrigin;
  const epochMs = (): number => originMs + performance.now();
  if (skewMs !== 0) {
    const TrueDate = Date;
    window.Date = new Proxy(TrueDate, {
      construct: (_, args: []) => (args.length > 0 ? new TrueDate(...args) : new TrueDate(TrueDate.now() + skewMs)),
      get: (target, key) => (key === 'now' ? () => TrueDate.now() + skewMs : (Reflect.get(target, key) as unknown)),
    });
    Object.defineProperty(performance, 'timeOrigin', { value: originMs + skewMs });
  }
  const samples: Sample[] = [];
  window.benchSamples = samples;
  window.benchEpochMs = epochMs;
  const ofElement = (): number | null => {
    const media = document.querySelector<HTMLMediaElement>('[data-testid="player-media"]');
    // A player that warms up is muted and does not count as playing.
    const isHeard = media !== null && !media.paused && !media.muted && !media.seeking && media.readyState >= 3;
    return isHeard ? media.currentTime : null;
  };
  const look = (): void => {
    const beforeMs = epochMs();
    const positionSeconds = (window.benchPosition ?? ofElement)();
    samples.push({ atMs: (beforeMs + epochMs()) / 2, positionSeconds });
    setTimeout(look, everyMs);
  };
  look();
}

/** Hands over what was noted since the last time. */
export async function takeSamples(page: Page): Promise<Sample[]> {
  return await page.evaluate(() => window.benchSamples?.splice(0) ?? []);
}
