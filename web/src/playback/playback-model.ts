/**
 * Playback of one room in one tab: follows the room's timeline with this tab's player, and, on the host's controlling
 * tab, sends the host's intents and what its player knows about the track. The server decides on them.
 * Independent of React and of the kind of player.
 */
import { playbackOfDocument } from '@tunemate/domain';
import {
  applyPlaybackChange,
  askForControlMs,
  awaitedStart,
  hasLoaded,
  startFollowLoop,
  toLoadNext,
  type FollowLoop,
  type FollowStatus,
  type LeaderIntent,
  type PlayerMemory,
  type RoomPlayback as Playback,
  type Timeline,
} from '@tunemate/playback';
import type { PlaybackChange, PlaybackDocument, PlaybackIntent, QueuedTrack, Refusal } from '@tunemate/protocol';
import { cell, signal, type Cell, type Readable, type Signal, type Unsubscribe } from '../store/cell.ts';
import { fetchPart } from '../store/lost-parts.ts';
import { speech } from '../store/speech.ts';
import type { AudiblePlayer } from './players/source-player.ts';
import type { ClockSync } from './clock-sync.ts';
import type { DeviceSoundModel } from './device-sound.ts';
import {
  type ActedNotice,
  isThere,
  type NowPlaying,
  type Part,
  trackFactsOf,
  type PlaybackNotice,
  type PlaybackView,
  positionOf,
  viewOf,
} from './playback-view.ts';
import { createHostCommands, createWriter, type HostCommands, type Writer, type WriterPorts } from './host-commands.ts';

export interface PlaybackModel extends Pick<FollowLoop, 'resync' | 'hold' | 'tapToListen' | 'wake'> {
  readonly view: Readable<PlaybackView>;
  /** The state of this tab's player; changes several times a second. */
  readonly follow: Readable<FollowStatus>;
  /** The room plays, and this tab's player has neither played nor failed for ten seconds. */
  readonly isStuck: Readable<boolean>;
  readonly notices: Pick<Signal<PlaybackNotice>, 'subscribe'>;
  /** Takes over the document, unless it is older than this tab's copy. */
  receive(document: PlaybackDocument): void;
  /** Returns false when an earlier change is missing; then the whole document is needed. */
  receiveChange(change: PlaybackChange): boolean;
  /** The host or the remote has changed; `isShared`: the host is not alone with it. Does not affect the player. */
  setPart(part: Part, isShared: boolean): void;
  /** The room's position, in seconds. */
  positionSeconds(): number;
  /** Commands of the controlling tab; the server rejects them from any other. */
  readonly host: HostCommands;
  takeControl(): Promise<void>;
  /** The user does something in this tab: of several in this browser, it is the one that sounds. */
  use(): void;
  readonly isSoundElsewhere: Readable<boolean>;
  /** The room has ended: stops following and unloads the player. */
  stopPlayback(): void;
  close(): void;
}

export interface PlaybackPorts extends Omit<WriterPorts, 'seen'> {
  /** Whether the user is the host when the room is entered. */
  readonly part: Part;
  readonly isShared: boolean;
  readonly selfUid: string;
  readonly player: AudiblePlayer;
  readonly clockSync: ClockSync;
  readonly deviceSound: DeviceSoundModel;
  readonly playerMemory: PlayerMemory;
  readonly seekToleranceSeconds: number;
}

/** Tabs of one browser answer each other within this time. */
const otherTabAnswersMs = 500;
/** What is left of the room's volume while a voice message plays. */
const besideSpeech = 0.3;

/** `first` is the playback document when the room is entered. */
export function createPlaybackModel(ports: PlaybackPorts, first: PlaybackDocument): PlaybackModel {
  const model = new RoomPlayback(ports, first);
  model.start();
  return model;
}

/** A device that fails so often plays nothing more: it leaves others the queue, and suggestions cost a search. */
const mostFailures = 5;

/** Without a next track the room pauses, or it would play on in silence. `nth` in a row failed. */
function afterFailure({ afterTrack, queue, timeline, track }: NowPlaying, nth: number): PlaybackIntent {
  if (nth > mostFailures) return { type: 'pause' };
  if (queue.length > 1) return { type: 'next', videoId: track?.videoId };
  return afterTrack === 'suggested' ? { type: 'ended', revision: timeline.revision } : { type: 'pause' };
}

/** A player that loads for longer may never start, as a premiere that has not begun does not. */
const stuckAfterMs = 10_000;
const waiting: ReadonlySet<FollowStatus['status']> = new Set(['loading', 'cued', 'buffering']);

/** What the controlling tab of a host decides for the room; guests never load it. Null until it is there. */
let lead: typeof import('@tunemate/playback/leader').lead | null = null;

export async function loadLeader(): Promise<void> {
  ({ lead } = await fetchPart(() => import('@tunemate/playback/leader')));
}

class RoomPlayback implements PlaybackModel {
  readonly view: Cell<PlaybackView>;
  readonly host: HostCommands;
  readonly follow;
  readonly isStuck = cell(false);
  readonly isSoundElsewhere: Readable<boolean>;
  readonly notices = signal<PlaybackNotice>();
  readonly #ports: PlaybackPorts;
  readonly #loop: FollowLoop;
  readonly #writer: Writer;
  readonly #ends: Unsubscribe[] = [];
  #playback: Playback<QueuedTrack>;
  /** The start that waits until all players have loaded the track; null for none. */
  #awaited: Timeline | null = null;
  #part: Part;
  /** Whether more people than the host may press. */
  #isShared: boolean;
  /** The last press of another person, until its page shows another. */
  #lastAct: ActedNotice | null = null;
  #hasControl = false;
  #reportedRevision = -1;
  /** Since when this track's player waits while the room plays; null while it does not. */
  #waits: { readonly trackKey: string | null; readonly sinceMs: number } | null = null;
  /** Null while this tab does not request control, because it has it or may not have it. */
  #cancelRequest: (() => void) | null = null;

  constructor(ports: PlaybackPorts, first: PlaybackDocument) {
    this.#ports = ports;
    this.#part = ports.part;
    this.#isShared = ports.isShared;
    this.#playback = playbackOfDocument(first);
    this.view = cell(viewOf(this.#playback, ports.part, ports.connection.tabId));
    const seen = () => (this.#isShared ? this.#playback.timeline.revision : undefined);
    this.#writer = createWriter({ ...ports, seen }, (refusal) => this.#onRefused(refusal));
    this.host = createHostCommands(this.view, this.#writer, () => this.positionSeconds());
    this.#loop = startFollowLoop({
      player: ports.player,
      clock: ports.clockSync.clock,
      nowMs: ports.nowMs,
      schedule: ports.schedule,
      seekToleranceSeconds: ports.seekToleranceSeconds,
      endOfTrack: 'next',
      roomDurationSeconds: () => this.view.get().playing.durationSeconds,
      memory: ports.playerMemory,
      onStatus: (status) => this.#onFollow(status),
      onIntent: (intent) => this.#onLeaderIntent(intent),
    });
    this.follow = cell<FollowStatus>(this.#loop.status());
    this.isSoundElsewhere = ports.deviceSound.turn.isElsewhere;
  }

  start(): void {
    const { deviceSound, player, schedule } = this.#ports;
    const { turn } = deviceSound;
    const applySound = (): void => {
      const { volume, isMuted, offsetMs } = deviceSound.sound.get();
      const factors = deviceSound.factors.get();
      const isSilent = isMuted || deviceSound.isHushed.get() || turn.isElsewhere.get();
      const heard = speech.get() > 0 ? volume * besideSpeech : volume;
      player.setLoudness({ volume: heard, isMuted: isSilent, factors });
      this.#loop.setDeviceOffsetMs(offsetMs);
    };
    for (const { subscribe } of [
      deviceSound.sound,
      deviceSound.factors,
      deviceSound.isHushed,
      turn.isElsewhere,
      speech,
    ]) {
      this.#ends.push(subscribe(applySound));
    }
    applySound();
    this.use();
    // The tab with control is of another device, where no other tab of this one has answered until now.
    this.#ends.push(
      schedule(() => turn.isElsewhere.get() || turn.claim(), otherTabAnswersMs),
      () => turn.release(),
    );
    this.#loop.setTimeline(this.view.get().playing.timeline);
    this.#applyControl();
  }

  receive(document: PlaybackDocument): void {
    if (document.revision >= this.#playback.timeline.revision) this.#take(playbackOfDocument(document));
  }

  receiveChange(change: PlaybackChange): boolean {
    const received = applyPlaybackChange(this.#playback, change);
    if (received.status === 'applied') {
      const { playing: before } = this.view.get();
      this.#take(received.playback);
      this.#noteAct(before, change);
    }
    return received.status !== 'gap';
  }

  setPart(part: Part, isShared: boolean): void {
    this.#isShared = isShared;
    if (part === this.#part) return;
    this.#part = part;
    this.#writer.dropSeek();
    this.view.set(viewOf(this.#playback, part, this.#ports.connection.tabId));
    this.#applyControl();
  }

  /** People read who pressed, but for their own presses. */
  #noteAct(before: NowPlaying, change: PlaybackChange): void {
    if (!('by' in change) || change.by === undefined) return;
    const { by } = change;
    const after = this.view.get().playing;
    const isOwn = by === this.#ports.selfUid;
    this.#lastAct = isOwn ? null : { type: 'acted', by, before, after, change, isFirst: false };
    if (this.#lastAct !== null) this.notices.emit(this.#lastAct);
  }

  #take(playback: Playback<QueuedTrack>): void {
    const { timeline: known } = this.#playback;
    this.#playback = playback;
    const { connection, clockSync } = this.#ports;
    const view = viewOf(playback, this.#part, connection.tabId);
    const { timeline } = view.playing;
    this.#awaited = awaitedStart(this.#awaited, known, timeline, clockSync.serverNow());
    if (timeline.trackKey !== known.trackKey) this.#writer.dropSeek();
    const { optimisticPositionSeconds } = this.view.get();
    this.view.set(this.#writer.isSeekWaiting() ? { ...view, optimisticPositionSeconds } : view);
    this.#loop.setTimeline(timeline);
    this.#applyControl();
  }

  positionSeconds(): number {
    const { playing, optimisticPositionSeconds } = this.view.get();
    if (optimisticPositionSeconds !== null) return optimisticPositionSeconds;
    const serverMs = this.#ports.clockSync.serverNow();
    return Number.isNaN(serverMs) ? playing.timeline.positionSeconds : positionOf(playing, serverMs);
  }

  readonly use = (): void => {
    // A host's other tabs are silent beside the one with control, and so is a room that is over, of which nothing is to
    // end.
    if (this.#ends.length > 0 && this.view.get().control !== 'elsewhere') this.#ports.deviceSound.turn.claim();
  };

  async takeControl(): Promise<void> {
    this.#ports.deviceSound.turn.claim();
    const { connection, kind, code } = this.#ports;
    const result = await connection.request('playback/takeControl', { kind, code, tabId: connection.tabId });
    if (!result.ok) this.#onRefused(result.error);
  }

  resync(): void {
    this.#ports.clockSync.burst();
    this.#loop.resync();
  }

  readonly hold = (): void => this.#loop.hold();
  tapToListen(): void {
    this.use();
    this.#loop.tapToListen();
  }

  wake(): void {
    this.#ports.clockSync.burst();
    this.#loop.wake();
  }

  stopPlayback(): void {
    this.close();
    this.#ports.player.unload();
  }

  close(): void {
    this.#stopRequesting();
    this.#writer.close();
    this.#loop.stop();
    for (const end of this.#ends.splice(0)) end();
  }

  #applyControl(): void {
    const { control } = this.view.get();
    this.#applyLead();
    if (control === 'mine' && !this.#hasControl) this.use();
    this.#hasControl = control === 'mine';
    const mayAsk = control === 'free' || control === 'elsewhere';
    if (mayAsk && this.#cancelRequest === null) this.#requestControl();
    if (!mayAsk) this.#stopRequesting();
  }

  /**
   * Until the code is there the player follows; where it can't be fetched, each change of the room asks for it again.
   */
  #applyLead(): void {
    const { control } = this.view.get();
    this.#loop.setHoldingRemote(control === 'remote');
    const mayLead = control === 'mine';
    this.#loop.setLeading(mayLead ? lead : null);
    if (!mayLead || lead !== null) return;
    const isOver = (): boolean => this.#ends.length === 0;
    void loadLeader().then(
      () => isOver() || this.#applyLead(),
      () => undefined,
    );
  }

  /** Repeats the request while another tab holds control, because a tab that closes releases it. */
  #requestControl(): void {
    const { connection, kind, code, schedule } = this.#ports;
    this.#cancelRequest = schedule(() => this.#requestControl(), askForControlMs);
    void connection.request('playback/takeControl', { kind, code, tabId: connection.tabId, onlyIfFree: true });
  }

  #stopRequesting(): void {
    this.#cancelRequest?.();
    this.#cancelRequest = null;
  }

  #onFollow(status: FollowStatus): void {
    this.follow.set(status);
    this.#ports.clockSync.note(status.smoothedDriftMs, this.#playback.timeline.isPlaying);
    this.#noteWaiting(status);
    this.#reportReady(status);
    this.#reportTrack();
    const { durationSeconds } = this.view.get().playing;
    const now = { positionSeconds: this.positionSeconds(), durationSeconds };
    this.#ports.player.prepare(toLoadNext(this.#playback, now));
  }

  #noteWaiting({ status, errorCode }: FollowStatus): void {
    const { isPlaying, trackKey } = this.#playback.timeline;
    const isWaiting = isPlaying && errorCode === null && waiting.has(status);
    const nowMs = this.#ports.nowMs();
    if (!isWaiting) this.#waits = null;
    else if (this.#waits?.trackKey !== trackKey) this.#waits = { trackKey, sinceMs: nowMs };
    this.isStuck.set(this.#waits !== null && nowMs - this.#waits.sinceMs >= stuckAfterMs);
  }

  /** The server waits briefly for players that load a track. A player that cannot play the track reports too. */
  #reportReady(status: FollowStatus): void {
    const awaited = this.#awaited;
    if (awaited === null || !hasLoaded(awaited, status)) return;
    this.#awaited = null;
    const { connection, kind, code } = this.#ports;
    void connection.request('playback/ready', { kind, code, revision: awaited.revision });
  }

  /** Sends what the controlling tab's player knows about the track, once for each revision. */
  #reportTrack(): void {
    const { playing, control } = this.view.get();
    const { revision } = playing.timeline;
    if (control !== 'mine' || this.#reportedRevision === revision) return;
    const intent = trackFactsOf(playing, this.#ports.player.snapshot(), this.#ports.clockSync.serverNow());
    if (intent === null) return;
    this.#reportedRevision = revision;
    this.#writer.write(intent);
  }

  #onLeaderIntent(intent: LeaderIntent): void {
    const { playing } = this.view.get();
    const { revision } = playing.timeline;
    switch (intent.type) {
      case 'next':
      case 'rewind':
        return this.#writer[intent.isAgain === true ? 'writeAgain' : 'write']({ type: 'ended', revision });
      case 'hold':
        return this.#writer.write({ type: 'hold', revision, currentTime: intent.positionSeconds });
      case 'reanchor': {
        if (isThere(intent, playing)) return;
        const { positionSeconds: currentTime, atServerMs: updatedAt } = intent;
        return this.#writer.write({ type: 'reanchor', revision, currentTime, updatedAt });
      }
      case 'pause':
      case 'play':
        return this.host.setPlaying(intent.type === 'play');
      case 'seek':
        return this.host.seek(intent.positionSeconds);
      case 'republish':
        return this.#writer.write({ type: 'republish', revision });
      case 'skip-failed':
        this.notices.emit({ type: 'track-failed', title: playing.title, code: intent.code });
        return this.#writer.write(afterFailure(playing, intent.nth));
    }
  }

  #onRefused(refusal: Refusal | null): void {
    this.view.update((now) => ({ ...now, optimisticPlaying: null, optimisticPositionSeconds: null }));
    if (refusal === null) return;
    const lost = refusal.code === 'playback/overtaken' ? this.#lastAct : null;
    this.notices.emit(lost === null ? { type: 'refused', refusal } : { ...lost, isFirst: true });
  }
}
