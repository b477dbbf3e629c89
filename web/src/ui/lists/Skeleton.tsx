/** Grey rows standing in for a list that takes longer than 300 ms. Screen readers announce one text only. */
import { useWhyNot } from '../feedback/Waiting.tsx';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import styles from './Skeleton.module.css';
import { t } from '../../language/t.ts';

const widths = [
  ['52%', '84%'],
  ['38%', '70%'],
  ['46%', '62%'],
  ['58%', '78%'],
] as const;

/** An avatar and two lines each; they fade in after 300 ms so fast lists never flash. When they stay away a sentence. */
export function SkeletonRows() {
  const whyNot = useWhyNot();
  if (whyNot !== null) return <output className={styles.rows}>{whyNot}</output>;
  return (
    <output className={styles.rows}>
      <VisuallyHidden>{t`Loading...`}</VisuallyHidden>
      {widths.map(([first, second]) => (
        <span key={first} className={styles.row} aria-hidden="true">
          <span className={styles.avatar} />
          <span className={styles.lines}>
            <span style={{ width: first }} />
            <span style={{ width: second }} />
          </span>
        </span>
      ))}
    </output>
  );
}
