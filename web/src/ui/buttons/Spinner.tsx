/** The small turning ring beside words that say what is awaited. Never shown without words. */
import styles from './Spinner.module.css';

/** A 20 px ring in the current text colour. Decorative. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
