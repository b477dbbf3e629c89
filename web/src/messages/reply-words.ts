/** Texts of replies and edits, in private chats and in rooms. */
import { t } from '../language/t.ts';

export const replyWords = {
  you: t`You`,
  /** Before the name and the words of the message that is answered. */
  answers: t`Answers`,
  replyTo: (name: string) => t`Reply to ${name}`,
  edited: t`edited`,
  messageDeleted: t`Message deleted`,
  notChanged: t`Your edit was not stored.`,
  tooLateToEdit: t`A message can be edited for 15 minutes.`,
  editedOnce: t`While the chat is slow, a message can be edited once.`,
  editedElsewhere: t`You have edited this message on another device meanwhile.`,
} as const;
