/** What a press on a person opens: their sheet, and for the host the question before somebody is removed. Loaded with
   the first press. */
import type { RoomDocument, UserCard } from '@tunemate/protocol';
import { Suspense } from 'react';
import { PersonSheet } from '../../people/PersonSheet.tsx';
import { factsOf } from '../room-kinds.ts';
import { lazyPart } from '../../store/lazy-part.ts';

const RemoveDialog = lazyPart(async () => (await import('../hosting/RemoveDialog.tsx')).RemoveDialog);

/** Who was pressed, and what for. */
export interface PressedPerson {
  readonly card: UserCard;
  readonly isRemoving: boolean;
  /** A message of theirs that is to be reported. */
  readonly messageId?: string | undefined;
}

export interface PersonDialogProps {
  room: RoomDocument;
  isMine: boolean;
  pressed: PressedPerson;
  onMakeHost: (uid: string) => void;
  /** The host is to be asked whether this person is removed. */
  onAskRemove: () => void;
  onRemove: (uid: string, forGood: boolean) => void;
  onClose: () => void;
}

export function PersonDialog({ room, isMine, pressed, onMakeHost, onAskRemove, onRemove, onClose }: PersonDialogProps) {
  const { kind, code } = room;
  const { card, messageId } = pressed;
  const person = room.participants.find(({ uid }) => uid === card.uid);
  if (pressed.isRemoving && person) {
    return (
      <Suspense>
        <RemoveDialog
          name={person.name}
          band={factsOf(kind).ink}
          onCancel={onClose}
          onMissing={onClose}
          onRemove={(forGood) => {
            onClose();
            onRemove(person.uid, forGood);
          }}
        />
      </Suspense>
    );
  }
  return (
    <PersonSheet
      person={{ ...card, isOnline: person?.online ?? null }}
      room={
        person && {
          name: room.name,
          host: isMine ? { onMakeHost: () => onMakeHost(person.uid), onRemove: onAskRemove } : undefined,
        }
      }
      reported={messageId === undefined ? undefined : { type: 'roomMessage', kind, code, messageId }}
      onClose={onClose}
    />
  );
}
