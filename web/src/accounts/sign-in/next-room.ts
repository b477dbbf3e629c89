/** The room that the path after signing in leads to. */
import type { Destination, PagePath, RoomKind } from '@tunemate/protocol';
import { roomOf } from './next-path.ts';

/** The room of a link that was shared: somebody who opens it may be new here. */
export const sharedRoom = (next: string): Destination | undefined =>
  /^\/join(?:-audio-room)?\?/.test(next) ? roomOf(next).room : undefined;

const joinPaths: Record<RoomKind, PagePath> = { video: '/join', audio: '/join-audio-room' };

/** The join screen's own link to the room that `next` leads to; null for another path. */
export function roomLinkOf(next: string): string | null {
  const { room } = roomOf(next);
  return room ? `${joinPaths[room.kind]}?code=${room.code}` : null;
}
