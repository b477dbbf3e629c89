/** A picture with a title below it (beside it in narrow columns): one suggestion. */
import { classNames } from '../class-names.ts';
import { Thumb } from './MediaRow.tsx';
import styles from './MediaCards.module.css';

/** A button with `onPress`, plain without. */
interface MediaCardProps {
  title: string;
  /** What a press does, for screen readers; the title when left out. */
  label?: string;
  id: string;
  pictureUrl?: string | undefined;
  onPress?: (() => void) | undefined;
}

export function MediaCard({ title, label, id, pictureUrl, onPress }: MediaCardProps) {
  const content = (
    <>
      <Thumb id={id} url={pictureUrl} />
      <span className={styles.title} dir="auto">
        {title}
      </span>
    </>
  );
  return onPress ? (
    <button type="button" aria-label={label} className={classNames(styles.card, styles.pressable)} onClick={onPress}>
      {content}
    </button>
  ) : (
    <div className={styles.card}>{content}</div>
  );
}
