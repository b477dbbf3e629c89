/** What a host does in a room, and the largest items that a queue may hold. */
import { limits, type PlaybackIntent, type VideoId } from '@tunemate/protocol';
import { newClientId } from '@tunemate/testkit/answers';
import type { Member, Room } from '@tunemate/testkit/worlds/crowd';

/** As many bytes as a title may have, four a character. */
export function largestTrack(n: number) {
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
