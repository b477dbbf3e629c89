/** While somebody is asked to take a room over: what the host sees, what the person asked sees, and a refusal. */
import { limits } from '@tunemate/protocol';
import type { BandInk } from '../../ui/inks.ts';
import { Button, Spinner } from '../../ui/buttons/Button.tsx';
import { ModalCard } from '../../ui/dialogs/ModalCard.tsx';
import { hostingWords } from './hosting-words.ts';
import styles from './AskingDialogs.module.css';

/** The host waits for the answer. */
export function AskingDialog({ name, band, onTakeBack }: { name: string; band: BandInk; onTakeBack: () => void }) {
  return (
    <ModalCard
      title={hostingWords.asking(name)}
      text={hostingWords.askingDetail(name)}
      band={band}
      onCancel={onTakeBack}
      body={
        <output className={styles.waiting}>
          <Spinner />
          {hostingWords.waitingFor(name)}
        </output>
      }
    >
      <Button data-first-focus onClick={onTakeBack}>
        {hostingWords.takeBack}
      </Button>
    </ModalCard>
  );
}

export interface CannotDialogProps {
  name: string;
  band: BandInk;
  onStay: () => void;
  onChooseAgain: () => void;
}

/** Nobody answered, or the answer was no. */
export function CannotDialog({ name, band, onStay, onChooseAgain }: CannotDialogProps) {
  return (
    <ModalCard title={hostingWords.cannot(name)} text={hostingWords.cannotDetail} band={band} onCancel={onStay}>
      <Button data-first-focus onClick={onStay}>
        {hostingWords.stay}
      </Button>
      <Button variant="primary" onClick={onChooseAgain}>
        {hostingWords.chooseAgain}
      </Button>
    </ModalCard>
  );
}

export interface AskedDialogProps {
  host: string;
  room: string;
  others: number;
  /** How long the person has left when the dialog opens. */
  leftMs: number;
  band: BandInk;
  onAnswer: (takes: boolean) => void;
}

/** The person asked answers. Escape is No thanks. */
export function AskedDialog({ host, room, others, leftMs, band, onAnswer }: AskedDialogProps) {
  const seconds = Math.ceil(leftMs / 1000);
  return (
    <ModalCard
      title={hostingWords.asked(host, room)}
      text={hostingWords.askedDetail(others)}
      band={band}
      onCancel={() => onAnswer(false)}
      body={
        <div className={styles.line} role="timer" aria-label={hostingWords.secondsLeft(seconds)}>
          <i
            style={{
              animationDuration: `${String(limits.handOverMs)}ms`,
              animationDelay: `${String(leftMs - limits.handOverMs)}ms`,
            }}
          />
        </div>
      }
    >
      <Button data-first-focus onClick={() => onAnswer(false)}>
        {hostingWords.noThanks}
      </Button>
      <Button variant="primary" onClick={() => onAnswer(true)}>
        {hostingWords.takeOver}
      </Button>
    </ModalCard>
  );
}
