/** Inviting to a room: its ways in, and below them the people who can be invited, which the caller lists. */
import type { RoomDocument } from '@tunemate/protocol';
import type { ReactNode } from 'react';
import { Sheet } from '../../ui/dialogs/Sheet.tsx';
import { CodeOfRoom, CopyButtons, LinkOfRoom, QrAndShare } from './AdmissionChoice.tsx';

export interface InviteSheetProps {
  room: Pick<RoomDocument, 'kind' | 'code' | 'name'>;
  /** What happens to those who come; only the host knows. */
  hint: string | undefined;
  onClose: () => void;
  children: ReactNode;
}

export function InviteSheet({ room, hint, onClose, children }: InviteSheetProps) {
  return (
    <Sheet title={`Invite to ${room.name}`} onClose={onClose}>
      <CodeOfRoom code={room.code} />
      <LinkOfRoom {...room} />
      <CopyButtons {...room} />
      <QrAndShare {...room} hint={hint} />
      {children}
    </Sheet>
  );
}
