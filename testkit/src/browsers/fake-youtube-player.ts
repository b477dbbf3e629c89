/**
 * One player of the stand-in for YouTube: states, errors, rate steps, adverts and checks as documented or seen. The class
 * is sent to the page as text, so it uses nothing of this module and imports nothing but types. Its fields are set
 * without `?.` and `??`, for which Playwright's compiler would declare variables outside the class.
 */
import type { FakeClock, FakeDelays } from './fake-youtube-parts.ts';

/** What the stand-in lets a test see and do, in the page. */
export interface FakeYouTube {
  /** Commands as they arrived, `seekTo 12.3`. */
  readonly commands: string[];
  state(): number;
  videoId(): string;
  /** Where the sound really is; null while there is none, or that of an advert. */
  position(): number | null;
  /** Moves the play-head without an event, as a stall of the frame would. */
  shift(seconds: number): void;
  /** What a person does inside the frame; a number is a place in seconds. */
  touch(what: 'pause' | 'play' | number): void;
}

type Listener = (event: { readonly data?: number; readonly target: unknown }) => void;

/** What a page may listen to, by YouTube's own names. */
type Events = Partial<Record<'onReady' | 'onStateChange' | 'onPlaybackRateChange' | 'onError', Listener>>;

declare global {
  interface Window {
    fakeYouTube?: FakeYouTube;
    /** What players that are made from now on are like. */
    fakeYouTubeWorld?: YouTubeWorld;
    onYouTubeIframeAPIReady?: (() => void) | undefined;
  }
}

/** An advert before a video: so long, and which state the player reports meanwhile. Its clock is the video's, which stands still. */
export interface Advert {
  readonly seconds: number;
  readonly reported: 1 | -1;
}

/** What this YouTube is like. */
export interface YouTubeWorld {
  /** Error numbers of videos that do not play, by id; 0 for a video that never becomes ready. */
  readonly broken: Readonly<Record<string, number>>;
  readonly live: readonly string[];
  /** By id; each is shown once, at the video's first start. */
  readonly adverts: Readonly<Record<string, Advert>>;
  /** Videos that start only once a person has pressed a button in the frame: a consent, or a check for robots. */
  readonly asks: readonly string[];
  /** `steps`: other rates are rounded to the nearest of them; `any`: all are taken; `one`: none is. */
  readonly rates: 'steps' | 'any' | 'one';
  /** What a filter or a firewall keeps away. */
  readonly blocked: 'script' | 'frame' | 'nothing';
  readonly seed: number;
}

export interface PlayerOptions {
  readonly events?: Events;
}

interface Parts {
  readonly world: YouTubeWorld;
  readonly delays: FakeDelays;
  readonly clock: FakeClock;
}

/** A player as the page uses it. The last one made answers as `window.fakeYouTube`. */
export class FakePlayer {
  readonly #steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
  readonly #commands: string[];
  readonly #world: YouTubeWorld;
  readonly #delays: FakeDelays;
  readonly #clock: FakeClock;
  readonly #events: Events;
  readonly #place: HTMLElement;
  readonly #over = new Set<string>();
  #state = -1;
  #reportedState = -1;
  #videoId = '';
  #isAdvert = false;
  #isWarm = false;
  #volume = 100;
  #isMuted = false;
  #later = 0;
  #lastMessageMs = 0;
  readonly #messages: (() => void)[] = [];

  constructor({ world, delays, clock }: Parts, place: HTMLElement, options: PlayerOptions) {
    this.#world = world;
    this.#delays = delays;
    this.#clock = clock;
    this.#place = place;
    this.#commands = window.fakeYouTube?.commands ?? [];
    this.#events = options.events ?? {};
    place.dataset['fakeYoutube'] = '';
    if (world.blocked !== 'frame') setTimeout(() => this.#events.onReady?.({ target: this }), this.#delays.of('ready'));
    this.#tickLater();
    window.fakeYouTube = {
      commands: this.#commands,
      state: () => this.#state,
      videoId: () => this.#videoId,
      position: () => (this.#state === 1 && !this.#isAdvert ? this.#position() : null),
      shift: (seconds) => {
        this.#clock.move(this.#position() + seconds);
        this.#clock.tell(this.#state === 1);
      },
      touch: (what) => {
        clearTimeout(this.#later);
        if (what === 'pause') return this.#become(2);
        if (what === 'play') return this.#start();
        this.#moveTo(what);
      },
    };
  }

  /** Messages arrive in order, in the frame as in the page; timers alone would cut their milliseconds and pass each other. */
  #message(act: () => void): void {
    const nowMs = performance.now();
    this.#lastMessageMs = Math.max(this.#lastMessageMs, nowMs + this.#delays.of('message'));
    this.#messages.push(act);
    setTimeout(() => this.#messages.shift()?.(), this.#lastMessageMs - nowMs);
  }
  /** A command cancels what an earlier one left to do. */
  #command(name: string, act: () => void): void {
    this.#commands.push(name);
    this.#message(act);
  }
  #afterwards(delayMs: number, act: () => void): void {
    clearTimeout(this.#later);
    this.#later = window.setTimeout(act, delayMs);
  }
  #isLive(): boolean {
    return this.#world.live.includes(this.#videoId);
  }
  /** A live stream has been going on for a while when the page begins, and becomes longer. */
  #lengthSeconds(): number {
    return this.#isLive() ? 5000 + performance.now() / 1000 : 240;
  }
  #position(): number {
    return Math.min(this.#lengthSeconds(), this.#clock.position);
  }
  #become(state: number): void {
    this.#clock.move(this.#position());
    this.#clock.run(state === 1 && !this.#isAdvert);
    this.#state = state;
    this.#isWarm ||= state === 1 && !this.#isAdvert;
    this.#message(() => {
      this.#reportedState = state;
      // After a cue its facts come with the state, or with the next message.
      this.#clock.tell(this.#state === 1);
      this.#events.onStateChange?.({ data: state, target: this });
    });
  }
  #tickLater(): void {
    setTimeout(() => {
      if (this.#state === 1) this.#tick();
      this.#tickLater();
    }, this.#delays.of('reported'));
  }
  #tick(): void {
    if (!this.#isAdvert && !this.#isLive() && this.#position() >= this.#lengthSeconds()) this.#become(0);
    else this.#clock.tell(true);
  }

  #start(): void {
    if (this.#world.asks.includes(this.#videoId) && !this.#over.has(`asked ${this.#videoId}`)) return this.#ask();
    const advert = this.#world.adverts[this.#videoId];
    if (advert !== undefined && !this.#over.has(`advert ${this.#videoId}`)) return this.#advertise(advert);
    this.#become(3);
    this.#afterwards(this.#delays.of(this.#isWarm ? 'resume' : 'start'), () => this.#become(1));
  }
  #ask(): void {
    this.#become(-1);
    this.#offer("Confirm you're not a bot", () => this.#over.add(`asked ${this.#videoId}`));
  }
  #advertise({ seconds, reported }: Advert): void {
    this.#become(3);
    const videoId = this.#videoId;
    const end = (): void => {
      this.#over.add(`advert ${videoId}`);
      this.#isAdvert = false;
    };
    this.#afterwards(this.#delays.of('start'), () => {
      this.#isAdvert = true;
      this.#become(reported);
      this.#offer('Skip', end);
      this.#afterwards(seconds * 1000, () => {
        this.#place.replaceChildren();
        end();
        this.#start();
      });
    });
  }
  /** A button inside the frame, after which the start goes on. */
  #offer(label: string, act: () => void): void {
    const button = document.createElement('button');
    button.textContent = label;
    button.style.cssText = 'position:relative;min-width:44px;min-height:44px;color:#000;background:#fff';
    button.addEventListener('click', () => {
      this.#place.replaceChildren();
      act();
      this.#start();
    });
    this.#place.replaceChildren(button);
  }
  #moveTo(seconds: number): void {
    const isStill = this.#state === 2;
    this.#clock.move(seconds);
    if (isStill) return this.#clock.tell(false);
    this.#become(3);
    this.#afterwards(this.#delays.of('seek'), () => this.#become(1));
  }

  cueVideoById({ videoId, startSeconds = 0 }: { videoId: string; startSeconds?: number }): void {
    this.#clock.forget();
    this.#command(`cueVideoById ${videoId}`, () => {
      this.#videoId = videoId;
      this.#state = -1;
      this.#isAdvert = false;
      this.#isWarm = false;
      this.#place.replaceChildren();
      this.#clock.run(false);
      const isFromNow = this.#isLive() && startSeconds === 0;
      this.#clock.move(isFromNow ? this.#lengthSeconds() - 2 : startSeconds);
      const error = this.#world.broken[videoId];
      this.#afterwards(this.#delays.of('cue'), () => {
        if (error === undefined) this.#become(5);
        else if (error !== 0) this.#events.onError?.({ data: error, target: this });
      });
    });
  }
  playVideo(): void {
    this.#command('playVideo', () => {
      if (this.#state !== 1 && !this.#isAdvert && this.#world.broken[this.#videoId] === undefined) this.#start();
    });
  }
  pauseVideo(): void {
    this.#command('pauseVideo', () => {
      if (this.#state !== 1 && this.#state !== 3) return;
      clearTimeout(this.#later);
      this.#isAdvert = false;
      this.#become(2);
    });
  }
  stopVideo(): void {
    this.#command('stopVideo', () => {
      clearTimeout(this.#later);
      this.#isAdvert = false;
      this.#become(-1);
    });
  }
  /** An advert can't be sought in. */
  seekTo(seconds: number): void {
    this.#command(`seekTo ${String(seconds)}`, () => {
      if (this.#isAdvert) this.#clock.move(seconds);
      else this.#moveTo(seconds);
    });
  }
  setPlaybackRate(asked: number): void {
    this.#commands.push(`setPlaybackRate ${String(asked)}`);
    const rate = this.#taken(asked);
    if (rate === this.#clock.rate) return;
    setTimeout(() => {
      this.#clock.setRate(rate);
      this.#clock.tell(this.#state === 1);
      this.#events.onPlaybackRateChange?.({ data: rate, target: this });
    }, this.#delays.of('rate'));
  }
  #taken(asked: number): number {
    if (this.#world.rates === 'one') return 1;
    const distance = (rate: number): number => Math.abs(rate - asked);
    const nearest = this.#steps.toSorted((a, b) => distance(a) - distance(b))[0] ?? 1;
    return this.#world.rates === 'any' ? Math.min(2, Math.max(0.25, asked)) : nearest;
  }
  #known = <Value>(value: Value): Value | undefined => (this.#clock.hasReported ? value : undefined);

  getAvailablePlaybackRates = (): number[] => this.#steps;
  getPlaybackRate = (): number | undefined => this.#clock.reportedRate;
  getPlayerState = (): number => this.#reportedState;
  getDuration = (): number | undefined => this.#known(this.#videoId === '' ? 0 : this.#lengthSeconds());
  getVideoData = (): object | undefined =>
    this.#known({
      video_id: this.#videoId,
      title: `Title of ${this.#videoId}`,
      author: 'Some Channel',
      isLive: this.#isLive(),
    });
  getVideoLoadedFraction = (): number | undefined => this.#known(1);
  getCurrentTime = (): number | undefined => this.#clock.reportedPosition();
  setVolume = (volume: number): void => void (this.#volume = volume);
  getVolume = (): number => this.#volume;
  mute = (): void => void (this.#isMuted = true);
  unMute = (): void => void (this.#isMuted = false);
  isMuted = (): boolean => this.#isMuted;
  destroy = (): void => clearTimeout(this.#later);
}
