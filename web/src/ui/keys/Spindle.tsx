/** The small turning ring beside words that say what is awaited. Never shown without words. */
import styles from './Spindle.module.css';

/** A 20 px ring in the current text colour. Decorative. */
export function Spindle() {
  return <span className={styles.spindle} aria-hidden="true" />;
}
