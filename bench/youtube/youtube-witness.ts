/** Where a room's YouTube player is, for the sampler: the stand-in's own play-head, or what YouTube's frame tells. */
import { serveFakeYouTube } from '@tunemate/testkit/browsers/fake-youtube';
import type { YouTubeWorld } from '@tunemate/testkit/browsers/fake-youtube-player';
import type { Page } from 'playwright-core';

/** The stand-in's own play-head is the witness, not what it tells the page. */
export async function playStandIn(page: Page, world: Partial<YouTubeWorld> = {}): Promise<void> {
  await serveFakeYouTube(page, world);
  await page.addInitScript(() => {
    window.benchPosition = () => window.fakeYouTube?.position() ?? null;
  });
}

/** Of YouTube's own frame there is no better witness than its messages. */
export async function playYouTube(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.benchPosition = () => {
      const frame = document.querySelector('[data-testid="player-frame"] iframe');
      const player = frame === null ? undefined : window.YT?.get(frame.id);
      return player?.getPlayerState() === 1 ? player.getCurrentTime() : null;
    };
  });
}

/** As much of YouTube's API as the measurements use. */
export interface MeasuredPlayer {
  cueVideoById(what: { videoId: string }): void;
  playVideo(): void;
  pauseVideo(): void;
  seekTo(seconds: number, allowSeekAhead: boolean): void;
  setPlaybackRate(rate: number): void;
  getPlaybackRate(): number | undefined;
  getPlayerState(): number | undefined;
  getCurrentTime(): number | undefined;
  mute(): void;
}

declare global {
  interface Window {
    YT?: {
      get(id: string): { getPlayerState(): number; getCurrentTime(): number } | undefined;
      Player: new (place: Element, options: object) => MeasuredPlayer;
    };
  }
}
