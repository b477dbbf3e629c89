/**
 * Our music: two people who are tunemates or soulmates keep what they hear together for as long as both want that. Only the
 * two see it, and either deletes it for both.
 */
import { blend, readArtistAndTitle, type Taste } from '@tunemate/domain';
import {
  limits,
  type OurMusic,
  type OurYear,
  type Payload,
  type Result,
  type Track,
  type Uid,
  type Value,
  type VideoId,
} from '@tunemate/protocol';
import type { Handlers, Pair } from '../access/subjects.ts';
import { findNotificationFrom } from '../notifications/notifications-store.ts';
import { deliver, streamsOfDelivery, withdraw } from '../notifications/notifications.ts';
import { isBlockedBetween } from '../people/blocks.ts';
import { areConnected } from '../people/ties.ts';
import { keepsHistory, recentlyHeardBy } from '../rooms/history/history-store.ts';
import { personOf } from '../storage/people.ts';
import type { StreamRecord, Writing } from '../storage/record.ts';
import type { Db } from '../storage/schema.ts';
import { accept, type Clock, type Ids, type Nothing, type Notify, refuse } from '../system/ports.ts';
import {
  eveningsIn,
  exportedMusic,
  firstTrackOf,
  foundIn,
  heardIn,
  sumsOf,
  type TimeSpan,
  titleForTwo,
  toTrack,
  tracksOf,
  tracksWithin,
} from './music-store.ts';
import { deleteMusic, dropMusicOf, musicPairOf, type MusicPair, saveMusicPair } from '../tunemates/music-pairs.ts';

interface MusicDeps {
  record: StreamRecord;
  clock: Pick<Clock, 'now'>;
  ids: Ids;
  notify: Notify;
  knownTrack: (id: VideoId) => { artist: string | null } | null;
  /** What the server itself calls a track; null where it knows nothing of it. */
  titleOf: (id: VideoId) => Promise<string | null>;
  /** The two keep what they hear from now on. */
  beginsToKeep: (uids: readonly Uid[]) => void;
}

const dayMs = 24 * 60 * 60_000;
/** A person who said no is asked again so late. */
const askAgainAfterMs = 30 * dayMs;
const weeksMs = 53 * 7 * dayMs;
const oldest = { from: 0, until: Number.MAX_SAFE_INTEGER };

export function musicService(deps: MusicDeps) {
  const { db } = deps.record;

  /** What is kept of the two; null where nothing is. */
  async function kept({ caller, other }: Pair): Promise<MusicPair | null> {
    const pair = await musicPairOf(db, caller.uid, other);
    return isKept(pair) && (await mayKeep(db, caller.uid, other)) ? pair : null;
  }

  return {
    handlers: {
      'music/pair': ({ caller, other }, { ago }) => stateOf(deps, caller.uid, other, ago),
      'music/keep': (pair, payload) => keep(deps, pair, payload),
      'music/forget': ({ caller, other, write }) =>
        write([], async (writing): Promise<Result<Nothing>> => {
          const pair = await musicPairOf(writing.db, caller.uid, other);
          if (!isKept(pair)) return refuse('access/not-found');
          await deleteMusic(writing.db, pair.pairId);
          await saveMusicPair(writing.db, [caller.uid, other], { ...pair, forgottenBy: caller.uid }, writing.nowMs);
          return accept({});
        }),
      'music/year': async (pair, { year }) => {
        const found = await kept(pair);
        return found ? accept(await yearOf(db, found.pairId, year, pair)) : refuse('access/not-found');
      },
      'music/blend': async (pair, { seed }) =>
        (await kept(pair)) ? accept({ tracks: await blendOf(deps, pair, seed) }) : refuse('access/not-found'),
    } satisfies Partial<Handlers>,
    accountHook: {
      onDeleting: (uid: Uid) => dropMusicOf(db, uid),
      exports: { ourMusic: (uid: Uid) => exportedMusic(db, uid) },
    },
  };
}

/** Whether the two may keep anything together. A stranger's answer is that of a person who does not exist. */
const mayKeep = async (db: Db, uid: Uid, other: Uid): Promise<boolean> =>
  uid !== other && (await areConnected(db, uid, other)) && !(await isBlockedBetween(db, uid, other));

const isKept = (pair: MusicPair | null): pair is MusicPair & { keptSinceMs: number } =>
  pair !== null && pair.keptSinceMs !== null;

function forgotten({ forgottenBy }: MusicPair, uid: Uid): 'me' | 'them' | null {
  if (forgottenBy === null) return null;
  return forgottenBy === uid ? 'me' : 'them';
}

type State = Result<Value<'music/pair'>>;

async function stateOf({ record: { db }, clock }: MusicDeps, uid: Uid, other: Uid, ago: TimeSpan): Promise<State> {
  if (!(await mayKeep(db, uid, other))) return refuse('access/not-found');
  const pair = await musicPairOf(db, uid, other);
  const forgottenBy = pair === null ? null : forgotten(pair, uid);
  if (isKept(pair)) {
    const { pairId, keptSinceMs } = pair;
    return accept({
      status: 'kept',
      music: { ...(await ourMusicOf(db, pairId, ago, clock.now())), keptSince: keptSinceMs, forgottenBy },
    });
  }
  if (pair === null || pair.askedBy === null || pair.declinedAtMs !== null) {
    return accept({ status: 'none', askFrom: pair ? askFromOf(pair, uid) : 0, forgottenBy });
  }
  return accept({ status: pair.askedBy === uid ? 'asked' : 'asks' });
}

/** From when on this person may ask: at once, unless the other said no lately. */
const askFromOf = ({ askedBy, declinedAtMs }: MusicPair, uid: Uid): number =>
  declinedAtMs !== null && askedBy === uid ? declinedAtMs + askAgainAfterMs : 0;

async function ourMusicOf(
  db: Db,
  pairId: string,
  ago: TimeSpan,
  nowMs: number,
): Promise<Omit<OurMusic, 'keptSince' | 'forgottenBy'>> {
  const [met] = await eveningsIn(db, pairId, oldest, 1);
  const weeks = await eveningsIn(db, pairId, { from: nowMs - weeksMs, until: nowMs + dayMs }, limits.musicEvenings);
  const evenings = await eveningsIn(db, pairId, ago, limits.musicTracks);
  const [begun, ended] = [evenings[0]?.from, evenings.at(-1)?.until];
  const span = begun === undefined || ended === undefined ? null : { from: begun, until: ended };
  return {
    ...(await sumsOf(db, pairId)),
    ...(await tracksOf(db, pairId)),
    first: await firstTrackOf(db, pairId),
    met: met ?? null,
    weeks: weeks.map(({ room: _room, ...evening }) => evening),
    ago: { evenings, tracks: span === null ? [] : await heardIn(db, pairId, span) },
  };
}

async function yearOf(db: Db, pairId: string, year: TimeSpan, { caller, other }: Pair): Promise<OurYear> {
  const evenings = await eveningsIn(db, pairId, year, limits.musicEvenings);
  const longest = evenings.toSorted((a, b) => b.heardMs - a.heardMs)[0] ?? null;
  return {
    ...(await sumsOf(db, pairId, year)),
    ...(await tracksWithin(db, pairId, year)),
    longest,
    longestTracks: longest === null ? [] : await heardIn(db, pairId, longest),
    found: await foundIn(db, pairId, year, caller.uid, other),
  };
}

async function keep(
  deps: MusicDeps,
  { caller: { uid }, other, write }: Pair,
  { keeps }: Payload<'music/keep'>,
): Promise<Result<Value<'music/keep'>>> {
  return await write(
    async (db) => [...(await streamsOfDelivery(db, other)), ...(await streamsOfDelivery(db, uid))],
    async (writing) => {
      const pair = await musicPairOf(writing.db, uid, other);
      const isAnswer = pair?.askedBy === other && pair.declinedAtMs === null && !isKept(pair);
      // A question went with the tie, or with the history of who asked, and its notification is answered all the same.
      if (!isAnswer) await withdrawQuestion(writing, uid, other);
      if (!(await mayKeep(writing.db, uid, other))) return refuse('access/not-found');
      if (!keeps) return await keepNot(writing, pair, uid, other);
      if (isKept(pair)) return accept({ outcome: 'done' });
      if (!(await keepsHistory(writing.db, uid))) return accept({ outcome: 'history-off' });
      return isAnswer ? await agree(deps, writing, uid, other) : await askFor(deps, writing, pair, { uid, other });
    },
  );
}

async function askFor(
  deps: MusicDeps,
  writing: Writing,
  pair: MusicPair | null,
  { uid, other }: { uid: Uid; other: Uid },
): Promise<Result<Value<'music/keep'>>> {
  const { db, nowMs } = writing;
  if (pair && askFromOf(pair, uid) > nowMs) return accept({ outcome: 'too-soon' });
  if (pair?.askedBy === uid && pair.declinedAtMs === null) return accept({ outcome: 'done' });
  const me = await personOf(db, uid);
  if (!me || !(await personOf(db, other))) return refuse('access/not-found');
  const asked = { askedBy: uid, declinedAtMs: null, keptSinceMs: null, forgottenBy: null };
  await saveMusicPair(db, [uid, other], asked, nowMs);
  await deliver(writing, deps, other, { type: 'music', senderName: me.name, senderUid: uid, room: null });
  return accept({ outcome: 'done' });
}

async function agree(deps: MusicDeps, writing: Writing, uid: Uid, other: Uid): Promise<Result<Value<'music/keep'>>> {
  const { db, nowMs } = writing;
  await withdrawQuestion(writing, uid, other);
  // The one who asked may keep no history any more: then nothing is kept, as if it had not been asked.
  if (!(await keepsHistory(db, other))) {
    await saveMusicPair(
      db,
      [uid, other],
      { askedBy: null, declinedAtMs: null, keptSinceMs: null, forgottenBy: null },
      nowMs,
    );
    return accept({ outcome: 'done' });
  }
  await saveMusicPair(
    db,
    [uid, other],
    { askedBy: other, declinedAtMs: null, keptSinceMs: nowMs, forgottenBy: null },
    nowMs,
  );
  writing.afterCommit(() => deps.beginsToKeep([uid, other]));
  return accept({ outcome: 'done' });
}

/** Ends it, takes the question back, or declines. */
async function keepNot(
  writing: Writing,
  pair: MusicPair | null,
  uid: Uid,
  other: Uid,
): Promise<Result<Value<'music/keep'>>> {
  const { db, nowMs } = writing;
  if (!pair) return accept({ outcome: 'done' });
  const nothing = { askedBy: null, declinedAtMs: null, keptSinceMs: null, forgottenBy: null };
  if (pair.keptSinceMs !== null) {
    await deleteMusic(db, pair.pairId);
    await saveMusicPair(db, [uid, other], { ...nothing, forgottenBy: uid }, nowMs);
  } else if (pair.askedBy === uid && pair.declinedAtMs === null) {
    await withdrawQuestion(writing, other, uid);
    await saveMusicPair(db, [uid, other], nothing, nowMs);
  } else if (pair.askedBy === other && pair.declinedAtMs === null) {
    await withdrawQuestion(writing, uid, other);
    await saveMusicPair(db, [uid, other], { ...nothing, askedBy: other, declinedAtMs: nowMs }, nowMs);
  }
  return accept({ outcome: 'done' });
}

async function withdrawQuestion(writing: Writing, recipient: Uid, sender: Uid): Promise<void> {
  const notice = await findNotificationFrom(writing.db, recipient, sender, 'music');
  if (notice) await withdraw(writing, recipient, notice.id);
}

async function blendOf(
  { record: { db }, knownTrack, titleOf }: MusicDeps,
  { caller, other }: Pair,
  seed: number,
): Promise<Value<'music/blend'>['tracks']> {
  const two = [caller.uid, other];
  const [mine, theirs] = [await recentlyHeardBy(db, caller.uid), await recentlyHeardBy(db, other)];
  const known = new Map([...theirs, ...mine].map((heard) => [heard.trackId, heard]));
  const tasteOf = ({ trackId, track, times, lastAtMs }: (typeof mine)[number]): Taste => {
    const { title } = toTrack(track);
    const artist = knownTrack(trackId as VideoId)?.artist ?? readArtistAndTitle(title)?.artist ?? null;
    return { trackId, artist, times, lastAtMs };
  };
  const lastAt = (id: string) =>
    Math.max(...[...mine, ...theirs].flatMap(({ trackId, lastAtMs }) => (trackId === id ? [lastAtMs] : [])));
  const shown = async (heard: (typeof mine)[number]): Promise<Track> => {
    const track = toTrack(heard.track);
    return { ...track, title: (await titleOf(track.videoId)) ?? titleForTwo(track, [heard.putBy], two) };
  };
  const blended = blend(mine.map(tasteOf), theirs.map(tasteOf), chanceOf(seed));
  return await Promise.all(
    blended.flatMap(({ trackId, of }) => {
      const heard = known.get(trackId);
      return heard ? [shown(heard).then((track) => ({ ...track, of, at: lastAt(trackId) }))] : [];
    }),
  );
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x80_00_00_00;
  };
}
