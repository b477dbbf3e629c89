/** What an invitation leads to now, and the text about it. */
import type { Notification } from '@tunemate/protocol';
import { language, t } from '../language/t.ts';

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

/** The sentence of a notification. The server stores it in English; it begins with the name in every language. */
export function messageOf(notification: Notification, isOver = false): string {
  const { type, message, senderName, room } = notification;
  if (language === 'en' && !isOver) return message;
  switch (type) {
    case 'now-playing':
      if (room === null) return t`${senderName} invites you to listen`;
      return isOver ? t`${senderName} invited you to ${room.name}` : t`${senderName} invites you to ${room.name}`;
    case 'soulmate':
      return t`${senderName} asks you to be soulmates`;
    case 'tunemate':
      return t`${senderName} asks you to be tunemates`;
    case 'queue':
      return t`${senderName} shares a saved queue with you`;
    case 'report':
      return t`${senderName} says that your report was read`;
    case 'host-away':
      if (room === null) return message;
      return room.hasEnded ? t`${room.name} ended because you were away` : t`${room.name} ends soon unless you return`;
  }
}
