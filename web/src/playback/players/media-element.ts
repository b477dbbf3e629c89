/**
 * Helpers for one media element: position and rate through a MediaClock, loaded ranges, errors, seek accuracy of its
 * format, what it leaves out of a film, and the warm-up.
 */
import {
  type BrowserClock,
  clockLooksMs,
  MediaClock,
  type PlayerErrorCode,
  type PlayerSnapshot,
  type Schedule,
} from '@tunemate/playback';

/** After these events earlier steps of the position no longer apply. */
const clockBreaks = ['playing', 'pause', 'waiting', 'seeking', 'seeked', 'emptied'] as const;

export class ElementClock {
  readonly #element: HTMLMediaElement;
  readonly #clock: MediaClock;
  #looks = 0;
  #nextLook: ReturnType<typeof setTimeout> | undefined;

  /** Observes the element until the signal aborts. */
  constructor(element: HTMLMediaElement, browser: BrowserClock, signal: AbortSignal) {
    this.#element = element;
    this.#clock = new MediaClock(browser);
    for (const name of clockBreaks) element.addEventListener(name, () => this.#clock.reset(), { signal });
    const onRate = (): void => this.#clock.changeRate(performance.now(), element.playbackRate);
    element.addEventListener('ratechange', onRate, { signal });
    element.addEventListener('playing', () => this.#watch(), { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#nextLook));
  }

  position(): number {
    const { currentTime, paused, seeking } = this.#element;
    if (paused || seeking) return currentTime;
    const nowMs = performance.now();
    this.#clock.look(nowMs, currentTime);
    return this.#clock.positionAt(nowMs, currentTime);
  }

  /** Whether the position is exact; a paused element's always is. */
  isExact(): boolean {
    return this.#element.paused || this.#clock.isExact;
  }

  rate(): number {
    return this.#clock.reportedRate(this.#element.playbackRate);
  }

  setRate(rate: number): void {
    this.#element.playbackRate = this.#clock.rateFor(rate);
  }

  /** Loading a file resets the rate to the default one, so that is set first. */
  restFromLoad(): void {
    this.#element.defaultPlaybackRate = this.#clock.rateFor(1);
  }

  /** Looks often at a playing element until its clock kind is known. */
  #watch(): void {
    clearTimeout(this.#nextLook);
    if (this.#element.paused) return;
    this.position();
    if (!this.#clock.wantsLooks) return this.#leaveRestingRate();
    const delayMs = clockLooksMs[this.#looks % clockLooksMs.length];
    this.#looks += 1;
    this.#nextLook = setTimeout(() => this.#watch(), delayMs);
  }

  /** Once its clock proved smooth, an element rests at exactly 1. */
  #leaveRestingRate(): void {
    this.#element.defaultPlaybackRate = 1;
    if (this.rate() === 1) this.#element.playbackRate = 1;
  }
}

/** The loaded range around a position. */
export function bufferedAround(
  ranges: TimeRanges,
  positionSeconds: number,
): Pick<PlayerSnapshot, 'bufferedFromSeconds' | 'bufferedUntilSeconds'> {
  for (let index = 0; index < ranges.length; index += 1) {
    const [from, until] = [ranges.start(index), ranges.end(index)];
    const isInside = from <= positionSeconds + 0.1 && until >= positionSeconds;
    if (isInside) return { bufferedFromSeconds: from, bufferedUntilSeconds: until };
  }
  return { bufferedFromSeconds: null, bufferedUntilSeconds: null };
}

/** Events after which the player's phase or knowledge of its track may differ. */
export const watchedEvents = [
  'loadstart',
  'loadedmetadata',
  'durationchange',
  'canplay',
  'canplaythrough',
  'playing',
  'pause',
  'waiting',
  'stalled',
  'suspend',
  'seeking',
  'seeked',
  'ratechange',
  'emptied',
] as const;

/** In these formats each browser seeks 7 to 260 ms off the target, each by its own amount. */
const inexactTypes: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/ogg', 'video/ogg', 'application/ogg']);

/** An unknown type counts as exact. */
export function isSoughtExactly(type: string | null): boolean {
  const [essence = ''] = (type ?? '').split(';');
  return !inexactTypes.has(essence.trim().toLowerCase());
}

/** Codes of MediaError in the HTML standard. 'Aborted': the page loads another file. */
const aborted = 1;
const network = 2;
export const decoder = 3;
/** No such source, an unknown format, or a failed first request: browsers do not distinguish them. */
const sourceNotSupported = 4;

/** Null where nothing failed; a promise where only the server's answer shows the reason. */
export function mediaFailure(
  code: number,
  ask: () => Promise<MediaHead | null>,
): PlayerErrorCode | Promise<PlayerErrorCode> | null {
  if (code === aborted) return null;
  if (code === sourceNotSupported) return ask().then(errorOf);
  return code === network ? 'network' : 'unsupported';
}

function errorOf(head: MediaHead | null): PlayerErrorCode {
  if (head === null) return 'network';
  const { status } = head;
  if (isRefusedForGood(status)) return 'not-found';
  return status < 400 ? 'unsupported' : 'network';
}

/** The same request will have the same answer. */
export const isRefusedForGood = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** `type` is null where the server answers with an error, or names none. */
interface MediaHead {
  readonly status: number;
  readonly type: string | null;
  /** Of a film; null or left out for a track. */
  readonly film?: FilmStreams | null;
}

/** Null when no answer arrives. */
export type AskHead = (url: string) => Promise<MediaHead | null>;

const answerTimeoutMs = 10_000;

export const askHead: AskHead = async (url) => {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(answerTimeoutMs) });
    const { headers, ok, status } = answer;
    return { status, type: ok ? headers.get('content-type') : null, film: filmOf(headers) };
  } catch {
    return null;
  }
};

// What of a film this browser leaves out without an error: the picture or the sound, where it lacks the decoder. The
// server names the codecs of a film, the element shows what became of them.

/** MIME types with a codec; null for a film without that part. */
export interface FilmStreams {
  readonly picture: string | null;
  readonly sound: string | null;
}

/** 'mute': the film itself has no sound. */
export type Lack = 'picture' | 'sound' | 'mute';

const haveMetadata = 1;
/** A decoder that exists has decoded something after this long. */
const decodedBySeconds = 2;

/** What only some browsers know of an element. */
interface Decoded {
  readonly mozHasAudio?: boolean;
  readonly webkitAudioDecodedByteCount?: number;
}

type Media = Pick<HTMLMediaElement, 'readyState' | 'currentTime' | 'canPlayType'> &
  Decoded & {
    /** Of an element that shows pictures. */
    readonly videoWidth?: number;
  };

/** Null for nothing, for a track, and until the element knows. `film` is null while nothing is known of the file. */
export function lackOf(media: Media, film: FilmStreams | null): Lack | null {
  if (film === null || media.readyState < haveMetadata) return null;
  // An element for sound alone never shows a picture.
  if (film.picture !== null && media.videoWidth === 0) return 'picture';
  if (film.sound === null) return 'mute';
  return media.canPlayType(film.sound) === '' || hasDecodedNoSound(media) ? 'sound' : null;
}

const hasDecodedNoSound = ({ currentTime, mozHasAudio, webkitAudioDecodedByteCount }: Media): boolean =>
  mozHasAudio === false || (currentTime > decodedBySeconds && webkitAudioDecodedByteCount === 0);

const part = (header: string | null): string | null => (header === 'none' ? null : header);

/** What the server's answer says of a film; null of a track. */
export function filmOf(headers: Pick<Headers, 'get'>): FilmStreams | null {
  const [picture, sound] = [headers.get('x-film-picture'), headers.get('x-film-sound')];
  return picture === null && sound === null ? null : { picture: part(picture), sound: part(sound) };
}

// The warm-up: a silent start that is undone. The first start on a page opens the audio device, and the first of a
// track its decoder; neither can be shortened. Measured in Chromium: 190 to 390 ms for the first start on a page, 86 to
// 90 ms after a warm-up.

const lookMs = 10;
/** A player that has not moved after this long is used without a warm-up. */
const patienceMs = 1000;

/**
 * Starts at once and leaves the element muted; calls `onOver` when it has returned to its position. Returns the
 * function that ends it early. The timers must be exact in a hidden tab, or the start would be seconds late.
 */
export function warmUp(element: HTMLMediaElement, schedule: Schedule, onOver: () => void): () => void {
  const fromSeconds = element.currentTime;
  const untilMs = performance.now() + patienceMs;
  const ending = new AbortController();
  const { signal } = ending;
  let cancel = (): void => undefined;

  function end(): void {
    if (signal.aborted) return;
    ending.abort();
    onOver();
  }

  function goBack(): void {
    element.pause();
    if (element.currentTime === fromSeconds) return end();
    element.addEventListener('seeked', end, { signal });
    element.currentTime = fromSeconds;
  }

  function look(): void {
    const isOver = element.currentTime !== fromSeconds || performance.now() >= untilMs;
    if (isOver) goBack();
    else cancel = schedule(look, lookMs);
  }

  signal.addEventListener('abort', () => cancel());
  element.muted = true;
  // The browser refused even a muted start: no warm-up.
  element.play().catch(end);
  look();
  return () => ending.abort();
}
