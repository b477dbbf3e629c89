/** Texts of coming into a room, creating one and inviting into it, the same in both kinds of room. */
import { t } from '../../language/t.ts';

export const joinWords = {
  declined: t`The host declined your request.`,
  copied: t`Room Code copied to clipboard!`,
  notCopied: t`Copying is not allowed here. Write the code down.`,
  linkNotCopied: t`Copying is not allowed here. Select the link and copy it.`,
  scan: t`Scan this code with a phone.`,
  invitationOver: t`The room of this invitation has ended.`,
  tooOften: t`That was a little fast.`,
  declinedForGood: t`That was your last request: the host declined five. You can’t ask to join this room again.`,
  requestGone: t`Your request was taken back. Ask again to come in.`,
} as const;
