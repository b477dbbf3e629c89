/**
 * YouTube's embedded player as a Player. Its commands are messages to a foreign frame: they take effect late, its
 * position is interpolated, and rates come in steps. The follower handles the consequences; this file only translates.
 */
import {
  type PlayerCapabilities,
  type PlayerEvent,
  type PlayerPhase,
  type PlayerSnapshot,
  type Schedule,
  youTubeError,
} from '@tunemate/playback';
import { signal } from '../../store/cell.ts';
import type { Loudness, OneSourcePlayer } from '../players/source-player.ts';
import { FrameNeed, FrameWatch, unknownLength, VideoLength } from './frame-watch.ts';
import {
  createFrame,
  factsAbout,
  FrameWarmUp,
  loadYouTubeApi,
  phaseOf,
  RateTest,
  titleOf,
  type YouTubePorts,
  youtubeState,
} from './youtube-frame.ts';

export class YouTubePlayer implements OneSourcePlayer {
  readonly #ports: YouTubePorts;
  readonly #events = signal<PlayerEvent>();
  readonly subscribe = this.#events.subscribe;
  #player: YT.Player | null = null;
  #isFetching = false;
  #isReady = false;
  #isDisposed = false;
  #cue: { readonly trackKey: string; readonly startSeconds: number } | null = null;
  /** True until the frame has reported the video as cued, and the warm-up has ended. */
  #isCueing = false;
  /** It has played, or was commanded to, since it was cued: until then its position is the cued one. */
  #hasStarted = false;
  /** Number of tracks replaced before the frame had answered their cue: the next errors may belong to them. */
  #givenUp = 0;
  #hasFailed = false;
  #state: number = youtubeState.unstarted;
  /** The last requested rate; the frame reports it late. */
  #rate = 1;
  #loudness: Loudness = { volume: 1, isMuted: false };
  #wantsToPlay = false;
  readonly #waits: YouTubeWaits;
  readonly #watch: FrameWatch;
  readonly #need: FrameNeed;
  readonly #rates: RateTest;
  readonly #warmUp: FrameWarmUp;
  #length = new VideoLength();

  constructor(ports: YouTubePorts) {
    this.#ports = ports;
    const { schedule, nowMs } = ports;
    this.#waits = new YouTubeWaits(schedule);
    this.#watch = new FrameWatch({ schedule, nowMs, read: () => this.#read(), emit: (event) => this.#emit(event) });
    this.#need = new FrameNeed(schedule, ports.onNeed);
    this.#rates = new RateTest(schedule, (rate) => this.setRate(rate));
    const warmFrame = {
      setLoudness: () => this.setLoudness(this.#loudness),
      play: () => this.#player?.playVideo(),
      pause: () => this.#player?.pauseVideo(),
      goBack: () => this.#player?.seekTo(this.#cue?.startSeconds ?? 0, true),
    };
    this.#warmUp = new FrameWarmUp(schedule, warmFrame, () => {
      this.#isCueing = false;
      this.#watch.onState(this.#state);
      this.#emit({ type: 'changed' });
    });
    this.#fetch();
  }

  load(trackKey: string, startSeconds: number): void {
    this.#leaveCue();
    if (this.#cue?.trackKey !== trackKey) this.#giveUpCue();
    this.#cue = { trackKey, startSeconds };
    this.#hasFailed = false;
    this.#isCueing = true;
    this.#hasStarted = false;
    this.#watch.commanded('load', this.#state);
    this.#length = new VideoLength();
    if (!this.#isFetching && this.#player === null) this.#fetch();
    // The frame keeps its rate from one video to the next.
    if (this.#rate !== 1) this.setRate(1);
    if (!this.#isReady) return;
    this.#waits.answer.begin(() => this.#fail('network'));
    this.#player?.cueVideoById({ videoId: trackKey, startSeconds });
  }

  unload(): void {
    this.#leaveCue();
    this.#giveUpCue();
    this.#cue = null;
    this.#isCueing = false;
    this.#watch.commanded('load', this.#state);
    if (!this.#isReady) return;
    this.#waits.answer.end();
    this.#player?.stopVideo();
  }

  play(): void {
    if (!this.#canCommand()) return;
    this.#warmUp.leave();
    this.#hasStarted = true;
    this.#watch.commanded('play', this.#state);
    this.#player?.playVideo();
    this.#want(true);
    this.#waits.start.begin(() => this.#emit({ type: 'blocked' }));
  }

  pause(): void {
    this.#waits.start.end();
    this.#want(false);
    if (!this.#canCommand()) return;
    this.#watch.commanded('pause', this.#state);
    this.#player?.pauseVideo();
  }

  seek(positionSeconds: number): void {
    const cue = this.#cue;
    if (cue === null || !this.#canCommand()) return;
    // A seek in a cued video would start it, so it is cued again.
    if (this.#state === youtubeState.cued || this.#state === youtubeState.unstarted)
      return this.load(cue.trackKey, positionSeconds);
    this.#cue = { ...cue, startSeconds: positionSeconds };
    this.#watch.commanded('seek', this.#state);
    this.#player?.seekTo(positionSeconds, true);
  }

  setRate(rate: number): void {
    if (!this.#canCommand()) return;
    this.#rate = rate;
    this.#player?.setPlaybackRate(rate);
  }

  /** A video is silent during its warm-up. */
  setLoudness(loudness: Loudness): void {
    this.#loudness = loudness;
    if (!this.#isReady || this.#player === null) return;
    this.#player.setVolume(Math.round(loudness.volume * 100));
    if (loudness.isMuted || this.#warmUp.isRunning) this.#player.mute();
    else this.#player.unMute();
  }

  found(): PlayerCapabilities | null {
    return this.#rates.found;
  }

  snapshot(): PlayerSnapshot {
    const player = this.#isReady ? this.#player : null;
    const reportedSeconds = player?.getDuration() ?? 0;
    const facts = factsAbout(this.#cue?.trackKey, player);
    const isAtCue = !this.#hasStarted || this.#state === youtubeState.cued || this.#state === youtubeState.unstarted;
    const loadedSeconds = (player?.getVideoLoadedFraction() ?? 0) * reportedSeconds;
    return {
      phase: this.#phase(),
      positionSeconds: (isAtCue ? this.#cue?.startSeconds : player?.getCurrentTime()) ?? 0,
      rate: player?.getPlaybackRate() ?? 1,
      bufferedUntilSeconds: loadedSeconds > 0 ? loadedSeconds : null,
      ...(this.#isCueing ? unknownLength : this.#length.update(reportedSeconds, facts.isLive, this.#ports.nowMs())),
      title: titleOf(facts),
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#events.clear();
    this.#leaveCue();
    this.#waits.end();
    this.#watch.end();
    this.#player?.destroy();
    this.#player = null;
  }

  /** Fetches the script once; after a failure the next track tries again. */
  #fetch(): void {
    this.#isFetching = true;
    this.#ports
      .loadApi()
      .then(
        (api) => this.#create(api),
        () => this.#fail('network'),
      )
      .finally(() => (this.#isFetching = false));
  }

  #create(api: typeof YT): void {
    if (this.#isDisposed) return;
    this.#waits.answer.begin(() => this.#giveUpFrame());
    this.#player = createFrame(api, this.#ports, {
      onReady: () => this.#onReady(),
      onStateChange: ({ data }) => this.#onState(data),
      onPlaybackRateChange: ({ data }) => {
        this.#rates.onRate(data);
        this.#emit({ type: 'changed' });
      },
      onAutoplayBlocked: () => this.#emit({ type: 'blocked' }),
      onError: ({ data }) => this.#onError(data),
    });
  }

  /** The next load creates another frame. */
  #giveUpFrame(): void {
    this.#player?.destroy();
    this.#player = null;
    this.#fail('network');
  }

  #onReady(): void {
    if (this.#player === null) return;
    this.#waits.answer.end();
    this.#isReady = true;
    this.setLoudness(this.#loudness);
    if (this.#cue !== null) this.load(this.#cue.trackKey, this.#cue.startSeconds);
    this.#emit({ type: 'changed' });
  }

  #onState(state: number): void {
    this.#state = state;
    if (state === youtubeState.playing || state === youtubeState.cued) this.#waits.answer.end();
    if (state === youtubeState.playing || state === youtubeState.cued) this.#givenUp = 0;
    this.#warmUp.onState(state);
    // A playing video was cued, even if the message about the cue was lost.
    if (state === youtubeState.playing && !this.#warmUp.isRunning) {
      this.#isCueing = false;
      this.#hasStarted = true;
    }
    if (state === youtubeState.cued && this.#isCueing && this.#cue !== null) {
      const { trackKey } = this.#cue;
      // A live stream cannot return to its cued position, which is now.
      this.#warmUp.begin(trackKey, factsAbout(trackKey, this.#player).isLive !== true);
      this.#rates.ask();
    }
    if (state === youtubeState.playing || state === youtubeState.buffering) this.#waits.start.end();
    if (!this.#warmUp.isRunning) this.#watch.onState(state);
    // An end that is reported during a cue belongs to the previous track.
    this.#emit(state === youtubeState.ended && !this.#isCueing ? { type: 'ended' } : { type: 'changed' });
  }

  #leaveCue(): void {
    this.#waits.start.end();
    this.#warmUp.leave();
    this.#rates.leave();
    this.#want(false);
  }

  /** A live stream is read without a length. */
  #read() {
    if (this.#isCueing || this.#hasFailed || this.#cue === null) return null;
    const { positionSeconds, rate, durationSeconds } = this.snapshot();
    return { state: this.#state, positionSeconds, rate, durationSeconds };
  }

  #giveUpCue(): void {
    if (this.#isReady && this.#isCueing) this.#givenUp += 1;
  }

  /** The frame does not report which video an error is about. */
  #onError(data: number): void {
    if (this.#cue === null) return;
    if (this.#givenUp === 0) return this.#fail(youTubeError(data));
    this.#givenUp -= 1;
    this.load(this.#cue.trackKey, this.#cue.startSeconds);
  }

  #fail(code: ReturnType<typeof youTubeError>): void {
    this.#hasFailed = true;
    this.#isCueing = false;
    this.#leaveCue();
    this.#waits.answer.end();
    this.#emit({ type: 'failed', code });
  }

  #phase(): PlayerPhase {
    if (this.#cue === null) return 'empty';
    if (this.#hasFailed) return 'failed';
    if (!this.#isReady || this.#isCueing) return 'loading';
    return phaseOf(this.#state, this.#watch);
  }

  #canCommand = (): boolean => this.#isReady && this.#cue !== null && !this.#hasFailed;

  #want(wantsToPlay: boolean): void {
    this.#wantsToPlay = wantsToPlay;
    this.#noteNeed();
  }

  #noteNeed(): void {
    const mayNeed = this.#wantsToPlay && this.#state !== youtubeState.paused;
    this.#need.note(mayNeed && !['playing', 'ended', 'failed'].includes(this.#phase()));
  }

  #emit(event: PlayerEvent): void {
    this.#noteNeed();
    this.#events.emit(event);
  }
}

/** A start without an effect after this long was refused by the browser; some frames do not report that. */
const blockedAfterMs = 4000;
/** A frame that does not exist, or has not cued its video, after this long was blocked by the network or a filter. */
const answerTimeoutMs = 10_000;

/** One timer: starting it again replaces the earlier wait. */
class Wait {
  readonly #schedule: Schedule;
  readonly #delayMs: number;
  #cancel = (): void => undefined;

  constructor(schedule: Schedule, delayMs: number) {
    this.#schedule = schedule;
    this.#delayMs = delayMs;
  }

  begin(onOver: () => void): void {
    this.#cancel();
    this.#cancel = this.#schedule(onOver, this.#delayMs);
  }

  end(): void {
    this.#cancel();
  }
}

export class YouTubeWaits {
  /** For the frame, and then for each cue. */
  readonly answer: Wait;
  /** For a start to take effect. */
  readonly start: Wait;

  constructor(schedule: Schedule) {
    this.answer = new Wait(schedule, answerTimeoutMs);
    this.start = new Wait(schedule, blockedAfterMs);
  }

  end(): void {
    for (const wait of [this.answer, this.start]) wait.end();
  }
}

/** This module is fetched when a room first plays from YouTube. */
export function createYouTubePlayer(ports: Omit<YouTubePorts, 'origin' | 'loadApi'>): YouTubePlayer {
  return new YouTubePlayer({ ...ports, origin: location.origin, loadApi: loadYouTubeApi });
}
