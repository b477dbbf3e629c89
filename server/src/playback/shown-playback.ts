/**
 * What a room plays, as pages and other features read it: the document of its kind, which snapshots carry, and what lists
 * of rooms and proposals ask. The only file of the server that knows the documents of both kinds.
 */
import { roomRules } from '@tunemate/domain';
import { currentItem } from '@tunemate/playback';
import {
  type AudioPlayback,
  isLibraryId,
  type PlaybackDocument,
  type QueuedTrack,
  type RoomId,
  type RoomKind,
  type VideoId,
  type VideoPlayback,
} from '@tunemate/protocol';
import { padded } from '../storage/queries.ts';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';
import { heardIn, type PlaybackState, readPlayback, readTrack, storedPlayback } from './playback-document.ts';

/** The whole document, for snapshots. */
export async function readPlaybackDocument(db: Db, room: RoomRef): Promise<PlaybackDocument | null> {
  const stored = await readPlayback(db, room);
  return stored && toDocument(room.kind, stored.playback);
}

/** What the list of a person's rooms shows of one of them. */
export interface NowPlaying {
  isPlaying: boolean;
  /** Null in a room where nothing was chosen. */
  title: string | null;
  thumbnail: string | null;
}

/** What these rooms of a kind play now: in two statements, without their queues. A deleted room is absent. */
export async function nowPlayingIn(
  db: Db,
  kind: RoomKind,
  roomIds: readonly RoomId[],
): Promise<Map<RoomId, NowPlaying>> {
  const playing = new Map<RoomId, NowPlaying>();
  if (roomIds.length === 0) return playing;
  const rows = await db
    .selectFrom(roomTables[kind].playback)
    .select(['room_id', 'document'])
    .where('room_id', 'in', padded(roomIds))
    .execute();
  const current = new Map<string, number>();
  for (const { room_id: roomId, document } of rows) {
    const { items, currentIndex, isPlaying } = storedPlayback.parse(JSON.parse(document));
    playing.set(roomId as RoomId, { isPlaying, title: null, thumbnail: null });
    const item = items[currentIndex];
    if (item !== undefined) current.set(roomId, item);
  }
  if (current.size === 0) return playing;
  const tracks = await db
    .selectFrom('queue_items')
    .select(['room_id', 'track'])
    .where(({ or, and, eb }) =>
      or(padded([...current]).map(([roomId, item]) => and([eb('room_id', '=', roomId), eb('item', '=', item)]))),
    )
    .execute();
  for (const { room_id: roomId, track } of tracks) {
    const { title, thumbnail } = readTrack(track);
    playing.set(roomId as RoomId, { isPlaying: playing.get(roomId as RoomId)?.isPlaying ?? false, title, thumbnail });
  }
  return playing;
}

/** What the people of a room hear; null while nothing plays. */
export async function trackHeardIn(db: Db, room: RoomRef): Promise<VideoId | null> {
  const stored = await readPlayback(db, room);
  return stored && heardIn(stored.playback);
}

/** The tracks of the queue that are still to come. */
export async function waitingIn(db: Db, room: RoomRef): Promise<readonly QueuedTrack[]> {
  const stored = await readPlayback(db, room);
  return stored ? stored.playback.queue.videoQueue.slice(stored.playback.queue.currentIndex + 1) : [];
}

/** The document of this state, with the field names of the protocol. */
export function toDocument(kind: RoomKind, state: PlaybackState): PlaybackDocument {
  return writers[kind](state);
}

function commonFields({ timeline, queue, controller, by }: PlaybackState) {
  return {
    ...(by !== undefined && { by }),
    revision: timeline.revision,
    isPlaying: timeline.isPlaying,
    currentTime: timeline.positionSeconds,
    updatedAt: timeline.atServerMs,
    durationSeconds: currentItem(queue)?.durationSeconds ?? null,
    controller,
  };
}

const writers: Record<RoomKind, (state: PlaybackState) => PlaybackDocument> = {
  video: (state): VideoPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'video',
      ...commonFields(state),
      currentVideoId: track?.videoId ?? null,
      currentVideoTitle: track?.title ?? roomRules.video.initialTitle,
      currentIndex: state.queue.currentIndex,
      videoQueue: [...state.queue.videoQueue],
    };
  },
  audio: (state): AudioPlayback => {
    const track = currentItem(state.queue);
    return {
      kind: 'audio',
      ...commonFields(state),
      videoId: track?.videoId ?? null,
      audioUrl: track && isLibraryId(track.videoId) ? `/media/${track.videoId}` : '',
      title: track?.title ?? roomRules.audio.initialTitle,
      thumbnail: track?.thumbnail ?? null,
      currentIndex: state.queue.currentIndex,
      audioQueue: [...state.queue.videoQueue],
      afterTrack: state.afterTrack,
    };
  },
};
