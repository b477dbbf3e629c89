/** The first element that Tab reaches: a link to the content, past band and sidebar. */
import styles from './SkipLink.module.css';

export function SkipLink() {
  return (
    <button
      type="button"
      className={styles.skip}
      onClick={() => {
        const main = document.querySelector<HTMLElement>('main');
        if (main === null) return;
        main.tabIndex = -1;
        main.focus();
        main.scrollIntoView();
      }}
    >
      Skip to content
    </button>
  );
}
