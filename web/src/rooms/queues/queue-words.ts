/** Texts of saved queues. */
import type { Value } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

export const queueWords = {
  title: t`Saved queues`,
  name: t`Name of the queue`,
  save: t`Save`,
  editOf: (name: string) => t`Edit ${name}`,
  moreOf: (name: string) => t`More of ${name}`,
  remove: t`Remove`,
  loadHint: t`Load adds the tracks to the end of the queue. Nothing in it is lost.`,
  proposeFrom: (title: string, name: string) => t`Propose ${title} from ${name}`,
  addFrom: (title: string, name: string) => t`Queue ${title} from ${name}`,
  none: t`No saved queues yet.`,
  rename: t`Rename`,
  delete: t`Delete`,
  shareWith: (name: string) => t`Share with ${name}`,
  stopSharing: (name: string) => t`Stop sharing with ${name}`,
  failed: t`That did not work`,
} as const;

export const savedWords: Record<Value<'queues/save'>['outcome'], string> = {
  saved: t`Queue saved`,
  full: t`You have 50 saved queues. Delete one first.`,
  nothing: t`There is no track to save yet.`,
};
