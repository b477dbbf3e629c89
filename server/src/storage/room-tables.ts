/**
 * Where each kind of room is stored: separate collections of the same shape.
 */
import type { RoomId, RoomKind } from '@tunemate/protocol';

/** Which room: ids are unique within a kind. */
export interface RoomRef {
  kind: RoomKind;
  roomId: RoomId;
}

export const roomTables = {
  video: {
    rooms: 'rooms',
    participants: 'room_participants',
    requests: 'room_requests',
    chat: 'room_chat',
    stamps: 'room_stamps',
    playback: 'tunemate_rooms',
  },
  audio: {
    rooms: 'audiorooms',
    participants: 'audioroom_participants',
    requests: 'audioroom_requests',
    chat: 'audioroom_chat',
    stamps: 'audioroom_stamps',
    playback: 'audio_room_state',
  },
} as const satisfies Record<RoomKind, Record<string, string>>;
