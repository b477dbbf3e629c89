/**
 * YouTube's frame: fetching its script, making it, what its states and facts mean, the silent first start of a cued
 * video, and which rates it takes.
 */
import {
  nearRate,
  type PlayerCapabilities,
  type PlayerPhase,
  resumeAfterCueMs,
  type Schedule,
  withNearRates,
  youtubeCapabilities,
} from '@tunemate/playback';
import { cleanTitle } from '@tunemate/protocol';

/** The numbers of YT.PlayerState, which exists only once the script is there. */
export const youtubeState = { unstarted: -1, ended: 0, playing: 1, paused: 2, buffering: 3, cued: 5 } as const;

/** The frame's own controls skip adverts, show captions and choose a quality. Its full screen would lack the room. */
const playerVars: object = { controls: 1, fs: 0, playsinline: 1, rel: 0 };

interface FramePlace {
  /** The element the frame goes into; it takes the frame's place and size. */
  readonly container: HTMLElement;
  /** The origin of this page, so that the frame accepts commands from no other page. */
  readonly origin: string;
}

export interface YouTubePorts extends FramePlace {
  readonly loadApi: () => Promise<typeof YT>;
  /** Hears whether the frame needs a person, who must see it and be able to touch it. */
  readonly onNeed: (isNeeded: boolean) => void;
  readonly schedule: Schedule;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
}

export function createFrame(api: typeof YT, { container, origin }: FramePlace, events: YT.Events): YT.Player {
  const place = container.ownerDocument.createElement('div');
  container.replaceChildren(place);
  return new api.Player(place, {
    width: '100%',
    height: '100%',
    host: 'https://www.youtube.com',
    playerVars: { ...playerVars, origin },
    events,
  });
}

/** What a frame with a cued video does. During an advert it may say that it plays. */
export function phaseOf(
  state: number,
  { isStanding, isStill }: { isStanding: boolean; isStill: boolean },
): PlayerPhase {
  switch (state) {
    case youtubeState.playing:
      return isStill ? 'buffering' : 'playing';
    case youtubeState.buffering:
      return 'buffering';
    case youtubeState.ended:
      return 'ended';
    case youtubeState.paused:
      return isStanding ? 'buffering' : 'paused';
    default:
      return 'paused';
  }
}

/** A script that has not loaded by then was blocked. Nothing is asked of Google before the first YouTube track. */
const scriptPatienceMs = 10_000;
const apiUrl = 'https://www.youtube.com/iframe_api';

declare global {
  interface Window {
    onYouTubeIframeAPIReady?: (() => void) | undefined;
  }
}

let loading: Promise<typeof YT> | null = null;

/** The API, ready to make players. Rejects when the script cannot be fetched; the next call tries again. */
export function loadYouTubeApi(): Promise<typeof YT> {
  loading ??= fetchApi().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function fetchApi(): Promise<typeof YT> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const giveUp = (): void => {
      script.remove();
      reject(new Error('The YouTube player could not be fetched'));
    };
    const patience = setTimeout(giveUp, scriptPatienceMs);
    window.onYouTubeIframeAPIReady = () => {
      clearTimeout(patience);
      resolve(YT);
    };
    script.src = apiUrl;
    script.async = true;
    script.addEventListener('error', giveUp);
    document.head.append(script);
  });
}

/** All of it may be missing while a video is being cued. */
type VideoFacts = Partial<YT.VideoData> & { readonly isLive?: boolean };

/** Facts about the video that was asked for; right after a cue the frame may still tell those of the one before. */
export function factsAbout(
  trackKey: string | undefined,
  player: { readonly getVideoData?: () => VideoFacts | undefined } | null,
): VideoFacts {
  const facts = player?.getVideoData?.() ?? {};
  const isAnother = facts.video_id !== undefined && facts.video_id !== trackKey;
  return isAnother ? {} : facts;
}

/** The video's title, followed by its author where the title does not contain the name. */
export function titleOf({ title = '', author = '' }: VideoFacts): string | null {
  if (title === '') return null;
  return cleanTitle(author === '' || title.includes(author) ? title : `${title} – ${author}`, null);
}

// The warm-up: a cued video has no data yet, so its first start takes up to two seconds, different on each device. One that
// has started once without a sound does not.

/** A frame that has not started by then (an advert, a consent, a refusal) is ready without having been warm. */
const warmUpPatienceMs = 2500;

/** What is asked of the frame. */
interface WarmFrame {
  /** As the person has set it, but without a sound while this is running. */
  setLoudness(): void;
  play(): void;
  pause(): void;
  goBack(): void;
}

export class FrameWarmUp {
  readonly #schedule: Schedule;
  readonly #frame: WarmFrame;
  readonly #onReady: () => void;
  /** The video that did not start: a cue of it that follows is not warmed up once more, or it would never be ready in time. */
  #coldKey: string | null = null;
  #isRunning = false;
  #hasPlayed = false;
  #isBack = false;
  #isPast = false;
  #cancels: (() => void)[] = [];

  constructor(schedule: Schedule, frame: WarmFrame, onReady: () => void) {
    this.#schedule = schedule;
    this.#frame = frame;
    this.#onReady = onReady;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** The video is cued. Where `mayStart` is false it only waits for as long as a cued video needs at least. */
  begin(trackKey: string, mayStart: boolean): void {
    this.leave();
    this.#isRunning = true;
    const isStarted = mayStart && trackKey !== this.#coldKey;
    this.#coldKey = isStarted ? trackKey : this.#coldKey;
    [this.#hasPlayed, this.#isBack, this.#isPast] = [false, !isStarted, false];
    this.#cancels = [
      this.#schedule(() => {
        this.#isPast = true;
        this.#endIfOver();
      }, resumeAfterCueMs),
      this.#schedule(() => this.#end(), warmUpPatienceMs),
    ];
    if (!isStarted) return;
    this.#frame.setLoudness();
    this.#frame.play();
  }

  /** The frame tells a state. */
  told(state: number): void {
    if (!this.#isRunning || this.#isBack) return;
    if (state === youtubeState.playing && !this.#hasPlayed) {
      this.#hasPlayed = true;
      this.#frame.pause();
      this.#frame.goBack();
    }
    this.#isBack = state === youtubeState.paused && this.#hasPlayed;
    if (this.#isBack) this.#coldKey = null;
    this.#endIfOver();
  }

  /** Something else is wanted of the frame. */
  leave(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    for (const cancel of this.#cancels) cancel();
    this.#frame.setLoudness();
  }

  #endIfOver(): void {
    if (this.#isPast && this.#isBack) this.#end();
  }

  #end(): void {
    if (!this.#isBack) this.#frame.pause();
    this.leave();
    this.#onReady();
  }
}

/** A frame that did not take the rate says nothing. */
const ratePatienceMs = 500;

/**
 * Asks the frame once whether it plays at a rate beside its steps, while a cued video is silent: versions of the frame
 * differ, and none says so before.
 */
export class RateQuestion {
  readonly #schedule: Schedule;
  readonly #setRate: (rate: number) => void;
  #isAnswered = false;
  #isAsking = false;
  #found: PlayerCapabilities | null = null;
  #cancel = (): void => undefined;

  /** `setRate` tells the frame. */
  constructor(schedule: Schedule, setRate: (rate: number) => void) {
    this.#schedule = schedule;
    this.#setRate = setRate;
  }

  get found(): PlayerCapabilities | null {
    return this.#found;
  }

  ask(): void {
    if (this.#isAnswered || this.#isAsking) return;
    this.#isAsking = true;
    this.#setRate(nearRate);
    this.#cancel = this.#schedule(() => this.#answer(false), ratePatienceMs);
  }

  /** The frame reports a rate. */
  told(rate: number): void {
    if (this.#isAsking) this.#answer(rate === nearRate);
  }

  /** The frame has other things to do: it is asked again another time. */
  leave(): void {
    this.#cancel();
    this.#isAsking = false;
  }

  #answer(isTaken: boolean): void {
    this.leave();
    this.#isAnswered = true;
    if (isTaken) this.#found = withNearRates(youtubeCapabilities);
    this.#setRate(1);
  }
}
