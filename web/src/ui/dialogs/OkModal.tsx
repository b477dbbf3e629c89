/** A message that blocks until it is acknowledged. */
import type { ReactNode } from 'react';
import type { BandInk } from '../inks.ts';
import { Button } from '../buttons/Button.tsx';
import { ModalCard } from './ModalCard.tsx';

/** The message is the title; Escape means OK. */
export interface OkModalProps {
  message: string;
  text?: string | undefined;
  art?: ReactNode;
  band?: BandInk | undefined;
  onOk: () => void;
}

/** One message, one OK. */
export function OkModal({ message, text, art, band, onOk }: OkModalProps) {
  return (
    <ModalCard title={message} text={text} art={art} band={band} onCancel={onOk}>
      <Button variant="primary" data-first-focus onClick={onOk}>
        OK
      </Button>
    </ModalCard>
  );
}
