/**
 * A device without an account that plays along for a minute: it follows the track of a room by the same engine as pages of
 * that room. Each answer of the server is a probe of its clock and tells where the track is.
 */
import {
  audioSeekToleranceSeconds,
  ClockOffset,
  type FollowStatus,
  type Schedule,
  startFollowLoop,
  startProbeLoop,
} from '@tunemate/playback';
import type { RouteValue } from '@tunemate/protocol';
import type { CallRoute } from '../connection/http.ts';
import { MediaPlayer } from '../playback/players/media-player.ts';
import { SourcePlayer } from '../playback/players/source-player.ts';
import { cell, type Readable } from '../store/cell.ts';

export type Along =
  | { readonly status: 'loading' }
  | { readonly status: 'ready' | 'playing' | 'paused'; readonly track: Beside['track']; readonly isInStep: boolean }
  /** The minute, the key or the track is over. */
  | { readonly status: 'over' };

type Beside = RouteValue<'GET /api/beside'>;

export interface PlayAlong {
  readonly state: Readable<Along>;
  /** Asks for the track, again and again; returns the function that ends all of it. */
  open(): () => void;
  /** Must be called inside the handler of a press, which browsers want before they play sound. */
  start(): void;
}

interface PlayAlongPorts {
  readonly callRoute: CallRoute;
  readonly element: HTMLMediaElement;
  readonly schedule: Schedule;
  readonly nowMs: () => number;
}

const lastsMs = 60_000;
/** A pause of the room is heard at the latest after this. */
const lookEveryMs = 2000;
const inStepMs = 20;

/** Plays nothing before `start`. */
export function playAlong(key: string, { callRoute, element, schedule, nowMs }: PlayAlongPorts): PlayAlong {
  const state = cell<Along>({ status: 'loading' });
  const clock = new ClockOffset();
  const url = `/beside/${encodeURIComponent(key)}/track`;
  const library = () => new MediaPlayer(element, { schedule, urlOf: () => url });
  // Bundled tracks are of the library alone.
  const player = new SourcePlayer({ library, youtube: library });
  let found: Beside | null = null;
  let loop: ReturnType<typeof startFollowLoop> | null = null;
  let hasEnded = false;
  const cancels: (() => void)[] = [];

  function halt(): void {
    for (const cancel of cancels.splice(0)) cancel();
  }

  function end(): void {
    hasEnded = true;
    halt();
    player.dispose();
    state.set({ status: 'over' });
  }

  function show(status?: FollowStatus): void {
    if (found === null || hasEnded) return;
    const { track, timeline } = found;
    const now = status ?? loop?.status();
    const driftMs = now?.smoothedDriftMs ?? null;
    const isInStep = driftMs !== null && Math.abs(driftMs) <= inStepMs;
    const before = state.get();
    const next = loop === null ? 'ready' : timeline.isPlaying ? 'playing' : 'paused';
    if (before.status === next && before.isInStep === isInStep) return;
    state.set({ status: next, track, isInStep });
  }

  function take(next: Beside): void {
    if (found !== null && found.track.videoId !== next.track.videoId) return end();
    found = next;
    loop?.setTimeline({ ...next.timeline, trackKey: next.track.videoId });
    show();
  }

  function open(): () => void {
    const probes = startProbeLoop({
      clock,
      nowMs,
      schedule,
      send: (onAnswer) =>
        void callRoute('GET /api/beside', { key }).then((answer) => {
          if (hasEnded) return;
          if (answer.ok) {
            onAnswer(answer.value);
            take(answer.value);
          } else if (answer.error.code === 'access/not-found') end();
        }),
    });
    const timer = setInterval(() => probes.soon(), lookEveryMs);
    cancels.push(probes.stop, () => clearInterval(timer));
    return halt;
  }

  return {
    state,
    open,
    start() {
      if (loop !== null || hasEnded) return;
      const seekToleranceSeconds = audioSeekToleranceSeconds;
      const follow = startFollowLoop({ player, clock, nowMs, schedule, seekToleranceSeconds, onStatus: show });
      loop = follow;
      cancels.push(
        () => follow.stop(),
        () => player.pause(),
        schedule(end, lastsMs),
      );
      if (found !== null) take(found);
      follow.tapToListen();
    },
  };
}
