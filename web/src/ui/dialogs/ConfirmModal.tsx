/** A confirmation before an action that is hard to undo. Cancel comes first and gets the focus. */
import { Button } from '../buttons/Button.tsx';
import { ModalCard } from './ModalCard.tsx';
import type { ConfirmRequest } from './modals.ts';
import { t } from '../../language/t.ts';

interface ConfirmModalProps extends ConfirmRequest {
  /** Escape means Cancel. */
  onAnswer: (confirmed: boolean) => void;
}

export function ConfirmModal({ question, consequence, action, danger, band, onAnswer }: ConfirmModalProps) {
  return (
    <ModalCard title={question} text={consequence} band={band} onCancel={() => onAnswer(false)}>
      <Button data-first-focus onClick={() => onAnswer(false)}>
        {t`Cancel`}
      </Button>
      <Button variant={danger ? 'dangerFill' : 'primary'} onClick={() => onAnswer(true)}>
        {action}
      </Button>
    </ModalCard>
  );
}
