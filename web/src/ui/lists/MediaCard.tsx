/** A picture with a title below it (beside it in narrow columns): one suggestion. */
import { classNames } from '../class-names.ts';
import { Thumb } from './MediaRow.tsx';
import styles from './MediaCards.module.css';

/** A button with `onPress`, plain without. */
interface MediaCardProps {
  title: string;
  id: string;
  pictureUrl?: string | undefined;
  onPress?: (() => void) | undefined;
}

export function MediaCard({ title, id, pictureUrl, onPress }: MediaCardProps) {
  const content = (
    <>
      <Thumb id={id} url={pictureUrl} />
      <span className={styles.title} dir="auto">
        {title}
      </span>
    </>
  );
  return onPress ? (
    <button type="button" className={classNames(styles.card, styles.pressable)} onClick={onPress}>
      {content}
    </button>
  ) : (
    <div className={styles.card}>{content}</div>
  );
}
