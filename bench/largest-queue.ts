/** A room whose host filled the queue with the largest items that are allowed. */
import { limits, playbackIntent, type PlaybackIntent, type RoomKind } from '@tunemate/protocol';
import type { Member } from '@tunemate/testkit/crowd';
import { randomUUID } from 'node:crypto';

export interface Room {
  readonly kind: RoomKind;
  readonly code: string;
}

/** Four bytes a character; with a picture's address where one may be named. */
function largestTrack(n: number): unknown {
  const videoId = `lib_${n.toString(16).padStart(16, '0')}`;
  const track = { videoId, title: '🎵'.repeat(limits.titleLength), durationSeconds: 600 };
  const pictured = { ...track, thumbnail: `https://i.ytimg.com/${'x'.repeat(480)}` };
  return playbackIntent.safeParse({ type: 'enqueue', track: pictured }).success ? pictured : track;
}

/** One write of playback. The tab has to hold control. */
export async function write(host: Member, room: Room, intent: unknown): Promise<void> {
  const { tabId } = host;
  await host.ask('playback/write', { ...room, tabId, clientId: randomUUID(), intent: intent as PlaybackIntent });
}

/** Opens a video room and fills its queue, at the pace that the limits allow. */
export async function openFullRoom(host: Member, everyMs: number): Promise<Room> {
  const kind = 'video' as const;
  const { code } = await host.ask('rooms/create', { clientId: randomUUID(), kind, name: 'A full queue' });
  const room = { kind, code };
  await host.ask('rooms/enter', room);
  await host.ask('playback/takeControl', { ...room, tabId: host.tabId });
  for (let n = 0; n < limits.queueItems; n += 1) {
    await write(host, room, { type: 'enqueue', track: largestTrack(n) });
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return room;
}

/** `guest` asks and is let in. */
export async function seat(host: Member, guest: Member, room: Room): Promise<void> {
  await guest.ask('rooms/askToJoin', room);
  await host.ask('rooms/acceptRequest', { ...room, uid: guest.person.uid });
}
