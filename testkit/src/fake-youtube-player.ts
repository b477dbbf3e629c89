/**
 * One player of the stand-in for YouTube: states, errors, rate steps and latencies as documented, with a clock of its
 * own. The class is sent to the page as text, so it uses nothing of this module and imports nothing. Its fields are set
 * without `?.` and `??`, for which Playwright's compiler would declare variables outside the class.
 */

/** What the stand-in lets a test see and do, in the page. */
export interface FakeYouTube {
  /** Commands as they arrived, `seekTo 12.3`. */
  readonly commands: string[];
  state(): number;
  videoId(): string;
  /** Where the sound really is; null while there is none. */
  position(): number | null;
  /** Moves the play-head without an event, as a stall of the frame would. */
  shift(seconds: number): void;
}

type Listener = (event: { readonly data?: number; readonly target: unknown }) => void;

/** What a page may listen to, by YouTube's own names. */
type Events = Partial<Record<'onReady' | 'onStateChange' | 'onPlaybackRateChange' | 'onError', Listener>>;

declare global {
  interface Window {
    fakeYouTube?: FakeYouTube;
    onYouTubeIframeAPIReady?: (() => void) | undefined;
  }
}

/** Which videos do not simply play. */
export interface Videos {
  /** Their error numbers by id; 0 for a video that never becomes ready. */
  readonly broken: Readonly<Record<string, number>>;
  readonly live: readonly string[];
}

export interface PlayerOptions {
  readonly events?: Events;
}

/** A player as the page uses it. The last one made answers as `window.fakeYouTube`. */
export class FakePlayer {
  readonly #rates = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
  readonly #latencyMs = { ready: 150, message: 30, cue: 150, start: 200, seek: 100, clock: 200 };
  readonly #commands: string[];
  readonly #videos: Videos;
  readonly #events: Events;
  #state = -1;
  #videoId = '';
  #rate = 1;
  #anchor = { positionSeconds: 0, atMs: 0 };
  #message = { positionSeconds: 0, atMs: 0 };
  #volume = 100;
  #isMuted = false;
  #later = 0;

  constructor(videos: Videos, place: HTMLElement, options: PlayerOptions) {
    this.#videos = videos;
    this.#commands = window.fakeYouTube?.commands ?? [];
    this.#events = options.events ?? {};
    place.dataset['fakeYoutube'] = '';
    setTimeout(() => this.#events.onReady?.({ target: this }), this.#latencyMs.ready);
    setInterval(() => this.#tick(), this.#latencyMs.clock);
    window.fakeYouTube = {
      commands: this.#commands,
      state: () => this.#state,
      videoId: () => this.#videoId,
      position: () => (this.#state === 1 ? this.#position() : null),
      shift: (seconds) => {
        this.#setPosition(this.#position() + seconds);
        this.#tell();
      },
    };
  }

  /** A command is a message to the frame: they arrive in order, and each cancels what an earlier one left to do. */
  #command(name: string, act: () => void): void {
    this.#commands.push(name);
    setTimeout(act, this.#latencyMs.message);
  }
  #afterwards(delayMs: number, act: () => void): void {
    clearTimeout(this.#later);
    this.#later = window.setTimeout(act, delayMs);
  }
  #isLive(): boolean {
    return this.#videos.live.includes(this.#videoId);
  }
  /** A live stream has been going on for a while when the page begins, and becomes longer. */
  #lengthSeconds(): number {
    return this.#isLive() ? 5000 + performance.now() / 1000 : 240;
  }
  #position(): number {
    const elapsedSeconds = this.#state === 1 ? ((performance.now() - this.#anchor.atMs) / 1000) * this.#rate : 0;
    return Math.min(this.#lengthSeconds(), this.#anchor.positionSeconds + elapsedSeconds);
  }
  #setPosition(positionSeconds: number): void {
    this.#anchor = { positionSeconds, atMs: performance.now() };
  }
  #tell(): void {
    this.#message = { positionSeconds: this.#position(), atMs: performance.now() };
  }
  #become(state: number): void {
    this.#setPosition(this.#position());
    this.#state = state;
    this.#tell();
    this.#events.onStateChange?.({ data: state, target: this });
  }
  #tick(): void {
    if (this.#state !== 1) return;
    if (!this.#isLive() && this.#position() >= this.#lengthSeconds()) this.#become(0);
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
      const isFromNow = this.#isLive() && startSeconds === 0;
      this.#setPosition(isFromNow ? this.#lengthSeconds() - 2 : startSeconds);
      const error = this.#videos.broken[videoId];
      this.#afterwards(this.#latencyMs.cue, () => {
        if (error === undefined) this.#become(5);
        else if (error !== 0) this.#events.onError?.({ data: error, target: this });
      });
    });
  }
  playVideo(): void {
    this.#command('playVideo', () => {
      if (this.#state !== 1 && this.#videos.broken[this.#videoId] === undefined) this.#start(this.#latencyMs.start);
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
      else this.#start(this.#latencyMs.seek);
    });
  }
  setPlaybackRate(rate: number): void {
    this.#commands.push(`setPlaybackRate ${String(rate)}`);
    if (!this.#rates.includes(rate)) return;
    setTimeout(() => {
      this.#setPosition(this.#position());
      this.#rate = rate;
      this.#tell();
      this.#events.onPlaybackRateChange?.({ data: rate, target: this });
    }, this.#latencyMs.message);
  }
  getAvailablePlaybackRates = (): number[] => this.#rates;
  getPlaybackRate = (): number => this.#rate;
  getPlayerState = (): number => this.#state;
  getDuration = (): number => (this.#videoId === '' ? 0 : this.#lengthSeconds());
  getVideoData = (): object => ({
    video_id: this.#videoId,
    title: `Title of ${this.#videoId}`,
    author: 'Some Channel',
    isLive: this.#isLive(),
  });
  getVideoLoadedFraction = (): number => 1;
  /** Interpolated from the frame's last report. */
  getCurrentTime(): number {
    const sinceSeconds = this.#state === 1 ? ((performance.now() - this.#message.atMs) / 1000) * this.#rate : 0;
    return this.#message.positionSeconds + sinceSeconds;
  }
  setVolume = (volume: number): void => void (this.#volume = volume);
  getVolume = (): number => this.#volume;
  mute = (): void => void (this.#isMuted = true);
  unMute = (): void => void (this.#isMuted = false);
  isMuted = (): boolean => this.#isMuted;
  destroy = (): void => clearTimeout(this.#later);
}
