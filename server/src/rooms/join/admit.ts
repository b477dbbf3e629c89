/**
 * Makes somebody a participant, inside the caller's write: request, membership, both people's lists where no block
 * parts them, and what everybody
 * is told. The write holds the room's stream, its host's, and the own streams of the host and of who comes in.
 */
import { isLargeRoom, type RequestFact } from '@tunemate/domain';
import { hostStream, type Participant, roomStream, type Uid, userStream } from '@tunemate/protocol';
import type { RoomRow } from '../../access/subjects.ts';
import type { Writing } from '../../storage/record.ts';
import { saveRequest } from './requests-store.ts';
import { addMember } from '../lifecycle/rooms-store.ts';

export interface AdmitDeps {
  /** Adds each person to the other's list of this kind, inside the transaction. */
  meet: (writing: Writing, kind: RoomRow['kind'], a: Uid, b: Uid) => Promise<void>;
}

interface Admittance {
  /** What is left of theirs. */
  request: RequestFact;
  /** The host did not approve this one. */
  isUnasked: boolean;
  /** They have blocked the host: a block keeps two people off each other's lists, whoever set it. */
  hasBlocked: boolean;
  /** How many are in the room with them. */
  people: number;
}

/** Never for somebody whom the host has blocked. */
export async function admit(
  { meet }: AdmitDeps,
  writing: Writing,
  room: RoomRow,
  person: Participant,
  { request, isUnasked, hasBlocked, people }: Admittance,
): Promise<void> {
  const { kind, roomId, code, host } = room;
  const { uid, name } = person;
  await saveRequest(writing.db, kind, roomId, person, request);
  const answered = { uid, name, status: 'accepted', askedAt: request.askedAtMs } as const;
  await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request: answered });
  if (isUnasked) await writing.append(hostStream(roomId), { type: 'rooms/cameIn', uid, name });
  await addMember(writing.db, kind, roomId, uid, writing.nowMs);
  const joined = isLargeRoom(people)
    ? ({ type: 'rooms/crowdGrew', people } as const)
    : ({ type: 'rooms/participantJoined', participant: person, people } as const);
  await writing.append(roomStream(roomId), joined);
  if (!hasBlocked) await meet(writing, kind, host, uid);
  await writing.append(userStream(uid), { type: 'rooms/requestAnswered', kind, code, answer: 'accepted' });
}
