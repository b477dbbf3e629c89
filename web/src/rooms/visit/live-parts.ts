/**
 * What exists of a visit once the room was entered: its chat, its playback with this tab's player, and the suggestions.
 * Builds these models and connects them; when that happens is decided by the visit.
 */
import type { PlayerMemory, Schedule } from '@tunemate/playback';
import type { Result, RoomKind, RoomSnapshot, Value, VideoId } from '@tunemate/protocol';
import { createSuggestionsModel, type SuggestionsModel } from '../../catalogue/catalogue-model.ts';
import { newClientId } from '../../connection/ids.ts';
import type { Connection } from '../../connection/port.ts';
import type { ClockSync } from '../../playback/clock-sync.ts';
import type { DeviceSoundModel } from '../../playback/device-sound.ts';
import type { LockScreenPorts } from '../../playback/lock-screen.ts';
import { createPlaybackModel, type PlaybackModel } from '../../playback/playback-model.ts';
import type { createPagePlayer, PagePlayer } from '../../playback/players/page-player.ts';
import { createChatModel, type ChatModel } from '../chat/chat-model.ts';
import { factsOf } from '../room-kinds.ts';
import type { Unsubscribe } from '../../store/cell.ts';
import type { LenientStorage } from '../../store/lenient-storage.ts';

/** These parts stay on the page behind the last message when the room is over. */
export interface LiveParts {
  readonly chat: ChatModel;
  readonly playback: PlaybackModel;
  readonly stage: PagePlayer;
  readonly suggestions: SuggestionsModel;
  /** Asks which subtitles a film has. */
  readonly subtitlesOf: (videoId: VideoId) => Promise<Result<Value<'library/subtitles'>>>;
}

export interface SessionPorts {
  readonly connection: Connection;
  readonly kind: RoomKind;
  readonly code: string;
  readonly selfUid: string;
  readonly deviceSound: DeviceSoundModel;
}

/** What a visit needs of the page: timers, storage, a place for its player, and what is remembered of players. */
export interface PagePorts {
  readonly schedule: Schedule;
  readonly storage: LenientStorage;
  /** Local monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly createStage: typeof createPagePlayer;
  readonly playerMemory: PlayerMemory;
  /** The lock screen and the keys of a headset; left out where the browser has none. */
  readonly mediaSession?: MediaSession | undefined;
}

/** Starts from where the room stood when it was entered; what has to end with the visit is added to `ends`. */
export function openLiveParts(
  ports: SessionPorts,
  page: PagePorts,
  clockSync: ClockSync,
  snapshot: RoomSnapshot,
  ends: Unsubscribe[],
): LiveParts {
  const { schedule, nowMs, storage, playerMemory } = page;
  const { connection, kind, code, selfUid } = ports;
  const isHost = snapshot.room.host === selfUid;
  const clock = { now: () => Date.now(), schedule };
  const chat = createChatModel({ connection, clock, storage, kind, code, selfUid, newClientId }, snapshot);
  const { seekToleranceSeconds, panels } = factsOf(kind);
  const stage = page.createStage(panels.stage === 'frame' ? 'video' : 'audio', schedule, nowMs);
  const { player } = stage;
  const device = { player, clockSync, playerMemory, nowMs, schedule, newClientId };
  const rules = { isHost, seekToleranceSeconds };
  const playback = createPlaybackModel({ ...ports, ...device, ...rules }, snapshot.playback);
  const suggestions = createSuggestionsModel(connection, { kind, code });
  if (panels.upNext === 'suggestions') {
    const suggest = (): void => void suggestions.after(playback.view.get().playing.track?.videoId ?? null);
    suggest();
    ends.push(playback.view.subscribe(suggest));
  }
  if (page.mediaSession !== undefined) {
    const { name: roomName } = snapshot.room;
    ends.push(showOnLockScreenLater({ session: page.mediaSession, model: playback, roomName }));
  }
  ends.push(() => {
    chat.close();
    playback.close();
    player.dispose();
  });
  const subtitlesOf: LiveParts['subtitlesOf'] = (videoId) =>
    connection.request('library/subtitles', { kind, code, videoId });
  return { chat, playback, stage, suggestions, subtitlesOf };
}

/** The room need not wait for this code. When it can't be loaded the lock screen shows what the browser shows itself. */
function showOnLockScreenLater(ports: LockScreenPorts): Unsubscribe {
  let isOver = false;
  let end: Unsubscribe = () => undefined;
  import('../../playback/lock-screen.ts').then(
    ({ showOnLockScreen }) => {
      if (!isOver) end = showOnLockScreen(ports);
    },
    () => undefined,
  );
  return () => {
    isOver = true;
    end();
  };
}
