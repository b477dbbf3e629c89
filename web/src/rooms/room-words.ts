/** Texts that are the same in both kinds of room; the others are in room-kinds.ts. */
import { t } from '../language/t.ts';

export const roomSentences = {
  accessDenied: t`Access Denied! You must wait for host approval`,
  notFound: t`Room not found`,
  enteringFailed: t`The room could not be opened. Try again in a while.`,
  loading: t`Loading...`,
  chatClosed: t`Click here to Start Chat`,
  chatOpen: t`Click here to Return Room`,
  noMessages: t`Nobody has written yet.`,
  youHost: t`You (Host)`,
  youHostNow: t`You host now`,
  locked: t`Locked`,
  notSent: t`Not sent.`,
} as const;

/** What stands in place of a deleted message. */
export const deletedWords = ({ isDeletedByHost = false }: { isDeletedByHost?: boolean | undefined }): string =>
  isDeletedByHost ? t`Message deleted by the host` : t`Message deleted`;

export const removalLasts = {
  'for-now': t`You can ask again in 10 minutes.`,
  'for-good': t`You can’t ask to come in again.`,
} as const;
