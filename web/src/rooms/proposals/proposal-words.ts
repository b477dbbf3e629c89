/** Texts of proposals. */
import type { Value } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

export const proposalWords = {
  title: t`Proposals`,
} as const;

export const proposedWords: Record<Value<'rooms/propose'>['outcome'], string> = {
  proposed: t`Proposed to the host`,
  voted: t`Proposed before: it has your vote`,
  queued: t`In the queue`,
};
