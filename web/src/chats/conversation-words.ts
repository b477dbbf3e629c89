/** Texts of an open private chat. */
import type { Quote } from '@tunemate/protocol';
import { replyWords } from '../messages/reply-words.ts';
import { t } from '../language/t.ts';

export const conversationWords = {
  log: t`Messages`,
  unread: t`New messages`,
  typing: t`Typing…`,
  newest: t`Jump to newest`,
  earlier: t`Earlier messages`,
  copy: t`Copy`,
  copied: t`Message copied`,
  reply: t`Reply`,
  edit: t`Edit`,
  deleteForMe: t`Delete for me`,
  deleteForBoth: t`Delete for both`,
  deleteForBothNow: t`Delete this message for both of you?`,
  deletedForMe: t`Message deleted for you`,
  undo: t`Undo`,
  ...replyWords,
  moreEmoji: t`More emoji`,
  reaction: (emoji: string, who: string, count: number) =>
    count > 1 ? t`${emoji}, ${String(count)}, by ${who}` : t`${emoji} by ${who}`,
  both: (name: string) => t`you and ${name}`,
  notDeleted: t`The message was not deleted.`,
  notReacted: t`Your reaction was not stored.`,
  tooManyReactions: t`You can give a message three reactions.`,
  report: t`Report`,
  messageAt: (time: string, isMine: boolean) => (isMine ? t`Your message of ${time}` : t`Message of ${time}`),
  notCopied: t`The browser does not let pages copy`,
  photo: t`Photo`,
  voice: (time: string) => t`Voice message, ${time}`,
  recordVoice: t`Record a voice message`,
  addPhoto: t`Add a photo`,
  writeTo: (name: string) => t`Write to ${name}`,
  sendingPhoto: t`Sending the photo…`,
  photoFailed: (name: string) => t`The photo to ${name} was not sent`,
  photoKind: t`Choose a JPEG, PNG or WebP picture.`,
  photoSize: t`Choose a picture of at most 5 MB.`,
  close: t`Close`,
  retry: t`Retry`,
  notSent: t`Not sent.`,
  cannotWrite: t`It can’t be delivered now.`,
  tooLong: t`This message is too long. Shorten it to 2,000 characters.`,
  saySomething: t`No messages yet.`,
  saySomethingHint: t`Write the first one.`,
  closed: (name: string) => t`You can’t write to ${name} now.`,
  goneMeanwhile: t`This account is gone.`,
} as const;

/** As `0:12`, for what is over of it. */
export function clockOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${String(Math.floor(whole / 60))}:${String(whole % 60).padStart(2, '0')}`;
}

/** What stands for a voice message where it can't be heard. */
export const voiceText = (durationMs: number): string =>
  conversationWords.voice(clockOf(Math.round(durationMs / 1000)));

/** What a reply shows of the message that it answers, and a sheet of the one that it is about. */
export function quoteText({
  text,
  hasImage,
  voiceMs,
  isGone,
}: Pick<Quote, 'text' | 'hasImage' | 'voiceMs' | 'isGone'>): string {
  if (isGone) return conversationWords.messageDeleted;
  if (voiceMs !== undefined) return voiceText(voiceMs);
  return text === '' && hasImage ? conversationWords.photo : text;
}
