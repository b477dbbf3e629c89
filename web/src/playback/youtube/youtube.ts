/** The YouTube player of this page, fetched when a room first plays from YouTube. */
import { loadYouTubeApi } from './youtube-api.ts';
import type { YouTubePorts } from './youtube-frame.ts';
import { YouTubePlayer } from './youtube-player.ts';

export function createYouTubePlayer(ports: Omit<YouTubePorts, 'origin' | 'loadApi'>): YouTubePlayer {
  return new YouTubePlayer({ ...ports, origin: location.origin, loadApi: loadYouTubeApi });
}
