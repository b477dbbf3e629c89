/** The page for asking to join a room, which learns the server's clock while the code is typed. */
import type { RoomKind } from '@tunemate/protocol';
import { useEffect } from 'react';
import { useApp } from '../../app-context.ts';
import { pageTimers } from '../../playback/page-timers.ts';
import { JoinRoomScreen } from '../../rooms/JoinRoomScreen.tsx';
import { learnClock } from './learn-clock.ts';

export function JoinRoomPage({ kind }: { kind: RoomKind }) {
  const { connection } = useApp();
  useEffect(() => learnClock(connection), [connection]);
  return <JoinRoomScreen kind={kind} schedule={pageTimers} />;
}
