/** Texts of proposals. */
import type { Value } from '@tunemate/protocol';

export const proposalWords = {
  title: 'Proposals',
  you: 'You',
  gone: 'This proposal is gone: it was taken back, or somebody was faster.',
} as const;

export const proposedWords: Record<Value<'rooms/propose'>['outcome'], string> = {
  proposed: 'Proposed to the host',
  voted: 'Proposed before: it has your vote',
  queued: 'In the queue',
};
