/**
 * The page's player: one element with two media elements, which alternate, and YouTube's frame. Created outside React,
 * because moving or remounting an element would stop the music.
 */
import {
  BrowserClock,
  type PlayerCapabilities,
  type PlayerEvent,
  type PlayerMemory,
  type PlayerSnapshot,
  type Schedule,
} from '@tunemate/playback';
import { cell, type Readable, signal } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';
import { type FilmStreams, type Lack, lackOf } from './media-element.ts';
import { MediaPlayer } from './media-player.ts';
import { RelayPlayer, SourcePlayer, type Loudness, type OneSourcePlayer, type Source } from './source-player.ts';

/** What the track shows: a moving picture, only sound, or not known yet (`source` is null). */
interface Picture {
  readonly source: Source | null;
  readonly isMoving: boolean;
  /** YouTube's frame shows something that only a person can answer or skip. */
  readonly needsTouch: boolean;
  /** What this browser leaves out of a film; null for nothing. */
  readonly lacks: Lack | null;
}

export interface PagePlayer {
  /** Must be added to the page once and never moved. */
  readonly element: HTMLElement;
  readonly player: SourcePlayer;
  readonly picture: Readable<Picture>;
}

/** `tag` of the media elements; audio elements continue behind a locked screen on more devices. */
export function createPagePlayer(tag: 'video' | 'audio', schedule: Schedule, nowMs: () => number): PagePlayer {
  const element = document.createElement('div');
  const [media, nextMedia] = [createMedia(tag), createMedia(tag)];
  const frame = document.createElement('div');
  frame.dataset['testid'] = 'player-frame';
  element.append(media, nextMedia, frame);

  const picture = cell<Picture>({ source: null, isMoving: false, needsTouch: false, lacks: null });
  const films = new Map<HTMLMediaElement, FilmStreams | null>();
  let seen = media;
  let needsTouch = false;
  const look = (source: Source | null): void => {
    for (const each of [media, nextMedia]) {
      each.hidden = source !== 'library' || each !== seen;
      each.dataset['testid'] = each === seen ? 'player-media' : 'player-media-next';
    }
    frame.hidden = source !== 'youtube';
    const isMoving = source === 'youtube' || (source === 'library' && hasPicture(seen));
    const lacks = source === 'library' ? lackOf(seen, films.get(seen) ?? null) : null;
    picture.set({ source, isMoving, needsTouch: needsTouch && source === 'youtube', lacks });
  };
  for (const each of [media, nextMedia]) {
    for (const name of ['loadedmetadata', 'resize'])
      each.addEventListener(name, () => each === seen && look('library'));
    // Whether a sound is decoded shows only while it plays.
    const isNews = (): boolean => lackOf(each, films.get(each) ?? null) !== picture.get().lacks;
    each.addEventListener('timeupdate', () => each === seen && isNews() && look(picture.get().source));
  }
  const createLibraryPlayer = (): RelayPlayer => {
    const browserClock = new BrowserClock();
    const playerOf = (each: HTMLMediaElement): MediaPlayer => {
      const onFilm = (film: FilmStreams | null): void => {
        films.set(each, film);
        look(picture.get().source);
      };
      return new MediaPlayer(each, { schedule, browserClock, onFilm });
    };
    const [first, second] = [playerOf(media), playerOf(nextMedia)];
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
          const { createYouTubePlayer } = await import('../youtube/youtube-player.ts');
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

/** A player whose code is fetched with its first track; keeps the track and loudness until then. */
export class LaterPlayer implements OneSourcePlayer {
  readonly #bring: () => Promise<OneSourcePlayer>;
  readonly #events = signal<PlayerEvent>();
  readonly subscribe = this.#events.subscribe;
  #player: OneSourcePlayer | null = null;
  #isFetching = false;
  #isDisposed = false;
  #cue: { readonly trackKey: string; readonly startSeconds: number } | null = null;
  #hasFailed = false;
  #loudness: Loudness | null = null;

  /** `bring` fetches the code and creates the player; after a failure the next track tries again. */
  constructor(bring: () => Promise<OneSourcePlayer>) {
    this.#bring = bring;
  }

  load(trackKey: string, startSeconds: number): void {
    if (this.#player !== null) return this.#player.load(trackKey, startSeconds);
    this.#cue = { trackKey, startSeconds };
    this.#hasFailed = false;
    if (!this.#isFetching) void this.#fetch();
  }

  unload(): void {
    this.#cue = null;
    this.#player?.unload();
  }

  play(): void {
    this.#player?.play();
  }

  pause(): void {
    this.#player?.pause();
  }

  seek(positionSeconds: number): void {
    this.#player?.seek(positionSeconds);
  }

  setRate(rate: number): void {
    this.#player?.setRate(rate);
  }

  setLoudness(loudness: Loudness): void {
    this.#loudness = loudness;
    this.#player?.setLoudness(loudness);
  }

  found(): PlayerCapabilities | null {
    return this.#player?.found?.() ?? null;
  }

  snapshot(): PlayerSnapshot {
    if (this.#player !== null) return this.#player.snapshot();
    const waiting = this.#hasFailed ? 'failed' : 'loading';
    return {
      phase: this.#cue === null ? 'empty' : waiting,
      positionSeconds: this.#cue?.startSeconds ?? 0,
      rate: 1,
      durationSeconds: null,
      bufferedUntilSeconds: null,
    };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#events.clear();
    this.#player?.dispose();
  }

  async #fetch(): Promise<void> {
    this.#isFetching = true;
    try {
      this.#adopt(await this.#bring());
    } catch {
      this.#hasFailed = true;
      this.#events.emit({ type: 'failed', code: 'network' });
    } finally {
      this.#isFetching = false;
    }
  }

  #adopt(player: OneSourcePlayer): void {
    if (this.#isDisposed) return player.dispose();
    this.#player = player;
    player.subscribe(this.#events.emit);
    if (this.#loudness !== null) player.setLoudness(this.#loudness);
    if (this.#cue !== null) player.load(this.#cue.trackKey, this.#cue.startSeconds);
    this.#events.emit({ type: 'changed' });
  }
}

const key = 'tunemate/players';
/** Far more than the engine writes. */
const mostCharacters = 2000;

export function createPlayerMemory(storage: Pick<LenientStorage, 'getItem' | 'setItem'>): PlayerMemory {
  return {
    read() {
      const kept = storage.getItem(key);
      if (kept === null || kept.length > mostCharacters) return null;
      try {
        return JSON.parse(kept) as unknown;
      } catch {
        // The stored value has another format.
        return null;
      }
    },
    write: (memory) => storage.setItem(key, JSON.stringify(memory)),
  };
}
