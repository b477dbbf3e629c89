/** YouTube's player over a fake of its API, which records commands and whose states the test sets. */
import type { PlayerEvent } from '@tunemate/playback';
import { settle } from './fake-clock.ts';
import { manualTimer } from './connection-fixtures.ts';
import { YouTubePlayer } from '../src/playback/youtube/youtube-player.ts';

function fakeApi() {
  const commands: string[] = [];
  let options: YT.PlayerOptions = {};
  const reported = {
    duration: 200,
    seconds: 33,
    rate: 1,
    data: { video_id: 'dQw4w9WgXcQ', title: '', author: '', isLive: false } as object,
  };
  let made = 0;
  const frame = {
    cueVideoById: ({ videoId, startSeconds }: { videoId: string; startSeconds: number }) =>
      commands.push(`cue ${videoId} ${startSeconds}`),
    playVideo: () => commands.push('play'),
    pauseVideo: () => commands.push('pause'),
    stopVideo: () => commands.push('stop'),
    seekTo: (seconds: number) => commands.push(`seek ${seconds}`),
    setPlaybackRate: (rate: number) => commands.push(`rate ${rate}`),
    setVolume: (volume: number) => commands.push(`volume ${volume}`),
    mute: () => commands.push('mute'),
    unMute: () => commands.push('unmute'),
    getDuration: () => reported.duration,
    getVideoData: () => reported.data,
    getCurrentTime: () => reported.seconds,
    getPlaybackRate: () => reported.rate,
    getVideoLoadedFraction: () => 0.5,
    destroy: () => commands.push('destroy'),
  };
  function Player(_place: unknown, given: YT.PlayerOptions) {
    options = given;
    made += 1;
    return frame;
  }
  return {
    api: { Player } as unknown as typeof YT,
    commands,
    reported,
    made: () => made,
    options: () => options,
    ready: () => options.events?.onReady?.({} as YT.PlayerEvent),
    rate: (data: number) => options.events?.onPlaybackRateChange?.({ data } as YT.OnPlaybackRateChangeEvent),
    state: (data: number) => options.events?.onStateChange?.({ data } as YT.OnStateChangeEvent),
    /** A cue, and the silent start after it. */
    cueAndWarm() {
      for (const state of [5, 3, 1, 2]) this.state(state);
    },
    error: (data: number) => options.events?.onError?.({ data } as YT.OnErrorEvent),
    blocked: () => options.events?.onAutoplayBlocked?.({} as YT.PlayerEvent),
  };
}

export const container = {
  ownerDocument: { createElement: () => ({}) },
  replaceChildren: () => undefined,
} as unknown as HTMLElement;

/** Nothing is loaded, and the frame not ready. Timers of the player may be late. */
export async function made(lateMs = 0) {
  const timer = manualTimer();
  const fake = fakeApi();
  const needs: boolean[] = [];
  const player = new YouTubePlayer({
    container,
    origin: 'https://tunemate.example',
    loadApi: () => Promise.resolve(fake.api),
    schedule: (task, delayMs) => timer.schedule(task, delayMs + lateMs),
    nowMs: timer.nowMs,
    onNeed: (isNeeded) => needs.push(isNeeded),
  });
  const events: PlayerEvent[] = [];
  player.subscribe((event) => events.push(event));
  await settle();
  return { timer, fake, player, events, needs };
}

/** It stands ready at 7 s. */
export async function cued() {
  const all = await made();
  all.player.load('dQw4w9WgXcQ', 7);
  all.fake.ready();
  all.fake.cueAndWarm();
  all.timer.pass(800);
  return all;
}

export async function started() {
  const all = await cued();
  all.player.play();
  all.fake.state(3);
  all.fake.state(1);
  all.timer.pass(1000);
  return all;
}
export const kinds = (events: readonly PlayerEvent[]) =>
  events.map(({ type }) => type).filter((type) => type !== 'changed');
