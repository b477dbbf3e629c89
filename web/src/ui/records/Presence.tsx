/** The presence dot with its label beside it. */
import { classNames } from '../class-names.ts';
import styles from './Presence.module.css';
import { t } from '../../language/t.ts';

/** `Online` behind a filled dot, `Offline` behind a hollow ring; takes the text colour of an ink when `onInk`. */
export function Presence({ online, onInk }: { online: boolean; onInk?: boolean | undefined }) {
  return (
    <span className={classNames(styles.presence, !online && styles.off, onInk && styles.onInk)}>
      {online ? t`Online` : t`Offline`}
    </span>
  );
}
