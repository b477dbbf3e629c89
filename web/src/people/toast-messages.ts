/** Messages of friends that came while the user was in a room and were not dismissed: the first is shown. Pure. */
import type { PrivateMessage, UserCard, UserChange } from '@tunemate/protocol';
import { t } from '../language/t.ts';

export interface ToastMessage extends Pick<PrivateMessage, 'pairId' | 'number'> {
  readonly key: string;
  readonly from: UserCard;
  readonly text: string;
}

/** The list after a change: messages of others than friends only count on the badge. */
export function withMessage(
  now: readonly ToastMessage[],
  change: UserChange,
  isFriend: (uid: string) => boolean,
): readonly ToastMessage[] {
  if (change.type === 'chats/messageChanged') return withChanged(now, change.message);
  if (change.type !== 'chats/messageSent' || change.isMuted === true || !isFriend(change.message.sender)) return now;
  // The same change arrives again after a short loss of the connection.
  const toast = toastOf(change.message, change.other);
  return now.some(({ key }) => key === toast.key) ? now : [...now, toast];
}

/** What was edited is shown as it is now, what was deleted not any more. */
function withChanged(now: readonly ToastMessage[], message: PrivateMessage): readonly ToastMessage[] {
  return now.flatMap((toast) => {
    if (toast.pairId !== message.pairId || toast.number !== message.number) return [toast];
    return message.state === 'shown' ? [toastOf(message, toast.from)] : [];
  });
}

const toastOf = ({ pairId, number, text, voice }: PrivateMessage, from: UserCard): ToastMessage => ({
  key: `${pairId} ${String(number)}`,
  pairId,
  number,
  from,
  text: voice ? t`Voice message` : text === '' ? t`Photo` : text,
});
