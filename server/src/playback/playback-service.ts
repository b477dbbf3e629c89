/**
 * Playback of a room: only the host's tab that holds the lease may change it; the server adds time and revision and
 * sends the change to everybody. What is kept is what the host wants, not where any player is.
 */
import { withThumbnail } from '@tunemate/domain';
import {
  isAtLast,
  isSameStart,
  loadBarrierMs,
  playheadOf,
  roomLeadMs,
  startEarly,
  type Timeline,
} from '@tunemate/playback';
import {
  type NamedTrack,
  type Payload,
  type PlaybackIntent,
  type QueuedTrack,
  type Result,
  roomStream,
  type Uid,
  type Value,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Member, Seat } from '../access/subjects.ts';
import { accept, type Clock, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { onceDecided } from '../storage/idempotency.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import type { HeldStart, LoadBarrier } from './load-barrier.ts';
import { changePlayback, decideChange, type RoomName, startPlayback } from './playback-changes.ts';
import type { PlaybackState } from './playback-document.ts';
import { applyIntent, enqueued, type Moment, needsSuggestion, type Suggested } from './playback-intents.ts';
import { type LongestRoundTripQuery, readPlayback } from './playback-store.ts';
import type { RoundTrips } from './round-trips.ts';
import type { SeekThrottle } from './seek-throttle.ts';
import { type SkipVotesDeps, skipVotesService } from './skip-votes-service.ts';
import type { TrackEnd, TrackEnds } from './track-ends.ts';

type Write = Payload<'playback/write'>;
type Revised = Promise<Result<{ revision: number }>>;

/** Short, because a host sends many requests and none is repeated an hour later. */
const answersKeptMs = 60 * 60 * 1000;

export interface PlaybackDeps extends Pick<SkipVotesDeps, 'votersIn'> {
  record: StreamRecord;
  clock: Clock;
  connectionsIn: (db: Kysely<Schema>, room: RoomName) => Promise<{ connectionId: string; uid: Uid }[]>;
  /** Whether this person's tab is in the room, or lost its connection a moment ago. */
  isTabIn: (db: Kysely<Schema>, room: RoomName, uid: Uid, tabId: string) => Promise<boolean>;
  seekThrottle: SeekThrottle;
  barrier: Pick<LoadBarrier, 'hold'>;
  trackEnds: Pick<TrackEnds, 'watch'>;
  roundTrips: Pick<RoundTrips, 'note'>;
  /** A player is this far from where its room is. */
  noteDrift?: ((driftMs: number) => void) | undefined;
  /** The longest round trip measured in the room, on any process; null when none was measured. */
  longestRoundTripIn: (db: Kysely<Schema>, room: RoomName) => Promise<number | null>;
  /** The same, read with what the room plays. */
  longestRoundTripQuery: LongestRoundTripQuery;
  /** What the catalogue suggests after this track, best first; nothing when it can't be asked. */
  suggestAfter: (room: RoomName, videoId: string) => Promise<Suggested['tracks']>;
  /** Tells every process that this connection has loaded what the revision plays. */
  announceReady: (room: RoomName, revision: number, connectionId: string) => void;
}

export function playbackService(deps: PlaybackDeps) {
  async function write(seat: Seat, payload: Write): Revised {
    const { type } = payload.intent;
    // What is done before the write is for the host of now only.
    const now = type === 'seek' || goesOn.has(type) ? await seat.again() : null;
    if (now?.ok === false) return now;
    if (type === 'seek') return await seek(deps, seat, payload);
    await deps.seekThrottle.flush(seat.room.roomId);
    return await apply(deps, seat, payload);
  }

  function ready({ caller, room }: Member, { revision }: Payload<'playback/ready'>) {
    deps.announceReady(room, revision, caller.connectionId);
    return Promise.resolve(accept({}));
  }

  function probe(caller: Caller, { roundTripMs, driftMs }: Payload<'clock/probe'>): Result<Value<'clock/probe'>> {
    const nowMs = deps.clock.preciseNow();
    if (driftMs !== undefined) deps.noteDrift?.(driftMs);
    if (roundTripMs !== undefined) deps.roundTrips.note(caller.connectionId, roundTripMs);
    return accept({ serverReceivedMs: nowMs, serverSentMs: nowMs });
  }

  const skipVotes = skipVotesService({ ...deps, skip: (room, isWanted) => skip(deps, room, isWanted) });

  return {
    handlers: {
      'clock/probe': (caller: Caller, payload: Payload<'clock/probe'>) => Promise.resolve(probe(caller, payload)),
      'playback/takeControl': (member: Member, payload: Payload<'playback/takeControl'>) =>
        takeControl(deps, member, payload),
      'playback/write': write,
      'playback/ready': ready,
      ...skipVotes.handlers,
    } satisfies Partial<Handlers>,
    probe,
    start: startPlayback,
    judgeSkipVotes: skipVotes.judge,
    /** The tracks of the queue that are still to come. */
    async waitingIn(db: Kysely<Schema>, { kind, roomId }: RoomName): Promise<readonly QueuedTrack[]> {
      const stored = await readPlayback(db, kind, roomId);
      return stored ? stored.playback.queue.videoQueue.slice(stored.playback.queue.currentIndex + 1) : [];
    },
    enqueue: (writing: Writing, room: RoomName, track: NamedTrack, proposedBy: Uid) =>
      enqueueProposed(deps, writing, room, { ...withThumbnail(track), proposedBy }),
    release: (held: HeldStart) => release(deps, held),
    changeAtEnd: (room: RoomName, endOf: EndOf) => changeAtEnd(deps, room, endOf),
  };
}

/** A track that a guest proposed. */
async function enqueueProposed(
  { trackEnds }: PlaybackDeps,
  writing: Writing,
  { kind, roomId }: RoomName,
  track: QueuedTrack,
): Promise<Result<unknown>> {
  const room = { kind, roomId };
  const moment = { nowMs: writing.nowMs, leadMs: 0, loadMs: loadBarrierMs };
  const changed = await changePlayback(writing, room, (before) => enqueued(before, track, moment));
  if (changed.ok) writing.afterCommit(() => trackEnds.watch(room, changed.value.after));
  return changed;
}

async function takeControl(
  deps: PlaybackDeps,
  { caller, room, write }: Member,
  payload: Payload<'playback/takeControl'>,
): Revised {
  const outcome = await write([], (writing) =>
    changePlayback(writing, room, async ({ controller, timeline }) => {
      if (controller === payload.tabId) return accept(null);
      const mustAsk = payload.onlyIfFree === true && controller !== null;
      if (mustAsk && (await deps.isTabIn(writing.db, room, caller.uid, controller))) {
        return refuse('playback/lease-lost');
      }
      const revision = timeline.revision + 1;
      return accept({ type: 'playback/controlChanged', revision, controller: payload.tabId });
    }),
  );
  return outcome.ok ? accept({ revision: outcome.value.after.timeline.revision }) : outcome;
}

/** Answers as soon as the seek is queued: the caller need not know that it waits or is replaced by a later one. */
async function seek(deps: PlaybackDeps, seat: Seat, payload: Write): Revised {
  const { room } = seat;
  const stored = await readPlayback(deps.record.db, room.kind, room.roomId);
  if (!stored) return refuse('room/ended');
  const { controller, timeline } = stored.playback;
  if (controller !== payload.tabId) return refuse('playback/lease-lost');
  const passed = await deps.seekThrottle.pass(room.roomId, () => apply(deps, seat, payload));
  return passed ?? accept({ revision: timeline.revision });
}

async function apply(deps: PlaybackDeps, seat: Seat, payload: Write): Revised {
  const { caller, room } = seat;
  const { intent, tabId, clientId } = payload;
  const asked = ['playback/write', room.roomId, tabId, intent];
  let heldUntilMs: number | null = null;
  let state: PlaybackState | null = null;
  const suggested = goesOn.has(intent.type) ? await suggestedIn(deps, room) : undefined;
  const outcome = await seat.write([], (writing) => {
    const decide = async () => {
      let moment: Moment = { nowMs: writing.nowMs, leadMs: 0, loadMs: loadBarrierMs, suggested };
      const apply = (before: PlaybackState, longestMs: number | null) => {
        if (before.controller !== tabId) return refuse('playback/lease-lost');
        moment = { ...moment, leadMs: roomLeadMs([longestMs]) };
        return applyIntent(room.kind, before, intent, moment);
      };
      const decided = await decideChange(writing, room, apply, deps.longestRoundTripQuery);
      if (!decided.ok) return decided;
      const { before, after } = decided.value;
      const save = async () => {
        await decided.value.save();
        heldUntilMs = startHeldUntil(before.timeline, after.timeline, moment);
        state = after;
      };
      return accept({ value: { revision: after.timeline.revision }, save });
    };
    return onceDecided(writing, caller.uid, clientId, asked, decide, { roomId: room.roomId, keptMs: answersKeptMs });
  });
  if (outcome.ok && state !== null) deps.trackEnds.watch(room, state);
  if (outcome.ok && heldUntilMs !== null) await holdForLoading(deps, { room, heldUntilMs }, outcome.value.revision);
  return outcome;
}

/** What leads to the next track, which may be for the catalogue to say. */
const goesOn = new Set<Write['intent']['type']>(['ended', 'next']);

/** Asked before the write, which must not wait for a service elsewhere. */
async function suggestedIn(deps: PlaybackDeps, room: RoomName): Promise<Suggested | undefined> {
  const stored = await readPlayback(deps.record.db, room.kind, room.roomId);
  const after = stored && needsSuggestion(stored.playback) ? stored.playback.timeline.trackKey : null;
  return after === null ? undefined : { after, tracks: await deps.suggestAfter(room, after) };
}

const endedIntent = ({ timeline: { revision } }: PlaybackState): PlaybackIntent => ({ type: 'ended', revision });

/** A majority wants something else: what waits comes next, and where nothing does, what comes after the track. */
async function skip(
  deps: PlaybackDeps,
  room: RoomName,
  isWanted: (db: Kysely<Schema>) => Promise<boolean>,
): Promise<void> {
  const state = await changeAtEnd(
    deps,
    room,
    async (_before, db) => ((await isWanted(db)) ? { endMs: 0, isNextLoaded: false } : null),
    (before) => (isAtLast(before.queue) ? endedIntent(before) : { type: 'next' }),
  );
  if (state !== null) deps.trackEnds.watch(room, state);
}

type EndOf = (state: PlaybackState, db: Kysely<Schema>) => TrackEnd | null | Promise<TrackEnd | null>;

/** The track ends: as if the host's page had reported it, but for the moment at which the next one starts. */
async function changeAtEnd(
  deps: PlaybackDeps,
  room: RoomName,
  endOf: EndOf,
  intentOf: (state: PlaybackState) => PlaybackIntent = endedIntent,
): Promise<PlaybackState | null> {
  let heldUntilMs: number | null = null;
  const suggested = await suggestedIn(deps, room);
  const changed = await deps.record.write([roomStream(room.roomId)], async (writing) => {
    if ((await deps.connectionsIn(writing.db, room)).length === 0) return null;
    const leadMs = await leadIn(deps, writing.db, room);
    const usual = { nowMs: writing.nowMs, leadMs, loadMs: loadBarrierMs, suggested };
    let moment: Moment = usual;
    const outcome = await changePlayback(writing, room, async (before) => {
      const end = await endOf(before, writing.db);
      if (end === null) return accept(null);
      const startMs = Math.max(end.endMs, writing.nowMs + leadMs);
      if (end.isNextLoaded) moment = { nowMs: startMs, leadMs, loadMs: 0 };
      return applyIntent(room.kind, before, intentOf(before), moment);
    });
    if (!outcome.ok) return null;
    const { before, after } = outcome.value;
    if (moment === usual) heldUntilMs = startHeldUntil(before.timeline, after.timeline, usual);
    return after;
  });
  if (changed !== null && heldUntilMs !== null) {
    await holdForLoading(deps, { room, heldUntilMs }, changed.timeline.revision);
  }
  return changed;
}

async function leadIn({ longestRoundTripIn }: PlaybackDeps, db: Kysely<Schema>, room: RoomName): Promise<number> {
  return roomLeadMs([await longestRoundTripIn(db, room)]);
}

async function holdForLoading(deps: PlaybackDeps, held: HeldStart, revision: number): Promise<void> {
  const connections = await deps.connectionsIn(deps.record.db, held.room);
  deps.barrier.hold(
    held,
    revision,
    connections.map(({ connectionId }) => connectionId),
  );
}

/** Everyone has loaded: start now instead of at the barrier's latest moment. */
async function release(deps: PlaybackDeps, { room, heldUntilMs }: HeldStart): Promise<void> {
  const released = await deps.record.write([roomStream(room.roomId)], async (writing) => {
    const leadMs = await leadIn(deps, writing.db, room);
    return await changePlayback(writing, room, ({ timeline, queue }) => {
      const started = startEarly(timeline, heldUntilMs, writing.nowMs, leadMs);
      return accept(started && { type: 'playback/moved', ...playheadOf(started, queue.currentIndex) });
    });
  });
  if (released.ok) deps.trackEnds.watch(room, released.value.after);
}

/** The latest start of a new track, which waits until everybody has loaded it; null when the change holds no start. */
function startHeldUntil(before: Timeline, after: Timeline, { nowMs, loadMs }: Moment): number | null {
  const isHeld = after.isPlaying && !isSameStart(after, before) && after.atServerMs === nowMs + loadMs;
  return isHeld ? after.atServerMs : null;
}
