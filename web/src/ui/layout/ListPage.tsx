/** A page that is one list: a heading with an action at its right, and a 712 px column. */
import styles from './ListPage.module.css';
import type { Elements } from '../OwnText.tsx';

/** `action` is usually a ghost `ButtonLink` back. */
interface ListPageProps {
  title: string;
  /** Beside what the page is about. */
  isPart?: boolean;
  action?: Elements;
  children: Elements;
}

export function ListPage({ title, isPart = false, action, children }: ListPageProps) {
  const Title = isPart ? 'h2' : 'h1';
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <Title>{title}</Title>
        {action}
      </div>
      {children}
    </div>
  );
}
