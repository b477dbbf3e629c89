/** A room with this page's models. How this device sounds is shared by all rooms of the page. */
import type { RoomKind } from '@tunemate/protocol';
import { useApp, useUser } from '../../app-context.ts';
import { createDeviceSound } from '../../playback/device-sound.ts';
import { deviceStorage } from '../../store/lenient-storage.ts';
import { useReadable } from '../../store/use-readable.ts';
import { RoomScreen } from '../room/RoomScreen.tsx';

const deviceSound = createDeviceSound(deviceStorage);

export function RoomPage({ kind, code }: { kind: RoomKind; code: string }) {
  const { connection, session } = useApp();
  const config = useReadable(session.config);
  const user = useUser();
  return (
    <RoomScreen kind={kind} code={code} connection={connection} self={user} config={config} deviceSound={deviceSound} />
  );
}
