/**
 * The music on the lock screen, headsets and media keys: the host controls the room from there; guests pause this
 * device and return to live.
 */
import type { FollowStatus } from '@tunemate/playback';
import type { Unsubscribe } from '../store/cell.ts';
import type { PlaybackModel } from './playback-model.ts';
import { isShownPlaying, mayPress } from './playback-view.ts';

interface LockScreenPorts {
  readonly session: MediaSession;
  readonly model: PlaybackModel;
  readonly roomName: string;
}

/** For tracks without a cover. */
const ownCover = '/icon-512.png';
const skipSeconds = 10;

const actions = ['play', 'pause', 'seekto', 'seekbackward', 'seekforward', 'previoustrack', 'nexttrack'] as const;
type Action = (typeof actions)[number];
type Handlers = Partial<Record<Action, MediaSessionActionHandler>>;

export function showOnLockScreen({ session, model, roomName }: LockScreenPorts): Unsubscribe {
  let shownTrack: string | null = null;
  let shownHandlers = '';

  const show = (): void => lenient(showAll);

  function showAll(): void {
    const { playing, control } = model.view.get();
    const isLeading = mayPress({ control }) || control === 'free';
    const track = playing.track && `${playing.track.videoId} ${playing.title}`;
    if (track !== shownTrack) {
      shownTrack = track;
      session.metadata = playing.track && metadata(playing.title, roomName, playing.track.thumbnail ?? ownCover);
    }
    session.playbackState = stateOf(model);
    setPosition(session, playing.durationSeconds, model.positionSeconds());
    const turns = playing.queue.length > 1 || playing.afterTrack === 'suggested';
    const wanted = `${String(isLeading)} ${String(turns)}`;
    if (wanted === shownHandlers) return;
    shownHandlers = wanted;
    setHandlers(session, isLeading ? hostHandlers(model, turns) : guestHandlers(model));
  }

  const ends = [model.view.subscribe(show), onChange(() => model.follow.get().status, model.follow.subscribe, show)];
  show();
  return () => {
    for (const end of ends) end();
    setHandlers(session, {});
    lenient(() => {
      session.metadata = null;
      session.playbackState = 'none';
    });
  };
}

/** What a device shows beside the page ends nothing of it: a picture, a length or a place that it does not take. */
function lenient(show: () => void): void {
  try {
    show();
  } catch {
    // The device shows less.
  }
}

function metadata(title: string, artist: string, src: string): MediaMetadata {
  return new MediaMetadata({ title, artist, album: 'Tunemate', artwork: [{ src }] });
}

/** Silent until the user presses play, for which the lock screen has a key only where it shows a pause. */
const startsByPlay: ReadonlySet<FollowStatus['status']> = new Set(['held', 'blocked']);

function stateOf(model: PlaybackModel): MediaSessionPlaybackState {
  const view = model.view.get();
  if (view.playing.track === null) return 'none';
  return isShownPlaying(view) && !startsByPlay.has(model.follow.get().status) ? 'playing' : 'paused';
}

/** Without a length, as of a live stream, there is no position. */
function setPosition(session: MediaSession, durationSeconds: number | null, positionSeconds: number): void {
  if (durationSeconds === null || durationSeconds <= 0) return session.setPositionState();
  const position = Math.min(Math.max(0, positionSeconds), durationSeconds);
  session.setPositionState({ duration: durationSeconds, position, playbackRate: 1 });
}

function guestHandlers(model: PlaybackModel): Handlers {
  return { play: () => model.tapToListen(), pause: () => model.hold() };
}

/** `turns`: there is another track to go on with. */
function hostHandlers(model: PlaybackModel, turns: boolean): Handlers {
  const { host } = model;
  const skip = (seconds: number): void => host.seek(Math.max(0, model.positionSeconds() + seconds));
  return {
    play() {
      if (model.view.get().playing.timeline.isPlaying) model.tapToListen();
      else host.setPlaying(true);
    },
    pause: () => host.setPlaying(false),
    seekto: ({ seekTime }) => seekTime !== undefined && host.seek(seekTime),
    seekbackward: ({ seekOffset = skipSeconds }) => skip(-seekOffset),
    seekforward: ({ seekOffset = skipSeconds }) => skip(seekOffset),
    ...(turns && { previoustrack: () => host.previous(), nexttrack: () => host.next() }),
  };
}

/** A browser throws for an action that it does not know; the others work without it. */
function setHandlers(session: MediaSession, handlers: Handlers): void {
  for (const action of actions) {
    lenient(() => session.setActionHandler(action, handlers[action] ?? null));
  }
}

/** Calls `act` only when the read part changes. */
function onChange(read: () => string, subscribe: (notice: () => void) => Unsubscribe, act: () => void): Unsubscribe {
  let last = read();
  return subscribe(() => {
    const now = read();
    if (now === last) return;
    last = now;
    act();
  });
}
