/** A page that is one list: a heading with an action at its right, and a 712 px column. */
import styles from './ListPage.module.css';
import type { Elements } from '../OwnText.tsx';

/** `action` is usually a ghost `ButtonLink` back. */
export function ListPage({ title, action, children }: { title: string; action?: Elements; children: Elements }) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
        {action}
      </div>
      {children}
    </div>
  );
}
