/**
 * Sends what people hear in rooms to ListenBrainz, for people with a token: a track that begins as playing now, and
 * one that was heard (`noteLook`) as a listen, which waits in the database until it was sent. Everything else of a room
 * waits for nothing here, and a room of people without a token costs no statement.
 */
import { type ListenedTrack, type Look, lookEveryMs, noteLook, readArtistAndTitle } from '@tunemate/domain';
import { positionAt, probeSettledSpacingMs, probeUnansweredMs } from '@tunemate/playback';
import {
  isLibraryId,
  isMediaLink,
  type ListensState,
  type Result,
  type RoutePayload,
  type RouteValue,
  type Uid,
  userStream,
  type VideoId,
} from '@tunemate/protocol';
import type { Caller } from '../access/caller.ts';
import type { PlaybackParts } from '../playback/playback.ts';
import type { RegisterRoute } from '../http/routes.ts';
import { readPlayback } from '../playback/playback-document.ts';
import type { Ages } from '../storage/clock-steps.ts';
import type { StreamRecord } from '../storage/record.ts';
import type { RoomRef } from '../storage/schema.ts';
import type { Background } from '../system/background.ts';
import { reasonOf } from '../system/outside.ts';
import { accept, type Clock, type Log, refuse } from '../system/ports.ts';
import { type Listen, type Listenbrainz, listenbrainz, type ListenbrainzServer } from './listenbrainz.ts';
import {
  type Account,
  accountOf,
  connectedPeople,
  dropAccount,
  dropListensBefore,
  enqueueListen,
  heardBy,
  isRefused,
  markRefused,
  roomsOfConnections,
  saveHeard,
  saveToken,
  waitingListens,
} from './listens-store.ts';
import { sendDueListens } from './sending.ts';

/** What the library knows of a track. */
interface KnownTrack {
  artist: string | null;
  title: string;
  album: { name: string } | null;
  durationSeconds: number | null;
}

export interface ListensDeps {
  record: StreamRecord;
  clock: Clock;
  log: Log;
  /** Null where the operator sends no listens. */
  server: ListenbrainzServer | null;
  /** Of Tunemate. */
  version: string;
  /** Null for a track that the library does not hold. */
  knownTrack: (id: VideoId) => KnownTrack | null;
  /** What the video service calls a video; null where the server has not read it there. */
  knownTitle: (id: VideoId) => Promise<string | null>;
}

/**
 * A player that is in step reports so with each probe: after the longest pause, and with the next where one was lost.
 */
const hearsForMs = probeSettledSpacingMs + 2 * probeUnansweredMs;
/** Of the people of other processes this one hears so late. */
const peopleEveryMs = 60_000;
const keptMs = 14 * 24 * 60 * 60_000;
const nowPlayingAtOnce = 50;
const sendEveryMs = 5000;
const pruneEveryMs = 60 * 60_000;

/** Where else a page's report of its player goes. */
type HearsReport = (
  caller: Pick<Caller, 'connectionId' | 'uid'>,
  isInStep: boolean,
  missed: readonly (readonly [fromAgoMs: number, untilAgoMs: number])[],
) => void;

export type ListensService = ReturnType<typeof openListens>;

/** With its tasks in the background. */
export function openListens(
  { ages, ...deps }: ListensDeps & { ages: Pick<Ages, 'unlessHeld'> },
  background: Pick<Background, 'every'>,
) {
  const listens = listensService(deps);
  background.every(lookEveryMs, 'listens.look', listens.look);
  background.every(sendEveryMs, 'listens.send', listens.send);
  background.every(pruneEveryMs, 'listens.prune', ages.unlessHeld(listens.prune));
  return {
    ...listens,
    /** A player that says how far it is from its room is heard; null for a page without one. */
    notingAlso:
      (note: (driftMs: number) => void, music: { reported: HearsReport }): PlaybackParts['noteDrift'] =>
      (driftMs, caller, missed = []) => {
        if (driftMs !== null) note(driftMs);
        listens.hears(caller, driftMs !== null);
        music.reported(caller, driftMs !== null, missed);
      },
  };
}

/** All people whose token works, as far as this process knows. */
interface Connected {
  has(uid: Uid): boolean;
  add(uid: Uid): void;
  drop(uid: Uid): void;
  isEmpty(): boolean;
  /** Learns what other processes changed. */
  refresh(): Promise<void>;
}

function connectedOf({ record, clock }: ListensDeps): Connected {
  let people = new Set<Uid>();
  let readAtMs = -Infinity;
  return {
    has: (uid) => people.has(uid),
    add: (uid) => void people.add(uid),
    drop: (uid) => void people.delete(uid),
    isEmpty: () => people.size === 0,
    async refresh() {
      if (clock.now() - readAtMs < peopleEveryMs) return;
      people = await connectedPeople(record.db);
      readAtMs = clock.now();
    },
  };
}

function listensService(deps: ListensDeps) {
  const { record, clock, log, server, version } = deps;
  const client = server && listenbrainz(server, version);
  const connected = connectedOf(deps);
  const hearing = new Map<string, Hearing>();
  const nowPlaying = new Set<Promise<void>>();

  /** Whether a player of this connection plays in step with its room. Returns at once. */
  function hears({ connectionId, uid }: Pick<Caller, 'connectionId' | 'uid'>, isInStep: boolean): void {
    const atMs = clock.now();
    if (!isInStep || !connected.has(uid)) hearing.delete(connectionId);
    else hearing.set(connectionId, { uid, atMs, sinceMs: hearing.get(connectionId)?.sinceMs ?? atMs });
  }

  /** Looks at what people of this process hear. Runs every few seconds. */
  async function look(): Promise<void> {
    if (!client) return;
    await connected.refresh();
    for (const [connectionId, { atMs }] of hearing) {
      if (clock.now() - atMs > hearsForMs) hearing.delete(connectionId);
    }
    if (hearing.size === 0) return;
    for (const begun of await noteHeard(deps, hearing)) {
      if (nowPlaying.size >= nowPlayingAtOnce) return;
      const sent: Promise<void> = tellNowPlaying(client, begun).finally(() => nowPlaying.delete(sent));
      nowPlaying.add(sent);
    }
  }

  /** Best effort: what plays now is of no use later. */
  async function tellNowPlaying(to: Listenbrainz, { account, track, durationMs }: Begun): Promise<void> {
    try {
      const { type } = await to.playingNow(account.token, track, durationMs);
      if (type === 'refused') await refused(account);
    } catch (error) {
      log.info({ err: error, uid: account.uid }, 'listens.now-playing-not-sent');
    }
  }

  async function refused(account: Account): Promise<void> {
    await markRefused(record.db, account, clock.now());
    connected.drop(account.uid);
    log.info({ uid: account.uid }, 'listens.token-refused');
  }

  return {
    hears,
    look,
    ...ownRequests(deps, client, connected),
    /** Sends what is due. Runs every few seconds, in every process. */
    async send(): Promise<void> {
      if (!client || connected.isEmpty()) return;
      await sendDueListens({ db: record.db, clock, log, client, refused });
    },
    async prune(): Promise<void> {
      const dropped = await dropListensBefore(record.db, clock.now() - keptMs);
      if (dropped > 0) log.warn({ listens: dropped }, 'listens.given-up');
    },
    async close(): Promise<void> {
      await Promise.all(nowPlaying);
    },
  };
}

/** The requests of a person about their own account there. */
function ownRequests({ record, log }: ListensDeps, client: Listenbrainz | null, connected: Connected) {
  async function state(uid: Uid): Promise<ListensState> {
    if (!client) return { status: 'off' };
    const { name: server } = client;
    const account = await accountOf(record.db, uid);
    if (!account) return { status: 'disconnected', server };
    const waiting = (await waitingListens(record.db, uid)).length;
    return { status: 'connected', server, name: account.name, isRefused: isRefused(account), waiting };
  }

  async function connect(
    uid: Uid,
    { token }: RoutePayload<'POST /api/listens/connect'>,
  ): Promise<Result<RouteValue<'POST /api/listens/connect'>>> {
    if (!client) return refuse('access/not-found');
    const name = await client.validate(token).catch((error: unknown) => {
      log.warn({ err: error, ...reasonOf(error), server: client.name }, 'listens.server-failed');
      return undefined;
    });
    if (name === undefined) return accept({ outcome: 'unreachable', state: await state(uid) });
    if (name === null) return accept({ outcome: 'refused', state: await state(uid) });
    // Behind the person's own stream, which the deletion of an account holds as well.
    const isSaved = await record.write([userStream(uid)], ({ db, nowMs }) => saveToken(db, uid, token, name, nowMs));
    if (!isSaved) return refuse('auth/required');
    connected.add(uid);
    return accept({ outcome: 'connected', state: await state(uid) });
  }

  async function disconnect(uid: Uid): Promise<Result<ListensState>> {
    await dropAccount(record.db, uid);
    connected.drop(uid);
    return accept(await state(uid));
  }

  return { state, connect, disconnect };
}

interface Begun {
  account: Account;
  track: ListenedTrack;
  durationMs: number | null;
}

/** Of one connection whose player is in step: of whom, since when, and when it last said so. */
interface Hearing {
  uid: Uid;
  sinceMs: number;
  atMs: number;
}

/**
 * Notes what these connections hear, and answers the tracks that begin. All of it is as of the moment at which it begins:
 * a person who stops hearing meanwhile heard nothing after that.
 */
async function noteHeard(deps: ListensDeps, hearing: ReadonlyMap<string, Hearing>): Promise<Begun[]> {
  const { record, clock, log } = deps;
  const nowMs = clock.now();
  const since = new Map<Uid, number>();
  for (const { uid, sinceMs } of hearing.values()) since.set(uid, Math.min(sinceMs, since.get(uid) ?? Infinity));
  const places = await roomsOfConnections(record.db, [...hearing.keys()]);
  const playing = new Map<string, Awaited<ReturnType<typeof playingIn>>>();
  for (const { room, written } of places) {
    if (!playing.has(written)) playing.set(written, await playingIn(deps, room, nowMs));
  }
  const begun: Begun[] = [];
  for (const { uid, written } of places) {
    const now = playing.get(written);
    if (!now) continue;
    try {
      const account = await noteOne(deps, { uid, room: written, hearsSinceMs: since.get(uid) ?? Infinity, nowMs }, now);
      if (account) begun.push({ account, ...now });
    } catch (error) {
      // Of a person who disconnected at this moment, for example.
      log.warn({ err: error, uid }, 'listens.not-noted');
    }
  }
  return begun;
}

interface Playing {
  trackId: VideoId;
  track: ListenedTrack;
  positionSeconds: number;
  durationMs: number | null;
}

/**
 * What the room plays, as a listen names it; null where it plays nothing, or nothing with an artist. Names come from what
 * the server knows: titles of a queue are the words of another person, and listens are public in the listener's name.
 */
async function playingIn(deps: ListensDeps, room: RoomRef, nowMs: number): Promise<Playing | null> {
  const { record, knownTrack, knownTitle } = deps;
  const stored = await readPlayback(record.db, room);
  if (!stored) return null;
  const { timeline, queue } = stored.playback;
  const current = queue.videoQueue[queue.currentIndex];
  if (!current || timeline.trackKey === null) return null;
  const trackId = current.videoId;
  const known = knownTrack(trackId);
  const track = known
    ? ofLibrary(known)
    : isLibraryId(trackId) || isMediaLink(trackId)
      ? null
      : readArtistAndTitle((await knownTitle(trackId)) ?? '');
  if (!track) return null;
  const seconds = known?.durationSeconds ?? current.durationSeconds;
  const durationMs = seconds === null ? null : Math.round(seconds * 1000);
  return { trackId, track, positionSeconds: positionAt(timeline, nowMs), durationMs };
}

/** A film without an artist is none. */
const ofLibrary = ({ artist, title, album }: KnownTrack): ListenedTrack | null =>
  artist === null ? null : { artist, title, album: album?.name ?? null };

/** The person's account where the track begins for them. */
async function noteOne(
  deps: ListensDeps,
  { uid, ...of }: { uid: Uid } & Pick<Look, 'room' | 'hearsSinceMs' | 'nowMs'>,
  now: Playing,
): Promise<Account | null> {
  const { record } = deps;
  const { trackId, positionSeconds, durationMs, track } = now;
  const before = (await heardBy(record.db, [uid])).get(uid) ?? null;
  const durationSeconds = durationMs === null ? null : durationMs / 1000;
  const after = noteLook(before, { ...of, trackId, positionSeconds, durationSeconds });
  if (!after) return null;
  const { heard, isNew, counts } = after;
  const isSaved = await record.write([], async ({ db }) => {
    if (!(await saveHeard(db, uid, before, heard))) return false;
    const listen: Listen = { ...track, listenedAtMs: heard.begunAtMs, durationMs };
    if (counts) await enqueueListen(db, uid, listen);
    return true;
  });
  return isSaved && isNew ? await accountOf(record.db, uid) : null;
}

/** Needs no server of listens, so that the operator's program runs it too. The export has no token. */
export const listensAccountHook = ({ db }: StreamRecord) => ({
  onDeleting: (uid: Uid) => dropAccount(db, uid),
  exports: {
    listens: async (uid: Uid) => {
      const account = await accountOf(db, uid);
      if (!account) return null;
      const { name, connectedAtMs: connectedAt, refusedAtMs: refusedAt } = account;
      const waiting = (await waitingListens(db, uid)).map(({ listenedAtMs: listenedAt, artist, title, album }) => ({
        ...{ listenedAt, artist, title, album },
      }));
      return { name, connectedAt, refusedAt, waiting };
    },
  },
});

export function listensRoutes(register: RegisterRoute, listens: ListensService): void {
  register('GET /api/listens', async ({ session }) => accept(await listens.state(session.uid)));
  register('POST /api/listens/connect', ({ session }, payload) => listens.connect(session.uid, payload));
  register('POST /api/listens/disconnect', ({ session }) => listens.disconnect(session.uid));
}
