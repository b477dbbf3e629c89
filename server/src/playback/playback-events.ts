/** Which service answers which request about playback. */
import type { Handlers } from '../realtime/caller.ts';
import type { PlaybackService } from './playback-service.ts';

export function playbackHandlers(playback: PlaybackService) {
  return {
    'clock/probe': playback.probe,
    'playback/takeControl': playback.takeControl,
    'playback/write': playback.write,
    'playback/ready': playback.ready,
  } satisfies Partial<Handlers>;
}
