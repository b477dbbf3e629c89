/**
 * A stand-in for YouTube's IFrame Player API, put behind the address of its script: states, errors, rate steps and
 * latencies as documented, with a clock of its own. What the page loads is the page's own code, unchanged.
 */
import type { BrowserContext, Page } from 'playwright-core';

const scriptUrl = 'https://www.youtube.com/iframe_api';

/** What the stand-in lets a test see and do, in the page. */
export interface FakeYouTube {
  /** Commands as they arrived, `seekTo 12.3`. */
  readonly commands: string[];
  state(): number;
  videoId(): string;
  /** Where the sound really is; null while there is none. */
  position(): number | null;
  /** Moves the play-head without a word, as a stall of the frame would. */
  shift(seconds: number): void;
}

type Told = (event: { readonly data?: number; readonly target: unknown }) => void;

/** What a page may listen to, by YouTube's own names. */
type Events = Partial<Record<'onReady' | 'onStateChange' | 'onPlaybackRateChange' | 'onError', Told>>;

declare global {
  interface Window {
    fakeYouTube?: FakeYouTube;
    onYouTubeIframeAPIReady?: (() => void) | undefined;
  }
}

/** Videos that do not simply play: their error number by id, 0 for one of which nothing is ever heard. */
export type BrokenVideos = Readonly<Record<string, number>>;

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
      body: `(${install.toString()})(${JSON.stringify(broken)}, ${JSON.stringify(live)});`,
    }),
  );
}

function install(broken: BrokenVideos, live: readonly string[]): void {
  const durationSeconds = 240;
  /** A live stream has been going on for this long when the page begins. */
  const liveForSeconds = 5000;
  const rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
  const latencyMs = { ready: 150, message: 30, cue: 150, start: 200, seek: 100, clock: 200 };
  const commands: string[] = [];
  const now = (): number => performance.now();
  const isLive = (videoId: string): boolean => live.includes(videoId);
  const lengthOf = (videoId: string): number => (isLive(videoId) ? liveForSeconds + now() / 1000 : durationSeconds);

  class Player {
    #events: Events;
    #state = -1;
    #videoId = '';
    #rate = 1;
    #anchor = { positionSeconds: 0, atMs: 0 };
    #message = { positionSeconds: 0, atMs: 0 };
    #volume = 100;
    #isMuted = false;
    #later = 0;

    constructor(place: HTMLElement, options: { events?: Events }) {
      this.#events = options.events ?? {};
      place.dataset['fakeYoutube'] = '';
      setTimeout(() => this.#events.onReady?.({ target: this }), latencyMs.ready);
      setInterval(() => this.#tick(), latencyMs.clock);
      window.fakeYouTube = {
        commands,
        state: () => this.#state,
        videoId: () => this.#videoId,
        position: () => (this.#state === 1 ? this.#position() : null),
        shift: (seconds) => {
          this.#setPosition(this.#position() + seconds);
          this.#tell();
        },
      };
    }

    /** A command is a message to the frame: they arrive in order, and end what an earlier one was still up to. */
    #command(name: string, act: () => void): void {
      commands.push(name);
      setTimeout(act, latencyMs.message);
    }
    #afterwards(delayMs: number, act: () => void): void {
      clearTimeout(this.#later);
      this.#later = window.setTimeout(act, delayMs);
    }
    #position(): number {
      const elapsedSeconds = this.#state === 1 ? ((now() - this.#anchor.atMs) / 1000) * this.#rate : 0;
      return Math.min(lengthOf(this.#videoId), this.#anchor.positionSeconds + elapsedSeconds);
    }
    #setPosition(positionSeconds: number): void {
      this.#anchor = { positionSeconds, atMs: now() };
    }
    #tell(): void {
      this.#message = { positionSeconds: this.#position(), atMs: now() };
    }
    #become(state: number): void {
      this.#setPosition(this.#position());
      this.#state = state;
      this.#tell();
      this.#events.onStateChange?.({ data: state, target: this });
    }
    #tick(): void {
      if (this.#state !== 1) return;
      if (!isLive(this.#videoId) && this.#position() >= durationSeconds) this.#become(0);
      else this.#tell();
    }
    #start(delayMs: number): void {
      this.#become(3);
      this.#afterwards(delayMs, () => this.#become(1));
    }

    cueVideoById({ videoId, startSeconds = 0 }: { videoId: string; startSeconds?: number }): void {
      this.#command(`cueVideoById ${videoId}`, () => {
        this.#videoId = videoId;
        this.#state = -1;
        const isFromNow = isLive(videoId) && startSeconds === 0;
        this.#setPosition(isFromNow ? lengthOf(videoId) - 2 : startSeconds);
        const error = broken[videoId];
        this.#afterwards(latencyMs.cue, () => {
          if (error === undefined) this.#become(5);
          else if (error !== 0) this.#events.onError?.({ data: error, target: this });
        });
      });
    }
    playVideo(): void {
      this.#command('playVideo', () => {
        if (this.#state !== 1 && broken[this.#videoId] === undefined) this.#start(latencyMs.start);
      });
    }
    pauseVideo(): void {
      this.#command('pauseVideo', () => {
        if (this.#state !== 1 && this.#state !== 3) return;
        clearTimeout(this.#later);
        this.#become(2);
      });
    }
    stopVideo(): void {
      this.#command('stopVideo', () => {
        clearTimeout(this.#later);
        this.#become(-1);
      });
    }
    seekTo(seconds: number): void {
      this.#command(`seekTo ${String(seconds)}`, () => {
        const isStill = this.#state === 2;
        this.#setPosition(seconds);
        if (isStill) this.#tell();
        else this.#start(latencyMs.seek);
      });
    }
    setPlaybackRate(rate: number): void {
      commands.push(`setPlaybackRate ${String(rate)}`);
      if (!rates.includes(rate)) return;
      setTimeout(() => {
        this.#setPosition(this.#position());
        this.#rate = rate;
        this.#tell();
        this.#events.onPlaybackRateChange?.({ data: rate, target: this });
      }, latencyMs.message);
    }
    getAvailablePlaybackRates = (): number[] => rates;
    getPlaybackRate = (): number => this.#rate;
    getPlayerState = (): number => this.#state;
    getDuration = (): number => (this.#videoId === '' ? 0 : lengthOf(this.#videoId));
    getVideoData = (): object => ({
      video_id: this.#videoId,
      title: `Title of ${this.#videoId}`,
      author: 'Some Channel',
      isLive: isLive(this.#videoId),
    });
    getVideoLoadedFraction = (): number => 1;
    /** Interpolated from what the frame last told. */
    getCurrentTime(): number {
      const sinceSeconds = this.#state === 1 ? ((now() - this.#message.atMs) / 1000) * this.#rate : 0;
      return this.#message.positionSeconds + sinceSeconds;
    }
    setVolume = (volume: number): void => void (this.#volume = volume);
    getVolume = (): number => this.#volume;
    mute = (): void => void (this.#isMuted = true);
    unMute = (): void => void (this.#isMuted = false);
    isMuted = (): boolean => this.#isMuted;
    destroy = (): void => clearTimeout(this.#later);
  }

  const PlayerState = { UNSTARTED: -1, ENDED: 0, PLAYING: 1, PAUSED: 2, BUFFERING: 3, CUED: 5 };
  Object.assign(window, { YT: { Player, PlayerState, loaded: 1 } });
  setTimeout(() => window.onYouTubeIframeAPIReady?.(), 0);
}
