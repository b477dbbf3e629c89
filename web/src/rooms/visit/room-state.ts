/**
 * The state of a room as a member has it, and how each change of its stream alters it. Pure: no clock, no network.
 * Chat and playback have separate models; this is the room and its people.
 */
import type { Participant, RoomChange, RoomDocument, RoomSnapshot } from '@tunemate/protocol';

/** The room as of change number `seq` of its stream. */
export interface RoomState {
  readonly seq: number;
  readonly room: RoomDocument;
  /** The proposals for which the user votes. */
  readonly ownVotes: readonly string[];
}

/** The state in the snapshot from entering. */
export function stateFromSnapshot(snapshot: RoomSnapshot): RoomState {
  const { seq, room, ownVotes } = snapshot;
  return { seq, room, ownVotes };
}

/** The room after one change; the same object when the change concerns chat or playback only. */
function applyRoomChange(room: RoomDocument, change: RoomChange): RoomDocument {
  switch (change.type) {
    case 'rooms/participantJoined':
      return withPeople(room, change.people, [change.participant]);
    case 'rooms/crowdGrew':
      return { ...room, people: change.people };
    case 'rooms/participantLeft':
      return {
        ...room,
        people: change.people,
        participants: room.participants.filter(({ uid }) => uid !== change.uid),
      };
    case 'rooms/participantRenamed':
      return patchPerson(room, change.uid, { name: change.name });
    case 'rooms/participantPresence':
      return patchPerson(room, change.uid, { online: change.online });
    case 'rooms/hostAway':
      return { ...room, hostAwaySince: change.hostAwaySince };
    case 'rooms/hostChanged':
      return { ...room, host: change.host, hostAwaySince: change.hostAwaySince, handOver: null };
    case 'rooms/locked':
      return { ...room, isLocked: change.isLocked };
    case 'rooms/handOver':
      return { ...room, handOver: change.handOver };
    case 'rooms/switched':
      return { ...room, [change.name]: change.isOn };
    case 'rooms/skipVoted':
      return { ...room, skipVotes: withVote(room.skipVotes, change.uid, change.isOn) };
    case 'rooms/skipVotesCleared':
      return { ...room, skipVotes: [] };
    case 'rooms/proposed':
      return { ...room, proposals: [...without(room, change.proposal.id), change.proposal] };
    case 'rooms/proposalVoted':
      return {
        ...room,
        proposals: room.proposals.map((one) =>
          one.id === change.proposalId ? { ...one, votes: change.votes, proposer: change.proposer } : one,
        ),
      };
    case 'rooms/proposalRemoved':
      return { ...room, proposals: without(room, change.proposalId) };
    case 'rooms/ended':
      return { ...room, isActive: false };
    case 'rooms/messageSent':
    case 'rooms/messageDeleted':
    case 'rooms/stamped':
    case 'rooms/cheered':
    case 'playback/moved':
    case 'playback/queueChanged':
    case 'playback/controlChanged':
    case 'playback/afterTrackChanged':
      break;
  }
  return room;
}

/** The state after change number `seq` of the room's stream. */
export function applyChange(state: RoomState, seq: number, change: RoomChange, selfUid: string): RoomState {
  const ownVotes = applyOwnVote(state.ownVotes, change, selfUid);
  return { ...state, seq, room: applyRoomChange(state.room, change), ownVotes };
}

/** The user's own votes after one change. */
function applyOwnVote(votes: readonly string[], change: RoomChange, selfUid: string): readonly string[] {
  if (change.type === 'rooms/proposed' && change.proposal.proposer === selfUid) return [...votes, change.proposal.id];
  if (change.type !== 'rooms/proposalVoted' || change.uid !== selfUid) return votes;
  return withVote(votes, change.proposalId, change.isOn);
}

/** The host's name, as the header shows it to everybody else. */
export function hostName(room: RoomDocument): string {
  return room.participants.find(({ uid }) => uid === room.host)?.name ?? '';
}

/** Everybody in the room: the host first, then in the order in which they joined. */
export function peopleInOrder(room: RoomDocument): readonly Participant[] {
  const isHost = ({ uid }: Participant): boolean => uid === room.host;
  return [...room.participants.filter(isHost), ...room.participants.filter((person) => !isHost(person))];
}

function withVote<Id>(votes: readonly Id[], id: Id, isOn: boolean): Id[] {
  const others = votes.filter((vote) => vote !== id);
  return isOn ? [...others, id] : others;
}

const without = ({ proposals }: RoomDocument, id: string) => proposals.filter((one) => one.id !== id);

/** Whether the page knows everybody in the room. */
export const isEveryoneNamed = ({ people, participants }: RoomDocument): boolean => people <= participants.length;

/** With `people` in the room, these among them, of whom some may be known. */
export function withPeople(room: RoomDocument, people: number, these: readonly Participant[]): RoomDocument {
  const known = new Map([...room.participants, ...these].map((person) => [person.uid, person]));
  return { ...room, people, participants: [...known.values()] };
}

function patchPerson(room: RoomDocument, uid: string, patch: Partial<Participant>): RoomDocument {
  return {
    ...room,
    participants: room.participants.map((person) => (person.uid === uid ? { ...person, ...patch } : person)),
  };
}
