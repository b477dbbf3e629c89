/**
 * The browser's media element as a Player: library tracks, played from /media/<id>, and links to films elsewhere.
 * Reports the element's state and executes commands; the follower decides when to send them.
 */
import {
  BrowserClock,
  type PlayerErrorCode,
  type PlayerEvent,
  type PlayerPhase,
  type PlayerSnapshot,
  type Schedule,
} from '@tunemate/playback';
import { gainOf } from '@tunemate/domain';
import { addressOfLink, isMediaLink } from '@tunemate/protocol';
import { signal } from '../../store/cell.ts';
import type { Loudness, OneSourcePlayer } from './source-player.ts';
import {
  askHead,
  bufferedAround,
  decoder,
  ElementClock,
  isSoughtExactly,
  mediaFailure,
  warmUp,
  watchedEvents,
  type FilmStreams,
  type AskHead,
} from './media-element.ts';

const mediaUrl = (trackKey: string): string =>
  isMediaLink(trackKey) ? addressOfLink(trackKey) : `/media/${encodeURIComponent(trackKey)}`;
/** As far as volumes of elements are kept exactly. */
const sameVolume = 0.01;
const isStream = (trackKey: string): boolean => isMediaLink(trackKey) && /\.m3u8(?:\?|$)/i.test(trackKey);

/** Numbers of the HTML standard: readyState and networkState. */
const haveMetadata = 1;
const haveFutureData = 3;
const networkIdle = 1;
/** A browser that has paused fetching for this long does not continue before a tap. */
const atRestMs = 1000;
/** A track this close to its end is not warmed up, because it would end during it. */
const warmUpRoomSeconds = 2;

export interface MediaPlayerPorts {
  /** Where the bytes of a track are; defaults to the library's address, or the link itself. */
  readonly urlOf?: (trackKey: string) => string;
  /** Defaults to a request to the server. */
  readonly askHead?: AskHead;
  readonly schedule: Schedule;
  /** Shared by the players of a page; defaults to a new one. */
  readonly browserClock?: BrowserClock;
  /** Gets the codecs of each film, and null for a track and before the server has answered. */
  readonly onFilm?: (film: FilmStreams | null) => void;
}

/** Controls one element, which it neither creates nor removes. */
export class MediaPlayer implements OneSourcePlayer {
  readonly #element: HTMLMediaElement;
  readonly #ports: Required<MediaPlayerPorts>;
  readonly #events = signal<PlayerEvent>();
  readonly subscribe = this.#events.subscribe;
  readonly #abort = new AbortController();
  #trackKey: string | null = null;
  #hasFailed = false;
  /** The track that failed although the server answers well for it. */
  #doubted: string | null = null;
  /** The decoder failed at a place of the track that it plays otherwise: behind it the track is loaded again. */
  #isDamaged = false;
  /** Rises with each load and unload, so that late answers about an earlier track can be ignored. */
  #round = 0;
  /** Ends the stream that plays, if one does. */
  #closeStream: () => void = () => undefined;
  /** The position at which a track that is still loading must start. */
  #startSeconds: number | null = null;
  readonly #clock: ElementClock;
  /** Browsers seek exactly in the format of this track, as far as known. */
  #isSoughtExactly = true;
  #loudness: Loudness = { volume: 1, isMuted: false };
  /** The track may still be warmed up: it was just loaded, and no command followed. */
  #isFresh = false;
  /** Ends the warm-up early; null while there is none. */
  #leaveWarmUp: (() => void) | null = null;
  /** The last command was to play, so another pause comes from the device. */
  #wasPlayed = false;
  /** The browser rejected the last start, because it requires a tap first. */
  #isRefused = false;
  /** The browser has paused fetching for a while, with too little data to start. */
  #isAtRest = false;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(element: HTMLMediaElement, ports: MediaPlayerPorts) {
    this.#element = element;
    this.#ports = { urlOf: mediaUrl, askHead, browserClock: new BrowserClock(), onFilm: () => undefined, ...ports };
    element.preload = 'auto';
    // Preserving the pitch drops sound at each change of the rate.
    element.preservesPitch = false;
    const { signal } = this.#abort;
    this.#clock = new ElementClock(element, this.#ports.browserClock, signal);
    for (const name of ['canplay', 'seeked', 'durationchange'])
      element.addEventListener(name, () => this.#warmUp(), { signal });
    // Before all others, so that the follower does not restart what the device has paused.
    element.addEventListener('pause', () => this.#onPaused(), { signal });
    for (const name of watchedEvents)
      element.addEventListener(name, () => this.#events.emit({ type: 'changed' }), { signal });
    element.addEventListener('loadedmetadata', () => this.#applyStart(), { signal });
    element.addEventListener('suspend', () => this.#watchRest(), { signal });
    element.addEventListener('ended', () => this.#events.emit({ type: 'ended' }), { signal });
    element.addEventListener('error', () => this.#onError(), { signal });
  }

  load(trackKey: string, startSeconds: number): void {
    this.#round += 1;
    this.#endWarmUp();
    this.#endRest();
    this.#isFresh = true;
    this.#element.pause();
    this.#hasFailed = false;
    this.#startSeconds = startSeconds;
    if (trackKey !== this.#trackKey) this.#isDamaged = false;
    this.#trackKey = trackKey;
    this.#open(trackKey, this.#applyVolume());
    this.#clock.restFromLoad();
    this.#element.load();
    this.setRate(1);
  }

  unload(): void {
    this.#endWarmUp();
    this.#endRest();
    if (this.#trackKey === null) return;
    this.#round += 1;
    this.#closeStream();
    this.#trackKey = null;
    this.#hasFailed = false;
    this.#startSeconds = null;
    this.#element.removeAttribute('src');
    this.#element.load();
  }

  play(): void {
    if (this.#trackKey === null || this.#hasFailed) return;
    this.#endWarmUp();
    this.#wasPlayed = true;
    this.#element.muted = this.#loudness.isMuted;
    this.#element.play().then(
      () => (this.#isRefused = false),
      (error: unknown) => this.#onPlayRefused(error),
    );
  }

  pause(): void {
    this.#endWarmUp();
    this.#element.pause();
  }

  seek(positionSeconds: number): void {
    if (this.#leaveWarmUp !== null) this.pause();
    // The pause event at the end arrives one task later, when `ended` is already false.
    if (this.#element.ended) this.#wasPlayed = false;
    if (this.#element.readyState < haveMetadata) this.#startSeconds = positionSeconds;
    else this.#element.currentTime = positionSeconds;
  }

  setRate(rate: number): void {
    this.#clock.setRate(rate);
  }

  setLoudness(loudness: Loudness): void {
    this.#loudness = loudness;
    this.#applyVolume();
    // During a warm-up the element stays muted; the start unmutes it.
    if (this.#leaveWarmUp === null) this.#element.muted = loudness.isMuted;
  }

  /** The address of a track; where the device has ignored the volume, of its copy that is turned down. */
  #applyVolume(): string {
    const trackKey = this.#trackKey ?? '';
    const { volume, factors } = this.#loudness;
    const factor = factors?.get(trackKey) ?? 1;
    const heard = Math.min(1, volume * factor);
    this.#element.volume = heard;
    const gain = this.#element.volume > heard + sameVolume ? gainOf(factor) : 0;
    return this.#ports.urlOf(trackKey) + (gain < 0 ? `?even=${String(gain)}` : '');
  }

  snapshot(): PlayerSnapshot {
    const { currentTime, duration, buffered, readyState } = this.#element;
    return {
      phase: this.#phase(),
      positionSeconds: this.#startSeconds ?? this.#clock.position(),
      rate: this.#clock.rate(),
      durationSeconds: Number.isFinite(duration) && duration > 0 ? duration : null,
      ...bufferedAround(buffered, currentTime),
      isInexact: !this.#isSoughtExactly || !this.#clock.isExact(),
      hasNothingFetched: readyState < haveMetadata,
    };
  }

  dispose(): void {
    this.#events.clear();
    this.#abort.abort();
    this.unload();
  }

  #open(trackKey: string, address: string): void {
    this.#closeStream();
    if (!isStream(trackKey)) {
      void this.#learnFormat(address);
      this.#element.src = address;
      return;
    }
    this.#isSoughtExactly = true;
    this.#element.removeAttribute('src');
    const round = this.#round;
    const fail = (code: PlayerErrorCode): void => {
      if (round === this.#round) this.#fail(code);
    };
    import('./hls.ts').then(
      ({ attachHls }) => {
        if (round === this.#round) this.#closeStream = attachHls(this.#element, address, fail, () => this.#wasPlayed);
      },
      () => fail('network'),
    );
  }

  #phase(): PlayerPhase {
    const { readyState, networkState, seeking, paused, ended, error } = this.#element;
    if (this.#trackKey === null) return 'empty';
    if (this.#hasFailed) return 'failed';
    if (this.#leaveWarmUp !== null || this.#isForWarmUp()) return 'loading';
    if (ended) return 'ended';
    const hasData = readyState >= haveFutureData && this.#startSeconds === null;
    // The pause event arrives late; without this check the follower would resume what the device paused.
    if (!paused || this.#isPausedByDevice()) return hasData && !seeking ? 'playing' : 'buffering';
    // Some browsers fetch almost nothing before a tap, so an element that has paused fetching counts as ready.
    const isAtRest = this.#isAtRest && networkState === networkIdle && error === null;
    return (hasData || isAtRest) && !seeking ? 'paused' : 'loading';
  }

  #applyStart(): void {
    const startSeconds = this.#startSeconds;
    this.#startSeconds = null;
    if (startSeconds !== null && startSeconds > 0) this.#element.currentTime = startSeconds;
    this.#events.emit({ type: 'changed' });
  }

  /** Only a track that was just loaded and waits for its start is warmed up: there is time for it. */
  #isForWarmUp(): boolean {
    const { paused, currentTime, duration, seeking, readyState } = this.#element;
    const isWaiting = this.#isFresh && this.#startSeconds === null && paused && !seeking;
    const isPossible = !this.#isRefused && duration - currentTime > warmUpRoomSeconds;
    return isWaiting && isPossible && readyState >= haveFutureData;
  }

  #warmUp(): void {
    if (!this.#isForWarmUp()) return;
    this.#isFresh = false;
    this.#leaveWarmUp = warmUp(this.#element, this.#ports.schedule, () => {
      this.#leaveWarmUp = null;
      this.#events.emit({ type: 'changed' });
    });
  }

  /** Fetching also pauses shortly before a completely loaded file can play; hence the delay. */
  #watchRest(): void {
    this.#endRest();
    this.#restTimer = setTimeout(() => {
      this.#isAtRest = true;
      this.#events.emit({ type: 'changed' });
    }, atRestMs);
  }

  #endRest(): void {
    clearTimeout(this.#restTimer);
    this.#isAtRest = false;
  }

  #endWarmUp(): void {
    this.#isFresh = false;
    this.#wasPlayed = false;
    this.#leaveWarmUp?.();
    this.#leaveWarmUp = null;
  }

  async #learnFormat(url: string): Promise<void> {
    const round = this.#round;
    this.#isSoughtExactly = true;
    this.#ports.onFilm(null);
    const head = await this.#ports.askHead(url);
    if (round !== this.#round) return;
    this.#isSoughtExactly = isSoughtExactly(head?.type ?? null);
    this.#ports.onFilm(head?.film ?? null);
  }

  /**
   * The device paused the element; the event may still be pending. An element also pauses at its end, and the event of
   * a commanded pause may arrive after the next start.
   */
  #isPausedByDevice(): boolean {
    const { paused, ended } = this.#element;
    return this.#wasPlayed && !this.#isRefused && !this.#hasFailed && paused && !ended;
  }

  #onPaused(): void {
    if (!this.#isPausedByDevice()) return;
    this.#wasPlayed = false;
    this.#events.emit({ type: 'held' });
  }

  #onError(): void {
    const trackKey = this.#trackKey;
    const { error, src, readyState } = this.#element;
    // Of a stream that hls.ts feeds it hears the errors itself, and leaves out what is damaged.
    if (trackKey === null || error === null || src.startsWith('blob:')) return;
    if (error.code === decoder && (this.#isDamaged ||= readyState >= haveFutureData)) return this.#fail('damaged');
    const failure = mediaFailure(error.code, () => this.#ports.askHead(this.#ports.urlOf(trackKey)));
    if (failure instanceof Promise) void this.#failLater(failure);
    else if (failure !== null) this.#fail(failure);
  }

  async #failLater(failure: Promise<PlayerErrorCode>): Promise<void> {
    const round = this.#round;
    const code = await failure;
    if (round !== this.#round) return;
    // The server may have come back between the failure and its answer: only a second failure is the file's.
    const isFirst = code === 'unsupported' && this.#doubted !== this.#trackKey;
    this.#doubted = isFirst ? this.#trackKey : null;
    this.#fail(isFirst ? 'network' : code);
  }

  #fail(code: PlayerErrorCode): void {
    this.#hasFailed = true;
    this.#endWarmUp();
    this.#endRest();
    this.#element.pause();
    this.#events.emit({ type: 'failed', code });
  }

  #onPlayRefused(error: unknown): void {
    // AbortError: a pause or another track came first. Errors of the track itself arrive as 'error'.
    if (!(error instanceof DOMException) || error.name !== 'NotAllowedError') return;
    this.#isRefused = true;
    this.#events.emit({ type: 'blocked' });
  }
}
