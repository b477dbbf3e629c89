/**
 * A stand-in for YouTube's IFrame Player API, served at the address of its script. The page loads and runs its own
 * code, unchanged; what the player does is in fake-youtube-player.ts.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { FakeClock, FakeDelays } from './fake-youtube-parts.ts';
import { FakePlayer, type PlayerOptions, type YouTubeWorld } from './fake-youtube-player.ts';

const scriptUrl = 'https://www.youtube.com/iframe_api';

const usual: Omit<YouTubeWorld, 'seed'> = {
  broken: {},
  live: [],
  adverts: {},
  asks: [],
  rates: 'steps',
  blocked: 'nothing',
};
/** Each page has delays of its own, in the order in which they are prepared. */
let lastSeed = 0;

/**
 * Serves the stand-in to every page of the context, or to one page; nothing reaches YouTube. A page that has loaded the
 * script already makes its next players in the new world.
 */
export async function serveFakeYouTube(
  context: BrowserContext | Page,
  world: Partial<YouTubeWorld> = {},
): Promise<void> {
  lastSeed += 1;
  const all: YouTubeWorld = { ...usual, seed: lastSeed, ...world };
  const frames = 'frames' in context ? context.frames() : [];
  await Promise.all(frames.map((frame) => frame.evaluate((now) => void (window.fakeYouTubeWorld = now), all)));
  await context.route('https://i.ytimg.com/**', (route) => route.abort());
  await context.route(scriptUrl, (route) =>
    all.blocked === 'script'
      ? route.abort()
      : route.fulfill({
          contentType: 'text/javascript',
          body: `(${install.toString()})(${FakePlayer.toString()}, ${FakeClock.toString()}, ${FakeDelays.toString()}, ${JSON.stringify(all)});`,
        }),
  );
}

/** Runs in the page, as text. */
function install(
  PlayerOfWorld: typeof FakePlayer,
  Clock: typeof FakeClock,
  Delays: typeof FakeDelays,
  world: YouTubeWorld,
): void {
  const delays = new Delays(world.seed);
  window.fakeYouTubeWorld = world;
  class Player extends PlayerOfWorld {
    constructor(place: HTMLElement, options: PlayerOptions) {
      super({ world: window.fakeYouTubeWorld || world, delays, clock: new Clock(delays) }, place, options);
    }
  }
  const PlayerState = { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 };
  Object.assign(window, { YT: { Player, PlayerState, loaded: 1 } });
  setTimeout(() => window.onYouTubeIframeAPIReady?.(), 0);
}
