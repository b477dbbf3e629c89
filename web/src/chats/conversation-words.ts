/** Texts of an open private chat. */
import type { Quote } from '@tunemate/protocol';

export const conversationWords = {
  log: 'Messages',
  unread: 'New messages',
  typing: 'Typing…',
  newest: 'Jump to newest',
  earlier: 'Earlier messages',
  copy: 'Copy',
  copied: 'Message copied',
  reply: 'Reply',
  edit: 'Edit',
  deleteForMe: 'Delete for me',
  deleteForBoth: 'Delete for both',
  deleteForBothNow: 'Delete this message for both of you?',
  deletedForMe: 'Message deleted for you',
  undo: 'Undo',
  messageDeleted: 'Message deleted',
  edited: 'edited',
  you: 'You',
  /** Before the name and the words of the message that is answered. */
  answers: 'Answers ',
  replyTo: (name: string) => `Reply to ${name}`,
  editMessage: 'Edit message',
  cancelReply: 'Cancel the reply',
  cancelEdit: 'Cancel the edit',
  moreEmoji: 'More emoji',
  anyEmoji: 'Any emoji',
  react: 'React to this message',
  reaction: (emoji: string, who: string, count: number) =>
    count > 1 ? `${emoji}, ${String(count)}, by ${who}` : `${emoji} by ${who}`,
  both: (name: string) => `you and ${name}`,
  notChanged: 'Your edit was not stored.',
  tooLateToEdit: 'A message can be edited for 15 minutes.',
  editedElsewhere: 'You have edited this message on another device meanwhile.',
  notDeleted: 'The message was not deleted.',
  notReacted: 'Your reaction was not stored.',
  tooManyReactions: 'You can give a message three reactions.',
  report: 'Report',
  messageAt: (time: string, isMine: boolean) => `${isMine ? 'Your message' : 'Message'} of ${time}`,
  notCopied: 'The browser does not let pages copy',
  photo: 'Photo',
  addPhoto: 'Add a photo',
  sendingPhoto: 'Sending the photo…',
  photoFailed: 'The photo was not sent',
  photoKind: 'Choose a JPEG, PNG or WebP picture.',
  photoSize: 'Choose a picture of at most 5 MB.',
  close: 'Close',
  retry: 'Retry',
  notSent: 'Not sent.',
  cannotWrite: 'It can’t be delivered now.',
  tooLong: 'This message is too long. Shorten it to 2,000 characters.',
  saySomething: 'No messages yet.',
  saySomethingHint: 'Write the first one.',
  closed: (name: string) => `You can’t write to ${name} now.`,
  goneMeanwhile: 'This account is gone.',
} as const;

/** What a reply shows of the message that it answers. */
export function quoteText({ text, hasImage, isGone }: Pick<Quote, 'text' | 'hasImage' | 'isGone'>): string {
  if (isGone) return conversationWords.messageDeleted;
  return text === '' && hasImage ? conversationWords.photo : text;
}
