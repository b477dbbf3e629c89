/** The create screen with this page's models. */
import type { RoomKind } from '@tunemate/protocol';
import { useApp } from '../../app-context.ts';
import { CreateRoomScreen } from '../create-room/CreateRoomScreen.tsx';

export function CreatePage({ kind }: { kind: RoomKind }) {
  const { connection } = useApp();
  return <CreateRoomScreen kind={kind} connection={connection} />;
}
