/** Texts of what a person makes of a chat in their list. */
import { t } from '../../language/t.ts';

export const listWords = {
  pin: t`Pin`,
  unpin: t`Unpin`,
  mute: t`Mute`,
  muteDetail: t`New messages make no push and no toast.`,
  unmute: t`Unmute`,
  archive: t`Archive`,
  archiveDetail: t`It comes back with a new message, unless it is muted.`,
  unarchive: t`Move back to the list`,
  clear: t`Delete chat for me`,
  clearQuestion: (name: string) => t`Delete the chat with ${name} for you?`,
  clearConsequence: (name: string) => t`${name} keeps it. A new message starts it anew, without the older ones.`,
  clearAction: t`Delete for me`,
  cleared: t`Chat deleted for you`,
  tooManyPinned: t`You can pin 20 chats. Unpin another one first.`,
  failed: t`The chat was not changed`,
} as const;
