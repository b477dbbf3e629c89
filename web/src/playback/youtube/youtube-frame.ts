/** Makes YouTube's frame: where it goes, what it may show of its own, whom it listens to; and what its states mean. */
import type { PlayerPhase, Schedule } from '@tunemate/playback';

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
