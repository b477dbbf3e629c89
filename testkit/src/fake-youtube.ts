/**
 * A stand-in for YouTube's IFrame Player API, served at the address of its script. The page loads and runs its own
 * code, unchanged; what the player does is in fake-youtube-player.ts.
 */
import type { BrowserContext, Page } from 'playwright-core';
import { FakePlayer, type PlayerOptions, type Videos } from './fake-youtube-player.ts';

const scriptUrl = 'https://www.youtube.com/iframe_api';

/** Videos that do not simply play: their error number by id, 0 for a video that never becomes ready. */
export type BrokenVideos = Videos['broken'];

/** Serves the stand-in to every page of the context; nothing reaches YouTube. */
export async function serveFakeYouTube(
  context: BrowserContext | Page,
  broken: BrokenVideos = {},
  live: readonly string[] = [],
): Promise<void> {
  await context.route('https://i.ytimg.com/**', (route) => route.abort());
  await context.route(scriptUrl, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `(${install.toString()})(${FakePlayer.toString()}, ${JSON.stringify({ broken, live })});`,
    }),
  );
}

/** Runs in the page, as text. */
function install(PlayerOfVideos: typeof FakePlayer, videos: Videos): void {
  class Player extends PlayerOfVideos {
    constructor(place: HTMLElement, options: PlayerOptions) {
      super(videos, place, options);
    }
  }
  const PlayerState = { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 };
  Object.assign(window, { YT: { Player, PlayerState, loaded: 1 } });
  setTimeout(() => window.onYouTubeIframeAPIReady?.(), 0);
}
