/** Texts that are the same in both kinds of room; the others are in room-kinds.ts. */
import { t } from '../language/t.ts';

export const roomSentences = {
  noMessages: t`Nobody has written yet.`,
  notSent: t`Not sent.`,
} as const;

/** What stands in place of a deleted message. */
export const deletedWords = ({ isDeletedByHost = false }: { isDeletedByHost?: boolean | undefined }): string =>
  isDeletedByHost ? t`Message deleted by the host` : t`Message deleted`;

export const removalLasts = {
  'for-now': t`You can ask again in 10 minutes.`,
  'for-good': t`You can’t ask to come in again.`,
} as const;
