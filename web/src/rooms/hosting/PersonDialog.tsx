/** What the host can do about one person in the room: make them the host, or remove them, for a while or for good. */
import { useState } from 'react';
import type { BandInk } from '../../ui/inks.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { CheckRow } from '../../ui/fields/CheckRow.tsx';
import { PersonMinusIcon } from '../../ui/icons/icons.tsx';
import { CrownIcon } from '../../ui/icons/marks.tsx';
import { personWords } from './person-words.ts';

export interface PersonDialogProps {
  person: { readonly name: string; readonly online: boolean };
  band: BandInk;
  onClose: () => void;
  onMakeHost: () => void;
  onRemove: (forGood: boolean) => void;
}

export function PersonDialog({ person, band, onClose, onMakeHost, onRemove }: PersonDialogProps) {
  const [isRemoving, setIsRemoving] = useState(false);
  if (isRemoving) return <RemoveDialog name={person.name} band={band} onCancel={onClose} onRemove={onRemove} />;
  const about = person.online ? personWords.asksFirst(person.name) : personWords.cannotAnswer(person.name);
  return (
    <ModalCard title={person.name} text={about} band={band} onCancel={onClose}>
      <Button data-first-focus onClick={onClose}>
        {personWords.close}
      </Button>
      <Button icon={<CrownIcon size={18} />} disabled={!person.online} onClick={onMakeHost}>
        {personWords.makeHost}
      </Button>
      <Button variant="danger" icon={<PersonMinusIcon size={18} />} onClick={() => setIsRemoving(true)}>
        {personWords.remove}
      </Button>
    </ModalCard>
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
      title={personWords.removeQuestion(name)}
      text={personWords.removeConsequence(name)}
      band={band}
      onCancel={onCancel}
      body={<CheckRow label={personWords.forGood} checked={forGood} onChange={setForGood} />}
    >
      <Button data-first-focus onClick={onCancel}>
        {personWords.cancel}
      </Button>
      <Button variant="dangerFill" onClick={() => onRemove(forGood)}>
        {personWords.remove}
      </Button>
    </ModalCard>
  );
}
