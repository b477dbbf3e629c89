/**
 * Tells what a person does inside YouTube's frame from what our own commands, data, adverts and slow messages cause.
 * The frame reports states and positions, never reasons. Pure: judges commands, reports and readings in their order.
 */

/** What a person did in the frame. */
export type Touch =
  | { readonly type: 'paused' }
  | { readonly type: 'started' }
  | { readonly type: 'sought'; readonly positionSeconds: number };

/** The numbers of YT.PlayerState that matter here. */
const told = { unstarted: -1, ended: 0, playing: 1, paused: 2, cued: 5 } as const;

/** One reading of the frame. No length means a live stream or nothing known: positions are not judged then. */
export interface FrameLook {
  readonly nowMs: number;
  readonly state: number;
  readonly positionSeconds: number;
  readonly rate: number;
  readonly durationSeconds: number | null;
}

export interface TouchState {
  /** What was asked of the frame last. */
  readonly wantsPlaying: boolean;
  /** It has played since then, so that a pause is somebody's doing. */
  readonly hasPlayed: boolean;
  /** It stands still as it was asked to, so that a start is somebody's doing. */
  readonly isSettled: boolean;
  /** Since when it may have been paused by a person; null while it was not. */
  readonly stoodAtMs: number | null;
  /** Positions are not judged before: our own command moves them. */
  readonly quietUntilMs: number;
  readonly last: FrameLook | null;
  /** The furthest that the position was ahead of the clock lately, in seconds, and since when. */
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

/** A move in the frame pauses it for a moment; a pause lasts longer. */
const pauseMs = 500;
/** Most commands of ours have moved it by then; a later one leads to where the room is, which is no intent. */
const quietMs = 1000;
/** Less than this is no move of a person: readings are that far off. */
const moveSeconds = 1.5;
/** A frame that stood still catches up with nothing after this long. */
const leadMs = 10_000;

type Command = 'load' | 'play' | 'pause' | 'seek';
interface Judged {
  readonly state: TouchState;
  readonly touch: Touch | null;
}

/** The player gives the frame a command while the frame is in this state. */
export function commanded(state: TouchState, command: Command, frameState: number, nowMs: number): TouchState {
  const unread = { quietUntilMs: nowMs + quietMs, last: null, lead: null };
  const quiet = { ...unread, stoodAtMs: null };
  const stands = frameState === told.paused || frameState === told.cued;
  switch (command) {
    case 'play':
      return { ...state, ...quiet, wantsPlaying: true, hasPlayed: frameState === told.playing, isSettled: false };
    case 'pause':
      return { ...state, ...quiet, wantsPlaying: false, hasPlayed: false, isSettled: !state.wantsPlaying && stands };
    case 'load':
      return { ...state, ...quiet, wantsPlaying: false, hasPlayed: false, isSettled: false };
    case 'seek':
      // It leaves a frame that a person has just paused as it is.
      return { ...state, ...unread, isSettled: false };
  }
}

/** The frame reports a state. */
export function stateTold(state: TouchState, frameState: number, nowMs: number): Judged {
  switch (frameState) {
    case told.playing:
      return startTold({ ...state, stoodAtMs: null });
    case told.paused:
      if (!state.wantsPlaying) return untold({ ...state, isSettled: true });
      return untold(state.hasPlayed ? { ...state, stoodAtMs: state.stoodAtMs ?? nowMs } : state);
    case told.cued:
      return untold({ ...state, isSettled: !state.wantsPlaying });
    case told.ended:
      return untold({ ...state, stoodAtMs: null, hasPlayed: false });
    case told.unstarted:
      // In the middle of a video this is an advert: what the frame reads then belongs to that.
      return untold({ ...state, stoodAtMs: null, last: null, lead: null, quietUntilMs: nowMs + quietMs });
    default:
      return untold({ ...state, stoodAtMs: null });
  }
}

function startTold(state: TouchState): Judged {
  if (state.wantsPlaying) return untold({ ...state, hasPlayed: true });
  if (!state.isSettled) return untold(state);
  return { state: { ...state, wantsPlaying: true, hasPlayed: true }, touch: { type: 'started' } };
}

/** The frame is read, a few times a second. */
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
  if (durationSeconds === null || nowMs < quietUntilMs || !isSame || lead === null) return untold(seen);
  const isMoving = look.state !== told.paused || state.wantsPlaying;
  // What plays may be told late, and then catches up with the clock; what is paused stays where it is.
  const forwards = isMoving ? aheadSeconds - lead.seconds : positionSeconds - last.positionSeconds;
  const backwards = last.positionSeconds - positionSeconds;
  if (forwards > moveSeconds || backwards > moveSeconds)
    return { state: { ...seen, stoodAtMs: null }, touch: { type: 'sought', positionSeconds } };
  const isNewLead = aheadSeconds >= lead.seconds || nowMs - lead.atMs > leadMs;
  return untold({ ...seen, lead: isNewLead ? { seconds: aheadSeconds, atMs: nowMs } : lead });
}

const untold = (state: TouchState): Judged => ({ state, touch: null });
