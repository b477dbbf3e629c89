/** What every visit to a room has of this page: its time, a place for its player, and what is remembered of that. */
import { pageTimers } from '../../playback/players/page-timers.ts';
import { createPlayerMemory, createPagePlayer } from '../../playback/players/page-player.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import type { PagePorts } from './live-parts.ts';

const nowMs = (): number => performance.now();

export const page: PagePorts = {
  schedule: pageTimers,
  storage: deviceStorage,
  nowMs,
  createStage: createPagePlayer,
  playerMemory: createPlayerMemory(deviceStorage),
  mediaSession: 'mediaSession' in navigator ? navigator.mediaSession : undefined,
};
