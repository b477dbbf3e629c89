/** Texts of tracks that can be added or proposed. */
import { t } from '../language/t.ts';

export const catalogueWords = {
  propose: t`Propose`,
  proposed: t`Proposed`,
  inQueue: t`In the queue`,
  add: t`Add`,
} as const;
