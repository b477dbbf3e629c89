/**
 * What people hear in rooms, for those to whom they show it. Stored is one track for each person who shows it and is in a
 * room; for all others nothing is written or asked. What is shown is read when it is sent, with who may see it.
 */
import { thumbnailOf } from '@tunemate/domain';
import {
  type Hearing,
  type HearingAudience,
  isLibraryId,
  type Result,
  roomStream,
  type StreamId,
  type Uid,
  userStream,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import type { Handlers, Pair } from '../access/subjects.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db, RoomRef } from '../storage/schema.ts';
import { accept, type Clock, type Log, refuse } from '../system/ports.ts';
import {
  doorOf,
  forgetHeard,
  heardBy,
  isShowingToTunemates,
  hiddenAtMs,
  saveHidden,
  showingIn,
  saveAudience,
  type Heard,
  hearingSeen,
  roomHeardBy,
  roomsOfShowing,
  saveHeard,
  saveLeft,
  saveTrackOf,
  type Seen,
} from './hearing-store.ts';

/** What the library knows of a track. */
export interface KnownTrack {
  title: string;
  artist: string | null;
  cover: { in: string };
}

export interface HearingDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Null for a track that the library does not hold. */
  knownTrack: (id: VideoId) => KnownTrack | null;
  /** What the room plays now, null while nothing does; `isHidden` where its host keeps it to itself. */
  heardIn: (db: Db, room: RoomRef) => Promise<{ isHidden: boolean; videoId: VideoId | null }>;
  /** What these people hear has changed: called after the commit, for every process. */
  heardChanged: (uids: readonly Uid[]) => void;
}

export type HearingService = ReturnType<typeof hearingService>;

export function hearingService(deps: HearingDeps) {
  const { record, clock, log } = deps;
  const { settle, settleElsewhere, settleAgain } = settling(deps);

  return {
    settle,
    settleAgain,

    /** Within the write that changes the track of a room in which a person shows what they hear. */
    async follow(writing: Writing, room: RoomRef, videoId: VideoId | null): Promise<void> {
      const uids = await saveTrackOf(writing.db, room, videoId, writing.nowMs);
      if (uids.length > 0) writing.afterCommit(() => deps.heardChanged(uids));
    },

    /** Within the write that takes these people out of a room; they show what they hear. */
    async left(writing: Writing, room: RoomRef, uids: readonly Uid[]): Promise<void> {
      if (uids.length === 0) return;
      await saveLeft(writing.db, room, uids, writing.nowMs);
      writing.afterCommit(() => {
        deps.heardChanged(uids);
        void settleElsewhere(uids);
      });
    },

    /** Within the write by which the host keeps the room to itself: nothing of it is left to show. */
    async hide(writing: Writing, room: RoomRef): Promise<void> {
      const uids = await saveHidden(writing.db, room, writing.nowMs);
      if (uids.length > 0) writing.afterCommit(() => deps.heardChanged(uids));
    },

    /** Within the write that ends that. */
    async unhide({ db, afterCommit }: Writing, room: RoomRef): Promise<void> {
      const uids = await showingIn(db, room);
      if (uids.length > 0) afterCommit(() => void settle(uids));
    },

    /** The full list of `uid` has dropped `gone`, who may see no more what they hear, and the other way. */
    dropped(uid: Uid, gone: Uid): void {
      deps.heardChanged([gone]);
      void endSight(deps, uid, gone).catch((error: unknown) => log.warn({ err: error }, 'hearing.end-not-told'));
    },

    /** What is shown to each of these people. One statement. */
    async shownTo(db: Db, uids: readonly Uid[]): Promise<Map<Uid, Hearing[]>> {
      const seen = Map.groupBy(await hearingSeen(db, 'by', uids, clock.now()), ({ by }) => by);
      return new Map(Array.from(seen, ([by, some]) => [by, some.map((each) => hearingOf(deps, each))]));
    },

    /** What each of these people shows now, and to whom. One statement. */
    async shownBy(db: Db, uids: readonly Uid[]): Promise<{ uid: Uid; hears: Hearing | null; to: Uid[] }[]> {
      const seen = Map.groupBy(await hearingSeen(db, 'seen', uids, clock.now()), ({ uid }) => uid);
      return [...seen.values()].flatMap((some) => {
        const [first] = some;
        if (!first) return [];
        const hears = first.untilMs === hiddenAtMs ? null : hearingOf(deps, first);
        return [{ uid: first.uid, hears, to: some.map(({ by }) => by) }];
      });
    },

    handlers: { 'presence/listenAlong': (pair) => listenAlong(deps, pair) } satisfies Partial<Handlers>,
    accountHook: {
      exports: { hearing: (uid: Uid) => heardBy(record.db, uid) },
      onDeleting: (uid: Uid) => record.write([], ({ db }) => forgetHeard(db, uid)),
      streamsOfShowing: (db: Db, uid: Uid) => streamsOfShowing(deps, db, uid),
      onShowing: (writing: Writing, uid: Uid, to: HearingAudience) => show(deps, writing, uid, to, settle),
    },
  };
}

/** Notes in which room people are who show what they hear. */
function settling(deps: HearingDeps) {
  const { record, log } = deps;
  /** People whose room could not be noted; tried again until it is. */
  const unsettled = new Set<Uid>();

  /** One write a person. */
  async function settle(uids: readonly Uid[]): Promise<void> {
    for (const uid of uids) {
      try {
        await settleOne(deps, uid);
        unsettled.delete(uid);
      } catch (error) {
        unsettled.add(uid);
        log.warn({ err: error, uid }, 'hearing.not-noted');
      }
    }
  }

  /** Notes people who have left a room and have a tab in another one. */
  async function settleElsewhere(uids: readonly Uid[]): Promise<void> {
    try {
      const found = await roomsOfShowing(record.db, uids);
      await settle(uids.filter((uid) => found.get(uid)?.room));
    } catch (error) {
      for (const uid of uids) unsettled.add(uid);
      log.warn({ err: error }, 'hearing.not-noted');
    }
  }

  return { settle, settleElsewhere, settleAgain: () => settle([...unsettled]) };
}

/**
 * Behind the stream of the room, so that no track of it begins meanwhile, and that of the person, so that they don't
 * choose another audience.
 */
async function settleOne(deps: HearingDeps, uid: Uid): Promise<void> {
  const { record } = deps;
  const streams = async (db: Db): Promise<StreamId[]> => {
    const found = (await roomsOfShowing(db, [uid])).get(uid);
    if (!found) return [];
    return [userStream(uid), ...(found.room ? [roomStream(found.room.roomId)] : [])];
  };
  await record.write(streams, async (writing) => {
    const { db, nowMs } = writing;
    const found = (await roomsOfShowing(db, [uid])).get(uid);
    if (!found) return;
    const here = found.room && (await deps.heardIn(db, found.room));
    const room = here?.isHidden ? null : found.room;
    const { heard } = found;
    const after = heardNow(heard, room, room && (here?.videoId ?? null), nowMs);
    if (isSame(heard, after)) return;
    await saveHeard(db, uid, after, nowMs);
    // Where nothing was heard, nothing tells that a person has come into a room.
    if (after.videoId !== null) writing.afterCommit(() => deps.heardChanged([uid]));
  });
}

/** Pure. */
function heardNow(before: Heard | null, room: RoomRef | null, videoId: VideoId | null, nowMs: number): Heard {
  if (videoId !== null) return { room, videoId, endedAtMs: null };
  const last = before?.videoId ?? null;
  return { room, videoId: last, endedAtMs: last === null ? null : (before?.endedAtMs ?? nowMs) };
}

function isSame(before: Heard | null, after: Heard): boolean {
  if (before === null) return after.room === null && after.videoId === null;
  return (
    before.room?.roomId === after.room?.roomId &&
    before.videoId === after.videoId &&
    before.endedAtMs === after.endedAtMs
  );
}

/** The words of a track are those of the library or of the video service, and its picture is on this server. */
function hearingOf({ knownTrack }: HearingDeps, { uid, videoId, untilMs, details }: Seen): Hearing {
  const known = isLibraryId(videoId) ? knownTrack(videoId) : null;
  if (known) {
    const { title, artist, cover } = known;
    return { uid, title, artist, thumbnail: cover.in === 'nowhere' ? null : thumbnailOf(videoId), untilMs };
  }
  const found = details === null ? null : (JSON.parse(details) as { title?: unknown } | null);
  return { uid, title: typeof found?.title === 'string' ? found.title : null, artist: null, thumbnail: null, untilMs };
}

/** A room that is over, one that is not shown and one that does not exist are one answer. */
async function listenAlong(
  { record, clock }: HearingDeps,
  { caller, other }: Pair,
): Promise<Result<Value<'presence/listenAlong'>>> {
  const seen = await hearingSeen(record.db, 'by', [caller.uid], clock.now());
  const now = seen.find(({ uid, untilMs }) => uid === other && untilMs === null);
  const door = now?.room ? await doorOf(record.db, now.room) : null;
  return door ? accept(door) : refuse('access/not-found');
}

/** The streams of those who see now what this person hears, and that of the room: a track that begins there shows more. */
async function streamsOfShowing({ clock }: HearingDeps, db: Db, uid: Uid): Promise<StreamId[]> {
  const [seen, room] = [await hearingSeen(db, 'seen', [uid], clock.now()), await roomHeardBy(db, uid)];
  return [...seen.map(({ by }) => userStream(by)), ...(room ? [roomStream(room.roomId)] : [])];
}

/** A write of its own: which people a full list drops is known only in the write that adds to it. */
async function endSight({ record, clock }: HearingDeps, uid: Uid, by: Uid): Promise<void> {
  if (!(await isShowingToTunemates(record.db, uid))) return;
  await record.write([userStream(by)], async (writing) => {
    const seen = await hearingSeen(writing.db, 'by', [by], clock.now());
    if (seen.every((each) => each.uid !== uid))
      await writing.append(userStream(by), { type: 'presence/hearingEnded', uid });
  });
}

/** Within a write that holds those streams: who sees it no more is told so. */
async function show(
  { clock, heardChanged }: HearingDeps,
  writing: Writing,
  uid: Uid,
  to: HearingAudience,
  settle: (uids: readonly Uid[]) => Promise<void>,
): Promise<void> {
  const { db } = writing;
  const see = async () => new Set((await hearingSeen(db, 'seen', [uid], clock.now())).map(({ by }) => by));
  const before = await see();
  await saveAudience(db, uid, to);
  if (to === 'nobody') await forgetHeard(db, uid);
  const after = await see();
  for (const by of before) {
    if (!after.has(by)) await writing.append(userStream(by), { type: 'presence/hearingEnded', uid });
  }
  if (to !== 'nobody') writing.afterCommit(() => void settle([uid]).then(() => heardChanged([uid])));
}
