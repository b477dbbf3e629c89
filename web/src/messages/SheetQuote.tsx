/** The message that a sheet on a phone is about; wide screens place the menu beside it. */
import styles from './SheetQuote.module.css';

/** Hidden from screen readers: the menu is named after the message. */
export function SheetQuote({ author, text }: { author: string; text: string }) {
  return <div className={styles.quote} data-author={author} data-text={text} aria-hidden="true" />;
}
