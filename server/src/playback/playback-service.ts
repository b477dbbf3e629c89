/**
 * Playback of a room: only the host's tab that holds control writes; the server stamps time and revision and tells
 * everyone. The intent is the authority, not any play-head.
 */
import {
  applyPlaybackChange,
  isSameStart,
  loadBarrierMs,
  playheadOf,
  roomLeadMs,
  startEarly,
  type Timeline,
} from '@tunemate/playback';
import {
  type Payload,
  type PlaybackChange,
  roomStream,
  type RoomId,
  type RoomKind,
  type Uid,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import type { Handlers, Member } from '../access/subjects.ts';
import { accept, type Clock, type Outcome, refuse } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { once } from '../storage/idempotency.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import type { HeldStart, LoadBarrier } from './load-barrier.ts';
import { applyIntent, emptyPlayback, type Moment, type PlaybackState } from './playback-document.ts';
import { readPlayback, savePlayback } from './playback-store.ts';
import type { RoundTrips } from './round-trips.ts';
import type { SeekThrottle } from './seek-throttle.ts';

type Write = Payload<'playback/write'>;

interface RoomName {
  kind: RoomKind;
  roomId: RoomId;
}

/** A host presses keys all evening, and nobody repeats a press of an hour ago: answers to it are kept no longer. */
const answersKeptMs = 60 * 60 * 1000;

export interface PlaybackDeps {
  record: StreamRecord;
  clock: Clock;
  connectionsIn: (db: Kysely<Schema>, room: RoomName) => Promise<{ connectionId: string; uid: Uid }[]>;
  /** Whether this person's tab is in the room, or was cut off from it a moment ago. */
  isTabIn: (db: Kysely<Schema>, room: RoomName, uid: Uid, tabId: string) => Promise<boolean>;
  seekThrottle: SeekThrottle;
  barrier: Pick<LoadBarrier, 'hold'>;
  roundTrips: Pick<RoundTrips, 'note'>;
  /** The longest that anybody in the room has measured, on whichever process; null when nobody has. */
  longestRoundTripIn: (db: Kysely<Schema>, room: RoomName) => Promise<number | null>;
  /** Tells every process that this connection has loaded what the revision plays. */
  announceReady: (room: RoomName, revision: number, connectionId: string) => void;
}

export function playbackService(deps: PlaybackDeps) {
  const { record, clock } = deps;

  async function start(writing: Writing, kind: RoomKind, roomId: RoomId): Promise<void> {
    await savePlayback(writing.db, kind, roomId, emptyPlayback(writing.nowMs));
  }

  /** Reads, changes, saves and tells, in one transaction; null leaves everything as it is. */
  async function change(
    writing: Writing,
    { kind, roomId }: RoomName,
    decide: (before: PlaybackState) => Outcome<PlaybackChange | null> | Promise<Outcome<PlaybackChange | null>>,
  ): Promise<Outcome<{ before: PlaybackState; after: PlaybackState }>> {
    const stored = await readPlayback(writing.db, kind, roomId);
    if (!stored) return refuse('room/ended');
    const decided = await decide(stored.playback);
    if (!decided.ok) return decided;
    if (!decided.value) return accept({ before: stored.playback, after: stored.playback });
    const received = applyPlaybackChange(stored.playback, decided.value);
    if (received.status !== 'applied') throw new Error('a change of playback must raise the revision by one');
    await savePlayback(writing.db, kind, roomId, received.playback, stored.itemOf);
    await writing.append(roomStream(roomId), decided.value);
    return accept({ before: stored.playback, after: received.playback });
  }

  async function takeControl({ caller, room, write }: Member, payload: Payload<'playback/takeControl'>) {
    const outcome = await write([], (writing) =>
      change(writing, room, async ({ controller, timeline }) => {
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

  async function write(member: Member, payload: Write): Promise<Outcome<{ revision: number }>> {
    if (payload.intent.type === 'seek') return await seek(member, payload);
    await deps.seekThrottle.flush(member.room.roomId);
    return await apply(member, payload);
  }

  /** Acknowledged as soon as it has its place in line: a seek that waits, or gives way to a later one, is no news. */
  async function seek(member: Member, payload: Write): Promise<Outcome<{ revision: number }>> {
    const { room } = member;
    const stored = await readPlayback(record.db, room.kind, room.roomId);
    if (!stored) return refuse('room/ended');
    const { controller, timeline } = stored.playback;
    if (controller !== payload.tabId) return refuse('playback/lease-lost');
    const passed = await deps.seekThrottle.pass(room.roomId, () => apply(member, payload));
    return passed ?? accept({ revision: timeline.revision });
  }

  async function apply(member: Member, payload: Write): Promise<Outcome<{ revision: number }>> {
    const { caller, room } = member;
    const { intent, tabId, clientId } = payload;
    const asked = ['playback/write', room.roomId, tabId, intent];
    let heldUntilMs: number | null = null;
    const outcome = await member.write([], (writing) =>
      once(
        writing,
        caller.uid,
        clientId,
        asked,
        async () => {
          const leadMs = await leadIn(writing.db, room);
          const moment = { nowMs: writing.nowMs, leadMs, loadMs: loadBarrierMs };
          const changed = await change(writing, room, (before) =>
            before.controller === tabId ? decide(intent, room.kind, before, moment) : refuse('playback/lease-lost'),
          );
          if (!changed.ok) return changed;
          const { before, after } = changed.value;
          heldUntilMs = startHeldUntil(before.timeline, after.timeline, moment);
          return accept({ revision: after.timeline.revision });
        },
        { roomId: room.roomId, keptMs: answersKeptMs },
      ),
    );
    if (outcome.ok && heldUntilMs !== null) await holdForLoading({ room, heldUntilMs }, outcome.value.revision);
    return outcome;
  }

  async function leadIn(db: Kysely<Schema>, room: RoomName): Promise<number> {
    return roomLeadMs([await deps.longestRoundTripIn(db, room)]);
  }

  function decide(
    intent: Write['intent'],
    kind: RoomKind,
    before: PlaybackState,
    moment: Moment,
  ): Outcome<PlaybackChange | null> {
    const applied = applyIntent(kind, before, intent, moment);
    if ('refusal' in applied) return refuse(applied.refusal);
    return accept('unchanged' in applied ? null : applied.change);
  }

  async function holdForLoading(held: HeldStart, revision: number): Promise<void> {
    const connections = await deps.connectionsIn(record.db, held.room);
    deps.barrier.hold(
      held,
      revision,
      connections.map(({ connectionId }) => connectionId),
    );
  }

  /** Everyone has loaded: start now instead of at the barrier's latest moment. */
  async function release({ room, heldUntilMs }: HeldStart): Promise<void> {
    await record.write([roomStream(room.roomId)], async (writing) => {
      const leadMs = await leadIn(writing.db, room);
      return await change(writing, room, ({ timeline, queue }) => {
        const started = startEarly(timeline, heldUntilMs, writing.nowMs, leadMs);
        return accept(started && { type: 'playback/moved', ...playheadOf(started, queue.currentIndex) });
      });
    });
  }

  function ready({ caller, room }: Member, { revision }: Payload<'playback/ready'>) {
    deps.announceReady(room, revision, caller.connectionId);
    return Promise.resolve(accept({}));
  }

  function probe(
    caller: Caller,
    { roundTripMs }: Payload<'clock/probe'>,
  ): Promise<Outcome<{ serverReceivedMs: number; serverSentMs: number }>> {
    const nowMs = clock.preciseNow();
    if (roundTripMs !== undefined) deps.roundTrips.note(caller.connectionId, roundTripMs);
    return Promise.resolve(accept({ serverReceivedMs: nowMs, serverSentMs: nowMs }));
  }

  return {
    handlers: {
      'clock/probe': probe,
      'playback/takeControl': takeControl,
      'playback/write': write,
      'playback/ready': ready,
    } satisfies Partial<Handlers>,
    start,
    release,
  };
}

/** Until when at the latest the start of a new track waits for those who load it; null when nothing newly waits. */
function startHeldUntil(before: Timeline, after: Timeline, { nowMs, loadMs }: Moment): number | null {
  const isHeld = after.isPlaying && !isSameStart(after, before) && after.atServerMs === nowMs + loadMs;
  return isHeld ? after.atServerMs : null;
}
