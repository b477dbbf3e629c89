/** Asks the host before somebody is removed from the room: for a while, or for good. */
import { useState } from 'react';
import type { BandInk } from '../../ui/inks.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { CheckRow } from '../../ui/fields/CheckRow.tsx';
import { personWords } from './person-words.ts';

export interface RemoveDialogProps {
  name: string;
  band: BandInk;
  onCancel: () => void;
  onRemove: (forGood: boolean) => void;
}

export function RemoveDialog({ name, band, onCancel, onRemove }: RemoveDialogProps) {
  const [forGood, setForGood] = useState(false);
  return (
    <ModalCard
      title={personWords.removeQuestion(name)}
      text={forGood ? personWords.removeForGood(name) : personWords.removeConsequence(name)}
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
