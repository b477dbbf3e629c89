/** A printed cover with a pattern, a title and its actions; a record shows at its right. */
import type { ReactNode } from 'react';
import type { BandInk } from '../inks.ts';
import { TileGrid } from './TileGrid.tsx';
import { Vinyl } from './Vinyl.tsx';
import styles from './CoverCard.module.css';

/** `pattern` is twelve tile characters (eight or six show on narrow cards); actions are `ink` and `inkLine` buttons. */
interface CoverCardProps {
  title: string;
  ink: BandInk;
  pattern: string;
  children: ReactNode;
}

export function CoverCard({ title, ink, pattern, children }: CoverCardProps) {
  return (
    <div className={styles.box} data-band={ink}>
      <Vinyl pressed className={styles.record} />
      <section className={styles.cover} aria-label={title}>
        <TileGrid code={pattern} columns={6} className={styles.pattern} />
        <div className={styles.body}>
          <h2 dir="auto">{title}</h2>
          <div className={styles.actions}>{children}</div>
        </div>
      </section>
    </div>
  );
}
