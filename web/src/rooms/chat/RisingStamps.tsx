/** Stamps that rise along the right edge of what lies below, and for screen readers how many there were. */
import { useReadable } from '../../store/use-readable.ts';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { Cheers } from './reactions.ts';
import styles from './RisingStamps.module.css';

/** Five lanes, so that neighbours do not lie on one another. */
const lanes = 5;

/** Covers its positioned parent and lets presses through. Without motion the stamps are not drawn. */
export function RisingStamps({ cheers }: { cheers: Cheers }) {
  const rising = useReadable(cheers.rising);
  return (
    <>
      <div className={styles.over} aria-hidden="true" data-testid="rising-stamps">
        {rising.map(({ key, stamp }) => (
          <span
            key={key}
            className={styles.stamp}
            style={{ '--lane': (key * 2) % lanes }}
            onAnimationEnd={() => cheers.risen(key)}
          >
            <StampDrawing name={stamp} size={34} />
          </span>
        ))}
      </div>
      <output>
        <VisuallyHidden>{useReadable(cheers.said)}</VisuallyHidden>
      </output>
    </>
  );
}
