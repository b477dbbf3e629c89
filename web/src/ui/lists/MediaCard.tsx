/** A picture with a title below it (beside it in narrow columns): one suggestion. */
import { classNames } from '../class-names.ts';
import { titleLines } from '../title-lines.ts';
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
  const { name, artist } = titleLines(id, title);
  const content = (
    <>
      <Thumb id={id} url={pictureUrl} />
      <span className={styles.title}>
        <span dir="auto">{name}</span>
        {artist !== null && (
          <span className="meta" dir="auto">
            {artist}
          </span>
        )}
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
