/**
 * Notes when the players of people who keep what they hear together are in step with a room, from the reports of their
 * pages, and what those rooms play. A room without such people costs no statement.
 */
import { heardBetween, lookEveryMs, type Span, type StepReport } from '@tunemate/domain';
import type { QueuedTrack, StoredPlayed, Uid, VideoId } from '@tunemate/protocol';
import type { Caller, Ending } from '../access/caller.ts';
import type { RoomRow } from '../access/subjects.ts';
import { readPlayback } from '../playback/playback-document.ts';
import { readRoomRef } from '../presence/connections-store.ts';
import { roomById } from '../rooms/lifecycle/rooms-store.ts';
import { padded } from '../storage/queries.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import type { Background } from '../system/background.ts';
import type { Clock } from '../system/ports.ts';
import { countTogether, noteHearings, prunePlayedForMusic } from './counting.ts';
import { keepersOfMusic } from '../tunemates/music-pairs.ts';

interface Page {
  uid: Uid;
  before: Pick<StepReport, 'atMs' | 'isInStep'>;
  /** Since the last look. */
  spans: Span[];
  /** As the connection's row has it; null until the first look. */
  room: string | null;
  hasEnded: boolean;
}

/** Of people who begin to keep in other processes this one learns so late. */
const keepersEveryMs = 60_000;
/** So long after the last report there may be something to count. */
const countsForMs = 5 * 60_000;
const pruneEveryMs = 60 * 60_000;

export interface MusicHearingDeps {
  record: StreamRecord;
  clock: Clock;
  /** What the server itself calls a track; null where it knows nothing of it. */
  titleOf: (id: VideoId) => Promise<string | null>;
}

export type MusicHearing = ReturnType<typeof openMusicHearing>;
type Of = Pick<Caller, 'connectionId' | 'uid'>;

export function openMusicHearing(deps: MusicHearingDeps, background: Pick<Background, 'every'>) {
  const { record, clock } = deps;
  const pages = new Map<string, Page>();
  const revisions = new Map<string, number>();
  let keepers = new Set<Uid>();
  let readAtMs = -Infinity;
  let countsUntilMs = clock.now() + countsForMs;

  async function look(): Promise<void> {
    if (clock.now() - readAtMs >= keepersEveryMs) {
      keepers = await keepersOfMusic(record.db);
      readAtMs = clock.now();
    }
    if (pages.size > 0) await note();
    if (keepers.size > 0 && clock.now() < countsUntilMs) await countTogether(record, clock.now());
  }

  async function note(): Promise<void> {
    const { db } = record;
    for (const [id, room] of await placesOf(db, openIds())) {
      const page = pages.get(id);
      if (page) page.room = room;
    }
    const all = [...pages.values()];
    const rooms = new Set(all.flatMap(({ room }) => room ?? []));
    for (const room of rooms) await notePlayed(deps, room, revisions);
    const noted = all.flatMap(({ uid, room, spans }) =>
      room === null ? [] : spans.map((span) => ({ uid, room, ...span })),
    );
    for (const page of all) page.spans = [];
    await noteHearings(db, noted);
    for (const [id, { hasEnded, before }] of pages) {
      if (hasEnded || clock.now() - before.atMs > countsForMs) pages.delete(id);
    }
  }
  const openIds = () => [...pages].flatMap(([id, { hasEnded }]) => (hasEnded ? [] : [id]));

  background.every(lookEveryMs, 'music.look', look);
  background.every(pruneEveryMs, 'music.prune', async () => {
    revisions.clear();
    await prunePlayedForMusic(record.db, clock.now());
  });
  return {
    /** What a page says of its player. Returns at once. */
    reported({ connectionId, uid }: Of, isInStep: boolean, missed: StepReport['missed']): void {
      if (!keepers.has(uid)) return;
      const atMs = clock.now();
      const known = pages.get(connectionId);
      const spans = heardBetween(known?.before ?? null, { atMs, isInStep, missed });
      if (known) known.spans.push(...spans);
      const page = known ?? { uid, spans, room: null, hasEnded: false };
      pages.set(connectionId, Object.assign(page, { before: { atMs, isInStep } }));
      countsUntilMs = atMs + countsForMs;
    },
    /** A connection ended: its page heard until then, or until the server last heard of it. */
    closed({ connectionId }: Of, ending: Ending): void {
      const page = pages.get(connectionId);
      if (!page) return;
      const atMs = clock.now() - (ending.type === 'lost' ? ending.silentMs : 0);
      if (atMs > page.before.atMs) page.spans.push(...heardBetween(page.before, { atMs, isInStep: false, missed: [] }));
      page.hasEnded = true;
    },
    /** The two begin to keep: from now on, in this process. */
    begin: (uids: readonly Uid[]) => uids.forEach((uid) => keepers.add(uid)),
  };
}

/** In which room each of these connections is. */
async function placesOf(db: Db, connectionIds: readonly string[]): Promise<Map<string, string>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('connections')
    .select(['connection_id', 'room'])
    .where('connection_id', 'in', padded(connectionIds))
    .where('room', 'is not', null)
    .execute();
  return new Map(rows.flatMap(({ connection_id: id, room }) => (room === null ? [] : [[id, room] as const])));
}

/** One row for each state of the room. */
async function notePlayed(
  { record: { db }, titleOf }: MusicHearingDeps,
  written: string,
  revisions: Map<string, number>,
): Promise<void> {
  const room = readRoomRef(written);
  const stored = room && (await readPlayback(db, room));
  if (!room || !stored) return;
  const { timeline, queue, by } = stored.playback;
  if (revisions.get(written) === timeline.revision) return;
  const current = queue.videoQueue[queue.currentIndex];
  const row = await roomById(db, room);
  await db
    .insertInto('music_played')
    .values({
      room: written,
      revision: timeline.revision,
      at_ms: Math.round(timeline.atServerMs),
      is_playing: Number(timeline.isPlaying),
      position_seconds: timeline.positionSeconds,
      track: current ? JSON.stringify(await playedTrack(current, row, titleOf)) : null,
      put_by: current?.proposedBy ?? by ?? row?.host ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  revisions.set(written, timeline.revision);
}

/** With the title that the server knows, or the one of the queue and who may have written that. */
async function playedTrack(
  { videoId, title, durationSeconds, proposedBy }: QueuedTrack,
  room: RoomRow | null,
  titleOf: MusicHearingDeps['titleOf'],
): Promise<StoredPlayed> {
  const known = await titleOf(videoId);
  if (known !== null) return { videoId, title: known, durationSeconds };
  return { videoId, title, durationSeconds, writers: proposedBy === undefined ? queueWriters(room) : [proposedBy] };
}

/** The host and who holds the remote write the queue; none where all members do: no member's own words are told apart. */
const queueWriters = (room: RoomRow | null): Uid[] =>
  room === null || room.remoteUse === 'everyone' ? [] : [room.host, ...room.remoteHolders];
