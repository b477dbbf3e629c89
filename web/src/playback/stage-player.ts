/**
 * The part of the page that plays: one element holding the media element and YouTube's frame, and the player over both.
 * Made outside React, because moving or remounting either of them would stop the music.
 */
import type { Schedule } from '@tunemate/playback';
import { cell, type Readable } from '../store/cell.ts';
import { MediaPlayer } from './media-player.ts';
import { SourcePlayer, type Source } from './source-player.ts';
import { loadYouTubeApi } from './youtube-api.ts';
import { YouTubePlayer } from './youtube-player.ts';

/** What is to be seen of the track: a picture of its own, nothing but sound, or not known yet. */
export interface Picture {
  readonly source: Source | null;
  readonly isMoving: boolean;
}

export interface StagePlayer {
  /** To be put on the page once, and left there. */
  readonly element: HTMLElement;
  readonly player: SourcePlayer;
  readonly picture: Readable<Picture>;
}

export function createStagePlayer(schedule: Schedule, nowMs: () => number): StagePlayer {
  const element = document.createElement('div');
  const media = document.createElement('video');
  const frame = document.createElement('div');
  media.playsInline = true;
  media.dataset['testid'] = 'player-media';
  media.tabIndex = -1;
  frame.dataset['testid'] = 'player-frame';
  element.append(media, frame);

  const picture = cell<Picture>({ source: null, isMoving: false });
  const look = (source: Source | null): void => {
    media.hidden = source !== 'library';
    frame.hidden = source !== 'youtube';
    picture.set({ source, isMoving: source === 'youtube' || (source === 'library' && media.videoWidth > 0) });
  };
  media.addEventListener('loadedmetadata', () => look('library'));
  media.addEventListener('resize', () => look('library'));

  const player = new SourcePlayer(
    {
      library: () => new MediaPlayer(media, { schedule }),
      youtube: () =>
        new YouTubePlayer({ container: frame, origin: location.origin, loadApi: loadYouTubeApi, schedule, nowMs }),
    },
    look,
  );
  look(null);
  return { element, player, picture };
}
