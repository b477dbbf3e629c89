/** Reactions that rise along the right edge of the picture, and for screen readers their number. */
import { useReadable } from '../../store/use-readable.ts';
import { StampDrawing } from '../../ui/chat/StampDrawing.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import type { Reactions } from './chat-model.ts';
import styles from './RisingReactions.module.css';

/** So that consecutive stamps don't overlap. */
const lanes = 5;

/** Covers its positioned parent and lets presses through. CSS hides the stamps with reduced motion. */
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
        <VisuallyHidden>{useReadable(reactions.announced)}</VisuallyHidden>
      </output>
    </>
  );
}
