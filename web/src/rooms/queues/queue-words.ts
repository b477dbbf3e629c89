/** Texts of saved queues. */
import type { QueueFromFile, SavedQueue, Value } from '@tunemate/protocol';
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
  readFile: t`Read a playlist file`,
  saveFile: t`Save as a file`,
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

/** What a file became. */
export function fileOutcome({ outcome, found, missing, name }: QueueFromFile & { name: string }): string {
  const total = found + missing.length;
  if (outcome === 'saved') return t`${found} of ${total} tracks are here, and saved as ${name}.`;
  if (outcome === 'too-many') return t`This file has more than 500 tracks.`;
  if (outcome === 'full') return savedWords.full;
  return total === 0 ? t`This file names no track.` : t`None of the tracks of this file are here.`;
}

const mostNamed = 20;

/** Names what is missing, as far as that can be read. */
export function notHere(missing: readonly string[]): string {
  const names = missing.slice(0, mostNamed).join(', ');
  const more = missing.length - mostNamed;
  if (more > 0) return t`Not here: ${names} and ${more} more.`;
  return missing.length === 0 ? '' : t`Not here: ${names}.`;
}
