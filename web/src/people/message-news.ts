/** Messages of friends that came while the user was in a room and were not dismissed: the first is shown. Pure. */
import type { PrivateMessage, UserCard, UserChange } from '@tunemate/protocol';

export interface MessageNews {
  readonly key: string;
  readonly from: UserCard;
  readonly text: string;
}

/** The list after a change: what others than friends write is only counted on the badge. */
export function withNews(
  now: readonly MessageNews[],
  change: UserChange,
  isFriend: (uid: string) => boolean,
): readonly MessageNews[] {
  if (change.type !== 'chats/messageSent' || !isFriend(change.message.sender)) return now;
  // The same change is told again after a short loss of the connection.
  const news = newsOf(change.message, change.other);
  return now.some(({ key }) => key === news.key) ? now : [...now, news];
}

const newsOf = ({ pairId, number, text }: PrivateMessage, from: UserCard): MessageNews => ({
  key: `${pairId} ${String(number)}`,
  from,
  text: text === '' ? 'Photo' : text,
});
