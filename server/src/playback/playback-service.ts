/**
 * Playback of a room: only the host's tab that holds control writes; the server stamps time and revision and tells
 * everyone. The intent is the authority, not any play-head (R10).
 */
import { LOAD_BARRIER_MS, leadFor, reanchor } from '@tunemate/playback';
import {
  type Payload,
  type PlaybackDocument,
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
import { applyIntent, emptyPlayback, toDocument, toState } from './playback-document.ts';
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
    await savePlayback(writing.db, roomId, emptyPlayback(kind, writing.nowMs));
  }

  /** Reads, changes, saves and tells, in one transaction; null leaves everything as it is. */
  async function change(
    writing: Writing,
    { kind, roomId }: RoomName,
    decide: (
      document: PlaybackDocument,
    ) => Outcome<PlaybackDocument | null> | Promise<Outcome<PlaybackDocument | null>>,
  ): Promise<Outcome<PlaybackDocument>> {
    const before = await readPlayback(writing.db, kind, roomId);
    if (!before) return refuse('room/ended');
    const decided = await decide(before);
    if (!decided.ok) return decided;
    const after = decided.value;
    if (!after) return accept(before);
    await savePlayback(writing.db, roomId, after);
    await writing.append(roomStream(roomId), { type: 'playback/changed', playback: after });
    return accept(after);
  }

  async function takeControl(caller: Caller, payload: Payload<'playback/takeControl'>) {
    const gated = await deps.gate(record.db, caller, payload, 'host');
    if ('ok' in gated) return gated;
    const outcome = await record.write([roomStream(gated.room.roomId)], async (writing) => {
      const again = await deps.gate(writing.db, caller, payload, 'host');
      if ('ok' in again) return again;
      return await change(writing, again.room, async (document) => {
        const { controller, revision } = document;
        if (controller === payload.tabId) return accept(null);
        const mustAsk = payload.onlyIfFree === true && controller !== null;
        if (mustAsk && (await deps.isTabIn(writing.db, again.room, caller.uid, controller))) {
          return refuse('playback/lease-lost');
        }
        return accept({ ...document, controller: payload.tabId, revision: revision + 1 });
      });
    });
    return outcome.ok ? accept({ revision: outcome.value.revision }) : outcome;
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
    const document = await readPlayback(record.db, room.kind, room.roomId);
    if (!document) return refuse('room/ended');
    if (document.controller !== payload.tabId) return refuse('playback/lease-lost');
    const passed = await deps.seekGate.pass(room.roomId, () => apply(caller, payload, room));
    return passed ?? accept({ revision: document.revision });
  }

  async function apply(caller: Caller, payload: Write, room: RoomName): Promise<Outcome<{ revision: number }>> {
    const { intent, tabId, clientId } = payload;
    const asked = ['playback/write', room.roomId, tabId, intent];
    let startedTrack = false;
    const outcome = await record.write([roomStream(room.roomId)], (writing) =>
      once(writing, caller.uid, clientId, asked, async () => {
        const again = await deps.gate(writing.db, caller, payload, 'host');
        if ('ok' in again) return again;
        const changed = await change(writing, again.room, (document) => {
          if (document.controller !== tabId) return refuse('playback/lease-lost');
          return decide(payload, again.room.kind, document, writing.nowMs, (isNew) => (startedTrack = isNew));
        });
        return changed.ok ? accept({ revision: changed.value.revision }) : changed;
      }),
    );
    if (outcome.ok && startedTrack) await holdForLoading(room, outcome.value.revision);
    return outcome;
  }

  function decide(
    payload: Write,
    kind: RoomKind,
    document: PlaybackDocument,
    nowMs: number,
    onStarted: (isNewTrack: boolean) => void,
  ): Outcome<PlaybackDocument | null> {
    const leadMs = leadFor(payload.roundTripMs ?? unknownRoundTripMs);
    const before = toState(document);
    const applied = applyIntent(kind, before, payload.intent, { nowMs, leadMs, loadMs: LOAD_BARRIER_MS });
    if ('refusal' in applied) return refuse(applied.refusal);
    if ('unchanged' in applied) return accept(null);
    const { timeline } = applied.state;
    onStarted(timeline.isPlaying && timeline.atServerMs === nowMs + LOAD_BARRIER_MS);
    return accept(toDocument(kind, applied.state));
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
      change(writing, room, (document) => {
        const { timeline, ...rest } = toState(document);
        const startMs = writing.nowMs + leadFor(unknownRoundTripMs);
        const isStillHeld = document.revision === revision && timeline.isPlaying && timeline.atServerMs > startMs;
        if (!isStillHeld) return accept(null);
        return accept(
          toDocument(room.kind, { ...rest, timeline: reanchor(timeline, timeline.positionSeconds, startMs) }),
        );
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
