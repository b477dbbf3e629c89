/** Stamps that rise along the right edge of what lies below, and for screen readers how many there were. */
import { useReadable } from '../../store/use-readable.ts';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { Reactions } from './chat-model.ts';
import styles from './RisingReactions.module.css';

/** Five lanes, so that neighbours do not lie on one another. */
const lanes = 5;

/** Covers its positioned parent and lets presses through. Without motion the stamps are not drawn. */
export function RisingReactions({ reactions }: { reactions: Reactions }) {
  const rising = useReadable(reactions.rising);
  return (
    <>
      <div className={styles.over} aria-hidden="true" data-testid="rising-stamps">
        {rising.map(({ key, stamp }) => (
          <span
            key={key}
            className={styles.stamp}
            style={{ '--lane': (key * 2) % lanes }}
            onAnimationEnd={() => reactions.risen(key)}
          >
            <StampDrawing name={stamp} size={34} />
          </span>
        ))}
      </div>
      <output>
        <VisuallyHidden>{useReadable(reactions.said)}</VisuallyHidden>
      </output>
    </>
  );
}
