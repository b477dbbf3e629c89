/** The sheet about a participant, and for the host the question before removing them. Loaded with the first press. */
import type { RoomDocument, Uid, UserCard } from '@tunemate/protocol';
import { useState } from 'react';
import { PersonSheet } from '../../people/PersonSheet.tsx';
import { factsOf } from '../room-kinds.ts';
import type { BandInk } from '../../ui/inks.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import rowStyles from '../../ui/fields/RadioRows.module.css';
import { firstName } from '../../people/person-words.ts';
import { t } from '../../language/t.ts';

export interface PressedPerson {
  readonly card: UserCard;
  readonly isRemoving: boolean;
  /** The message to report. */
  readonly messageId?: string | undefined;
}

interface PersonDialogProps {
  room: RoomDocument;
  isMine: boolean;
  onLend: (uid: Uid, isLent: boolean) => void;
  pressed: PressedPerson;
  onMakeHost: (uid: string) => void;
  onAskRemove: () => void;
  onRemove: (uid: string, forGood: boolean) => void;
  onClose: () => void;
}

export function PersonDialog(props: PersonDialogProps) {
  const { room, isMine, pressed, onLend, onMakeHost, onAskRemove, onRemove, onClose } = props;
  const { kind, code } = room;
  const { card, messageId } = pressed;
  const person = room.participants.find(({ uid }) => uid === card.uid);
  // The room may have another host by now.
  if (pressed.isRemoving && person && isMine) {
    return (
      <RemoveDialog
        name={person.name}
        band={factsOf(kind).ink}
        onCancel={onClose}
        onRemove={(forGood) => {
          onClose();
          onRemove(person.uid, forGood);
        }}
      />
    );
  }
  return (
    <PersonSheet
      person={{ ...card, isOnline: person?.online ?? null }}
      room={
        person && {
          kind,
          code,
          name: room.name,
          host: isMine
            ? {
                isLent: room.remoteHolders.includes(person.uid),
                onLend: (isLent) => onLend(person.uid, isLent),
                onMakeHost: () => onMakeHost(person.uid),
                onRemove: onAskRemove,
              }
            : undefined,
        }
      }
      reported={messageId === undefined ? undefined : { type: 'roomMessage', kind, code, messageId }}
      onClose={onClose}
    />
  );
}

interface RemoveDialogProps {
  name: string;
  band: BandInk;
  onCancel: () => void;
  onRemove: (forGood: boolean) => void;
}

function RemoveDialog({ name, band, onCancel, onRemove }: RemoveDialogProps) {
  const [forGood, setForGood] = useState(false);
  return (
    <ModalCard
      title={t`Remove ${name}?`}
      text={
        forGood
          ? t`${firstName(name)} reads that the host removed them and can’t ask to come in again.`
          : t`${firstName(name)} reads that the host removed them and may ask again after 10 minutes.`
      }
      band={band}
      onCancel={onCancel}
      body={
        <label className={rowStyles.check}>
          <input type="checkbox" checked={forGood} onChange={(event) => setForGood(event.target.checked)} />
          <span>{t`And don’t let back in`}</span>
        </label>
      }
    >
      <Button data-first-focus onClick={onCancel}>
        {t`Cancel`}
      </Button>
      <Button variant="dangerFill" onClick={() => onRemove(forGood)}>
        {t`Remove`}
      </Button>
    </ModalCard>
  );
}
