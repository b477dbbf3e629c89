/** A room whose host filled the queue with the largest items that are allowed. */
import { limits, type PlaybackIntent, type RoomKind, type VideoId } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import type { Member } from '@tunemate/testkit/worlds/crowd';

export interface Room {
  readonly kind: RoomKind;
  readonly code: string;
}

/** As many bytes as a title may have, four a character. */
function largestTrack(n: number) {
  const videoId = `lib_${n.toString(16).padStart(16, '0')}` as VideoId;
  return { videoId, title: '🎵'.repeat(Math.floor(limits.titleBytes / 4)), durationSeconds: 600 };
}

/** One write of playback. The tab has to hold control. */
export async function write(host: Member, room: Room, intent: PlaybackIntent): Promise<void> {
  const { tabId } = host;
  await host.ask('playback/write', { ...room, tabId, clientId: newClientId(), intent });
}

/** What a restless host does in turn. */
export const moves = (currentTime: number): readonly PlaybackIntent[] => [
  { type: 'play' },
  { type: 'seek', videoId: largestTrack(0).videoId, currentTime },
  { type: 'pause' },
];

/** Writes, and tries again until the limit on stored bytes lets the write through. */
async function writeWhenAllowed(host: Member, room: Room, intent: PlaybackIntent): Promise<void> {
  for (;;) {
    try {
      return await write(host, room, intent);
    } catch (error) {
      if (!String(error).includes('limit/too-many')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Opens a video room and fills its queue, at the pace that the limits allow. */
export async function openFullRoom(host: Member, everyMs: number): Promise<Room> {
  const kind = 'video' as const;
  const { code } = await host.ask('rooms/create', { clientId: newClientId(), kind, name: 'A full queue' });
  const room = { kind, code };
  await host.ask('rooms/enter', room);
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  for (let n = 0; n < limits.queueItems; n += 1) {
    await writeWhenAllowed(host, room, { type: 'enqueue', track: largestTrack(n) });
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return room;
}

/** `guest` asks to join and is accepted. */
export async function letIn(host: Member, guest: Member, room: Room): Promise<void> {
  await guest.ask('rooms/askToJoin', room);
  await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
}
