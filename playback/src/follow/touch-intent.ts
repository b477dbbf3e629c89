/**
 * What somebody does to the host's player itself, on its own keys, a headset or in YouTube's frame, is an intent of the host
 * for everybody. Elsewhere only a pause means anything: the device is left alone.
 */
import { roomPosition } from './device-offset.ts';
import type { LeaderIntent } from '../room/leader.ts';
import type { PlayerEvent } from './player.ts';
import { positionAt, type Timeline } from '../room/timeline.ts';

/** A player that is nearer to the music than this was not moved by a person. */
const movedSeconds = 1.5;
/** How long the host's player is left as the host put it, for the room to answer. */
export const touchAnswerMs = 2000;

export function touchIntent(
  event: PlayerEvent,
  timeline: Timeline | null,
  serverMs: number,
  deviceOffsetSeconds = 0,
): LeaderIntent | null {
  if (timeline === null || timeline.trackKey === null) return null;
  switch (event.type) {
    case 'held':
      return { type: 'pause' };
    case 'started':
      return timeline.isPlaying ? null : { type: 'play' };
    case 'sought': {
      const positionSeconds = roomPosition(event.positionSeconds, deviceOffsetSeconds);
      const isMoved = Math.abs(positionSeconds - positionAt(timeline, serverMs)) > movedSeconds;
      return isMoved ? { type: 'seek', positionSeconds } : null;
    }
    case 'changed':
    case 'ended':
    case 'blocked':
    case 'failed':
      return null;
  }
}
