/** The room that the path after signing in leads to. */
import { type Destination, type PagePath, type RoomCode, roomIn, type RoomKind } from '@tunemate/protocol';
import { mayBeShared } from './next-path.ts';

/** For a request that sends a mail: the room that `next` leads to, which the link of the mail then leads to as well. */
export function roomOf(next: string): { room?: Destination } {
  const room = roomIn(next);
  return room?.kind ? { room: { kind: room.kind, code: room.code as RoomCode } } : {};
}

/** The room of a link that was shared. */
export const sharedRoom = (next: string): Destination | undefined =>
  mayBeShared(next) ? roomOf(next).room : undefined;

const joinPaths: Record<RoomKind, PagePath> = { video: '/join', audio: '/join-audio-room' };

/** The join screen's own link to the room that `next` leads to; null for another path. */
export function roomLinkOf(next: string): string | null {
  const { room } = roomOf(next);
  return room ? `${joinPaths[room.kind]}?code=${room.code}` : null;
}
