/** A message that blocks until it is acknowledged. */
import { Button } from '../buttons/Button.tsx';
import { ModalCard } from './ModalCard.tsx';
import type { OkOptions } from './modals.ts';
import { t } from '../../language/t.ts';

interface OkModalProps extends OkOptions {
  message: string;
  /** Called for Escape too. */
  onOk: () => void;
}

export function OkModal({ message, text, art, band, onOk }: OkModalProps) {
  return (
    <ModalCard title={message} text={text} art={art} band={band} onCancel={onOk}>
      <Button variant="primary" data-first-focus onClick={onOk}>
        {t`OK`}
      </Button>
    </ModalCard>
  );
}
