/**
 * Rooms, people and messages for tests.
 */
import {
  hostSettings,
  initialSettings,
  memberSettings,
  type JoinRequest,
  type Participant,
  type RoomCode,
  type RoomId,
  type RoomKind,
  type RoomMessage,
  type RoomSettings,
  type RoomSnapshot,
  type Uid,
} from '@tunemate/protocol';
import { clientId } from './connection-fixtures.ts';
import { playbackDocument } from './playback-fixtures.ts';

export const hostUid = 'h'.repeat(22) as Uid;
export const guestUid = 'g'.repeat(22) as Uid;
export const stranger = 's'.repeat(22) as Uid;
export const roomId = 'r'.repeat(22) as RoomId;
export const testRoomCode = '7F3A9C' as RoomCode;

export const host: Participant = { uid: hostUid, name: 'Mara', online: true };
export const guest: Participant = { uid: guestUid, name: 'Ivo', online: true };

/** What members receive of the settings of a room: those of a new one, but for these. */
export const shownToMembers = (chosen: Partial<RoomSettings> = {}) =>
  memberSettings.strip().parse({ ...initialSettings, ...chosen });

/** What its host alone receives of them. */
export const shownToHost = (chosen: Partial<RoomSettings> = {}) =>
  hostSettings.strip().parse({ ...initialSettings, ...chosen });

export function roomSnapshot(kind: RoomKind, change: Partial<RoomSnapshot> = {}): RoomSnapshot {
  return {
    seq: 10,
    room: {
      kind,
      roomId: roomId,
      code: testRoomCode,
      name: 'Friday Slow Burn',
      host: hostUid,
      createdAt: 1000,
      isActive: true,
      hostAwaySince: null,
      handOver: null,
      proposals: [],
      ...shownToMembers(),
      skipVotes: [],
      people: 2,
      participants: [host, guest],
    },
    hostSeq: null,
    requests: [],
    hostSettings: null,
    messages: [],
    ownVotes: [],
    hasEarlierMessages: false,
    playback: playbackDocument(kind, { revision: 0, updatedAt: 1000 }),
    serverNowMs: 1000,
    ...change,
  };
}

export function joinRequest(name: string, askedAt: number): JoinRequest {
  return { uid: name.padEnd(22, 'x') as Uid, name, status: 'pending', askedAt };
}

export function message(number: number, change: Partial<RoomMessage> = {}): RoomMessage {
  return {
    id: `m${number}`,
    clientId: clientId(1000 + number),
    sender: hostUid,
    number,
    senderName: 'Mara',
    text: `message ${number}`,
    isDeleted: false,
    timestamp: 1000 + number,
    stamps: [],
    ...change,
  };
}
