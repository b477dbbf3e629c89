/**
 * Playback on the wire: one document per kind of room (in snapshots only), what changes of it, the host's intents, and
 * the clock probe. Each change raises the revision by one. `updatedAt` is the server time (ms) at which `currentTime`
 * (seconds) holds; it may lie slightly ahead, and then playing starts at that moment.
 */
import type { AfterTrack, PlaybackChange as ChangeOf, Playhead, QueueEdit } from '@tunemate/playback';
import { z } from 'zod';
import { fitsOneMessage } from './rooms/enqueue-batches.ts';
import { clientId, roomCodeInput, tabId, trackTitle, uid, videoId } from './wire/fields.ts';
import { limits } from './wire/limits.ts';
import { request } from './wire/request.ts';
import { roomKind } from './wire/room-kind.ts';

/** A uid, to the playback engine a name as any other. */
const actor: z.ZodType<string> = uid;
const currentTime = z.number().min(0).max(limits.maxPositionSeconds);
const durationSeconds = z.number().positive().max(limits.maxDurationSeconds).nullable();
const revision = z.number().int().nonnegative();
const index = z.number().int().min(0);

/**
 * Something that can be played, as the host sends it. `durationSeconds` is null while it is unknown; `startSeconds` is
 * where it begins, when a link said so.
 */
export const namedTrack = z.strictObject({
  videoId,
  title: trackTitle,
  durationSeconds,
  startSeconds: currentTime.optional(),
});
export type NamedTrack = z.infer<typeof namedTrack>;

/** The same as members receive it; the server derives the address of the picture from the id. */
export const track = namedTrack.extend({ thumbnail: z.string().nullable() });
export type Track = z.infer<typeof track>;

/** A track of a queue, and the guest who proposed it, if one did. */
export const queuedTrack = track.extend({ proposedBy: uid.optional() });
export type QueuedTrack = z.infer<typeof queuedTrack>;

/** What an audio room does when a track ends; a video room always plays its queue. */
export const afterTrack = z.enum(['stop', 'queue', 'suggested']) satisfies z.ZodType<AfterTrack>;
export type { AfterTrack };

const common = {
  revision,
  isPlaying: z.boolean(),
  currentTime,
  updatedAt: z.number(),
  durationSeconds,
  /** The host's tab that holds control; null until one takes it. */
  controller: z.uuid().nullable(),
  /** Who acted last; left out while the host alone may act. */
  by: actor.optional(),
};

/** What a video room plays, and what comes next. */
export const videoPlayback = z.strictObject({
  kind: z.literal('video'),
  ...common,
  currentVideoId: videoId.nullable(),
  currentVideoTitle: z.string(),
  currentIndex: index,
  videoQueue: z.array(queuedTrack),
});

/** What an audio room plays, and what comes next. `audioUrl` is the address of a library item, empty for YouTube and with no track. */
export const audioPlayback = z.strictObject({
  kind: z.literal('audio'),
  ...common,
  videoId: videoId.nullable(),
  audioUrl: z.string(),
  title: z.string(),
  thumbnail: z.string().nullable(),
  currentIndex: index,
  audioQueue: z.array(queuedTrack),
  afterTrack,
});

export const playbackDocument = z.discriminatedUnion('kind', [videoPlayback, audioPlayback]);
export type VideoPlayback = z.infer<typeof videoPlayback>;
export type AudioPlayback = z.infer<typeof audioPlayback>;
export type PlaybackDocument = z.infer<typeof playbackDocument>;

const playhead = {
  revision,
  isPlaying: z.boolean(),
  currentTime,
  updatedAt: z.number(),
  currentIndex: index,
} satisfies { [Field in keyof Playhead]: z.ZodType<Playhead[Field]> };

/** The person whose press a change is; left out of what a player reports, and while the host alone may act. */
const acted = { by: actor.optional() };

/** One change of the queue. */
export const queueEdit = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('added'), track: queuedTrack }),
  z.strictObject({ type: z.literal('addedAll'), tracks: z.array(queuedTrack).readonly() }),
  z.strictObject({ type: z.literal('inserted'), index, track: queuedTrack }),
  z.strictObject({ type: z.literal('chosen'), track: queuedTrack }),
  z.strictObject({ type: z.literal('replaced'), track: queuedTrack }),
  z.strictObject({ type: z.literal('removed'), index }),
  z.strictObject({ type: z.literal('moved'), from: index, to: index }),
  z.strictObject({ type: z.literal('measured'), index, durationSeconds }),
  z.strictObject({ type: z.literal('named'), index, title: trackTitle }),
]) satisfies z.ZodType<QueueEdit<QueuedTrack>>;

/** Playing, pausing, seeking, another item of the queue: carries no queue. */
export const playbackMoved = z.strictObject({ type: z.literal('playback/moved'), ...playhead, ...acted });
/** The queue changed, and with it perhaps what plays. */
const playbackQueueChanged = z.strictObject({
  type: z.literal('playback/queueChanged'),
  ...playhead,
  ...acted,
  edit: queueEdit,
});
/** Another tab of the host took control. */
const playbackControlChanged = z.strictObject({
  type: z.literal('playback/controlChanged'),
  revision,
  controller: z.uuid(),
});
/** The host said what happens after the track. */
const playbackAfterTrackChanged = z.strictObject({
  type: z.literal('playback/afterTrackChanged'),
  revision,
  afterTrack,
});
export const playbackChange = z.discriminatedUnion('type', [
  playbackMoved,
  playbackQueueChanged,
  playbackControlChanged,
  playbackAfterTrackChanged,
]) satisfies z.ZodType<PlaybackChange>;
/** The type that `applyPlaybackChange` takes, with the tracks of the wire. */
export type PlaybackChange = ChangeOf<QueuedTrack>;

const enqueuedItems = z.array(namedTrack).min(1).max(limits.queueItems).refine(fitsOneMessage);

/** What the host wants, and a person who holds the remote. */
const pressIntents = [
  z.strictObject({ type: z.literal('play') }),
  z.strictObject({ type: z.literal('pause') }),
  /** Ignored where another track than `videoId` plays by now. */
  z.strictObject({ type: z.literal('seek'), videoId, currentTime }),
  /** Plays this now: at the head of a video room's queue; in audio rooms before what waits, or in place of the track. */
  z.strictObject({ type: z.literal('choose'), track: namedTrack }),
  /** Both ignored where another track than `videoId` plays by now: it may have ended meanwhile. */
  z.strictObject({ type: z.literal('next'), videoId: videoId.optional() }),
  z.strictObject({ type: z.literal('previous'), videoId: videoId.optional() }),
  /**
   * Plays this item of the queue, or `videoId` where it is by now, else playback/queue-changed; with `currentTime` from
   * there, and paused where `isPaused`: takes a stray press back.
   */
  z.strictObject({
    type: z.literal('jump'),
    currentIndex: index,
    videoId: videoId.optional(),
    currentTime: currentTime.optional(),
    isPaused: z.boolean().optional(),
  }),
  /** At the end of the queue; with `isNext` right after what plays. */
  z.strictObject({ type: z.literal('enqueue'), track: namedTrack, isNext: z.boolean().optional() }),
  /**
   * Adds the items at the end, in their order and in one change, as far as the queue has room; 'playback/queue-full'
   * or 'playback/queue-long' where it has none. `enqueueBatches` splits a list that is too long for one message.
   */
  z.strictObject({ type: z.literal('enqueueAll'), items: enqueuedItems }),
  /** Both: playback/queue-changed where the row has another track by now. */
  z.strictObject({ type: z.literal('remove'), index, videoId }),
  z.strictObject({ type: z.literal('move'), from: index, to: index, videoId }),
] as const;

/** The server decides, adds time and revision, and sends the change to all in the room. */
export const playbackIntent = z.discriminatedUnion('type', [
  ...pressIntents,
  /** Audio rooms only. */
  z.strictObject({ type: z.literal('setAfterTrack'), afterTrack }),
  /** The track of this revision ended in the host's player: goes on as the room is set, or pauses at 0. */
  z.strictObject({ type: z.literal('ended'), revision }),
  /** After a stall or an advertisement the host's player was at this position at this server time: go on from there. */
  z.strictObject({ type: z.literal('reanchor'), revision, currentTime, updatedAt: z.number() }),
  /** Publishes the unchanged position once more, for a person who has just been accepted. */
  z.strictObject({ type: z.literal('republish'), revision }),
  /** The host's player has stalled here: playback stops for a few seconds, longer when this is sent again. */
  z.strictObject({ type: z.literal('hold'), revision, currentTime }),
  /** The host's player learned how long the track of this revision is; null when it is a live stream after all. */
  z.strictObject({ type: z.literal('measured'), revision, durationSeconds }),
  /** The host's player learned the title of this revision's video, which was unknown. */
  z.strictObject({ type: z.literal('named'), revision, title: trackTitle }),
]);
export type PlaybackIntent = z.infer<typeof playbackIntent>;
export type PressIntent = z.infer<(typeof pressIntents)[number]>;

const presses: ReadonlySet<string> = new Set(pressIntents.map(({ shape }) => shape.type.value));
/** Whether a person who holds the remote may send it. Others come from the host's player, or set the room. */
export const isPress = (intent: PlaybackIntent): intent is PressIntent => presses.has(intent.type);

/** Presses that change what plays now: of two at one moment only the first counts. Additions to the queue all count. */
export const steers = ({ type }: PlaybackIntent): boolean => steering.has(type);
const steering = new Set<PlaybackIntent['type']>(['play', 'pause', 'seek', 'choose', 'next', 'previous', 'jump']);

const inRoom = { kind: roomKind, code: roomCodeInput };

export const playbackRequests = {
  /**
   * NTP-style probe, any signed-in tab; answered with two readings of the server's clock (ms). `roundTripMs` is what
   * the tab usually measures; from it the server computes how far ahead commands take effect. `driftMs` is how far the
   * tab's player is ahead of the room; the server only counts it. `missed`: when the player was not in step since the last
   * probe though its room may have played, from and until so many ms ago; left out where it was always in step.
   */
  'clock/probe': request({
    may: 'read the clock of the server',
    limit: 'general',
    turn: 'unordered',
    payload: z.strictObject({
      roundTripMs: z.number().min(0).max(60_000).optional(),
      driftMs: z.number().min(-60_000).max(60_000).optional(),
      missed: z
        .array(z.tuple([z.number().min(0), z.number().min(0)]))
        .max(limits.missedSpans)
        .optional(),
    }),
    value: z.strictObject({ serverReceivedMs: z.number(), serverSentMs: z.number() }),
  }),
  /** The host's tab takes control; the tab that had it learns so from the room's stream. */
  /** With `onlyIfFree` a tab keeps control that is in the room, or lost its connection less than 40 s ago. */
  'playback/takeControl': request({
    may: 'give the controls to one of their tabs',
    needs: { room: 'host' },
    limit: 'playback',
    budget: 'playbackBytes',
    payload: z.strictObject({ ...inRoom, tabId, onlyIfFree: z.boolean().optional() }),
    value: z.strictObject({ revision }),
  }),
  /**
   * From the host's controlling tab, and presses from any tab of a person who holds the remote. `seen` is the revision that
   * the tab showed: playback/overtaken when another person has changed what plays since then. `added` answers an
   * 'enqueueAll': how many of its items the queue had room for. With `givesUp` a page whose line broke before the answer
   * asks for it: that of the press if it was applied, else playback/given-up, and then it never is.
   */
  'playback/write': request({
    may: 'play, pause, seek, choose and queue tracks: the host from the tab that has the controls',
    needs: { room: 'remote' },
    limit: 'playback',
    budget: 'playbackBytes',
    payload: z.strictObject({
      ...{ ...inRoom, tabId, clientId, intent: playbackIntent },
      seen: revision.optional(),
      givesUp: z.literal(true).optional(),
    }),
    value: z.strictObject({ revision, added: z.number().int().min(1).optional() }),
  }),
  /** Takes the caller's own track out of the queue before it plays. One that is gone already stays so. */
  'playback/takeBack': request({
    may: 'take their own track out of the queue before it plays',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({ ...inRoom, videoId }),
    value: z.strictObject({}),
  }),
  /** A vote to skip this track, or taken back; twice is once. A vote for what plays no more changes nothing. */
  'playback/voteToSkip': request({
    may: 'vote to skip the track that plays, or take the vote back',
    needs: { room: 'member' },
    limit: 'reactions',
    payload: z.strictObject({ ...inRoom, videoId, isOn: z.boolean() }),
    value: z.strictObject({}),
  }),
  /** Any member's player: the track of this revision is loaded and could start. Releases the load barrier early. */
  'playback/ready': request({
    may: 'report that their player has loaded the track',
    needs: { room: 'member' },
    limit: 'general',
    payload: z.strictObject({ ...inRoom, revision }),
    value: z.strictObject({}),
  }),
} as const;
