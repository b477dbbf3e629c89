/** The sentences of notifications. Each begins with the name of the sender or room, in every language. */
import type { Notification, NoticeType } from '@tunemate/protocol';
import { t } from '../language/t.ts';

/** `isOver`: of an invitation that leads nowhere any more. */
const sentences: Readonly<Record<NoticeType, (notice: Notification, isOver: boolean) => string>> = {
  'now-playing': ({ senderName, room }, isOver) => {
    if (room === null) return t`${senderName} invites you to listen`;
    return isOver ? t`${senderName} invited you to ${room.name}` : t`${senderName} invites you to ${room.name}`;
  },
  soulmate: ({ senderName }) => t`${senderName} asks you to be soulmates`,
  tunemate: ({ senderName }) => t`${senderName} asks you to be tunemates`,
  queue: ({ senderName }) => t`${senderName} shares a saved queue with you`,
  music: ({ senderName }) => t`${senderName} would like to keep what you hear together`,
  report: ({ senderName }) => t`${senderName} says that your report was read`,
  'host-away': ({ room, message }) => {
    if (room === null) return message;
    return room.hasEnded ? t`${room.name} ended because you were away` : t`${room.name} ends soon unless you return`;
  },
};

/** The sentence of a notification. */
export const messageOf = (notice: Notification, isOver = false): string => sentences[notice.type](notice, isOver);
