/**
 * Reads a room's playback document, of either kind, into the one shape in which it is changed and followed.
 */
import type { AudioPlayback, PlaybackChange, PlaybackDocument, Track, VideoPlayback } from '@tunemate/protocol';

/** What the document says, free of its kind: the one track of an audio room stands in a queue of its own. */
export function playbackOfDocument(document: PlaybackDocument) {
  const queue = 'videoQueue' in document ? queueOfVideo(document) : queueOfAudio(document);
  const timeline = {
    revision: document.revision,
    trackKey: queue.videoQueue[queue.currentIndex]?.videoId ?? null,
    isPlaying: document.isPlaying,
    positionSeconds: document.currentTime,
    atServerMs: document.updatedAt,
  };
  return { timeline, queue, controller: document.controller };
}

interface Queue {
  videoQueue: readonly Track[];
  currentIndex: number;
}

function queueOfVideo({ videoQueue, currentIndex }: VideoPlayback): Queue {
  return { videoQueue, currentIndex };
}

function queueOfAudio({ videoId, title, thumbnail, durationSeconds }: AudioPlayback): Queue {
  return { videoQueue: videoId ? [{ videoId, title, thumbnail, durationSeconds }] : [], currentIndex: 0 };
}

/** Whether a change of a room concerns what it plays. */
export function isPlaybackChange(change: { readonly type: string }): change is PlaybackChange {
  return change.type.startsWith('playback/');
}
