/** What the server says to a phone that is held beside a room. */
import type { RouteValue } from '@tunemate/protocol';
import { aTrack } from './rooms.ts';

/** The track is paused on the other device. */
export const besideTrack = (): RouteValue<'GET /api/beside'> => ({
  track: { videoId: aTrack('a').videoId, title: 'Walking Home', artist: 'Lena Vogt', durationSeconds: 109 },
  timeline: { revision: 3, isPlaying: false, positionSeconds: 12, atServerMs: Date.now() },
  serverReceivedMs: Date.now(),
  serverSentMs: Date.now(),
});
