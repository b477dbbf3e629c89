/**
 * Playback of a room: the host's tab that holds the lease changes it, and so do people who hold the remote; the server
 * adds time and revision and broadcasts the change. Stored is what the host wants, not where any player is.
 */
import { roomRules, withThumbnail } from '@tunemate/domain';
import { isAtLast, loadBarrierMs, roomLeadMs } from '@tunemate/playback';
import {
  type ErrorCode,
  isPress,
  type NamedTrack,
  type Payload,
  type QueuedTrack,
  type Result,
  type RoomId,
  type RoomKind,
  steers,
  type Uid,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import { Histogram, type Registry } from 'prom-client';
import type { Handlers, Member, RoomRow } from '../access/subjects.ts';
import { accept, type Clock, type Log, refuse } from '../system/ports.ts';
import type { Caller } from '../access/caller.ts';
import { connectionsInRoom, isTabInRoom } from '../presence/connections-store.ts';
import { keepAnswer, storedAnswer } from '../storage/idempotency.ts';
import type { Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import { changePlayback, decideChange, type PlaybackState, saveChange } from './playback-document.ts';
import {
  changeAtEnd,
  changeOverdue,
  endedIntent,
  type EndOf,
  follow,
  type HeldStart,
  releaseStart,
  startHeldUntil,
  suggestedIn,
  type TimersDeps,
} from './room-timers.ts';
import { applyIntent, enqueued, type Suggested, takenBack } from './playback-intents.ts';
import type { RoundTrips } from './round-trips.ts';
import { type SkipVotesDeps, skipVotesService } from './skip-votes.ts';

type Write = Payload<'playback/write'>;
type Written = Promise<Result<Value<'playback/write'>>>;

/** Short, because a host sends many requests and none is repeated an hour later. */
const answersKeptMs = 60 * 60 * 1000;

export interface PlaybackDeps extends Pick<SkipVotesDeps, 'votersIn'>, TimersDeps {
  clock: Clock;
  roundTrips: Pick<RoundTrips, 'note'>;
  /** The player of this connection plays, this far from where its room is. */
  /** Null where the page measures its clock and has no player in step. */
  noteDrift: (driftMs: number | null, caller: Caller, missed?: Payload<'clock/probe'>['missed']) => void;
  /** Whether a room of this kind may play it. */
  mayPlay: (kind: RoomKind, videoId: VideoId) => boolean;
  /** Notifies every process that this connection has loaded what the revision plays. */
  announceReady: (roomId: RoomId, revision: number, connectionId: string) => void;
}

export function playbackService(deps: PlaybackDeps) {
  async function write(member: Member, payload: Write): Written {
    const outcome = await decide(member, payload);
    return outcome.ok ? outcome : ((await answeredBefore(deps, member, payload)) ?? outcome);
  }

  async function decide(member: Member, payload: Write): Written {
    if (payload.givesUp === true || !goesOn.has(payload.intent.type)) return await apply(deps, member, payload);
    // Searches the catalogue for the present host only.
    return await member.read(async ({ room }) => apply(deps, member, payload, await suggestedIn(deps, room)));
  }

  const ready = ({ caller, read }: Member, { revision }: Payload<'playback/ready'>) =>
    read(({ room: { roomId } }) => {
      deps.announceReady(roomId, revision, caller.connectionId);
      return accept({});
    });

  function probe(
    caller: Caller,
    { roundTripMs, driftMs, missed }: Payload<'clock/probe'>,
  ): Result<Value<'clock/probe'>> {
    const nowMs = deps.clock.preciseNow();
    if (driftMs !== undefined || roundTripMs !== undefined) deps.noteDrift(driftMs ?? null, caller, missed);
    if (roundTripMs !== undefined) deps.roundTrips.note(caller.connectionId, roundTripMs);
    return accept({ serverReceivedMs: nowMs, serverSentMs: nowMs });
  }

  const skipVotes = skipVotesService({ ...deps, skip: (room, isWanted) => skip(deps, room, isWanted) });

  return {
    handlers: {
      'clock/probe': (caller, payload) => Promise.resolve(probe(caller, payload)),
      'playback/takeControl': takeControl,
      'playback/write': write,
      'playback/ready': ready,
      'playback/takeBack': (member, payload) => takeBack(deps, member, payload),
      ...skipVotes.handlers,
    } satisfies Partial<Handlers>,
    probe,
    judgeSkipVotes: skipVotes.judge,
    enqueue: (writing: Writing, room: RoomRef, track: NamedTrack, proposedBy: Uid) =>
      enqueueProposed(deps, writing, room, { ...withThumbnail(track), proposedBy }),
    goOnByItself: (writing: Writing, room: RoomRef) => goOnByItself(deps, writing, room),
    release: (held: HeldStart) => releaseStart(deps, held),
    changeAtEnd: (room: RoomRef, endOf: EndOf) => changeAtEnd(deps, room, endOf),
    changeOverdue: (log: Log) => changeOverdue(deps, { clock: deps.clock, log }),
  };
}

/** A track that a guest proposed. */
async function enqueueProposed(
  deps: PlaybackDeps,
  writing: Writing,
  room: RoomRef,
  track: QueuedTrack,
): Promise<Result<unknown>> {
  const moment = { nowMs: writing.playersMs, leadMs: 0, loadMs: loadBarrierMs };
  const changed = await changePlayback(writing, room, (before) => enqueued(before, track, moment));
  if (changed.ok) await follow(deps, writing, room, changed.value, null);
  return changed;
}

/** The room plays if there is a track, and goes on with Suggested where its kind has that. */
async function goOnByItself(deps: PlaybackDeps, writing: Writing, room: RoomRef): Promise<Result<unknown>> {
  const moment = { nowMs: writing.playersMs, leadMs: roomLeadMs([null]), loadMs: loadBarrierMs };
  const goesOnWithSuggested = { type: 'setAfterTrack', afterTrack: 'suggested' } as const;
  const has = roomRules[room.kind].setsAfterTrack ? [goesOnWithSuggested] : [];
  for (const intent of [...has, { type: 'play' } as const]) {
    const changed = await changePlayback(writing, room, (before) => applyIntent(room.kind, before, intent, moment));
    if (!changed.ok) return changed;
    await follow(deps, writing, room, changed.value, null);
  }
  return accept({});
}

/** A track that the caller added themselves, or that the host added from their proposals. */
async function takeBack(
  deps: PlaybackDeps,
  { caller: { uid }, write }: Member,
  { videoId }: Payload<'playback/takeBack'>,
): Promise<Result<Value<'playback/takeBack'>>> {
  return await write([], async (writing, { room }) => {
    const moment = { nowMs: writing.playersMs, leadMs: 0, loadMs: loadBarrierMs };
    const decided = await decideChange(writing, room, (before) => takenBack(before, uid, videoId, moment));
    if (!decided.ok) return decided;
    // It can't be put back in their name.
    const after = { ...decided.value.after, removed: undefined };
    await saveChange(writing, room, { ...decided.value, after });
    await follow(deps, writing, room, { ...decided.value, after }, null);
    return accept({});
  });
}

async function takeControl(
  { caller, write }: Member,
  payload: Payload<'playback/takeControl'>,
): Promise<Result<Value<'playback/takeControl'>>> {
  const outcome = await write([], (writing, { room }) =>
    changePlayback(writing, room, async ({ controller, timeline }) => {
      if (controller === payload.tabId) return accept(null);
      const mustAsk = payload.onlyIfFree === true && controller !== null;
      if (mustAsk && (await isTabInRoom(writing.db, room, caller.uid, controller))) {
        return refuse('playback/lease-lost');
      }
      const revision = timeline.revision + 1;
      return accept({ type: 'playback/controlChanged', revision, controller: payload.tabId });
    }),
  );
  return outcome.ok ? accept({ revision: outcome.value.after.timeline.revision }) : outcome;
}

async function apply(
  deps: PlaybackDeps,
  { caller: { uid }, write }: Member,
  payload: Write,
  suggested?: Suggested,
): Written {
  const { intent, tabId, clientId, seen, givesUp } = payload;
  return await write([], async (writing, { room }): Written => {
    const asked = askedBy(payload);
    const place = { roomId: room.roomId, keptMs: answersKeptMs };
    if (givesUp === true) {
      return ofStored((await keepAnswer(writing, uid, clientId, asked, givenUp, place)) ?? accept(givenUp));
    }
    if (!tracksOf(intent).every(({ videoId }) => deps.mayPlay(room.kind, videoId))) {
      return refuse('input/invalid', { field: 'videoId' });
    }
    const usual = { nowMs: writing.playersMs, loadMs: loadBarrierMs, suggested };
    const decide = (before: PlaybackState, longestMs: number | null) => {
      const code = refusalToPress(room, before, { intent, tabId, seen, uid });
      if (code) return refuse(code);
      const leadMs = roomLeadMs([longestMs], intent.type === 'pause' ? 'stop' : 'start');
      const applied = applyIntent(room.kind, before, intent, { ...usual, leadMs });
      return isPress(intent) && (room.remoteUse !== 'host' || before.by !== undefined)
        ? pressedBy(uid, applied)
        : applied;
    };
    const decided = await decideChange(writing, room, decide, { withRoundTrip: true });
    if (!decided.ok) return decided;
    const { before, after } = decided.value;
    const { revision } = after.timeline;
    const added = after.queue.videoQueue.length - before.queue.videoQueue.length;
    const value: Value<'playback/write'> = intent.type === 'enqueueAll' ? { revision, added } : { revision };
    const earlier = await keepAnswer(writing, uid, clientId, asked, value, place);
    if (earlier) return ofStored(earlier);
    await saveChange(writing, room, decided.value);
    const untilMs = startHeldUntil(before.timeline, after.timeline, usual);
    const hold = untilMs === null ? null : { untilMs, players: await connectionsInRoom(writing.db, room) };
    await follow(deps, writing, room, decided.value, hold);
    return accept(value);
  });
}

/** The request as it is sent again: what its answer is stored under, beside the id. */
const askedBy = ({ kind, code, tabId, intent }: Write) => ['playback/write', kind, code, tabId, intent];

/** As 1.0.0-rc.1 stores it. An answer is kept for an hour: the version after 1.0.0 does not need this. */
const askedBefore = ({ tabId, intent }: Write, roomId: string | null) => ['playback/write', roomId, tabId, intent];

/** A repeated request that was accepted before may be refused now, as after the remote was taken. */
async function answeredBefore(
  { record }: PlaybackDeps,
  { caller: { uid }, isChecked }: Member,
  payload: Write,
): Promise<Awaited<Written> | null> {
  if (!isChecked()) return null;
  const before = (roomId: string | null) => askedBefore(payload, roomId);
  const stored = await storedAnswer(record.db, uid, payload.clientId, askedBy(payload), before);
  return stored && ofStored(stored);
}

/** Stored in place of an answer, so that a press that arrives later is not applied. */
const givenUp = null;

const ofStored = (stored: Result<unknown>): Awaited<Written> =>
  stored.ok && stored.value === givenUp ? refuse('playback/given-up') : (stored as Awaited<Written>);

/**
 * The host presses from the tab that has the controls; a person who holds the remote from any, and sends presses alone.
 * Of two presses at one moment the first counts: the other was made on a page that did not show it yet.
 */
function refusalToPress(
  room: RoomRow,
  { controller, by, actedAt = 0 }: PlaybackState,
  { intent, tabId, seen, uid }: Pick<Write, 'intent' | 'tabId' | 'seen'> & { uid: Uid },
): ErrorCode | null {
  if (uid === room.host && controller !== tabId) return 'playback/lease-lost';
  if (uid !== room.host && !isPress(intent)) return 'room/host-only';
  const isOvertaken = seen !== undefined && by !== undefined && by !== uid && actedAt > seen;
  return isOvertaken && steers(intent) ? 'playback/overtaken' : null;
}

/** The change names the person who pressed. */
function pressedBy(uid: Uid, applied: ReturnType<typeof applyIntent>): ReturnType<typeof applyIntent> {
  const change = applied.ok ? applied.value : null;
  if (change?.type !== 'playback/moved' && change?.type !== 'playback/queueChanged') return applied;
  return accept({ ...change, by: uid });
}

/** The tracks that a press brings into the room. */
function tracksOf(intent: Write['intent']): readonly NamedTrack[] {
  if (intent.type === 'enqueueAll') return intent.items;
  return intent.type === 'choose' || intent.type === 'enqueue' ? [intent.track] : [];
}

/** Intents that lead to the next track, which the catalogue may suggest. */
const goesOn = new Set<Write['intent']['type']>(['ended', 'next']);

/** A majority skips: to the next of the queue, or at its end to what follows the track. */
async function skip(deps: PlaybackDeps, room: RoomRef, isWanted: (db: Db) => Promise<boolean>): Promise<void> {
  await changeAtEnd(
    deps,
    room,
    async (_before, db) => ((await isWanted(db)) ? { endMs: 0, isNextLoaded: false } : null),
    (before) => (isAtLast(before.queue) ? endedIntent(before) : { type: 'next' }),
  );
}

/** How far players are from where their room is, as their pages report it with a clock probe. */
export function driftMetric(registry: Registry): (driftMs: number) => void {
  const drift = new Histogram({
    name: 'tunemate_drift_seconds',
    help: 'How far players are from their room, early or late, as pages report it.',
    buckets: [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return (driftMs) => drift.observe(Math.abs(driftMs) / 1000);
}
