/** The sheet about a participant, and for the host the question before removing them. Loaded with the first press. */
import type { Result, RoomDocument, UserCard } from '@tunemate/protocol';
import { useState } from 'react';
import { useApp } from '../../app-context.ts';
import { PersonSheet } from '../../people/PersonSheet.tsx';
import { factsOf } from '../room-kinds.ts';
import type { BandInk } from '../../ui/inks.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { useModals } from '../../ui/dialogs/modals.ts';
import rowStyles from '../../ui/fields/RadioRows.module.css';
import { firstName } from '../../people/person-words.ts';
import { sentenceOf } from '../../words/errors.ts';
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
  pressed: PressedPerson;
  onMakeHost: (uid: string) => void;
  onAskRemove: () => void;
  onClose: () => void;
}

export function PersonDialog({ room, isMine, pressed, onMakeHost, onAskRemove, onClose }: PersonDialogProps) {
  const { connection } = useApp();
  const modals = useModals();
  const { kind, code } = room;
  const showRefusal = async (asked: Promise<Result<unknown>>): Promise<void> => {
    const answer = await asked;
    // The person has left already.
    if (answer.ok || answer.error.code === 'access/not-found') return;
    await modals.ok(sentenceOf(answer.error), { band: factsOf(kind).ink });
  };
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
          const { uid } = person;
          void showRefusal(connection.request('rooms/removeParticipant', { kind, code, uid, forGood }));
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
                onLend: (isLent) =>
                  void showRefusal(connection.request('rooms/lendRemote', { kind, code, uid: person.uid, isLent })),
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
