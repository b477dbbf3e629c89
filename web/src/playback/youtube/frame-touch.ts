/**
 * Distinguishes a person's actions in YouTube's frame from the effects of commands, data, adverts and slow messages.
 * The frame reports states and positions, never reasons. Pure: takes commands, reports and readings in their order.
 */
import { youtubeState } from './youtube-frame.ts';

/** What a person did in the frame. */
export type Touch =
  | { readonly type: 'paused' }
  | { readonly type: 'started' }
  | { readonly type: 'sought'; readonly positionSeconds: number };

/** One reading of the frame. Without a length (a live stream or nothing known) positions are not judged. */
export interface FrameLook {
  readonly nowMs: number;
  readonly state: number;
  readonly positionSeconds: number;
  readonly rate: number;
  readonly durationSeconds: number | null;
}

export interface TouchState {
  /** The last command was to play. */
  readonly wantsPlaying: boolean;
  /** It has played since then, so a pause comes from a person. */
  readonly hasPlayed: boolean;
  /** It has paused as commanded, so a start comes from a person. */
  readonly isSettled: boolean;
  /** When it paused, perhaps by a person; null while it plays. */
  readonly stoodAtMs: number | null;
  /** Positions are not judged before this time: a command moves them. */
  readonly quietUntilMs: number;
  readonly last: FrameLook | null;
  /** The greatest recent lead of the position over the clock, in seconds, and when it was. */
  readonly lead: { readonly seconds: number; readonly atMs: number } | null;
}

export const untouched: TouchState = {
  wantsPlaying: false,
  hasPlayed: false,
  isSettled: false,
  stoodAtMs: null,
  quietUntilMs: 0,
  last: null,
  lead: null,
};

/** A seek in the frame pauses it for a moment; a pause lasts longer. */
const pauseMs = 500;
/** Most commands have moved the position by then; later effects lead to the room's position, which is no seek. */
const quietMs = 1000;
/** A smaller jump is an error of readings, not a seek by a person. */
const moveSeconds = 1.5;
/** A frame that stood still no longer catches up after this long. */
const leadMs = 10_000;

type Command = 'load' | 'play' | 'pause' | 'seek';
interface Judged {
  readonly state: TouchState;
  readonly touch: Touch | null;
}

/** Takes a command to the frame, which is in this state. */
export function commanded(state: TouchState, command: Command, frameState: number, nowMs: number): TouchState {
  const unread = { quietUntilMs: nowMs + quietMs, last: null, lead: null };
  const quiet = { ...unread, stoodAtMs: null };
  const stands = frameState === youtubeState.paused || frameState === youtubeState.cued;
  switch (command) {
    case 'play':
      return {
        ...state,
        ...quiet,
        wantsPlaying: true,
        hasPlayed: frameState === youtubeState.playing,
        isSettled: false,
      };
    case 'pause':
      return { ...state, ...quiet, wantsPlaying: false, hasPlayed: false, isSettled: !state.wantsPlaying && stands };
    case 'load':
      return { ...state, ...quiet, wantsPlaying: false, hasPlayed: false, isSettled: false };
    case 'seek':
      // A frame that a person has just paused stays paused.
      return { ...state, ...unread, isSettled: false };
  }
}

/** Takes a state that the frame reports. */
export function stateReported(state: TouchState, frameState: number, nowMs: number): Judged {
  switch (frameState) {
    case youtubeState.playing:
      return startReported({ ...state, stoodAtMs: null });
    case youtubeState.paused:
      if (!state.wantsPlaying) return noTouch({ ...state, isSettled: true });
      return noTouch(state.hasPlayed ? { ...state, stoodAtMs: state.stoodAtMs ?? nowMs } : state);
    case youtubeState.cued:
      return noTouch({ ...state, isSettled: !state.wantsPlaying });
    case youtubeState.ended:
      return noTouch({ ...state, stoodAtMs: null, hasPlayed: false });
    case youtubeState.unstarted:
      // In the middle of a video this is an advert, whose positions are not the video's.
      return noTouch({ ...state, stoodAtMs: null, last: null, lead: null, quietUntilMs: nowMs + quietMs });
    default:
      return noTouch({ ...state, stoodAtMs: null });
  }
}

function startReported(state: TouchState): Judged {
  if (state.wantsPlaying) return noTouch({ ...state, hasPlayed: true });
  if (!state.isSettled) return noTouch(state);
  return { state: { ...state, wantsPlaying: true, hasPlayed: true }, touch: { type: 'started' } };
}

/** Takes a reading of the frame, a few times a second. */
export function looked(before: TouchState, look: FrameLook): Judged {
  const { nowMs } = look;
  const paused = before.stoodAtMs !== null && nowMs - before.stoodAtMs >= pauseMs;
  const moved = judgePosition(before, look);
  if (moved.touch !== null || !paused) return moved;
  const state = { ...moved.state, stoodAtMs: null, wantsPlaying: false, hasPlayed: false, isSettled: true };
  return { state, touch: { type: 'paused' } };
}

function judgePosition(state: TouchState, look: FrameLook): Judged {
  const { last, lead, quietUntilMs } = state;
  const { nowMs, positionSeconds, durationSeconds, rate } = look;
  const aheadSeconds = positionSeconds - (nowMs / 1000) * rate;
  const isSame = last !== null && last.durationSeconds === durationSeconds && last.rate === rate;
  const seen = { ...state, last: look, lead: { seconds: aheadSeconds, atMs: nowMs } };
  if (durationSeconds === null || nowMs < quietUntilMs || !isSame || lead === null) return noTouch(seen);
  const isMoving = look.state !== youtubeState.paused || state.wantsPlaying;
  // A playing position may be reported late, and then catches up with the clock; a paused one stays.
  const forwards = isMoving ? aheadSeconds - lead.seconds : positionSeconds - last.positionSeconds;
  const backwards = last.positionSeconds - positionSeconds;
  if (forwards > moveSeconds || backwards > moveSeconds)
    return { state: { ...seen, stoodAtMs: null }, touch: { type: 'sought', positionSeconds } };
  const isNewLead = aheadSeconds >= lead.seconds || nowMs - lead.atMs > leadMs;
  return noTouch({ ...seen, lead: isNewLead ? { seconds: aheadSeconds, atMs: nowMs } : lead });
}

const noTouch = (state: TouchState): Judged => ({ state, touch: null });
