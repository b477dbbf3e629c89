/** Texts of saved queues. */
import type { Value } from '@tunemate/protocol';
import { t } from '../../language/t.ts';

export const queueWords = {
  title: t`Saved queues`,
  name: t`Name of the queue`,
  save: t`Save`,
  load: t`Load`,
  loadOf: (name: string) => t`Load ${name}`,
  edit: t`Edit`,
  editOf: (name: string) => t`Edit ${name}`,
  more: t`More`,
  moreOf: (name: string) => t`More of ${name}`,
  remove: t`Remove`,
  removeQuestion: (name: string) => t`Take ${name} off your list?`,
  removeConsequence: t`From your list only. Its owner can share it again.`,
  loadHint: t`Load adds the tracks to the end of the queue. Nothing in it is lost.`,
  open: t`Tracks`,
  openOf: (name: string) => t`Tracks of ${name}`,
  proposeFrom: (title: string, name: string) => t`Propose ${title} from ${name}`,
  addFrom: (title: string, name: string) => t`Queue ${title} from ${name}`,
  readFile: t`Add a playlist file`,
  saveFile: t`Save as a file`,
  fileKind: t`Choose a playlist in the format M3U (.m3u8 or .m3u).`,
  fileTooLarge: t`This file is larger than 200 kB.`,
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

export const savedWords: Record<Value<'queues/save'>['outcome'], string> = {
  saved: t`Queue saved`,
  full: t`You have 50 saved queues. Delete one first.`,
  nothing: t`There is no track to save yet.`,
};
