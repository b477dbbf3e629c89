/**
 * Playback of one room in one tab: follows the room's timeline with this tab's player, and, on the host's controlling
 * tab, sends the host's intents and what its player learned. The server decides what becomes of them.
 * Knows neither React nor where the player comes from.
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
  type Schedule,
  type Timeline,
} from '@tunemate/playback';
import type { ClientId, PlaybackChange, PlaybackDocument, QueuedTrack, Refusal, RoomKind } from '@tunemate/protocol';
import type { Connection } from '../connection/port.ts';
import { cell, signal, type Cell, type Readable, type Signal, type Unsubscribe } from '../store/cell.ts';
import type { AudiblePlayer } from './players/source-player.ts';
import type { ClockSync } from './clock-sync.ts';
import type { DeviceSoundModel } from './device-sound.ts';
import { isThere, learnedOf, type PlaybackNotice, type PlaybackView, positionOf, viewOf } from './playback-view.ts';
import { createHostCommands, createWriter, type HostCommands, type Writer } from './host-commands.ts';

export interface PlaybackModel {
  readonly view: Readable<PlaybackView>;
  /** What this tab's player does; changes several times a second. */
  readonly follow: Readable<FollowStatus>;
  readonly notices: Pick<Signal<PlaybackNotice>, 'subscribe'>;
  /** Replaces the copy of the room's playback by this document, unless the document is older. */
  receive(document: PlaybackDocument): void;
  /** Applies one change. Returns false when an earlier one is missing; then the whole document is needed. */
  receiveChange(change: PlaybackChange): boolean;
  /** Another person is the host, or the user is. The player goes on as it is. */
  setHost(isHost: boolean): void;
  /** Where the room is now, in seconds. */
  positionSeconds(): number;
  /** Commands of the controlling tab; the server refuses them from any other. */
  readonly host: HostCommands;
  takeControl(): Promise<void>;
  /** Judges this player's drift anew. */
  resync(): void;
  /** Pauses this device only. */
  hold(): void;
  /** Starts a player that the browser blocks or that this device holds. Must be called inside the tap itself. */
  tapToListen(): void;
  /** The tab became visible, or the device woke up. */
  wake(): void;
  /** The room is over: stops following and makes no more sound. */
  stopPlayback(): void;
  close(): void;
}

export interface PlaybackPorts {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  /** Whether the user is the host at first. */
  readonly isHost: boolean;
  readonly player: AudiblePlayer;
  readonly clockSync: ClockSync;
  readonly deviceSound: DeviceSoundModel;
  /** What this device knows of its players from earlier visits. */
  readonly playerMemory: PlayerMemory;
  readonly nowMs: () => number;
  readonly schedule: Schedule;
  readonly newClientId: () => ClientId;
  readonly seekToleranceSeconds: number;
}

/** Starts from where the room stood when it was entered. */
export function createPlaybackModel(ports: PlaybackPorts, first: PlaybackDocument): PlaybackModel {
  const model = new RoomPlayback(ports, first);
  model.start();
  return model;
}

class RoomPlayback implements PlaybackModel {
  readonly view: Cell<PlaybackView>;
  readonly host: HostCommands;
  readonly follow;
  readonly notices = signal<PlaybackNotice>();
  readonly #ports: PlaybackPorts;
  readonly #loop: FollowLoop;
  readonly #writer: Writer;
  readonly #ends: Unsubscribe[] = [];
  /** This tab's copy of what the room plays. */
  #playback: Playback<QueuedTrack>;
  /** The start that waits until players, this one included, have loaded the track; null for none. */
  #awaited: Timeline | null = null;
  #isHost: boolean;
  #reportedRevision = -1;
  /** Null while this tab does not ask for control, because it has it or may not have it. */
  #stopAsking: (() => void) | null = null;

  constructor(ports: PlaybackPorts, first: PlaybackDocument) {
    this.#ports = ports;
    this.#isHost = ports.isHost;
    this.#playback = playbackOfDocument(first);
    this.view = cell(viewOf(this.#playback, ports.isHost, ports.connection.tabId));
    this.#writer = createWriter(ports, (refusal) => this.#onRefused(refusal));
    this.host = createHostCommands(this.view, this.#writer);
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
  }

  start(): void {
    const { deviceSound, player } = this.#ports;
    const applySound = (): void => {
      const { volume, isMuted, offsetMs } = deviceSound.sound.get();
      player.setLoudness({ volume, isMuted: isMuted || deviceSound.isHushed.get() });
      this.#loop.setDeviceOffsetMs(offsetMs);
    };
    this.#ends.push(deviceSound.sound.subscribe(applySound), deviceSound.isHushed.subscribe(applySound));
    applySound();
    const { playing } = this.view.get();
    this.#loop.setTimeline(playing.timeline);
    this.#applyControl();
  }

  receive(document: PlaybackDocument): void {
    if (document.revision >= this.#playback.timeline.revision) this.#take(playbackOfDocument(document));
  }

  receiveChange(change: PlaybackChange): boolean {
    const received = applyPlaybackChange(this.#playback, change);
    if (received.status === 'applied') this.#take(received.playback);
    return received.status !== 'gap';
  }

  setHost(isHost: boolean): void {
    if (isHost === this.#isHost) return;
    this.#isHost = isHost;
    this.#writer.dropSeek();
    this.view.set(viewOf(this.#playback, isHost, this.#ports.connection.tabId));
    this.#applyControl();
  }

  #take(playback: Playback<QueuedTrack>): void {
    const { timeline: known } = this.#playback;
    this.#playback = playback;
    const { connection, clockSync } = this.#ports;
    const view = viewOf(playback, this.#isHost, connection.tabId);
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

  async takeControl(): Promise<void> {
    const { connection, kind, code } = this.#ports;
    const result = await connection.request('playback/takeControl', { kind, code, tabId: connection.tabId });
    if (!result.ok) this.#onRefused(result.error);
  }

  resync(): void {
    this.#ports.clockSync.burst();
    this.#loop.resync();
  }

  readonly hold = (): void => this.#loop.hold();
  readonly tapToListen = (): void => this.#loop.tapToListen();

  wake(): void {
    this.#ports.clockSync.burst();
    this.#loop.wake();
  }

  stopPlayback(): void {
    this.close();
    this.#ports.player.unload();
  }

  close(): void {
    this.#leaveOffAsking();
    this.#writer.close();
    this.#loop.stop();
    for (const end of this.#ends.splice(0)) end();
  }

  #applyControl(): void {
    const { control } = this.view.get();
    this.#loop.setLeading(control === 'mine');
    const mayAsk = control === 'free' || control === 'elsewhere';
    if (mayAsk && this.#stopAsking === null) this.#askForControl();
    if (!mayAsk) this.#leaveOffAsking();
  }

  /** Asks again and again while another tab holds control, because a tab that has closed gives it up. */
  #askForControl(): void {
    const { connection, kind, code, schedule } = this.#ports;
    this.#stopAsking = schedule(() => this.#askForControl(), askForControlMs);
    void connection.request('playback/takeControl', { kind, code, tabId: connection.tabId, onlyIfFree: true });
  }

  #leaveOffAsking(): void {
    this.#stopAsking?.();
    this.#stopAsking = null;
  }

  #onFollow(status: FollowStatus): void {
    this.follow.set(status);
    this.#ports.clockSync.driftMs = status.smoothedDriftMs;
    this.#reportReady(status);
    this.#reportTrack();
    const { durationSeconds } = this.view.get().playing;
    const now = { positionSeconds: this.positionSeconds(), durationSeconds };
    this.#ports.player.prepare(toLoadNext(this.#playback, now));
  }

  /** The server waits for players that load a track, but not for long. A player that can't play the track reports too. */
  #reportReady(status: FollowStatus): void {
    const awaited = this.#awaited;
    if (awaited === null || !hasLoaded(awaited, status)) return;
    this.#awaited = null;
    const { connection, kind, code } = this.#ports;
    void connection.request('playback/ready', { kind, code, revision: awaited.revision });
  }

  /** What the controlling tab's player learned of the track, once for each revision. */
  #reportTrack(): void {
    const { playing, control } = this.view.get();
    const { revision } = playing.timeline;
    if (control !== 'mine' || this.#reportedRevision === revision) return;
    const intent = learnedOf(playing, this.#ports.player.snapshot(), this.#ports.clockSync.serverNow());
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
        // With nothing to skip to, the room stands still instead of running on in silence.
        return this.#writer.write({ type: playing.queue.length > 1 ? 'next' : 'pause' });
    }
  }

  #onRefused(refusal: Refusal): void {
    this.view.update((now) => ({ ...now, optimisticPlaying: null, optimisticPositionSeconds: null }));
    this.notices.emit({ type: 'refused', refusal });
  }
}
