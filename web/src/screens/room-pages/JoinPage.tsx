/** The join screen with this page's models. A link may bring the code, and `ask` to send the request at once (HOME-9). */
import type { RoomKind } from '@tunemate/protocol';
import { useSearch } from 'wouter';
import { useApp, useUser } from '../../app-context.ts';
import { JoinRoomScreen } from '../join-room/JoinRoomScreen.tsx';

export function JoinPage({ kind }: { kind: RoomKind }) {
  const { connection } = useApp();
  const user = useUser();
  const query = new URLSearchParams(useSearch());
  return (
    <JoinRoomScreen
      kind={kind}
      connection={connection}
      self={user}
      initialCode={query.get('code') ?? ''}
      asksAtOnce={query.has('ask')}
    />
  );
}
