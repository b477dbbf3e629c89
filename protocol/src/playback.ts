/**
 * Playback on the wire: the spec's documents (tunemateRooms/{code} and audioRoom/state) with a rising revision,
 * the host's intents, and the clock probe. `updatedAt` is the server time (ms) at which `currentTime` (seconds)
 * holds; it may lie slightly ahead, and then playing starts at that moment.
 */
import { z } from 'zod';
import { clientId, roomCodeInput, tabId, videoId } from './ids.ts';
import { limits } from './limits.ts';
import { request } from './request.ts';
import { roomKind } from './room-kind.ts';
import { trackTitle } from './text.ts';

const currentTime = z.number().min(0).max(limits.maxPositionSeconds);
const durationSeconds = z.number().positive().max(limits.maxPositionSeconds).nullable();
const revision = z.number().int().nonnegative();

/** Something that can be played. `durationSeconds` is null while nobody knows it. */
export const track = z.strictObject({
  videoId,
  title: trackTitle,
  thumbnail: z.string().max(500).nullable(),
  durationSeconds,
});
export type Track = z.infer<typeof track>;

const common = {
  revision,
  isPlaying: z.boolean(),
  currentTime,
  updatedAt: z.number(),
  durationSeconds,
  /** The host's tab that holds control; null until one takes it. */
  controller: tabId.nullable(),
};

/** tunemateRooms/{code} (spec §3). */
export const videoPlayback = z.strictObject({
  kind: z.literal('video'),
  ...common,
  currentVideoId: videoId.nullable(),
  currentVideoTitle: z.string(),
  currentIndex: z.number().int().min(0),
  videoQueue: z.array(track),
});

/** audioRoom/state (spec §3). `audioUrl` is where an own item streams from, empty for YouTube and before the first. */
export const audioPlayback = z.strictObject({
  kind: z.literal('audio'),
  ...common,
  videoId: videoId.nullable(),
  audioUrl: z.string(),
  title: z.string(),
  thumbnail: z.string().nullable(),
});

export const playbackDocument = z.discriminatedUnion('kind', [videoPlayback, audioPlayback]);
export type VideoPlayback = z.infer<typeof videoPlayback>;
export type AudioPlayback = z.infer<typeof audioPlayback>;
export type PlaybackDocument = z.infer<typeof playbackDocument>;

/** What the host wants. The server decides what becomes of it, stamps time and revision, and tells everybody. */
export const playbackIntent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('play') }),
  z.strictObject({ type: z.literal('pause') }),
  z.strictObject({ type: z.literal('seek'), currentTime }),
  /** Plays this now; in video rooms it goes to the head of the queue. */
  z.strictObject({ type: z.literal('choose'), track }),
  z.strictObject({ type: z.literal('next') }),
  z.strictObject({ type: z.literal('previous') }),
  z.strictObject({ type: z.literal('jump'), currentIndex: z.number().int().min(0) }),
  z.strictObject({ type: z.literal('enqueue'), track }),
  z.strictObject({ type: z.literal('remove'), index: z.number().int().min(0), videoId }),
  z.strictObject({ type: z.literal('move'), from: z.number().int().min(0), to: z.number().int().min(0), videoId }),
  /** The track of this revision ended in the host's player: next (video) or paused at 0 (audio). */
  z.strictObject({ type: z.literal('ended'), revision }),
  /** The host's player was here at this server time, after a stall or an advertisement: everybody goes on from there. */
  z.strictObject({ type: z.literal('reanchor'), revision, currentTime, updatedAt: z.number() }),
  /** Where the music is, unchanged, once more: for somebody who has just come in. */
  z.strictObject({ type: z.literal('republish'), revision }),
  /** The host's player stands still here: everybody waits, a few seconds at most unless it is said again. */
  z.strictObject({ type: z.literal('hold'), revision, currentTime }),
  /** The host's player learned how long the track of this revision is. */
  z.strictObject({ type: z.literal('measured'), revision, durationSeconds: durationSeconds.unwrap() }),
]);
export type PlaybackIntent = z.infer<typeof playbackIntent>;

const inRoom = { kind: roomKind, code: roomCodeInput };

export const playbackRequests = {
  /**
   * NTP-style probe, any signed-in tab; answered with two readings of the server's clock (ms). `roundTripMs` is what the
   * tab usually measures: the host's commands take effect so far ahead that everybody in the room hears of them in time.
   */
  'clock/probe': request(
    z.strictObject({ roundTripMs: z.number().min(0).max(60_000).optional() }),
    z.strictObject({ serverReceivedMs: z.number(), serverSentMs: z.number() }),
  ),
  /** The host's tab takes control; the tab that had it learns so from the playback document. */
  /** With `onlyIfFree` control is left with a tab that is in the room, or was cut off from it less than 40 s ago. */
  'playback/takeControl': request(
    z.strictObject({ ...inRoom, tabId, onlyIfFree: z.boolean().optional() }),
    z.strictObject({ revision }),
  ),
  /** The controlling tab only. */
  'playback/write': request(
    z.strictObject({ ...inRoom, tabId, clientId, intent: playbackIntent }),
    z.strictObject({ revision }),
  ),
  /** Any member's player: the track of this revision is loaded and could start. Releases the load barrier early. */
  'playback/ready': request(z.strictObject({ ...inRoom, revision }), z.strictObject({})),
} as const;
