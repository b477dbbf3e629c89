/**
 * YouTube's embedded player as a Player. Its commands are messages to a foreign frame: they land late, its position is
 * interpolated, and rates come in steps. What follows from that is the follower's matter; this file only translates.
 */
import {
  resumeAfterCueMs,
  youTubeError,
  type PlayerEvent,
  type PlayerPhase,
  type PlayerSnapshot,
  type Schedule,
} from '@tunemate/playback';
import { cleanTitle } from '@tunemate/protocol';
import type { Loudness, OneSourcePlayer } from './audible-player.ts';
import { isLive, lengthOf, noLength, watchLength } from './video-length.ts';

/** The numbers of YT.PlayerState, which exists only once the script is there. */
const youtubeState = { unstarted: -1, ended: 0, playing: 1, paused: 2, buffering: 3, cued: 5 } as const;
/** A start that shows no effect for this long was refused by the browser, in frames that do not say so themselves. */
const blockedAfterMs = 4000;
/** A frame that is not there, or has not cued its video, after this long was kept away by the network or a filter. */
const patienceMs = 10_000;

/** No controls in the frame: the room has the only ones. Plain numbers, as YT's enums come with the script. */
const playerVars: object = { controls: 0, disablekb: 1, fs: 0, playsinline: 1, rel: 0 };

export interface YouTubePorts {
  /** The element the frame goes into; it takes the frame's place and size. */
  readonly container: HTMLElement;
  /** This page's own, so that the frame answers it and no other. */
  readonly origin: string;
  readonly loadApi: () => Promise<typeof YT>;
  readonly schedule: Schedule;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
}

/** What the frame tells of its video; all of it may be missing while a video is being cued. */
type VideoFacts = Partial<YT.VideoData> & { readonly isLive?: boolean };

interface Cue {
  readonly trackKey: string;
  readonly startSeconds: number;
}

export class YouTubePlayer implements OneSourcePlayer {
  readonly #ports: YouTubePorts;
  readonly #listeners = new Set<(event: PlayerEvent) => void>();
  #player: YT.Player | null = null;
  #isFetching = false;
  #isReady = false;
  #isDisposed = false;
  #cue: Cue | null = null;
  /** Loading until the frame says it has cued the video and YouTube's own pause for thought is over. */
  #isCueing = false;
  /** Tracks given up before the frame had answered their cue: an error on its way may be theirs. */
  #givenUp = 0;
  #hasFailed = false;
  #state: number = youtubeState.unstarted;
  /** As it was asked for last: what the frame tells of it comes late. */
  #rate = 1;
  #loudness: Loudness = { volume: 1, isMuted: false };
  #cancelCue = (): void => undefined;
  #cancelWatch = (): void => undefined;
  #cancelPatience = (): void => undefined;
  #length = noLength;

  constructor(ports: YouTubePorts) {
    this.#ports = ports;
    this.#fetch();
  }

  load(trackKey: string, startSeconds: number): void {
    this.#cancelWatch();
    if (this.#cue?.trackKey !== trackKey) this.#giveUpCue();
    this.#cue = { trackKey, startSeconds };
    this.#hasFailed = false;
    this.#isCueing = true;
    this.#length = noLength;
    if (!this.#isFetching && this.#player === null) this.#fetch();
    // The frame keeps its rate from one video to the next.
    if (this.#rate !== 1) this.setRate(1);
    if (!this.#isReady) return;
    this.#waitFor(() => this.#fail('network'));
    this.#player?.cueVideoById({ videoId: trackKey, startSeconds });
  }

  unload(): void {
    this.#cancelCue();
    this.#cancelWatch();
    this.#giveUpCue();
    this.#cue = null;
    this.#isCueing = false;
    if (!this.#isReady) return;
    this.#cancelPatience();
    this.#player?.stopVideo();
  }

  play(): void {
    if (!this.#canCommand()) return;
    this.#player?.playVideo();
    this.#cancelWatch();
    this.#cancelWatch = this.#ports.schedule(() => {
      if (this.#state === youtubeState.unstarted || this.#state === youtubeState.cued) this.#emit({ type: 'blocked' });
    }, blockedAfterMs);
  }

  pause(): void {
    this.#cancelWatch();
    if (this.#canCommand()) this.#player?.pauseVideo();
  }

  seek(positionSeconds: number): void {
    const cue = this.#cue;
    if (cue === null || !this.#canCommand()) return;
    // A cued video would start by itself when it is sought in, so it is cued anew.
    if (this.#state === youtubeState.cued || this.#state === youtubeState.unstarted)
      this.load(cue.trackKey, positionSeconds);
    else this.#player?.seekTo(positionSeconds, true);
  }

  setRate(rate: number): void {
    if (!this.#canCommand()) return;
    this.#rate = rate;
    this.#player?.setPlaybackRate(rate);
  }

  setLoudness(loudness: Loudness): void {
    this.#loudness = loudness;
    if (!this.#isReady || this.#player === null) return;
    this.#player.setVolume(Math.round(loudness.volume * 100));
    if (loudness.isMuted) this.#player.mute();
    else this.#player.unMute();
  }

  snapshot(): PlayerSnapshot {
    const player = this.#isReady ? this.#player : null;
    const toldSeconds = player?.getDuration() ?? 0;
    const facts = this.#facts(player);
    const nowMs = this.#ports.nowMs();
    if (!this.#isCueing) this.#length = watchLength(this.#length, toldSeconds, nowMs);
    const isAtCue = this.#isCueing || this.#state === youtubeState.cued || this.#state === youtubeState.unstarted;
    const atCueSeconds = this.#cue?.startSeconds ?? 0;
    const loadedSeconds = (player?.getVideoLoadedFraction() ?? 0) * toldSeconds;
    return {
      phase: this.#phase(),
      positionSeconds: isAtCue ? atCueSeconds : (player?.getCurrentTime() ?? 0),
      rate: player?.getPlaybackRate() ?? 1,
      durationSeconds: this.#isCueing ? null : lengthOf(this.#length, facts.isLive, nowMs),
      bufferedUntilSeconds: loadedSeconds > 0 ? loadedSeconds : null,
      liveEdgeSeconds: !this.#isCueing && isLive(this.#length, facts.isLive) ? toldSeconds : null,
      title: titleOf(facts),
    };
  }

  /** What is told of the video that was asked for; right after a cue the frame may still speak of the one before. */
  #facts(player: { readonly getVideoData?: () => VideoFacts | undefined } | null): VideoFacts {
    const facts = player?.getVideoData?.() ?? {};
    const isAnother = facts.video_id !== undefined && facts.video_id !== this.#cue?.trackKey;
    return isAnother ? {} : facts;
  }

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
    this.#cancelCue();
    this.#cancelWatch();
    this.#cancelPatience();
    this.#player?.destroy();
    this.#player = null;
  }

  /** Once is enough, unless it failed: the next track tries again. */
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
    const { container, origin } = this.#ports;
    this.#waitFor(() => this.#giveUpFrame());
    const place = container.ownerDocument.createElement('div');
    container.replaceChildren(place);
    this.#player = new api.Player(place, {
      width: '100%',
      height: '100%',
      host: 'https://www.youtube.com',
      playerVars: { ...playerVars, origin },
      events: {
        onReady: () => this.#onReady(),
        onStateChange: ({ data }) => this.#onState(data),
        onPlaybackRateChange: () => this.#emit({ type: 'changed' }),
        onAutoplayBlocked: () => this.#emit({ type: 'blocked' }),
        onError: ({ data }) => this.#onError(data),
      },
    });
  }

  /** One thing is waited for at a time: the frame, then the cue. */
  #waitFor(onTooLate: () => void): void {
    this.#cancelPatience();
    this.#cancelPatience = this.#ports.schedule(onTooLate, patienceMs);
  }

  /** The next track, or the next try, makes another. */
  #giveUpFrame(): void {
    this.#player?.destroy();
    this.#player = null;
    this.#fail('network');
  }

  #onReady(): void {
    if (this.#player === null) return;
    this.#cancelPatience();
    this.#isReady = true;
    this.setLoudness(this.#loudness);
    if (this.#cue !== null) this.load(this.#cue.trackKey, this.#cue.startSeconds);
    this.#emit({ type: 'changed' });
  }

  #onState(state: number): void {
    this.#state = state;
    if (state === youtubeState.playing || state === youtubeState.cued) this.#cancelPatience();
    if (state === youtubeState.playing || state === youtubeState.cued) this.#givenUp = 0;
    // It can't be cueing any more, whatever became of the message that it was cued.
    if (state === youtubeState.playing) {
      this.#cancelCue();
      this.#isCueing = false;
    }
    if (state === youtubeState.cued && this.#isCueing) {
      this.#cancelCue();
      this.#cancelCue = this.#ports.schedule(() => {
        this.#isCueing = false;
        this.#emit({ type: 'changed' });
      }, resumeAfterCueMs);
    }
    if (state === youtubeState.playing || state === youtubeState.buffering) this.#cancelWatch();
    // What ends while another track is being cued is the one before.
    this.#emit(state === youtubeState.ended && !this.#isCueing ? { type: 'ended' } : { type: 'changed' });
  }

  #giveUpCue(): void {
    if (this.#isReady && this.#isCueing) this.#givenUp += 1;
  }

  /** The frame does not say which video an error is about. */
  #onError(data: number): void {
    if (this.#cue === null) return;
    if (this.#givenUp === 0) return this.#fail(youTubeError(data));
    this.#givenUp -= 1;
    this.load(this.#cue.trackKey, this.#cue.startSeconds);
  }

  #fail(code: ReturnType<typeof youTubeError>): void {
    this.#hasFailed = true;
    this.#isCueing = false;
    this.#cancelWatch();
    this.#cancelPatience();
    this.#emit({ type: 'failed', code });
  }

  #phase(): PlayerPhase {
    if (this.#cue === null) return 'empty';
    if (this.#hasFailed) return 'failed';
    if (!this.#isReady || this.#isCueing) return 'loading';
    switch (this.#state) {
      case youtubeState.playing:
        return 'playing';
      case youtubeState.buffering:
        return 'buffering';
      case youtubeState.ended:
        return 'ended';
      default:
        return 'paused';
    }
  }

  #canCommand(): boolean {
    return this.#isReady && this.#cue !== null && !this.#hasFailed;
  }

  #emit(event: PlayerEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** The video's title, with whose it is where the title does not say so itself. */
function titleOf({ title = '', author = '' }: VideoFacts): string | null {
  if (title === '') return null;
  return cleanTitle(author === '' || title.includes(author) ? title : `${title} – ${author}`, null);
}
