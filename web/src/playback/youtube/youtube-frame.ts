/**
 * YouTube's frame: fetching its script, creating it, its states and video facts, the silent first start of a cued
 * video, and a test of the rates it accepts.
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

/** The values of YT.PlayerState, which exists only once the script has loaded. */
export const youtubeState = { unstarted: -1, ended: 0, playing: 1, paused: 2, buffering: 3, cued: 5 } as const;

/** The frame's own controls skip adverts, show captions and choose a quality. Its full screen would hide the room. */
const playerVars: object = { controls: 1, fs: 0, playsinline: 1, rel: 0 };

interface FramePlace {
  /** The frame is created inside this element. */
  readonly container: HTMLElement;
  /** The origin of this page, so that the frame accepts commands from no other page. */
  readonly origin: string;
}

export interface YouTubePorts extends FramePlace {
  readonly loadApi: () => Promise<typeof YT>;
  /** Called when a person must see and touch the frame, or no longer must. */
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

/** The phase of a frame with a cued video. During an advert the frame may report that it plays. */
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

/**
 * A script that has not loaded after this long was blocked. No request goes to Google before the first YouTube track.
 */
const scriptPatienceMs = 10_000;
const apiUrl = 'https://www.youtube.com/iframe_api';

declare global {
  interface Window {
    onYouTubeIframeAPIReady?: (() => void) | undefined;
  }
}

let loading: Promise<typeof YT> | null = null;

/** Rejects when the script cannot be fetched; the next call tries again. */
export function loadYouTubeApi(): Promise<typeof YT> {
  loading ??= fetchApi().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** What the script says of itself: while it loads the rest of its code, and once that is there, another copy does nothing. */
interface ScriptState {
  loading?: number;
  readonly loaded?: number;
}

function fetchApi(): Promise<typeof YT> {
  return new Promise((resolve, reject) => {
    const earlier = (window as { readonly YT?: ScriptState }).YT;
    // It came after the attempt before had given up, and reports that only once.
    if (earlier?.loaded) return resolve(YT);
    // The rest may be lost.
    if (earlier) earlier.loading = 0;
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

/** All fields may be missing while a video is being cued. */
type VideoFacts = Partial<YT.VideoData> & { readonly isLive?: boolean };

/** Facts about the requested video; right after a cue the frame may still report the previous one. */
export function factsAbout(
  trackKey: string | undefined,
  player: { readonly getVideoData?: () => VideoFacts | undefined } | null,
): VideoFacts {
  const facts = player?.getVideoData?.() ?? {};
  const isAnother = facts.video_id !== undefined && facts.video_id !== trackKey;
  return isAnother ? {} : facts;
}

/** The video's title, followed by its author unless the title contains the name. */
export function titleOf({ title = '', author = '' }: VideoFacts): string | null {
  if (title === '') return null;
  return cleanTitle(author === '' || title.includes(author) ? title : `${title} – ${author}`, null);
}

// The warm-up: a cued video has no data yet, so its first start takes up to two seconds, different on each device.
// After one silent start it does not.

/** A frame that has not started after this long (an advert, a consent, a refusal) counts as ready without a warm-up. */
const warmUpPatienceMs = 2500;

interface WarmFrame {
  /** The user's loudness, but muted during the warm-up. */
  setLoudness(): void;
  play(): void;
  pause(): void;
  goBack(): void;
}

export class FrameWarmUp {
  readonly #schedule: Schedule;
  readonly #frame: WarmFrame;
  readonly #onReady: () => void;
  /** The video that did not start: its next cue is not warmed up again, or it would never be ready in time. */
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

  /** Called once the video is cued. Without `mayStart` it only waits for the least time of a cued video. */
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

  /** Takes a state that the frame reports. */
  onState(state: number): void {
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

  /** Ends it early, for another command to the frame. */
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

/** A frame that does not accept the rate sends no answer. */
const ratePatienceMs = 500;

/**
 * Tests once whether the frame accepts a rate between its steps, while a cued video is silent: versions of the frame
 * differ, and none declares it.
 */
export class RateTest {
  readonly #schedule: Schedule;
  readonly #setRate: (rate: number) => void;
  #isAnswered = false;
  #isAsking = false;
  #found: PlayerCapabilities | null = null;
  #cancel = (): void => undefined;

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

  /** Takes a rate that the frame reports. */
  onRate(rate: number): void {
    if (this.#isAsking) this.#answer(rate === nearRate);
  }

  /** Stops the test, for another command to the frame; it runs again later. */
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
