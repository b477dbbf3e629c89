/**
 * The state of a room as a member has it, and how each change of its stream alters it. Pure: no clock, no network.
 * Chat and playback have separate models; this is the room, its people and the host's requests.
 */
import type { Admission, JoinRequest, Participant, RoomChange, RoomDocument, RoomSnapshot } from '@tunemate/protocol';

/** The room as of change number `seq` of its stream. */
export interface RoomState {
  readonly seq: number;
  readonly room: RoomDocument;
  /** Pending requests, oldest first; empty for anyone but the host. */
  readonly requests: readonly JoinRequest[];
  /** Who comes in without the host's approval; null for anyone but the host. */
  readonly admits: Admission | null;
}

/** The state in the snapshot from entering. */
export function stateFromSnapshot(snapshot: RoomSnapshot): RoomState {
  const { seq, room, requests, admits } = snapshot;
  return { seq, room, admits, requests: requests.filter(isPending).toSorted(byTimeAsked) };
}

/** The state after one change; the same object when the change concerns chat or playback only. */
export function applyRoomChange(room: RoomDocument, change: RoomChange): RoomDocument {
  switch (change.type) {
    case 'rooms/participantJoined':
      return { ...room, participants: withPerson(room.participants, change.participant) };
    case 'rooms/participantLeft':
      return { ...room, participants: room.participants.filter(({ uid }) => uid !== change.uid) };
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
    case 'rooms/ended':
      return { ...room, isActive: false };
    case 'rooms/messageSent':
    case 'rooms/messageDeleted':
    case 'rooms/stamped':
    case 'rooms/cheered':
    case 'playback/moved':
    case 'playback/queueChanged':
    case 'playback/controlChanged':
      break;
  }
  return room;
}

/** The host's list after one request changed: pending ones are kept or added, all others removed. */
export function applyRequestChange(
  requests: readonly JoinRequest[],
  changed: Omit<JoinRequest, 'status'> & { readonly status: JoinRequest['status'] | null },
): readonly JoinRequest[] {
  const others = requests.filter(({ uid }) => uid !== changed.uid);
  if (changed.status !== 'pending') return others;
  return [...others, { ...changed, status: changed.status }].toSorted(byTimeAsked);
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

function isPending(request: JoinRequest): boolean {
  return request.status === 'pending';
}

function byTimeAsked(first: JoinRequest, second: JoinRequest): number {
  return first.askedAt - second.askedAt;
}

function withPerson(people: readonly Participant[], person: Participant): Participant[] {
  const isKnown = people.some(({ uid }) => uid === person.uid);
  return isKnown ? people.map((known) => (known.uid === person.uid ? person : known)) : [...people, person];
}

function patchPerson(room: RoomDocument, uid: string, patch: Partial<Participant>): RoomDocument {
  return {
    ...room,
    participants: room.participants.map((person) => (person.uid === uid ? { ...person, ...patch } : person)),
  };
}
