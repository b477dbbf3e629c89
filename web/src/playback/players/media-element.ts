/**
 * One media element, read and prepared for its player: position and rate through a MediaClock, what is loaded, why it
 * failed, how exactly its format is sought, and its first start.
 */
import {
  type BrowserClock,
  clockLooksMs,
  MediaClock,
  type PlayerErrorCode,
  type PlayerSnapshot,
  type Schedule,
} from '@tunemate/playback';

/** After these events the earlier steps of a position tell nothing about the next ones. */
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

  /** Whether the position of the playing element is known exactly; one that stands still is always read exactly. */
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

  /** Looks at a playing element often, for as long as that tells anything. */
  #watch(): void {
    clearTimeout(this.#nextLook);
    if (this.#element.paused) return;
    this.position();
    if (!this.#clock.wantsLooks) return this.#leaveRestingRate();
    const delayMs = clockLooksMs[this.#looks % clockLooksMs.length];
    this.#looks += 1;
    this.#nextLook = setTimeout(() => this.#watch(), delayMs);
  }

  /** A smooth clock's element rests at exactly 1, as the clock knows by now. */
  #leaveRestingRate(): void {
    this.#element.defaultPlaybackRate = 1;
    if (this.rate() === 1) this.#element.playbackRate = 1;
  }
}

/** The stretch of loaded data that a position lies in. */
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

/** After these events of a media element its player may be in another phase, or know more of its track. */
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

/** In these formats each browser lands 7 to 260 ms away from where it was sought to, each by its own amount. */
const inexactTypes: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/ogg', 'video/ogg', 'application/ogg']);

/** An unknown type counts as exact: nothing speaks against it. */
export function isSoughtExactly(type: string | null): boolean {
  const [essence = ''] = (type ?? '').split(';');
  return !inexactTypes.has(essence.trim().toLowerCase());
}

/** Codes of MediaError in the HTML standard. The page itself aborts a file when it loads another. */
const aborted = 1;
const network = 2;
/** No such source, an unknown format, or a first request that never got through: browsers do not tell them apart. */
const sourceNotSupported = 4;

/** Null where nothing failed; a promise where only the server's answer tells. */
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
  if (status === 429 || status >= 500) return 'network';
  return status < 400 ? 'unsupported' : 'not-found';
}

/** `type` is null where the server answers with an error, or names none. */
interface MediaHead {
  readonly status: number;
  readonly type: string | null;
}

/** Null when no answer comes. */
export type AskHead = (url: string) => Promise<MediaHead | null>;

const answerTimeoutMs = 10_000;

export const askHead: AskHead = async (url) => {
  try {
    const answer = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(answerTimeoutMs) });
    return { status: answer.status, type: answer.ok ? answer.headers.get('content-type') : null };
  } catch {
    return null;
  }
};

// The warm-up: a start without a sound, taken back. The first start of a page opens the device's sound, and the first of a
// track its decoder; nothing shortens either. Measured in Chromium: 190 to 390 ms for the first start of a page, 86 to
// 90 ms for one after a warm-up.

/** How often the position is looked at. */
const lookMs = 10;
/** A player that has not moved by then is left without a warm-up, so that nobody waits longer for it. */
const patienceMs = 1000;

/**
 * Begins at once and leaves the element muted; `onOver` is called when it stands still again. Returns the function that
 * ends it early. The timers must keep their time in a hidden tab, or its listener would wait for seconds.
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
  // The browser refused even a muted start: the track stays without a warm-up.
  element.play().catch(end);
  look();
  return () => ending.abort();
}
