/** Texts of coming into a room, creating one and inviting into it, the same in both kinds of room. */
import { t } from '../../language/t.ts';

export const joinWords = {
  roomNameMissing: t`Please enter a Room Name`,
  roomNameTooLong: t`A room name has at most 100 characters`,
  roomNameUnfit: t`This name holds characters that cannot be shown`,
  declined: t`The host declined your request.`,
  copied: t`Room Code copied to clipboard!`,
  notCopied: t`Copying is not allowed here. Write the code down.`,
  linkCopied: t`Room link copied to clipboard!`,
  linkNotCopied: t`Copying is not allowed here. Select the link and copy it.`,
  scan: t`Scan this code with a phone.`,
  invitationOver: t`The room of this invitation has ended.`,
  tooOften: t`That was a little fast.`,
  declinedForGood: t`That was your last request: the host declined five. You can’t ask to join this room again.`,
  requestGone: t`Your request was taken back. Ask again to come in.`,
} as const;
