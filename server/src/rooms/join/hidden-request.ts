/** How a request to join leaves the host's list without the host's answer. */
import { hostStream, type RoomId, type Uid } from '@tunemate/protocol';
import type { Writing } from '../../storage/record.ts';

/** Without a name: whoever asked may be gone, or hidden from the host. */
export async function hideRequest(writing: Writing, roomId: RoomId, uid: Uid, askedAt: number): Promise<void> {
  const request = { uid, name: '', status: null, askedAt };
  await writing.append(hostStream(roomId), { type: 'rooms/requestChanged', request });
}
