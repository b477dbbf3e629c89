/** A confirmation before an action that is hard to undo. Cancel comes first and gets the focus. */
import type { BandInk } from '../inks.ts';
import { Button } from '../buttons/Button.tsx';
import { ModalCard } from './ModalCard.tsx';

/**
 * `action` is the button's label (Leave, Remove, Invite, Part); `danger` fills the button in red. Escape means Cancel.
 */
export interface ConfirmModalProps {
  question: string;
  /** The consequence for people, in one sentence. */
  consequence?: string | undefined;
  action: string;
  danger?: boolean | undefined;
  band?: BandInk | undefined;
  onAnswer: (confirmed: boolean) => void;
}

/** A question, its consequence, Cancel and the action. */
export function ConfirmModal({ question, consequence, action, danger, band, onAnswer }: ConfirmModalProps) {
  return (
    <ModalCard title={question} text={consequence} band={band} onCancel={() => onAnswer(false)}>
      <Button data-first-focus onClick={() => onAnswer(false)}>
        Cancel
      </Button>
      <Button variant={danger ? 'dangerFill' : 'primary'} onClick={() => onAnswer(true)}>
        {action}
      </Button>
    </ModalCard>
  );
}
