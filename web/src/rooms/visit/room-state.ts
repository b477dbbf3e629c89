/**
 * The room and its people as a member knows them, and how each change of the room's stream alters them. Pure: no clock,
 * no network. Chat and playback have models of their own.
 */
import type { Participant, RoomChange, RoomDocument, RoomSnapshot } from '@tunemate/protocol';

/** The room as of change number `seq` of its stream. */
export interface RoomState {
  readonly seq: number;
  readonly room: RoomDocument;
  /** The proposals for which the user votes. */
  readonly ownVotes: readonly string[];
}

export function stateFromSnapshot(snapshot: RoomSnapshot): RoomState {
  const { seq, room, ownVotes } = snapshot;
  return { seq, room, ownVotes };
}

/** The room after one change; the same object when the change concerns chat or playback only. */
function applyRoomChange(room: RoomDocument, change: RoomChange): RoomDocument {
  switch (change.type) {
    case 'rooms/participantJoined':
      return withPeople(room, change.people, [change.participant]);
    case 'rooms/headCount':
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
    case 'rooms/hostChanged':
      return { ...room, host: change.host, hostAwaySince: change.hostAwaySince, handOver: null };
    case 'rooms/hostAway':
    case 'rooms/locked':
    case 'rooms/handOver':
    case 'rooms/chatSlowed': {
      const { type: _type, ...fields } = change;
      return { ...room, ...fields };
    }
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
    case 'rooms/messageEdited':
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

export function applyChange(state: RoomState, seq: number, change: RoomChange, selfUid: string): RoomState {
  const ownVotes = applyOwnVote(state.ownVotes, change, selfUid);
  return { ...state, seq, room: applyRoomChange(state.room, change), ownVotes };
}

function applyOwnVote(votes: readonly string[], change: RoomChange, selfUid: string): readonly string[] {
  if (change.type === 'rooms/proposed' && change.proposal.proposer === selfUid) return [...votes, change.proposal.id];
  if (change.type !== 'rooms/proposalVoted' || change.uid !== selfUid) return votes;
  return withVote(votes, change.proposalId, change.isOn);
}

export function hostName(room: RoomDocument): string {
  return room.participants.find(({ uid }) => uid === room.host)?.name ?? '';
}

/** The host first, then the others in the order in which they joined. */
export function peopleInOrder(room: RoomDocument): readonly Participant[] {
  const isHost = ({ uid }: Participant): boolean => uid === room.host;
  return [...room.participants.filter(isHost), ...room.participants.filter((person) => !isHost(person))];
}

function withVote<Id>(votes: readonly Id[], id: Id, isOn: boolean): Id[] {
  const others = votes.filter((vote) => vote !== id);
  return isOn ? [...others, id] : others;
}

const without = ({ proposals }: RoomDocument, id: string) => proposals.filter((one) => one.id !== id);

/** False in a large room, whose snapshot contains only some participants. */
export const isEveryoneNamed = ({ people, participants }: RoomDocument): boolean => people <= participants.length;

/** Adds or replaces `these` participants; `people` is the number of all in the room. */
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
