/** The number that tells sign-ups with one address apart: on the page that waits and on the page of its mail. */
import styles from './NumberLine.module.css';

/** `words` say the number too, for screen readers. */
export function NumberLine({ number, words }: { number: number; words: string }) {
  return (
    <p className={styles.line}>
      <b aria-hidden="true">{number}</b>
      <span>{words}</span>
    </p>
  );
}
