/**
 * The two timers of a room whose playback was last changed on this process, and the changes that they make.
 *
 * The load barrier holds the start of a new track, and releases it as soon as the room schedule allows. A player that
 * never reports can't block: the start is already scheduled for the barrier's end, so a lost barrier costs at most 3 s.
 *
 * The end of a track changes to the next one. The host's page reports the end too, but a phone whose screen is locked
 * may not; whichever comes second changes nothing. The time of the end is stored too: every process looks for rooms that
 * are past it, as those whose process has ended, and changes them under the room's lock.
 */
import {
  canStart,
  changeDueMs,
  isNextLoaded,
  isSameStart,
  loadBarrierMs,
  type LoadWait,
  noLoadWait,
  updateUpNext,
  onlyPresent,
  playheadOf,
  roomLeadMs,
  startEarly,
  type Timeline,
  trackChanged,
  trackLoaded,
  type UpNext,
} from '@tunemate/playback';
import {
  isLibraryId,
  type PlaybackIntent,
  type RoomId,
  type RoomKind,
  roomKinds,
  roomStream,
} from '@tunemate/protocol';
import { type RawBuilder, sql } from 'kysely';
import { connectionsInRoom, longestRoundTripIn } from '../presence/connections-store.ts';
import type { HearingService } from '../presence/hearing.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import { type Db, type RoomRef, roomTables } from '../storage/schema.ts';
import { accept, type Clock, type Log } from '../system/ports.ts';
import {
  changePlayback,
  type Decision,
  heardIn,
  type PlaybackState,
  readPlayback,
  storedEndMs,
  trackEndMs,
} from './playback-document.ts';
import { afterEnd, applyIntent, type Moment, needsSuggestion, type Suggested } from './playback-intents.ts';

interface Waiting {
  wait: LoadWait;
  held: HeldStart | null;
  timers: NodeJS.Timeout[];
}

interface LoadBarrierDeps {
  /** Called when all players have loaded. */
  release: (held: HeldStart) => void;
  /** The connections in the room, of all processes. */
  presentIn: (room: RoomRef) => Promise<string[]>;
  /** A start of the room waits here, or no longer: only then does it matter what players of other processes load. */
  setWaiting: (roomId: RoomId, isWaiting: boolean) => void;
}

/** How often connections that have left are removed from the wait. */
const lookAgainMs = 500;

export function loadBarrier({ release, presentIn, setWaiting }: LoadBarrierDeps) {
  const rooms = new Map<RoomId, Waiting>();

  function drop(roomId: RoomId, waiting: Waiting): void {
    for (const timer of waiting.timers) clearTimeout(timer);
    if (rooms.get(roomId) !== waiting) return;
    rooms.delete(roomId);
    if (waiting.held !== null) setWaiting(roomId, false);
  }

  /** The wait of this room, made if there is none; dropped once it can't hold a start any more. */
  function waitingIn(roomId: RoomId): Waiting {
    const known = rooms.get(roomId);
    if (known) return known;
    const waiting: Waiting = { wait: noLoadWait, held: null, timers: [] };
    waiting.timers.push(setTimeout(() => drop(roomId, waiting), loadBarrierMs).unref());
    rooms.set(roomId, waiting);
    return waiting;
  }

  function settle(waiting: Waiting): void {
    const { held } = waiting;
    if (held === null || !canStart(waiting.wait)) return;
    drop(held.room.roomId, waiting);
    release(held);
  }

  async function lookAgain(waiting: Waiting, room: RoomRef): Promise<void> {
    const present = new Set(await presentIn(room));
    if (rooms.get(room.roomId) !== waiting) return;
    waiting.wait = onlyPresent(waiting.wait, present);
    settle(waiting);
  }

  return {
    /** Holds the start of this revision's track for the connections that are in the room now. */
    hold(held: HeldStart, revision: number, connectionIds: readonly string[]): void {
      const { room } = held;
      const before = waitingIn(room.roomId);
      drop(room.roomId, before);
      const waiting = waitingIn(room.roomId);
      waiting.held = held;
      setWaiting(room.roomId, true);
      waiting.wait = trackChanged(before.wait, revision, connectionIds);
      // A failed query changes nothing: the start comes at its latest moment.
      const look = () => void lookAgain(waiting, room).catch(() => undefined);
      waiting.timers.push(setInterval(look, lookAgainMs).unref());
      settle(waiting);
    },
    /** A connection, of whichever process, has loaded what this revision plays. */
    ready(roomId: RoomId, revision: number, connectionId: string): void {
      const waiting = waitingIn(roomId);
      waiting.wait = trackLoaded(waiting.wait, revision, connectionId);
      settle(waiting);
    },
    close(): void {
      for (const [roomId, waiting] of rooms) drop(roomId, waiting);
    },
  };
}
/** Of a track that ends: when, and whether its successor starts at that very moment. */
export interface TrackEnd {
  endMs: number;
  isNextLoaded: boolean;
}

interface TrackEndsDeps {
  clock: Clock;
  log: Log;
  /** Changes the track if it still ends like this, and watches what plays then; false once the room is over or empty. */
  change: (room: RoomRef, endOf: (state: PlaybackState) => TrackEnd | null) => Promise<boolean>;
  retryMs?: number;
}

/** Beyond this a timer of Node's would fire at once. */
const longestTimerMs = 2 ** 31 - 1;
/** A change that failed, as when the database is away, is tried again after this long. */
const tryAgainMs = 2000;
/** A timer that came early is set again for no less. */
const shortestTimerMs = 20;

export function trackEnds({ clock, log, change, retryMs = tryAgainMs }: TrackEndsDeps) {
  const rooms = new Map<RoomId, { timer: NodeJS.Timeout; upNext: UpNext }>();

  function forget(roomId: RoomId): void {
    clearTimeout(rooms.get(roomId)?.timer);
    rooms.delete(roomId);
  }

  /** How this track ends; null where it does not, or where only its player knows when. */
  function endOf(upNext: UpNext | null, state: PlaybackState): { end: TrackEnd; upNext: UpNext } | null {
    const { trackKey } = state.timeline;
    const endMs = trackEndMs(state);
    if (endMs === null || trackKey === null) return null;
    const nextKey = afterEnd(state);
    const known = updateUpNext(upNext, { trackKey, nextKey }, clock.now());
    const isLoaded = nextKey !== null && isLibraryId(nextKey) && isNextLoaded(known, endMs);
    return { end: { endMs, isNextLoaded: isLoaded }, upNext: known };
  }

  async function onDue(room: RoomRef, upNext: UpNext): Promise<void> {
    const isWatched = await change(room, (now) => {
      const found = endOf(upNext, now);
      if (found === null) return null;
      const dueMs = changeDueMs(now.timeline, found.end.endMs, found.end.isNextLoaded);
      return clock.now() >= dueMs ? found.end : null;
    });
    if (!isWatched) forget(room.roomId);
  }

  function changeIn(ms: number, room: RoomRef, upNext: UpNext): void {
    const timer = setTimeout(() => {
      onDue(room, upNext).catch((error: unknown) => {
        log.warn({ err: error }, 'playback.change-at-end-failed');
        // Unless the room was changed, or left, meanwhile.
        if (rooms.get(room.roomId)?.timer === timer) changeIn(retryMs, room, upNext);
      });
    }, ms).unref();
    rooms.set(room.roomId, { timer, upNext });
  }

  function watch(room: RoomRef, state: PlaybackState): void {
    const { roomId } = room;
    const before = rooms.get(roomId)?.upNext ?? null;
    forget(roomId);
    const found = endOf(before, state);
    if (found === null) return;
    const { end, upNext } = found;
    const waitMs = changeDueMs(state.timeline, end.endMs, end.isNextLoaded) - clock.now();
    changeIn(Math.min(longestTimerMs, Math.max(shortestTimerMs, waitMs)), room, upNext);
  }

  return {
    /** What the room plays after a change made by this process. */
    watch,
    close(): void {
      for (const roomId of [...rooms.keys()]) forget(roomId);
    },
  };
}
/** What the changes that these timers make need. */
export interface TimersDeps extends Following {
  record: StreamRecord;
  /** What the catalogue suggests after this track, best first; nothing when it can't be asked. */
  suggestAfter: (room: RoomRef, videoId: string) => Promise<Suggested['tracks']>;
}

/** Asked before the write, which must not wait for a service elsewhere. */
export async function suggestedIn(deps: TimersDeps, room: RoomRef): Promise<Suggested | undefined> {
  const stored = await readPlayback(deps.record.db, room);
  const after = stored && needsSuggestion(stored.playback) ? stored.playback.timeline.trackKey : null;
  return after === null ? undefined : { after, tracks: await deps.suggestAfter(room, after) };
}

export const endedIntent = ({ timeline: { revision } }: PlaybackState): PlaybackIntent => ({ type: 'ended', revision });

export type EndOf = (state: PlaybackState, db: Db) => TrackEnd | null | Promise<TrackEnd | null>;

/**
 * The track ends: as if the host's page had reported it, but for the moment at which the next one starts. False where
 * the room is empty or over.
 */
export async function changeAtEnd(
  deps: TimersDeps,
  room: RoomRef,
  endOf: EndOf,
  intentOf: (state: PlaybackState) => PlaybackIntent = endedIntent,
): Promise<boolean> {
  const suggested = await suggestedIn(deps, room);
  return await deps.record.write([roomStream(room.roomId)], async (writing) => {
    const players = await connectionsInRoom(writing.db, room);
    if (players.length === 0) return false;
    const leadMs = await leadIn(writing.db, room);
    const usual = { nowMs: writing.playersMs, leadMs, loadMs: loadBarrierMs, suggested };
    let moment: Moment = usual;
    const outcome = await changePlayback(writing, room, async (before) => {
      const end = await endOf(before, writing.db);
      if (end === null) return accept(null);
      const startMs = Math.max(end.endMs, writing.playersMs + leadMs);
      if (end.isNextLoaded) moment = { nowMs: startMs, leadMs, loadMs: 0 };
      return applyIntent(room.kind, before, intentOf(before), moment);
    });
    if (!outcome.ok) return false;
    const { before, after } = outcome.value;
    const untilMs = moment === usual ? startHeldUntil(before.timeline, after.timeline, usual) : null;
    await follow(deps, writing, room, outcome.value, untilMs === null ? null : { untilMs, players });
    return true;
  });
}

/** The timer of a living process comes first. */
const overdueAfterMs = 500;
/** One look changes no more rooms, those that wait longest. */
const mostOverdue = 200;

const overdueOf = (kind: RoomKind, beforeMs: number): RawBuilder<unknown> => sql`
  select cast(${kind} as text) as kind, playing.room_id, playing.ends_at_ms
  from ${sql.table(roomTables[kind].playback)} as playing
  where playing.ends_at_ms <= ${beforeMs} and exists (
    select 1 from connections where room = ${`${kind}:`} || playing.room_id and grace_until_ms is null)`;

/** Rooms with a listener that play past the end of their track. One statement, which finds them by index. */
async function overdueRooms(db: Db, beforeMs: number): Promise<RoomRef[]> {
  const { rows } = await sql<{ kind: RoomKind; room_id: string }>`
    ${sql.join(
      roomKinds.map((kind) => overdueOf(kind, beforeMs)),
      sql` union all `,
    )} order by ends_at_ms limit ${sql.lit(mostOverdue)}`.execute(db);
  return rows.map(({ kind, room_id: roomId }) => ({ kind, roomId: roomId as RoomId }));
}

/** Changes the track where the process is gone whose timer it was. Any number of processes may look at once. */
export async function changeOverdue(deps: TimersDeps, { clock, log }: { clock: Clock; log: Log }): Promise<void> {
  const beforeMs = clock.now() - overdueAfterMs;
  const changeIn = (room: RoomRef) =>
    changeAtEnd(deps, room, async (state, db) => {
      const endMs = trackEndMs(state);
      if (endMs !== null && endMs <= beforeMs) return { endMs, isNextLoaded: false };
      // An earlier version stored no time.
      const { kind, roomId } = room;
      const values = { ends_at_ms: storedEndMs(state) };
      await db.updateTable(roomTables[kind].playback).set(values).where('room_id', '=', roomId).execute();
      return null;
    });
  const changed = await Promise.allSettled((await overdueRooms(deps.record.db, beforeMs)).map(changeIn));
  for (const each of changed) {
    if (each.status === 'rejected') log.warn({ err: each.reason as unknown }, 'playback.change-at-end-failed');
  }
}

async function leadIn(db: Db, room: RoomRef): Promise<number> {
  return roomLeadMs([await longestRoundTripIn(db, room)]);
}

/** All players have loaded: start now instead of at the barrier's latest moment. */
export async function releaseStart(deps: TimersDeps, { room, heldUntilMs }: HeldStart): Promise<void> {
  await deps.record.write([roomStream(room.roomId)], async (writing) => {
    const leadMs = await leadIn(writing.db, room);
    const released = await changePlayback(writing, room, ({ timeline, queue }) => {
      const started = startEarly(timeline, heldUntilMs, writing.playersMs, leadMs);
      return accept(started && { type: 'playback/moved', ...playheadOf(started, queue.currentIndex) });
    });
    if (released.ok) await follow(deps, writing, room, released.value, null);
  });
}

/** A start that waits until `heldUntilMs` at the latest. */
export interface HeldStart {
  room: RoomRef;
  heldUntilMs: number;
}

/** The timers of a room, which are set once a change is committed, and not for a write that the database undid. */
export interface Following {
  barrier: { hold: (held: HeldStart, revision: number, connectionIds: readonly string[]) => void };
  trackEnds: { watch: (room: RoomRef, state: PlaybackState) => void };
  hearing: Pick<HearingService, 'follow'>;
}

/** A start that waits for players until a latest moment. */
interface Hold {
  untilMs: number;
  players: readonly { connectionId: string }[];
}

/**
 * What follows from a change: the track of the people in the room who show it, and the timers after the commit: the end
 * of the track, and a start that waits for players.
 */
export async function follow(
  { trackEnds, barrier, hearing }: Following,
  writing: Writing,
  { kind, roomId }: RoomRef,
  { before, after, isHeard }: Pick<Decision, 'before' | 'after' | 'isHeard'>,
  hold: Hold | null,
): Promise<void> {
  const room = { kind, roomId };
  const heard = heardIn(after);
  if (isHeard && heard !== heardIn(before)) await hearing.follow(writing, room, heard);
  writing.afterCommit(() => {
    trackEnds.watch(room, after);
    if (hold === null) return;
    const waitsFor = hold.players.map(({ connectionId }) => connectionId);
    barrier.hold({ room, heldUntilMs: hold.untilMs }, after.timeline.revision, waitsFor);
  });
}

/** The latest start of a new track, which waits until all players have loaded it; null when the change holds no start. */
export function startHeldUntil(
  before: Timeline,
  after: Timeline,
  { nowMs, loadMs }: { nowMs: number; loadMs: number },
): number | null {
  const isHeld = after.isPlaying && !isSameStart(after, before) && after.atServerMs === nowMs + loadMs;
  return isHeld ? after.atServerMs : null;
}
