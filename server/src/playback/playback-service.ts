/**
 * Playback of a room: only the host's tab that holds control writes; the server stamps time and revision and tells
 * everyone. The intent is the authority, not any play-head (R10).
 */
import { applyPlaybackChange, LOAD_BARRIER_MS, leadFor, playheadOf, reanchor } from '@tunemate/playback';
import {
  type Payload,
  type PlaybackChange,
  roomStream,
  type RoomId,
  type RoomKind,
  type Uid,
} from '@tunemate/protocol';
import type { Kysely } from 'kysely';
import { accept, type Clock, type Outcome, refuse, type Refused } from '../ports.ts';
import type { Caller } from '../realtime/caller.ts';
import { once } from '../storage/idempotency.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Schema } from '../storage/schema.ts';
import { applyIntent, emptyPlayback, type PlaybackState } from './playback-document.ts';
import { readPlayback, savePlayback } from './playback-store.ts';
import type { SeekGate } from './seek-gate.ts';

type Write = Payload<'playback/write'>;

interface RoomName {
  kind: RoomKind;
  roomId: RoomId;
}

export interface PlaybackDeps {
  record: StreamRecord;
  clock: Clock;
  /** Refuses anyone but the host (or, for 'member', anyone without a seat) of a live room. */
  gate: (
    db: Kysely<Schema>,
    caller: Caller,
    room: { kind: RoomKind; code: string },
    need: 'host' | 'member',
  ) => Promise<{ room: RoomName } | Refused>;
  connectionsIn: (db: Kysely<Schema>, room: RoomName) => Promise<{ connectionId: string; uid: Uid }[]>;
  /** Whether this person's tab is in the room, or was cut off from it a moment ago. */
  isTabIn: (db: Kysely<Schema>, room: RoomName, uid: Uid, tabId: string) => Promise<boolean>;
  seekGate: SeekGate;
  barrier: { await(room: RoomName, revision: number, connectionIds: string[]): void };
  /** Tells every process that this connection has loaded what the revision plays. */
  announceReady: (room: RoomName, revision: number, connectionId: string) => void;
}

/** Assumed until the host's tab has measured its own. */
const unknownRoundTripMs = 100;

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
  ): Promise<Outcome<PlaybackState>> {
    const stored = await readPlayback(writing.db, kind, roomId);
    if (!stored) return refuse('room/ended');
    const decided = await decide(stored.playback);
    if (!decided.ok) return decided;
    if (!decided.value) return accept(stored.playback);
    const received = applyPlaybackChange(stored.playback, decided.value);
    if (received.status !== 'applied') throw new Error('a change of playback must raise the revision by one');
    await savePlayback(writing.db, kind, roomId, received.playback, stored.itemOf);
    await writing.append(roomStream(roomId), decided.value);
    return accept(received.playback);
  }

  async function takeControl(caller: Caller, payload: Payload<'playback/takeControl'>) {
    const gated = await deps.gate(record.db, caller, payload, 'host');
    if ('ok' in gated) return gated;
    const outcome = await record.write([roomStream(gated.room.roomId)], async (writing) => {
      const again = await deps.gate(writing.db, caller, payload, 'host');
      if ('ok' in again) return again;
      return await change(writing, again.room, async ({ controller, timeline }) => {
        if (controller === payload.tabId) return accept(null);
        const mustAsk = payload.onlyIfFree === true && controller !== null;
        if (mustAsk && (await deps.isTabIn(writing.db, again.room, caller.uid, controller))) {
          return refuse('playback/lease-lost');
        }
        const revision = timeline.revision + 1;
        return accept({ type: 'playback/controlChanged', revision, controller: payload.tabId });
      });
    });
    return outcome.ok ? accept({ revision: outcome.value.timeline.revision }) : outcome;
  }

  async function write(caller: Caller, payload: Write): Promise<Outcome<{ revision: number }>> {
    const gated = await deps.gate(record.db, caller, payload, 'host');
    if ('ok' in gated) return gated;
    const { room } = gated;
    if (payload.intent.type === 'seek') return await seek(caller, payload, room);
    await deps.seekGate.flush(room.roomId);
    return await apply(caller, payload, room);
  }

  /** Acknowledged as soon as it has its place in line: a seek that waits, or gives way to a later one, is no news. */
  async function seek(caller: Caller, payload: Write, room: RoomName): Promise<Outcome<{ revision: number }>> {
    const stored = await readPlayback(record.db, room.kind, room.roomId);
    if (!stored) return refuse('room/ended');
    const { controller, timeline } = stored.playback;
    if (controller !== payload.tabId) return refuse('playback/lease-lost');
    const passed = await deps.seekGate.pass(room.roomId, () => apply(caller, payload, room));
    return passed ?? accept({ revision: timeline.revision });
  }

  async function apply(caller: Caller, payload: Write, room: RoomName): Promise<Outcome<{ revision: number }>> {
    const { intent, tabId, clientId } = payload;
    const asked = ['playback/write', room.roomId, tabId, intent];
    let startedTrack = false;
    const outcome = await record.write([roomStream(room.roomId)], (writing) =>
      once(
        writing,
        caller.uid,
        clientId,
        asked,
        async () => {
          const again = await deps.gate(writing.db, caller, payload, 'host');
          if ('ok' in again) return again;
          const changed = await change(writing, again.room, (before) => {
            if (before.controller !== tabId) return refuse('playback/lease-lost');
            return decide(payload, again.room.kind, before, writing.nowMs, (isNew) => (startedTrack = isNew));
          });
          return changed.ok ? accept({ revision: changed.value.timeline.revision }) : changed;
        },
        room.roomId,
      ),
    );
    if (outcome.ok && startedTrack) await holdForLoading(room, outcome.value.revision);
    return outcome;
  }

  function decide(
    payload: Write,
    kind: RoomKind,
    before: PlaybackState,
    nowMs: number,
    onStarted: (isNewTrack: boolean) => void,
  ): Outcome<PlaybackChange | null> {
    const leadMs = leadFor(payload.roundTripMs ?? unknownRoundTripMs);
    const applied = applyIntent(kind, before, payload.intent, { nowMs, leadMs, loadMs: LOAD_BARRIER_MS });
    if ('refusal' in applied) return refuse(applied.refusal);
    if ('unchanged' in applied) return accept(null);
    const { change: decided } = applied;
    onStarted('isPlaying' in decided && decided.isPlaying && decided.updatedAt === nowMs + LOAD_BARRIER_MS);
    return accept(decided);
  }

  async function holdForLoading(room: RoomName, revision: number): Promise<void> {
    const connections = await deps.connectionsIn(record.db, room);
    deps.barrier.await(
      room,
      revision,
      connections.map(({ connectionId }) => connectionId),
    );
  }

  /** Everyone has loaded: start now instead of at the barrier's latest moment. */
  async function release(room: RoomName, revision: number): Promise<void> {
    await record.write([roomStream(room.roomId)], (writing) =>
      change(writing, room, ({ timeline, queue }) => {
        const startMs = writing.nowMs + leadFor(unknownRoundTripMs);
        const isStillHeld = timeline.revision === revision && timeline.isPlaying && timeline.atServerMs > startMs;
        if (!isStillHeld) return accept(null);
        const released = reanchor(timeline, timeline.positionSeconds, startMs);
        return accept({ type: 'playback/moved', ...playheadOf(released, queue.currentIndex) });
      }),
    );
  }

  async function ready(caller: Caller, payload: Payload<'playback/ready'>): Promise<Outcome<Record<string, never>>> {
    const gated = await deps.gate(record.db, caller, payload, 'member');
    if ('ok' in gated) return gated;
    deps.announceReady(gated.room, payload.revision, caller.connectionId);
    return accept({});
  }

  function probe(): Promise<Outcome<{ serverReceivedMs: number; serverSentMs: number }>> {
    const nowMs = clock.preciseNow();
    return Promise.resolve(accept({ serverReceivedMs: nowMs, serverSentMs: nowMs }));
  }

  return { start, takeControl, write, ready, release, probe };
}
export type PlaybackService = ReturnType<typeof playbackService>;
