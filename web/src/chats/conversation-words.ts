/** Texts of an open private chat. */
import type { Quote } from '@tunemate/protocol';
import { replyWords } from '../messages/reply-words.ts';
import { t } from '../language/t.ts';

export const conversationWords = {
  unread: t`New messages`,
  /** Before the text of one's own message, where those of both stand in a list. */
  mine: t`You:`,
  copy: t`Copy`,
  deleteForBoth: t`Delete for both`,
  deleteForBothNow: t`Delete this message for both of you?`,
  ...replyWords,
  reaction: (emoji: string, who: string, count: number) =>
    count > 1 ? t`${emoji}, ${String(count)}, by ${who}` : t`${emoji} by ${who}`,
  both: (name: string) => t`you and ${name}`,
  notDeleted: t`The message was not deleted.`,
  messageAt: (time: string, isMine: boolean) => (isMine ? t`Your message of ${time}` : t`Message of ${time}`),
  photo: t`Photo`,
  voice: (time: string) => t`Voice message, ${time}`,
  writeTo: (name: string) => t`Write to ${name}`,
  photoFailed: (name: string) => t`The photo to ${name} was not sent`,
  notSent: t`Not sent.`,
  cannotWrite: t`It can’t be delivered now.`,
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
