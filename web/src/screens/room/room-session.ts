/**
 * Everything one visit to a room consists of, put together: the room itself, its chat, its playback with this tab's
 * player, the host's search, and the banner. Composes models of several words; decides nothing of its own.
 */
import { isPlaybackChange } from '@tunemate/domain';
import type { EndOfTrack, PlayerMemory, Schedule } from '@tunemate/playback';
import { resyncAfterAcceptMs } from '@tunemate/playback';
import type { RoomKind, RoomSnapshot } from '@tunemate/protocol';
import { createSearchModel, type SearchModel } from '../../catalogue/search-model.ts';
import { createSuggestionsModel, type SuggestionsModel } from '../../catalogue/suggestions-model.ts';
import { newClientId } from '../../connection/client-id.ts';
import type { Connection } from '../../connection/port.ts';
import { startClockSync, type ClockSync } from '../../playback/clock-sync.ts';
import type { DeviceSoundModel } from '../../playback/device-sound.ts';
import { createPlaybackModel, type PlaybackModel } from '../../playback/playback-model.ts';
import type { StagePlayer } from '../../playback/stage-player.ts';
import { createChatModel, type ChatModel } from '../../rooms/chat-model.ts';
import { createJoinBanner, type JoinBannerModel } from '../../rooms/join-banner.ts';
import { factsOf } from '../../rooms/room-kinds.ts';
import { createRoomModel, type Outcome, type RoomModel } from '../../rooms/room-model.ts';
import type { RoomState } from '../../rooms/room-state.ts';
import { cell, type Cell, type Readable, type Unsubscribe } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';

/** What exists once the room was entered; it stays on the page behind the last message when the room is over. */
export interface LiveParts {
  readonly isHost: boolean;
  readonly chat: ChatModel;
  readonly playback: PlaybackModel;
  readonly stage: StagePlayer;
  readonly suggestions: SuggestionsModel;
}

export interface RoomSession {
  readonly room: RoomModel;
  readonly search: SearchModel;
  readonly banner: JoinBannerModel;
  readonly clockSync: ClockSync;
  readonly deviceSound: DeviceSoundModel;
  /** Null until the room was entered. */
  readonly parts: Readable<LiveParts | null>;
  /** The room as it was last seen. */
  readonly lastState: Readable<RoomState | null>;
  answerRequest(uid: string, answer: 'accept' | 'reject'): Promise<Outcome>;
  close(): void;
}

export interface SessionPorts {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  readonly selfUid: string;
  readonly deviceSound: DeviceSoundModel;
}

/** What a visit needs of the page: its time, what it keeps, a place for its player, and what is known of that. */
export interface PagePorts {
  readonly schedule: Schedule;
  readonly storage: LenientStorage;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly createStage: (schedule: Schedule, nowMs: () => number) => StagePlayer;
  readonly playerMemory: PlayerMemory;
}

const endOfTrack = { queue: 'next', suggestions: 'rewind' } as const satisfies Record<string, EndOfTrack>;

export function openRoomSession(ports: SessionPorts, page: PagePorts): RoomSession {
  const { schedule, nowMs, storage, playerMemory } = page;
  const { connection, kind, code, selfUid, deviceSound } = ports;
  const address = { kind, code };
  const parts: Cell<LiveParts | null> = cell<LiveParts | null>(null);
  const lastState = cell<RoomState | null>(null);
  const clockSync = startClockSync({ connection, nowMs, schedule });
  const room = createRoomModel({ connection, ...address, selfUid, schedule });
  const search = createSearchModel(connection, address);
  const banner = createJoinBanner(schedule);
  const ends: Unsubscribe[] = [];

  function begin(snapshot: RoomSnapshot): LiveParts {
    const isHost = snapshot.room.host === selfUid;
    const clock = { now: () => Date.now(), schedule };
    const chat = createChatModel({ connection, clock, storage, ...address, selfUid, newClientId }, snapshot);
    const stage = page.createStage(schedule, nowMs);
    const { seekToleranceSeconds, panels } = factsOf(kind);
    const playback = createPlaybackModel(
      {
        ...ports,
        isHost,
        player: stage.player,
        clockSync,
        playerMemory,
        nowMs,
        schedule,
        newClientId,
        seekToleranceSeconds,
        endOfTrack: endOfTrack[panels.upNext],
      },
      snapshot.playback,
    );
    const suggestions = createSuggestionsModel(connection, address);
    if (panels.upNext === 'suggestions') {
      const suggest = (): void => void suggestions.after(playback.view.get().playing.track?.videoId ?? null);
      suggest();
      ends.push(playback.view.subscribe(suggest));
    }
    ends.push(() => {
      chat.close();
      playback.close();
      stage.player.dispose();
    });
    return { isHost, chat, playback, stage, suggestions };
  }

  ends.push(
    room.news.subscribe((news) => {
      parts.get()?.chat.receive(news);
      if (isPlaybackChange(news)) {
        const isComplete = parts.get()?.playback.receiveChange(news) ?? true;
        if (!isComplete) void room.refresh();
      }
      if (news.type !== 'entered') return;
      const known = parts.get();
      if (known === null) parts.set(begin(news.snapshot));
      else known.playback.receive(news.snapshot.playback);
    }),
    room.status.subscribe(() => {
      const now = room.status.get();
      if (now.status === 'live') {
        lastState.set(now.state);
        banner.show(now.state.requests);
      } else if (now.status !== 'entering') parts.get()?.playback.stopPlayback();
      if (now.status === 'left' || now.status === 'ended') parts.get()?.chat.giveUp();
    }),
  );

  return {
    room,
    search,
    banner,
    clockSync,
    deviceSound,
    parts,
    lastState,
    async answerRequest(uid, answer) {
      const outcome = await room.answerRequest(uid, answer);
      // By then the newcomer is in the room.
      if (outcome.ok && answer === 'accept') {
        ends.push(schedule(() => parts.get()?.playback.resync(), resyncAfterAcceptMs));
      }
      return outcome;
    },
    close() {
      room.close();
      banner.close();
      for (const end of ends.splice(0)) end();
      clockSync.stop();
    },
  };
}
