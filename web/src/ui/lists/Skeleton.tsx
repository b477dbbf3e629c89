/** Grey rows standing in for a list that takes longer than 300 ms. Screen readers announce one text only. */
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Skeleton.module.css';

const widths = [
  ['52%', '84%'],
  ['38%', '70%'],
  ['46%', '62%'],
  ['58%', '78%'],
] as const;

/** `rows` of an avatar and two lines; they fade in after 300 ms so fast lists never flash. */
export function SkeletonRows({ rows = 4, label = 'Loading...' }: { rows?: number; label?: string }) {
  return (
    <output className={styles.rows}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: rows }, (_, index) => {
        const [first, second] = widths[index % widths.length] ?? widths[0];
        return (
          <span key={`row ${index}`} className={styles.row} aria-hidden="true">
            <span className={styles.avatar} />
            <span className={styles.lines}>
              <span style={{ width: first }} />
              <span style={{ width: second }} />
            </span>
          </span>
        );
      })}
    </output>
  );
}
