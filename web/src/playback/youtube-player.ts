/**
 * YouTube's embedded player as a Player. Its commands are messages to a foreign frame: they land late, its position is
 * interpolated, and rates come in steps. The follower deals with the consequences; this file only translates.
 */
import {
  youTubeError,
  type PlayerEvent,
  type PlayerPhase,
  type PlayerSnapshot,
  type Schedule,
} from '@tunemate/playback';
import type { Loudness, OneSourcePlayer } from './audible-player.ts';
import { isLive, lengthOf, noLength, watchLength } from './video-length.ts';
import { factsAbout, titleOf } from './youtube-facts.ts';
import { YouTubeWaits } from './youtube-waits.ts';

/** The numbers of YT.PlayerState, which exists only once the script is there. */
const youtubeState = { unstarted: -1, ended: 0, playing: 1, paused: 2, buffering: 3, cued: 5 } as const;

/** No controls in the frame: the room has the only ones. Plain numbers, as YT's enums come with the script. */
const playerVars: object = { controls: 0, disablekb: 1, fs: 0, playsinline: 1, rel: 0 };

export interface YouTubePorts {
  /** The element the frame goes into; it takes the frame's place and size. */
  readonly container: HTMLElement;
  /** The origin of this page, so that the frame accepts commands from no other page. */
  readonly origin: string;
  readonly loadApi: () => Promise<typeof YT>;
  readonly schedule: Schedule;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
}

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
  /** True until the frame has reported the video as cued and the pause after a cue is over. */
  #isCueing = false;
  /** Number of tracks replaced before the frame had answered their cue: the next errors may belong to them. */
  #givenUp = 0;
  #hasFailed = false;
  #state: number = youtubeState.unstarted;
  /** The rate that was requested last; the frame reports it late. */
  #rate = 1;
  #loudness: Loudness = { volume: 1, isMuted: false };
  readonly #waits: YouTubeWaits;
  #length = noLength;

  constructor(ports: YouTubePorts) {
    this.#ports = ports;
    this.#waits = new YouTubeWaits(ports.schedule);
    this.#fetch();
  }

  load(trackKey: string, startSeconds: number): void {
    this.#waits.start.end();
    this.#waits.afterCue.end();
    if (this.#cue?.trackKey !== trackKey) this.#giveUpCue();
    this.#cue = { trackKey, startSeconds };
    this.#hasFailed = false;
    this.#isCueing = true;
    this.#length = noLength;
    if (!this.#isFetching && this.#player === null) this.#fetch();
    // The frame keeps its rate from one video to the next.
    if (this.#rate !== 1) this.setRate(1);
    if (!this.#isReady) return;
    this.#waits.answer.begin(() => this.#fail('network'));
    this.#player?.cueVideoById({ videoId: trackKey, startSeconds });
  }

  unload(): void {
    this.#waits.afterCue.end();
    this.#waits.start.end();
    this.#giveUpCue();
    this.#cue = null;
    this.#isCueing = false;
    if (!this.#isReady) return;
    this.#waits.answer.end();
    this.#player?.stopVideo();
  }

  play(): void {
    if (!this.#canCommand()) return;
    this.#player?.playVideo();
    this.#waits.start.begin(() => {
      if (this.#state === youtubeState.unstarted || this.#state === youtubeState.cued) this.#emit({ type: 'blocked' });
    });
  }

  pause(): void {
    this.#waits.start.end();
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
    const facts = factsAbout(this.#cue?.trackKey, player);
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

  subscribe(listener: (event: PlayerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#listeners.clear();
    this.#waits.end();
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
    const { container, origin } = this.#ports;
    this.#waits.answer.begin(() => this.#giveUpFrame());
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
    // A video that plays was cued, even if the message about the cue was lost.
    if (state === youtubeState.playing) {
      this.#waits.afterCue.end();
      this.#isCueing = false;
    }
    if (state === youtubeState.cued && this.#isCueing) {
      this.#waits.afterCue.begin(() => {
        this.#isCueing = false;
        this.#emit({ type: 'changed' });
      });
    }
    if (state === youtubeState.playing || state === youtubeState.buffering) this.#waits.start.end();
    // An end that is reported during a cue belongs to the track before.
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
    this.#waits.start.end();
    this.#waits.answer.end();
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
