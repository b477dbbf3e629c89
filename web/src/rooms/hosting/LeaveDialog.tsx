/** The host presses Leave while others are here: end the room for everyone, or hand it over. */
import { useState } from 'react';
import type { BandInk } from '../../ui/inks.ts';
import { Button } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { Choices } from '../../ui/fields/Choices.tsx';
import { CloseIcon } from '../../ui/icons/icons.tsx';
import { CrownIcon } from '../../ui/icons/marks.tsx';
import { hostingWords } from './hosting-words.ts';

export interface LeaveDialogProps {
  room: string;
  others: number;
  band: BandInk;
  onCancel: () => void;
  onEnd: () => void;
  onHandOver: () => void;
}

export function LeaveDialog({ room, others, band, onCancel, onEnd, onHandOver }: LeaveDialogProps) {
  const [how, setHow] = useState<'end' | 'handOver'>('end');
  return (
    <ModalCard
      title={hostingWords.leaveQuestion(room)}
      text={hostingWords.others(others)}
      band={band}
      onCancel={onCancel}
      body={
        <Choices
          label={hostingWords.leaveChoices}
          framed
          value={how}
          onChange={setHow}
          choices={[
            { value: 'end', lead: <CloseIcon size={24} />, title: hostingWords.end, detail: hostingWords.endDetail },
            {
              value: 'handOver',
              lead: <CrownIcon size={24} />,
              title: hostingWords.handOver,
              detail: hostingWords.handOverDetail,
            },
          ]}
        />
      }
    >
      <Button data-first-focus onClick={onCancel}>
        {hostingWords.cancel}
      </Button>
      {how === 'end' ? (
        <Button variant="dangerFill" onClick={onEnd}>
          {hostingWords.end}
        </Button>
      ) : (
        <Button variant="primary" onClick={onHandOver}>
          {hostingWords.handOver}
        </Button>
      )}
    </ModalCard>
  );
}
