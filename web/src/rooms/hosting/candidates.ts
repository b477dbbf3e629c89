/** Who can be asked to host a room, and in which order they are shown. Pure. */
import type { RoomDocument } from '@tunemate/protocol';
import { hostingWords } from './hosting-words.ts';

/** What somebody is to the person who chooses. */
export type Relation = 'soulmate' | 'tunemate' | null;

export interface Candidate {
  readonly uid: string;
  readonly name: string;
  readonly online: boolean;
  readonly relation: Relation;
}

const rank = { soulmate: 0, tunemate: 1 } as const;
const rankOf = ({ relation }: Candidate): number => (relation === null ? 2 : rank[relation]);

/** The soulmate, tunemates, then all others; within each those who came first. */
export function candidatesFor(room: RoomDocument, relationOf: (uid: string) => Relation): readonly Candidate[] {
  return room.participants
    .filter(({ uid }) => uid !== room.host)
    .map(({ uid, name, online }) => ({ uid, name, online, relation: relationOf(uid) }))
    .toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** What is said below the name. */
export function detailOf({ online, relation }: Candidate): string | undefined {
  if (!online) return hostingWords.reconnecting;
  return relation === null ? undefined : hostingWords[relation];
}

/** Those whose name holds these letters, in either case. */
export function foundAmong(candidates: readonly Candidate[], letters: string): readonly Candidate[] {
  const wanted = letters.trim().toLocaleLowerCase();
  return candidates.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
}
