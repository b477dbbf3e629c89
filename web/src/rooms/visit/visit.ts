/**
 * One visit to a room, from entering to its end: opens the room, then chat and playback with this tab's player, and
 * passes each event of the room to the models concerned.
 */
import { holdsRemote, isPlaybackChange } from '@tunemate/domain';
import { resyncAfterAcceptMs, type PlayerMemory } from '@tunemate/playback';
import type {
  AppConfig,
  Result,
  RoomDocument,
  RoomKind,
  RoomSnapshot,
  UserCard,
  Value,
  VideoId,
} from '@tunemate/protocol';
import { createSearchModel, type SearchModel } from '../../catalogue/catalogue-model.ts';
import { newClientId } from '../../connection/ids.ts';
import { createOpenLibrary, type OpenLibrary } from '../../library/open-library.ts';
import { startClockSync, type ClockSync, type ClockSyncPorts } from '../../playback/clock-sync.ts';
import type { DeviceSoundModel } from '../../playback/device-sound.ts';
import type { PeaksOfTracks } from '../../playback/even-loudness.ts';
import { createPlaybackModel, type PlaybackModel } from '../../playback/playback-model.ts';
import type { Part } from '../../playback/playback-view.ts';
import { progressOf } from '../../playback/progress.ts';
import type { createPagePlayer, PagePlayer } from '../../playback/players/page-player.ts';
import { cell, type Readable, type Unsubscribe } from '../../store/cell.ts';
import { endFirstSound } from '../../store/first-sound.ts';
import type { SharedStorage } from '../../store/lenient-storage.ts';
import { fetchPart, whenPartsReturn } from '../../store/lost-parts.ts';
import { createChatModel, type ChatModel } from '../chat/chat-model.ts';
import { createRequestsModel, type RequestsModel } from '../requests/requests-model.ts';
import { factsOf, type RoomAddress } from '../room-kinds.ts';
import type { Roster, RosterPorts } from '../sidebar/roster.ts';
import { createRoomModel, isEveryoneNamed, type RoomModel, type RoomState, type VisitPorts } from './room-model.ts';

export interface Visit extends RoomAddress {
  readonly room: RoomModel;
  readonly requests: RequestsModel;
  readonly search: SearchModel;
  readonly library: OpenLibrary;
  readonly clockSync: ClockSync;
  readonly deviceSound: DeviceSoundModel;
  /** Loads the participants that the snapshot of a large room lacks; null in other rooms. */
  readonly roster: Readable<Roster | null>;
  /** Null until the room was entered. */
  readonly parts: Readable<LiveParts | null>;
  /** Stops receiving; the user stays a participant. */
  close(): void;
}

/** Created when the room was entered; stays on the page behind the last message when the visit is over. */
export interface LiveParts {
  readonly chat: ChatModel;
  readonly playback: PlaybackModel;
  /** The room's position, as pages show it. */
  readonly progress: Readable<number>;
  readonly stage: PagePlayer;
  readonly subtitlesOf: (videoId: VideoId, signal: AbortSignal) => Promise<Result<Value<'library/subtitles'>>>;
  /** Of the tracks that play or come next. */
  readonly peaks: Readable<PeaksOfTracks>;
  readonly lyricsOf: (videoId: VideoId, signal: AbortSignal) => Promise<Result<Value<'library/lyrics'>>>;
}

export interface RoomView {
  kind: RoomKind;
  visit: Visit;
  state: RoomState;
  parts: LiveParts;
  self: UserCard;
  config: AppConfig | null;
}

export interface PagePorts extends Omit<ClockSyncPorts, 'connection'> {
  readonly storage: SharedStorage;
  readonly createStage: typeof createPagePlayer;
  readonly playerMemory: PlayerMemory;
  readonly deviceSound: DeviceSoundModel;
  /** Left out where the browser has none. */
  readonly mediaSession?: MediaSession | undefined;
}

/** Enters the room at once. */
export function openVisit(ports: VisitPorts, page: PagePorts): Visit {
  const { connection, kind, code, selfUid } = ports;
  const { schedule, deviceSound } = page;
  const address = { kind, code };
  const parts = cell<LiveParts | null>(null);
  const roster = cell<Roster | null>(null);
  const ends: Unsubscribe[] = [];
  const clockSync = startClockSync({ ...page, connection });
  const room = createRoomModel({ ...ports, schedule });
  /** The host publishes the position again once the new participant has entered. */
  const onAdmitted = (): void => void ends.push(schedule(() => parts.get()?.playback.resync(), resyncAfterAcceptMs));
  const requests = createRequestsModel({ ...ports, room, onAdmitted });

  function enter(snapshot: RoomSnapshot): void {
    if (!isEveryoneNamed(snapshot.room)) void openRosterOnce(snapshot);
    const known = parts.get();
    if (known === null) return parts.set(openLiveParts(ports, page, clockSync, snapshot, ends));
    known.playback.setPart(...partIn(snapshot.room, selfUid));
    known.playback.receive(snapshot.playback);
  }

  let hasRoster = false;
  /** Loaded on demand: only rooms of more people than a snapshot names use it. */
  async function openRosterOnce(snapshot: RoomSnapshot): Promise<void> {
    if (hasRoster) return;
    hasRoster = true;
    const part = await fetchPart(() => import('../sidebar/roster.ts')).catch(() => null);
    hasRoster = part !== null;
    if (part === null) return void ends.push(whenPartsReturn(() => void openRosterOnce(snapshot)));
    const ask: RosterPorts['ask'] = (which) => connection.request('rooms/people', { ...address, which });
    const opened = part.openRoster({ room, ask, schedule, random: Math.random, selfUid }, snapshot);
    ends.push(opened.close);
    roster.set(opened);
  }

  room.events.subscribe((event) => {
    const live = parts.get();
    if (event.type === 'over') {
      live?.playback.stopPlayback();
      if (event.status !== 'refused') live?.chat.giveUp();
      return;
    }
    live?.chat.receive(event);
    if (isPlaybackChange(event)) {
      const isComplete = live?.playback.receiveChange(event) ?? true;
      if (!isComplete) void room.refresh();
    } else if (event.type === 'rooms/hostChanged' || event.type === 'rooms/set') {
      const now = room.state.get()?.room;
      if (now) live?.playback.setPart(...partIn(now, selfUid));
    }
    if (event.type === 'entered') enter(event.snapshot);
  });

  return {
    ...address,
    room,
    requests,
    search: createSearchModel(connection, address),
    library: createOpenLibrary(connection, address),
    clockSync,
    deviceSound,
    roster,
    parts,
    close() {
      room.close();
      requests.close();
      for (const end of ends.splice(0)) end();
      clockSync.stop();
    },
  };
}

/** What this person is to what the room plays, and whether the host shares the remote. */
function partIn(room: RoomDocument, selfUid: string): [part: Part, isShared: boolean] {
  const part = room.host === selfUid ? 'host' : holdsRemote(room, selfUid) ? 'remote' : 'guest';
  return [part, room.remoteUse !== 'host'];
}

/** Adds to `ends` what has to end with the visit. */
function openLiveParts(
  ports: VisitPorts,
  page: PagePorts,
  clockSync: ClockSync,
  snapshot: RoomSnapshot,
  ends: Unsubscribe[],
): LiveParts {
  const { schedule, nowMs, storage, playerMemory, deviceSound } = page;
  const { connection, kind, code, selfUid } = ports;
  const [part, isShared] = partIn(snapshot.room, selfUid);
  const clock = { now: () => Date.now(), schedule };
  const chat = createChatModel({ connection, clock, storage, kind, code, selfUid, newClientId }, snapshot);
  const { seekToleranceSeconds, panels } = factsOf(kind);
  const stage = page.createStage(panels.stage === 'frame' ? 'video' : 'audio', schedule, nowMs);
  const { player } = stage;
  if (snapshot.playback.isPlaying) ends.push(endOnceHeard(player));
  else endFirstSound();
  const device = { player, clockSync, playerMemory, deviceSound, nowMs, schedule, newClientId };
  const rules = { part, isShared, selfUid, seekToleranceSeconds };
  const playback = createPlaybackModel({ ...ports, ...device, ...rules }, snapshot.playback);
  if (page.mediaSession !== undefined) {
    const { name: roomName } = snapshot.room;
    const lockScreen = { session: page.mediaSession, model: playback, roomName };
    ends.push(withLater(import('../../playback/lock-screen.ts'), (part) => part.showOnLockScreen(lockScreen)));
  }
  const loudnessOf = (videoId: VideoId, signal: AbortSignal) =>
    connection.requestUntilAnswered('library/loudness', { kind, code, videoId }, { signal });
  const askForCopy = (videoId: VideoId, gain: number) =>
    connection.request('library/evenCopy', { kind, code, videoId, gain });
  const peaks = cell<PeaksOfTracks>(new Map());
  const even = { view: playback.view, deviceSound, ask: loudnessOf, askForCopy, peaks };
  ends.push(withLater(import('../../playback/even-loudness.ts'), (part) => part.keepLoudnessEven(even)));
  ends.push(() => {
    chat.close();
    playback.close();
    player.dispose();
  });
  const subtitlesOf: LiveParts['subtitlesOf'] = (videoId, signal) =>
    connection.requestUntilAnswered('library/subtitles', { kind, code, videoId }, { signal });
  const lyricsOf: LiveParts['lyricsOf'] = (videoId, signal) =>
    connection.requestUntilAnswered('library/lyrics', { kind, code, videoId }, { signal });
  return { chat, playback, progress: progressOf(playback), stage, subtitlesOf, lyricsOf, peaks };
}

/** The wait for the first sound ends when the player is heard, and when it can't be. */
function endOnceHeard(player: PagePlayer['player']): Unsubscribe {
  const stop = player.subscribe(({ type }) => {
    if (type === 'changed' && player.snapshot().phase !== 'playing') return;
    stop();
    endFirstSound();
  });
  return stop;
}

/** Begins with code that is loaded after the room. When that fails, the room goes without. */
function withLater<Part>(loading: Promise<Part>, begin: (part: Part) => Unsubscribe): Unsubscribe {
  let isOver = false;
  let end: Unsubscribe = () => undefined;
  loading.then(
    (part) => {
      if (!isOver) end = begin(part);
    },
    () => undefined,
  );
  return () => {
    isOver = true;
    end();
  };
}
