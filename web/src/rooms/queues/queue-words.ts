/** Texts of saved queues. */
import type { SavedQueue, Value } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

export const queueWords = {
  title: t`Saved queues`,
  name: t`Name of the queue`,
  save: t`Save`,
  savePlayed: t`Save as a queue`,
  load: t`Load`,
  loadOf: (name: string) => t`Load ${name}`,
  edit: t`Edit`,
  editOf: (name: string) => t`Edit ${name}`,
  loadHint: t`Load adds the tracks to the end of the queue. Nothing in it is lost.`,
  guestHint: t`The host can load saved queues into this room.`,
  none: t`No saved queues yet.`,
  nothingHere: t`None of its tracks are here now.`,
  rename: t`Rename`,
  delete: t`Delete`,
  deleteQuestion: (name: string) => t`Delete ${name}?`,
  deleteConsequence: t`Tunemates you share it with lose it too.`,
  shareWith: (name: string) => t`Share with ${name}`,
  stopSharing: (name: string) => t`Stop sharing with ${name}`,
  failed: t`That did not work`,
} as const;

export function queueDetail({ tracks, owner, sharedWith }: SavedQueue): string {
  const sharer = owner?.name;
  const names = sharedWith.map(({ name }) => name).join(', ');
  const count = tracks === 1 ? t`1 track` : t`${tracks} tracks`;
  const shared = sharer === undefined ? names !== '' && t`shared with ${names}` : t`shared by ${sharer}`;
  return [count, shared].filter(Boolean).join(' · ');
}

export const goneWords = (gone: number, total: number): string => t`${gone} of ${total} are not here now`;

export const savedWords: Record<Value<'queues/save'>['outcome'], string> = {
  saved: t`Queue saved`,
  full: t`You have 50 saved queues. Delete one first.`,
  nothing: t`There is no track to save yet.`,
};
