/**
 * Everything one visit to a room consists of, put together: the room itself, its chat, its playback with this tab's
 * player, the host's search, and the banner. Composes models of several features; decides nothing of its own.
 */
import { isPlaybackChange } from '@tunemate/domain';
import { resyncAfterAcceptMs } from '@tunemate/playback';
import { createSearchModel, type SearchModel } from '../../catalogue/catalogue-model.ts';
import { createOpenLibrary, type OpenLibrary } from '../../library/open-library.ts';
import { startClockSync, type ClockSync } from '../../playback/clock-sync.ts';
import type { DeviceSoundModel } from '../../playback/device-sound.ts';
import { createJoinBanner, type JoinBannerModel } from '../requests/join-banner.ts';
import { type AllAccepted, createRoomModel, type RoomModel } from './room-model.ts';
import { isEveryoneNamed, type RoomState } from './room-state.ts';
import type { Roster, RosterPorts } from '../sidebar/roster.ts';
import { cell, type Cell, type Readable, type Unsubscribe } from '../../store/cell.ts';
import type { Result, RoomSnapshot } from '@tunemate/protocol';
import { openLiveParts, type LiveParts, type PagePorts, type SessionPorts } from './live-parts.ts';

export interface RoomSession {
  readonly room: RoomModel;
  readonly search: SearchModel;
  readonly library: OpenLibrary;
  readonly banner: JoinBannerModel;
  readonly clockSync: ClockSync;
  /** The people whom entering did not name; null where it named everybody. */
  readonly roster: Readable<Roster | null>;
  readonly deviceSound: DeviceSoundModel;
  /** Null until the room was entered. */
  readonly parts: Readable<LiveParts | null>;
  /** The room as it was last seen. */
  readonly lastState: Readable<RoomState | null>;
  answerRequest(uid: string, answer: 'accept' | 'reject'): Promise<Result<object>>;
  acceptAll(uids: readonly string[]): Promise<Result<AllAccepted>>;
  close(): void;
}

export function openRoomSession(ports: SessionPorts, page: PagePorts): RoomSession {
  const { schedule, nowMs } = page;
  const { connection, kind, code, selfUid, deviceSound } = ports;
  const address = { kind, code };
  const parts: Cell<LiveParts | null> = cell<LiveParts | null>(null);
  const lastState = cell<RoomState | null>(null);
  const roster = cell<Roster | null>(null);
  const clockSync = startClockSync({ connection, nowMs, schedule });
  const room = createRoomModel({ connection, ...address, selfUid, schedule });
  const search = createSearchModel(connection, address);
  const library = createOpenLibrary(connection, address);
  const banner = createJoinBanner();
  const ends: Unsubscribe[] = [];
  const ask: RosterPorts['ask'] = (which) => connection.request('rooms/people', { ...address, which });
  const openRosterOnce = rosterOpener({ room, ask, schedule, random: Math.random }, roster, ends);

  /** By then a newcomer is in the room. */
  const resyncSoon = (): void => void ends.push(schedule(() => parts.get()?.playback.resync(), resyncAfterAcceptMs));

  ends.push(
    room.cameIn.subscribe(resyncSoon),
    room.news.subscribe((news) => {
      parts.get()?.chat.receive(news);
      if (isPlaybackChange(news)) {
        const isComplete = parts.get()?.playback.receiveChange(news) ?? true;
        if (!isComplete) void room.refresh();
      }
      if (news.type === 'rooms/hostChanged') parts.get()?.playback.setHost(news.host === selfUid);
      if (news.type !== 'entered') return;
      if (!isEveryoneNamed(news.snapshot.room)) void openRosterOnce(news.snapshot);
      const known = parts.get();
      if (known === null) parts.set(openLiveParts(ports, page, clockSync, news.snapshot, ends));
      else {
        known.playback.setHost(news.snapshot.room.host === selfUid);
        known.playback.receive(news.snapshot.playback);
      }
    }),
    room.status.subscribe(() => {
      const now = room.status.get();
      if (now.status === 'live') {
        lastState.set(now.state);
        banner.show(now.state.requests);
      } else if (now.status !== 'entering') parts.get()?.playback.stopPlayback();
      if (now.status === 'left' || now.status === 'ended' || now.status === 'removed') parts.get()?.chat.giveUp();
    }),
  );

  return {
    room,
    search,
    library,
    banner,
    clockSync,
    roster,
    deviceSound,
    parts,
    lastState,
    async answerRequest(uid, answer) {
      const result = await room.answerRequest(uid, answer);
      if (result.ok && answer === 'accept') resyncSoon();
      return result;
    },
    async acceptAll(uids) {
      const result = await room.acceptAll(uids);
      if (result.ok && result.value.inside > 0) resyncSoon();
      return result;
    },
    close() {
      room.close();
      for (const end of ends.splice(0)) end();
      clockSync.stop();
    },
  };
}

/** Few rooms need this code. */
function rosterOpener(ports: RosterPorts, roster: Cell<Roster | null>, ends: Unsubscribe[]) {
  let isOpen = false;
  return async (entered: RoomSnapshot): Promise<void> => {
    if (isOpen) return;
    isOpen = true;
    const { openRoster } = await import('../sidebar/roster.ts');
    const opened = openRoster(ports, entered);
    ends.push(opened.close);
    roster.set(opened);
  };
}
