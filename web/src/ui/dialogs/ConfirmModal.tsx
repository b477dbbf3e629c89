/** A question before an act that cannot simply be undone. Cancel comes first and holds the focus. */
import type { BandInk } from '../inks.ts';
import { Button } from '../buttons/Button.tsx';
import { ModalCard } from './ModalCard.tsx';

/** `action` names the act (Leave, Remove, Invite, Part); `danger` fills its button in red. Escape = Cancel. */
export interface ConfirmModalProps {
  question: string;
  /** What happens to people, in one sentence. */
  consequence?: string | undefined;
  action: string;
  danger?: boolean | undefined;
  band?: BandInk | undefined;
  onAnswer: (confirmed: boolean) => void;
}

/** A question, its consequence, Cancel and the act. */
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
