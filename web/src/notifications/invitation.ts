/** What an invitation leads to now, and the text about it. */
import type { Notification } from '@tunemate/protocol';
import { t } from '../language/t.ts';

/** 'in': into the room. 'ask': a join request. 'over': expired. 'none': without a room. */
interface Invitation {
  readonly leads: 'in' | 'ask' | 'over' | 'none';
  readonly detail?: string;
}

const hoursMs = 60 * 60 * 1000;
const lastsMs = 12 * hoursMs;
const kindWords = { video: t`Video room`, audio: t`Audio room` } as const;

export function invitationOf({ room, timestamp }: Notification, nowMs: number): Invitation {
  if (room === null) return { leads: 'none' };
  if (room.hasEnded) return { leads: 'over', detail: t`The room has ended` };
  if (nowMs - timestamp >= lastsMs) return { leads: 'over', detail: t`The invitation is older than 12 hours` };
  const isIn = room.letsInUntil !== null && nowMs < room.letsInUntil;
  return {
    leads: isIn ? 'in' : 'ask',
    detail: `${kindWords[room.kind]}, ${isIn ? t`you can come straight in` : t`the host is asked`}`,
  };
}
