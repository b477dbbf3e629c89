/**
 * The part of the page that plays: one element holding two media elements, which take turns, and YouTube's frame; and
 * the player over all. Made outside React, because moving or remounting either of them would stop the music.
 */
import { BrowserClock, type Schedule } from '@tunemate/playback';
import { cell, type Readable } from '../../store/cell.ts';
import type { OneSourcePlayer } from './audible-player.ts';
import { LaterPlayer } from './later-player.ts';
import { MediaPlayer } from './media-player.ts';
import { RelayPlayer } from './relay-player.ts';
import { SourcePlayer, type Source } from './source-player.ts';

/** What is to be seen of the track: a picture of its own, nothing but sound, or not known yet. */
export interface Picture {
  readonly source: Source | null;
  readonly isMoving: boolean;
  /** YouTube's frame shows something that only a person can answer or skip. */
  readonly needsTouch: boolean;
}

export interface StagePlayer {
  /** To be put on the page once, and left there. */
  readonly element: HTMLElement;
  readonly player: SourcePlayer;
  readonly picture: Readable<Picture>;
}

/** `tag`: which of the two media elements; one without a picture goes on behind a locked screen on more devices. */
export function createStagePlayer(tag: 'video' | 'audio', schedule: Schedule, nowMs: () => number): StagePlayer {
  const element = document.createElement('div');
  const [media, nextMedia] = [createMedia(tag), createMedia(tag)];
  const frame = document.createElement('div');
  frame.dataset['testid'] = 'player-frame';
  element.append(media, nextMedia, frame);

  const picture = cell<Picture>({ source: null, isMoving: false, needsTouch: false });
  let seen = media;
  let needsTouch = false;
  const look = (source: Source | null): void => {
    for (const each of [media, nextMedia]) {
      each.hidden = source !== 'library' || each !== seen;
      each.dataset['testid'] = each === seen ? 'player-media' : 'player-media-next';
    }
    frame.hidden = source !== 'youtube';
    const isMoving = source === 'youtube' || (source === 'library' && hasPicture(seen));
    picture.set({ source, isMoving, needsTouch: needsTouch && source === 'youtube' });
  };
  for (const each of [media, nextMedia]) {
    for (const name of ['loadedmetadata', 'resize'])
      each.addEventListener(name, () => each === seen && look('library'));
  }
  const createLibraryPlayer = (): RelayPlayer => {
    const ports = { schedule, browserClock: new BrowserClock() };
    const [first, second] = [new MediaPlayer(media, ports), new MediaPlayer(nextMedia, ports)];
    const onTurn = (active: OneSourcePlayer): void => {
      seen = active === first ? media : nextMedia;
      look(picture.get().source);
    };
    return new RelayPlayer(first, second, { schedule, onTurn });
  };

  const player = new SourcePlayer(
    {
      library: createLibraryPlayer,
      youtube: () =>
        new LaterPlayer(async () => {
          const { createYouTubePlayer } = await import('../youtube/youtube.ts');
          const onNeed = (isNeeded: boolean): void => {
            needsTouch = isNeeded;
            look(picture.get().source);
          };
          return createYouTubePlayer({ container: frame, schedule, nowMs, onNeed });
        }),
    },
    look,
  );
  look(null);
  return { element, player, picture };
}

function createMedia(tag: 'video' | 'audio'): HTMLMediaElement {
  const media = document.createElement(tag);
  if (media instanceof HTMLVideoElement) media.playsInline = true;
  media.tabIndex = -1;
  return media;
}

const hasPicture = (media: HTMLMediaElement): boolean => media instanceof HTMLVideoElement && media.videoWidth > 0;
