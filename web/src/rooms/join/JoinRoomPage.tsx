/** The page for asking to join a room. It learns the server's clock while the code is typed: the room goes on with that. */
import type { RoomKind } from '@tunemate/protocol';
import { useEffect } from 'react';
import { useApp } from '../../app-context.ts';
import { deviceClock } from '../../store/clock.ts';
import { startClockSync } from '../../playback/clock-sync.ts';
import { pageTimers } from '../../playback/players/page-timers.ts';
import { JoinRoomScreen } from './JoinRoomScreen.tsx';

export function JoinRoomPage({ kind }: { kind: RoomKind }) {
  const { connection } = useApp();
  useEffect(() => {
    const { schedule } = deviceClock;
    return startClockSync({ connection, nowMs: () => performance.now(), schedule }).stop;
  }, [connection]);
  return <JoinRoomScreen kind={kind} schedule={pageTimers} />;
}
