/**
 * What the catalogue needs of a video service, and the one error by which it may fail.
 */
import type { VideoId } from '@tunemate/protocol';

/** An item of a search or a suggestion. */
export interface FoundVideo {
  videoId: VideoId;
  title: string;
  /** On the service's image host. */
  thumbnail: string;
}

export interface VideoDetails extends FoundVideo {
  /** The service's category; 10 is music, and the default. */
  categoryId: string;
}

/** At most five items each, and 50 of a playlist and of videos by their ids. Every method throws VideoSourceFailure. */
export interface VideoSource {
  /** As typed in a video room. */
  searchVideos(query: string): Promise<FoundVideo[]>;
  /** As typed in an audio room. */
  searchAudio(query: string): Promise<FoundVideo[]>;
  /** In one call, 50 at most; what there is of them, in any order. */
  videosById(videoIds: readonly VideoId[]): Promise<VideoDetails[]>;
  /** In the order of the playlist, without what was deleted or is private; empty when there is no such playlist. */
  playlist(playlistId: string): Promise<FoundVideo[]>;
  relatedTo(details: VideoDetails): Promise<FoundVideo[]>;
}

/**
 * `quota`: used up for today. `tooFast`: retry after a pause. `unavailable`: no answer, a refusal, or a timeout.
 * `badAnswer`: not of the documented shape.
 */
export type VideoSourceFailureCode = 'quota' | 'tooFast' | 'unavailable' | 'badAnswer';

/** Never contains the address of the call: the key is part of it. */
export class VideoSourceFailure extends Error {
  readonly code: VideoSourceFailureCode;
  /** HTTP status, where there was one. */
  readonly status: number | null;
  constructor(code: VideoSourceFailureCode, status: number | null = null) {
    super(`video source: ${code}`);
    this.name = 'VideoSourceFailure';
    this.code = code;
    this.status = status;
  }
}
