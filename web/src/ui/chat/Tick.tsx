/** The delivery state of a message as an icon, with a label for screen readers. */
import { ClockMark, DoubleTickMark, TickMark } from '../icons/marks.tsx';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Tick.module.css';

/** `sending` has no server time yet; `read` is shown only where both share read receipts. */
export type TickState = 'sending' | 'sent' | 'delivered' | 'read';

const states = {
  sending: { word: 'Sending', mark: <ClockMark /> },
  sent: { word: 'Sent', mark: <TickMark /> },
  delivered: { word: 'Delivered', mark: <DoubleTickMark /> },
  read: {
    word: 'Read',
    mark: (
      <span className={styles.read}>
        <DoubleTickMark />
      </span>
    ),
  },
} as const;

/** A clock, one tick, two ticks, or two heavier ticks in the read colour. */
export function Tick({ state }: { state: TickState }) {
  const { word, mark } = states[state];
  return (
    <>
      {mark}
      <VisuallyHidden>{word}</VisuallyHidden>
    </>
  );
}
