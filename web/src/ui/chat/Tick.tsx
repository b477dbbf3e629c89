/** The delivery state of a message as an icon, with a label for screen readers. */
import { ClockMark, DoubleTickMark, TickMark } from '../icons/marks.tsx';
import { VisuallyHidden } from '../VisuallyHidden.tsx';

/** `sending` has no server time yet; `delivered` also covers read. */
export type TickState = 'sending' | 'sent' | 'delivered';

const states = {
  sending: { word: 'Sending', mark: <ClockMark /> },
  sent: { word: 'Sent', mark: <TickMark /> },
  delivered: { word: 'Delivered', mark: <DoubleTickMark /> },
} as const;

/** A clock, one tick, or two ticks. */
export function Tick({ state }: { state: TickState }) {
  const { word, mark } = states[state];
  return (
    <>
      {mark}
      <VisuallyHidden>{word}</VisuallyHidden>
    </>
  );
}
